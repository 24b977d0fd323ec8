//! The findings in one root, as a report takes them. They hold the texts that they are about, so that a report can be
//! written after the root is gone.

use std::collections::BTreeSet;
use std::sync::Arc;

use groma_lint::LintResult;
use groma_module::{EditionEvidence, codes};
use groma_project::{AbsentSource, MappingUse};
use groma_syntax::{Diagnostic, Diagnostics, Severity, Sources};
use rustc_hash::FxHashSet;

/// The findings in one root.
#[derive(Clone, Debug)]
pub struct RootFindings {
    /// The folder of the root, as it was named.
    pub dir: String,
    /// The findings.
    pub found: Diagnostics,
    /// The texts that findings are about, perhaps among others.
    pub sources: Sources,
    /// The files that were read for it, by name.
    pub files: BTreeSet<Arc<str>>,
    /// As what it was read, where that is known.
    pub evidence: Option<EditionEvidence>,
    /// True if something of it was not read: a file that is not the language, or a module that is not at hand.
    pub unread: bool,
    /// The sources of modules that are not at hand.
    pub absent: Vec<AbsentSource>,
    /// The use of the folders that were named for sources.
    pub mappings: MappingUse,
}

/// Returns true if a finding says that a text is not the language.
pub(crate) fn is_of_syntax(one: &Diagnostic) -> bool {
    one.severity == Severity::Error && groma_syntax::codes::ALL.contains(&one.code)
}

/// Returns true if a finding says that a module is not at hand.
pub(crate) fn is_absent(one: &Diagnostic) -> bool {
    one.code == &codes::MODULE_NOT_INSTALLED
}

impl RootFindings {
    /// Returns what was found in a folder, where every module that it calls is at hand.
    pub fn new(dir: &str, found: Diagnostics, sources: Sources) -> RootFindings {
        let unread = found.iter().any(is_of_syntax);
        let files = sources.iter().map(|(_, source)| source.name().into()).collect();
        let (absent, mappings) = (Vec::new(), MappingUse::default());
        let (dir, evidence) = (dir.to_owned(), None);
        RootFindings { dir, found, sources, files, evidence, unread, absent, mappings }
    }
}

impl RootFindings {
    /// Returns the source that a finding is about, if it says that this is not at hand.
    pub fn absent_source(&self, one: &Diagnostic) -> Option<&AbsentSource> {
        let place = one.place.filter(|_| is_absent(one))?;
        self.absent.iter().find(|absent| absent.calls.contains(&place))
    }

    /// Takes in what the rules have found, and shows nothing of what they withhold.
    pub fn take_in(&mut self, linted: LintResult) {
        self.sources = linted.sources;
        linted.withheld.into_iter().for_each(|place| self.sources.withhold(place));
        // Some of it a program may have said already.
        let told: FxHashSet<_> = self.found.iter().map(|one| (one.place, one.code.slug)).collect();
        let fresh =
            linted.found.into_iter().filter(|one| !told.contains(&(one.place, one.code.slug)));
        self.found.extend(fresh);
        self.found.sort_by_place();
    }

    /// Makes every warning an error.
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
