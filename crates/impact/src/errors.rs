//! Errors of two plans: those that both have, and those of one alone. Lines move, so errors are equal if their code, detail and
//! file are.

use groma_plan::Plan;
use groma_protocol::place_text;
use groma_syntax::{Diagnostic, Severity, Sources};
use rustc_hash::FxHashMap;

/// The errors that two plans share, and those of each plan alone.
#[derive(Clone, Default, Debug)]
pub struct ErrorChanges {
    /// The number of errors that both plans have.
    pub shared: usize,
    /// The errors of the newer plan alone.
    pub new: Vec<Diagnostic>,
    /// The errors of the older plan alone.
    pub mended: Vec<Diagnostic>,
}

/// The identity of an error across revisions: slug, detail and file name.
type Known = (&'static str, String, Option<String>);

/// Returns the slug, detail and file name of an error, by which it is recognized in another revision.
fn identity(error: &Diagnostic, sources: &Sources) -> Known {
    let file = error.place.map(|place| sources.at(place).0.name().to_owned());
    (error.code.slug, error.detail.clone(), file)
}

/// Returns the errors among the diagnostics of a plan.
fn errors(plan: &Plan) -> impl Iterator<Item = &Diagnostic> {
    plan.diagnostics().iter().filter(|one| one.severity == Severity::Error)
}

impl ErrorChanges {
    /// Returns the errors that an older and a newer plan share, and those of each alone.
    pub(crate) fn between(base: &Plan, head: &Plan) -> ErrorChanges {
        let (was, is) = (base.evaluation().sources(), head.evaluation().sources());
        let mut left: FxHashMap<Known, Vec<&Diagnostic>> = FxHashMap::default();
        for error in errors(base) {
            left.entry(identity(error, &was)).or_default().push(error);
        }
        let mut found = ErrorChanges::default();
        for error in errors(head) {
            match left.get_mut(&identity(error, &is)).and_then(Vec::pop) {
                Some(_) => found.shared += 1,
                None => found.new.push(error.clone()),
            }
        }
        // The remaining errors keep the order of the plan.
        let mut kept: Vec<*const Diagnostic> =
            left.into_values().flatten().map(std::ptr::from_ref).collect();
        kept.sort_unstable();
        let is_left = |one: &&Diagnostic| kept.binary_search(&std::ptr::from_ref(*one)).is_ok();
        found.mended = errors(base).filter(is_left).cloned().collect();
        found
    }

    /// Returns the summary of an error with its place in parentheses.
    pub fn words(error: &Diagnostic, sources: &Sources) -> String {
        let place = error.place.map(|place| format!(" ({})", place_text(place, sources)));
        format!("{}{}", error.code.summary, place.unwrap_or_default())
    }
}
