//! Reasons why a reference does not resolve. In an edition newer than the known ones, an undeclared name may be a new keyword:
//! that is reported as a note and is not an error.

use groma_config::implied_provider;
use groma_eval::{LocatedCode, Reference, news};
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, DiagnosticCode, Phase, Place};
use groma_value::Str;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::declare::Module;

/// The reason why a reference does not resolve: diagnostic code and message, and the part of the reference at fault.
#[derive(Clone, Debug)]
pub struct ResolveProblem {
    code: &'static DiagnosticCode,
    /// The message, in whole sentences.
    pub detail: String,
    /// True if the programs check it only during a plan.
    is_late: bool,
    /// True if only the root name is at fault.
    is_about_root: bool,
    /// The edition, if it is newer than the known ones and may support the missing thing.
    newer: Option<Edition>,
}

impl ResolveProblem {
    /// Returns true if the edition is newer than the known ones and may support what the reference names.
    pub fn is_news(&self) -> bool {
        self.newer.is_some_and(|edition| news::is_news(self.code, edition))
    }

    /// Records the edition, newer than the known ones, that may support what the reference names; `None` changes nothing.
    pub(crate) fn with_newer_edition(self, newer: Option<Edition>) -> ResolveProblem {
        ResolveProblem { newer: self.newer.or(newer), ..self }
    }

    /// Returns true if the problem is that an existing object does not have the attribute that the reference names.
    pub(crate) fn is_about_attribute(&self) -> bool {
        self.code == &codes::NO_SUCH_ATTRIBUTE
    }

    /// Returns true if the problem is a missing or superfluous instance key.
    pub(crate) fn is_about_key(&self) -> bool {
        self.code == &codes::INSTANCE_KEY
    }

    /// Returns true if the problem is that a declaration refers to itself.
    pub(crate) fn is_about_itself(&self) -> bool {
        self.code == &codes::SELF_REFERENCE || self.code == &codes::INSTANCE_SELF_REFERENCE
    }

    /// Returns the same problem with the diagnostic code of `replace_triggered_by`.
    pub(crate) fn of_trigger(self) -> ResolveProblem {
        ResolveProblem { code: &codes::TRIGGER_REFERENCE, is_late: true, ..self }
    }
}

impl ResolveProblem {
    /// Returns the same problem, reported only during a plan if `is_late`.
    pub(crate) fn late_if(self, is_late: bool) -> ResolveProblem {
        ResolveProblem { is_late, ..self }
    }

    /// Returns a problem with this code and message.
    pub(crate) fn new(code: &'static DiagnosticCode, detail: impl Into<String>) -> ResolveProblem {
        let is_late = code == &codes::INSTANCE_SELF_REFERENCE;
        ResolveProblem { code, detail: detail.into(), is_late, is_about_root: false, newer: None }
    }

    /// Returns the same problem, reported at the root name instead of the whole reference.
    pub(crate) fn about_root(self) -> ResolveProblem {
        ResolveProblem { is_about_root: true, ..self }
    }

    /// Returns the diagnostic of the problem, at the part of the reference that is at fault.
    pub fn of(self, located: &LocatedCode, reference: &Reference) -> Diagnostic {
        let place = match self.is_about_root {
            true => located.place_of_first(reference, 0),
            false => located.place(reference.span),
        };
        self.at(place)
    }

    /// Returns the diagnostic of the problem at a source range.
    pub fn at(self, place: Place) -> Diagnostic {
        let phase = if self.is_late { Phase::Plan } else { Phase::Resolve };
        let found = match self.newer {
            Some(edition) => news::refuse(self.code, self.detail, edition),
            None => Diagnostic::error(self.code, self.detail),
        };
        found.at(place).in_phase(phase)
    }
}

/// An edition newer than the known ones, with the names that are certainly not new keywords in it.
#[derive(Debug)]
pub(crate) struct NewerEdition {
    edition: Edition,
    /// The local names of the module's providers: their resource types are not keywords.
    providers: FxHashSet<Str>,
}

impl NewerEdition {
    /// Returns the edition of a module with its providers' names; `None` if the edition is known.
    pub(crate) fn of(module: &Module, edition: Edition) -> Option<NewerEdition> {
        if !edition.is_newer_than_known() {
            return None;
        }
        let required = module.settings.providers.iter().map(|one| one.name.clone());
        let configured = module.providers.iter().map(|one| one.name.clone());
        let used = module.resources.iter().flat_map(|one| {
            [Str::from(one.provider_name()), Str::from(implied_provider(&one.kind))]
        });
        let built_in = std::iter::once(Str::from("terraform"));
        let providers = required.chain(configured).chain(used).chain(built_in).collect();
        Some(NewerEdition { edition, providers })
    }

    /// Returns the edition that is newer than the known ones.
    pub(crate) fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns true if `root` may be a keyword of the edition, because it is not a resource type of one of the module's
    /// providers.
    pub(crate) fn may_know(&self, root: &str) -> bool {
        !self.providers.contains(implied_provider(root))
    }
}
