//! Why a reference leads nowhere. In an edition that is newer than what is known an undeclared name may be a word
//! of the language: that is told, and is no problem.

use groma_config::implied_provider;
use groma_eval::{LocatedCode, Reference, news};
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, DiagnosticCode, Phase, Place};
use groma_value::Str;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::declare::Module;

/// The reason why a reference leads nowhere.
#[derive(Clone, Debug)]
pub struct ResolveProblem {
    code: &'static DiagnosticCode,
    /// In whole sentences.
    pub detail: String,
    /// True if these programs look at it only when they plan.
    is_late: bool,
    /// True if it is about the first word alone.
    is_about_root: bool,
    /// The edition, where that is newer than what is known and may have what there is none of here.
    newer: Option<Edition>,
}

impl ResolveProblem {
    /// Returns true if it is none in an edition that is newer than what is known.
    pub fn is_news(&self) -> bool {
        self.newer.is_some_and(|edition| news::is_news(self.code, edition))
    }

    /// The same about something that a newer edition may have.
    pub(crate) fn if_known(self, newer: Option<Edition>) -> ResolveProblem {
        ResolveProblem { newer: self.newer.or(newer), ..self }
    }

    /// Returns true if only an attribute is missing.
    pub(crate) fn is_about_attribute(&self) -> bool {
        self.code == &codes::NO_SUCH_ATTRIBUTE
    }

    /// Returns true if an instance key is missing or not wanted.
    pub(crate) fn is_about_key(&self) -> bool {
        self.code == &codes::INSTANCE_KEY
    }

    /// Returns true if a declaration needs itself.
    pub(crate) fn is_about_itself(&self) -> bool {
        self.code == &codes::SELF_REFERENCE || self.code == &codes::INSTANCE_SELF_REFERENCE
    }

    /// The same about a trigger.
    pub(crate) fn of_trigger(self) -> ResolveProblem {
        ResolveProblem { code: &codes::TRIGGER_REFERENCE, is_late: true, ..self }
    }
}

impl ResolveProblem {
    /// The same, looked at only by a plan if `is_late`.
    pub(crate) fn late_if(self, is_late: bool) -> ResolveProblem {
        ResolveProblem { is_late, ..self }
    }

    pub(crate) fn new(code: &'static DiagnosticCode, detail: impl Into<String>) -> ResolveProblem {
        let is_late = code == &codes::INSTANCE_SELF_REFERENCE;
        ResolveProblem { code, detail: detail.into(), is_late, is_about_root: false, newer: None }
    }

    /// The same about the first word alone.
    pub(crate) fn about_root(self) -> ResolveProblem {
        ResolveProblem { is_about_root: true, ..self }
    }

    /// The same of a reference, at what of it is to blame.
    pub fn of(self, located: &LocatedCode, reference: &Reference) -> Diagnostic {
        let place = match self.is_about_root {
            true => located.place_of_first(reference, 0),
            false => located.place(reference.span),
        };
        self.at(place)
    }

    /// The same at a place.
    pub fn at(self, place: Place) -> Diagnostic {
        let phase = if self.is_late { Phase::Plan } else { Phase::Resolve };
        let found = match self.newer {
            Some(edition) => news::refuse(self.code, self.detail, edition),
            None => Diagnostic::error(self.code, self.detail),
        };
        found.at(place).in_phase(phase)
    }
}

/// What tells in an edition that is newer than what is known whether a name may be new.
#[derive(Debug)]
pub(crate) struct NewerEdition {
    edition: Edition,
    /// The local names of the providers that the module speaks of: their types are no words of the language.
    providers: FxHashSet<Str>,
}

impl NewerEdition {
    /// Nothing where the edition is known.
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

    /// The edition.
    pub(crate) fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns true if it may have `root` for a word of its own.
    pub(crate) fn may_know(&self, root: &str) -> bool {
        !self.providers.contains(implied_provider(root))
    }
}
