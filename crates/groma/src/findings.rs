//! The diagnostics of one root with the texts they refer to, so that a report can be written after the root is dropped.

use std::collections::BTreeSet;
use std::sync::Arc;

use groma_lint::LintResult;
use groma_module::{EditionEvidence, codes};
use groma_project::{AbsentSource, MappingUse};
use groma_syntax::{Diagnostic, Diagnostics, Severity, Sources};
use rustc_hash::FxHashSet;

/// The diagnostics of one root with the data for a report of them: their sources, the files that were read and the missing
/// modules.
#[derive(Clone, Debug)]
pub struct RootFindings {
    /// The directory of the root, as the caller named it.
    pub dir: String,
    /// The diagnostics.
    pub found: Diagnostics,
    /// The sources of the diagnostics, possibly among others.
    pub sources: Sources,
    /// The names of the files that were read for the root.
    pub files: BTreeSet<Arc<str>>,
    /// The evidence for the root's edition; `None` if it is not known.
    pub evidence: Option<EditionEvidence>,
    /// True if some code was not read: a file with syntax errors, or a missing module.
    pub unread: bool,
    /// The sources of missing modules.
    pub absent: Vec<AbsentSource>,
    /// The directories that were mapped to module sources, and how they were used.
    pub mappings: MappingUse,
}

/// Returns true if a diagnostic is a syntax error.
pub(crate) fn is_of_syntax(one: &Diagnostic) -> bool {
    one.severity == Severity::Error && groma_syntax::codes::ALL.contains(&one.code)
}

/// Returns true if a diagnostic reports a missing module.
pub(crate) fn is_absent(one: &Diagnostic) -> bool {
    one.code == &codes::MODULE_NOT_INSTALLED
}

impl RootFindings {
    /// Creates the findings of the root in a directory from its diagnostics and their sources, assuming that no module is
    /// missing.
    pub fn new(dir: &str, found: Diagnostics, sources: Sources) -> RootFindings {
        let unread = found.iter().any(is_of_syntax);
        let files = sources.iter().map(|(_, source)| source.name().into()).collect();
        let (absent, mappings) = (Vec::new(), MappingUse::default());
        let (dir, evidence) = (dir.to_owned(), None);
        RootFindings { dir, found, sources, files, evidence, unread, absent, mappings }
    }
}

impl RootFindings {
    /// Returns the missing module source that a diagnostic reports; `None` if it reports another problem.
    pub fn absent_source(&self, one: &Diagnostic) -> Option<&AbsentSource> {
        let place = one.place.filter(|_| is_absent(one))?;
        self.absent.iter().find(|absent| absent.calls.contains(&place))
    }

    /// Adds the diagnostics of a lint run that are not among the findings yet, and withholds the texts that it marks as secret
    /// from display.
    pub fn add_lint(&mut self, linted: LintResult) {
        self.sources = linted.sources;
        linted.withheld.into_iter().for_each(|place| self.sources.withhold(place));
        // A diagnostic may be among the findings already.
        let told: FxHashSet<_> = self.found.iter().map(|one| (one.place, one.code.slug)).collect();
        let fresh =
            linted.found.into_iter().filter(|one| !told.contains(&(one.place, one.code.slug)));
        self.found.extend(fresh);
        self.sources.sort(&mut self.found);
    }

    /// Turns every warning among the diagnostics into an error.
    pub fn deny_warnings(&mut self) {
        let all = std::mem::take(&mut self.found).into_vec().into_iter();
        self.found = all
            .map(|mut one| {
                if one.severity == Severity::Warning {
                    one.severity = Severity::Error;
                }
                one
            })
            .collect();
    }
}
