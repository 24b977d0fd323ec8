//! Files with errors that leave out declarations on one side. Declarations may be missing for that reason alone, so their
//! addition or removal means nothing, and a difference that depends on such a file may be none.

use std::collections::BTreeSet;
use std::sync::Arc;

use groma_config::codes::{INVALID_NAME, NOT_TEXT, UNREADABLE_FILE, UNSUPPORTED_BLOCK};
use groma_plan::Plan;
use groma_syntax::codes::MISSING_ARGUMENT;
use groma_syntax::{DiagnosticCode, Severity, Sources};
use rustc_hash::FxHashMap;

/// The codes of errors, other than syntax errors, after which declarations are missing from the loaded module.
static UNREAD: [&DiagnosticCode; 4] =
    [&INVALID_NAME, &NOT_TEXT, &UNREADABLE_FILE, &UNSUPPORTED_BLOCK];

/// The files of each revision in which errors keep declarations from being loaded, without files whose text is the same in
/// both.
pub(crate) struct BrokenFiles {
    base: BTreeSet<String>,
    head: BTreeSet<String>,
}

impl BrokenFiles {
    /// Returns the files of both plans in which errors keep declarations from being loaded, without those whose text is the
    /// same in both.
    pub(crate) fn of(base: &Plan, head: &Plan) -> BrokenFiles {
        let files = [files(base), files(head)];
        if files.iter().all(BTreeSet::is_empty) {
            let [base, head] = files;
            return BrokenFiles { base, head };
        }
        let texts = [base, head].map(|plan| texts(&plan.evaluation().sources()));
        let differs = |name: &String| texts[0].get(name.as_str()) != texts[1].get(name.as_str());
        let [base, head] = files.map(|files| files.into_iter().filter(differs).collect());
        BrokenFiles { base, head }
    }

    /// Returns true if neither revision has a file in which errors keep declarations from being loaded.
    pub(crate) fn is_empty(&self) -> bool {
        self.base.is_empty() && self.head.is_empty()
    }

    /// Returns true if errors in a file keep declarations from being loaded: in the newer revision if `is_head`, else in the
    /// older one.
    pub(crate) fn contains(&self, is_head: bool, file: &str) -> bool {
        if is_head { self.head.contains(file) } else { self.base.contains(file) }
    }

    /// Returns true if a place, printed as `FILE:LINE`, is in a file whose errors keep declarations of either revision from
    /// being loaded.
    pub(crate) fn has_place(&self, place: &str) -> bool {
        let file = file_of(place);
        self.contains(false, file) || self.contains(true, file)
    }
}

/// Returns the file name of a printed place, `FILE:LINE`.
pub(crate) fn file_of(place: &str) -> &str {
    place.rsplit_once(':').map_or(place, |(file, _)| file)
}

/// Returns the files in which the errors of a plan's diagnostics may keep declarations from being loaded.
fn files(plan: &Plan) -> BTreeSet<String> {
    let sources = plan.evaluation().sources();
    let errors = plan.diagnostics().iter().filter(|one| one.severity == Severity::Error);
    let broken = errors.filter(|one| {
        let mut all = groma_syntax::codes::ALL.iter().chain(&UNREAD);
        // A missing argument leaves out no declaration.
        one.code != &MISSING_ARGUMENT && all.any(|code| *code == one.code)
    });
    broken.filter_map(|one| Some(sources.at(one.place?).0.name().to_owned())).collect()
}

/// Returns the text of each source file by its name.
fn texts(sources: &Sources) -> FxHashMap<String, Arc<str>> {
    sources.iter().map(|(_, one)| (one.name().to_owned(), one.text().clone())).collect()
}
