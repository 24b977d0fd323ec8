//! Findings of the rules. No message contains a secret or its line: views withhold the source ranges listed here before they
//! show findings.

use groma_module::visit::Declaration;
use groma_syntax::{Diagnostic, Diagnostics, FileId, Phase, Place, Severity, Source, Sources};

use crate::RuleSwitches;
use crate::allow::is_allowed_at;
use crate::memory::StoredFindings;
use crate::trouble::ErrorRanges;

/// The findings of the lint rules in a project, with the source texts that they refer to.
#[derive(Debug)]
pub struct LintResult {
    /// The findings, by place.
    pub found: Diagnostics,
    /// The source ranges that must not be shown.
    pub withheld: Vec<Place>,
    /// Every text that a finding may refer to.
    pub sources: Sources,
}

impl LintResult {
    /// Creates a result without findings; `sources` are the texts of the project.
    pub fn nothing(sources: Sources) -> LintResult {
        LintResult { found: Diagnostics::new(), withheld: Vec::new(), sources }
    }
}

/// The findings collected so far while the lint rules run, with the source texts that they refer to.
pub(crate) struct RuleFindings {
    sources: Sources,
    all: Vec<Diagnostic>,
    /// The source ranges that must not be shown, by parts of texts.
    withheld: Vec<Place>,
}

impl RuleFindings {
    /// Converts the findings about one declaration to those that are stored for the next run; `referred` are the declarations
    /// that it refers to.
    pub(crate) fn into_stored(self, referred: Vec<Declaration>) -> StoredFindings {
        StoredFindings { found: self.all, withheld: self.withheld, referred }
    }

    /// Adds the stored findings about a declaration, such as those of an earlier run.
    pub(crate) fn add_stored(&mut self, stored: &StoredFindings) {
        self.all.extend(stored.found.iter().cloned());
        self.withheld.extend(&stored.withheld);
    }

    /// Creates an empty collection of findings; `sources` are the texts of the project.
    pub(crate) fn new(sources: Sources) -> RuleFindings {
        RuleFindings { sources, all: Vec::new(), withheld: Vec::new() }
    }

    /// Returns the number of the source text with the name of `source`, which is added if the project has not read it.
    pub(crate) fn file(&mut self, source: Source) -> FileId {
        let known = self.sources.iter().find(|(_, known)| known.name() == source.name());
        match known.map(|(file, _)| file) {
            Some(file) => file,
            None => self.sources.add(source),
        }
    }

    /// Adds a finding to the collection.
    pub(crate) fn push(&mut self, one: Diagnostic) {
        self.all.push(one);
    }

    /// Adds a finding, and a source range whose text must not be shown.
    pub(crate) fn push_secret(&mut self, one: Diagnostic, secret: Place) {
        self.withheld.push(secret);
        self.all.push(one);
    }

    /// Converts the collection to the final result: severities are set, and findings that comments allow or that may follow from
    /// an error are dropped.
    pub(crate) fn finish(self, switches: &RuleSwitches, trouble: &ErrorRanges) -> LintResult {
        let RuleFindings { sources, all, withheld } = self;
        let withheld: Vec<Place> =
            withheld.into_iter().map(|place| sources.resolve(place)).collect();
        let touches = |place: Place| {
            let place = sources.resolve(place);
            let (start, end) = (place.span.start, place.span.end);
            let mut same = withheld.iter().filter(|own| own.file == place.file);
            same.any(|own| own.span.start <= end && start <= own.span.end)
        };
        let mut found = Diagnostics::new();
        for mut one in all {
            let name = one.code.slug;
            if one.place.is_some_and(|place| is_allowed_at(name, place, &sources, switches)) {
                continue;
            }
            if one.place.is_some_and(|place| trouble.covers(place, &sources)) {
                continue;
            }
            if switches.denies(name) {
                one.severity = Severity::Error;
            }
            if one.fix.as_ref().is_some_and(|fix| touches(fix.place)) {
                one.fix = None;
            }
            one.phase = Phase::Lint;
            one.resolve(&sources);
            found.push(one);
        }
        sources.sort(&mut found);
        LintResult { found, withheld, sources }
    }
}
