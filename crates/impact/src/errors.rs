//! Which errors two plans share, and which one of them has alone. Lines move, so an error is the same where its kind, its
//! words and its file are.

use groma_plan::Plan;
use groma_protocol::place_text;
use groma_syntax::{Diagnostic, Severity, Sources};
use rustc_hash::FxHashMap;

/// The errors of two plans.
#[derive(Clone, Default, Debug)]
pub struct ErrorChanges {
    /// How many both have.
    pub shared: usize,
    /// Those that only the newer one has.
    pub new: Vec<Diagnostic>,
    /// Those that only the older one has.
    pub mended: Vec<Diagnostic>,
}

/// The identity of an error across revisions.
type Known = (&'static str, String, Option<String>);

fn known(error: &Diagnostic, sources: &Sources) -> Known {
    let file = error.place.map(|place| sources.at(place).0.name().to_owned());
    (error.code.slug, error.detail.clone(), file)
}

fn errors(plan: &Plan) -> impl Iterator<Item = &Diagnostic> {
    plan.diagnostics().iter().filter(|one| one.severity == Severity::Error)
}

impl ErrorChanges {
    /// Compares those of an older plan with those of a newer one.
    pub(crate) fn between(base: &Plan, head: &Plan) -> ErrorChanges {
        let (was, is) = (base.evaluation().sources(), head.evaluation().sources());
        let mut left: FxHashMap<Known, Vec<&Diagnostic>> = FxHashMap::default();
        for error in errors(base) {
            left.entry(known(error, &was)).or_default().push(error);
        }
        let mut found = ErrorChanges::default();
        for error in errors(head) {
            match left.get_mut(&known(error, &is)).and_then(Vec::pop) {
                Some(_) => found.shared += 1,
                None => found.new.push(error.clone()),
            }
        }
        // What is left is told in the order of the plan.
        let mut kept: Vec<*const Diagnostic> =
            left.into_values().flatten().map(std::ptr::from_ref).collect();
        kept.sort_unstable();
        let is_left = |one: &&Diagnostic| kept.binary_search(&std::ptr::from_ref(*one)).is_ok();
        found.mended = errors(base).filter(is_left).cloned().collect();
        found
    }

    /// An error as a few words: its summary, and where it is.
    pub fn words(error: &Diagnostic, sources: &Sources) -> String {
        let place = error.place.map(|place| format!(" ({})", place_text(place, sources)));
        format!("{}{}", error.code.summary, place.unwrap_or_default())
    }
}
