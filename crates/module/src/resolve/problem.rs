//! Why a reference leads nowhere. In an edition that is newer than what is known a name that nobody declares may be a word
//! of the language: that is told, and is no problem.

use groma_eval::{Located, Reference, news};
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, DiagnosticCode, Phase, Place};
use groma_value::Str;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::declare::Module;

/// Why a reference leads nowhere.
#[derive(Clone, Debug)]
pub struct Problem {
    code: &'static DiagnosticCode,
    /// In whole sentences.
    pub detail: String,
    /// Whether these programs look at it only when they plan.
    is_late: bool,
    /// Whether it is about the first word alone.
    is_about_root: bool,
    /// The edition, where that is newer than what is known and may have what there is none of here.
    newer: Option<Edition>,
}

impl Problem {
    /// Whether it is none in an edition that is newer than what is known.
    pub fn is_news(&self) -> bool {
        self.newer.is_some_and(|edition| news::is_news(self.code, edition))
    }

    /// The same about something that a newer edition may have.
    pub(crate) fn if_known(self, newer: Option<Edition>) -> Problem {
        Problem { newer: self.newer.or(newer), ..self }
    }

    /// Whether only an attribute is missing.
    pub(crate) fn is_about_attribute(&self) -> bool {
        self.code == &codes::NO_SUCH_ATTRIBUTE
    }

    /// Whether an instance key is missing or not wanted.
    pub(crate) fn is_about_key(&self) -> bool {
        self.code == &codes::INSTANCE_KEY
    }

    /// Whether a declaration needs itself.
    pub(crate) fn is_about_itself(&self) -> bool {
        self.code == &codes::SELF_REFERENCE || self.code == &codes::INSTANCE_SELF_REFERENCE
    }

    /// The same about a trigger.
    pub(crate) fn of_trigger(self) -> Problem {
        Problem { code: &codes::TRIGGER_REFERENCE, is_late: true, ..self }
    }
}

impl Problem {
    /// The same, looked at only by a plan if `is_late`.
    pub(crate) fn late_if(self, is_late: bool) -> Problem {
        Problem { is_late, ..self }
    }

    pub(crate) fn new(code: &'static DiagnosticCode, detail: impl Into<String>) -> Problem {
        let is_late = code == &codes::INSTANCE_SELF_REFERENCE;
        Problem { code, detail: detail.into(), is_late, is_about_root: false, newer: None }
    }

    /// The same about the first word alone.
    pub(crate) fn about_root(self) -> Problem {
        Problem { is_about_root: true, ..self }
    }

    /// The same of a reference, at what of it is to blame.
    pub fn of(self, located: &Located, reference: &Reference) -> Diagnostic {
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
pub(crate) struct Newer {
    edition: Edition,
    /// The local names of the providers that the module speaks of: their types are no words of the language.
    providers: FxHashSet<Str>,
}

impl Newer {
    /// Nothing where the edition is known.
    pub(crate) fn of(module: &Module, edition: Edition) -> Option<Newer> {
        if !edition.is_newer_than_known() {
            return None;
        }
        let required = module.settings.providers.iter().map(|one| one.name.clone());
        let configured = module.providers.iter().map(|one| one.name.clone());
        let used = module
            .resources
            .iter()
            .flat_map(|one| [Str::from(one.provider_name()), Str::from(own_provider(&one.kind))]);
        let built_in = std::iter::once(Str::from("terraform"));
        let providers = required.chain(configured).chain(used).chain(built_in).collect();
        Some(Newer { edition, providers })
    }

    /// The edition.
    pub(crate) fn edition(&self) -> Edition {
        self.edition
    }

    /// Whether it may have `root` for a word of its own.
    pub(crate) fn may_know(&self, root: &str) -> bool {
        !self.providers.contains(own_provider(root))
    }
}

/// The provider that a type belongs to by its name.
pub(crate) fn own_provider(kind: &str) -> &str {
    kind.split('_').next().unwrap_or_default()
}
