//! What the rules found. A secret that was found is in no sentence, and its line is in none either: a view of findings
//! withholds the places that are listed here first.

use groma_module::visit::Declaration;
use groma_syntax::{Diagnostic, Diagnostics, FileId, Phase, Place, Severity, Source, Sources};

use crate::RuleSwitches;
use crate::allow::is_allowed_at;
use crate::memory::ExpressionLook;
use crate::trouble::ErrorRanges;

/// The findings of the rules.
#[derive(Debug)]
pub struct LintResult {
    /// The findings, by place.
    pub found: Diagnostics,
    /// The places that are not to be shown.
    pub withheld: Vec<Place>,
    /// Every text that a finding may be about.
    pub sources: Sources,
}

impl LintResult {
    /// Nothing, about these texts.
    pub fn nothing(sources: Sources) -> LintResult {
        LintResult { found: Diagnostics::new(), withheld: Vec::new(), sources }
    }
}

/// The findings so far, while the rules look.
pub(crate) struct RuleFindings {
    sources: Sources,
    all: Vec<Diagnostic>,
    /// The places that are not to be shown, in parts of texts.
    withheld: Vec<Place>,
}

impl RuleFindings {
    /// The findings as a look at a declaration.
    pub(crate) fn into_look(self, referred: Vec<Declaration>) -> ExpressionLook {
        ExpressionLook { found: self.all, withheld: self.withheld, referred }
    }

    /// Takes over what was found in a look.
    pub(crate) fn take_over(&mut self, look: &ExpressionLook) {
        self.all.extend(look.found.iter().cloned());
        self.withheld.extend(&look.withheld);
    }

    pub(crate) fn new(sources: Sources) -> RuleFindings {
        RuleFindings { sources, all: Vec::new(), withheld: Vec::new() }
    }

    /// The number of a text that the project may not have read.
    pub(crate) fn file(&mut self, source: Source) -> FileId {
        let known = self.sources.iter().find(|(_, known)| known.name() == source.name());
        match known.map(|(file, _)| file) {
            Some(file) => file,
            None => self.sources.add(source),
        }
    }

    pub(crate) fn push(&mut self, one: Diagnostic) {
        self.all.push(one);
    }

    /// A place that is not to be shown, and what there is to say about it.
    pub(crate) fn push_secret(&mut self, one: Diagnostic, secret: Place) {
        self.withheld.push(secret);
        self.all.push(one);
    }

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
        found.sort_by_place();
        LintResult { found, withheld, sources }
    }
}
