//! The providers declared in `required_providers`. Local names are the module's own: the source identifies a provider, whose
//! functions are called by a declared name only.

use groma_config::did_you_mean;
use groma_eval::{LocatedCode, ProvidedSignature, ProviderName};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::Str;
use rustc_hash::FxHashMap;

use crate::built_in;
use crate::codes;
use crate::declare::ModuleSettings;
use crate::schema::{LocalProviders, ProviderSchemas};

/// The providers that a module declares in `required_providers`, with their sources and schemas.
#[derive(Debug, Default)]
pub struct ProviderRequirements {
    /// True for each provider that is built in, by local name.
    built_in: FxHashMap<Str, bool>,
    /// The sources of the local names.
    providers: LocalProviders,
    /// The schemas of providers.
    schemas: ProviderSchemas,
    /// True if a call of an undeclared provider is reported before evaluation.
    checked: bool,
}

impl ProviderRequirements {
    /// Reads the providers that a module's settings declare; `checked` is true in editions that report calls of functions of
    /// undeclared providers before the evaluation.
    pub fn of(
        settings: &ModuleSettings,
        schemas: &ProviderSchemas,
        checked: bool,
    ) -> ProviderRequirements {
        let named = settings.providers.iter().map(|one| {
            (one.name.clone(), one.source().is_some_and(|source| source == built_in::SOURCE))
        });
        let built_in = named.collect();
        let providers = LocalProviders::of(&settings.providers);
        ProviderRequirements { built_in, providers, schemas: schemas.clone(), checked }
    }

    /// Returns the kind of provider that a local name stands for: built-in, external or undeclared.
    pub fn find(&self, name: &str) -> ProviderName {
        match self.built_in.get(name) {
            Some(true) => ProviderName::BuiltIn { unasked: false },
            Some(false) => ProviderName::Absent,
            None => ProviderName::Undeclared(Some(self.undeclared(name))),
        }
    }

    /// Returns the kind of provider that a local name stands for, as [`find`](Self::find) does; an undeclared one counts as
    /// `Reported` in editions where [`check`](Self::check) has already reported calls of it.
    pub fn find_checked(&self, name: &str) -> ProviderName {
        match self.find(name) {
            ProviderName::Undeclared(_) if self.checked => ProviderName::Reported,
            found => found,
        }
    }

    /// Returns the kind of provider that a local name stands for, as [`find_checked`](Self::find_checked) does, for commands
    /// that only check code: in editions that start no providers for these, the built-in one is marked `unasked`, so that a
    /// function that it lacks is no error.
    pub fn find_during_check(&self, name: &str) -> ProviderName {
        match self.find_checked(name) {
            ProviderName::BuiltIn { .. } => ProviderName::BuiltIn { unasked: self.checked },
            found => found,
        }
    }

    /// Returns the signature of a provider's function: parameters and result type, or that it is unknown or does not exist.
    pub fn described(&self, provider: &str, function: &str) -> ProvidedSignature {
        self.schemas.function(&self.providers.source(provider), provider, function)
    }

    /// Returns the signature of a provider's function while code is only checked: in editions that do not start providers for a
    /// check, a missing function counts as unknown.
    pub fn described_during_check(&self, provider: &str, function: &str) -> ProvidedSignature {
        match self.described(provider, function) {
            ProvidedSignature::Lacking(_) if self.checked => ProvidedSignature::Unknown,
            found => found,
        }
    }

    /// Reports calls of functions of undeclared providers, in editions that report them before the evaluation.
    pub fn check(&self, located: &LocatedCode, out: &mut Diagnostics) {
        if !self.checked {
            return;
        }
        for call in located.code.providers() {
            if let ProviderName::Undeclared(Some(detail)) = self.find(&call.provider) {
                let place = located.place(call.span);
                out.push(Diagnostic::error(&codes::UNDECLARED_PROVIDER, detail).at(place));
            }
        }
    }

    /// Returns the message for a call of a function whose provider the module does not declare.
    fn undeclared(&self, name: &str) -> String {
        let mut names: Vec<&str> = self.built_in.keys().map(|name| &**name).collect();
        names.sort_unstable();
        let source = if name == "terraform" { built_in::SOURCE } else { "…" };
        let hint = did_you_mean(name, names);
        format!(
            "This module declares no provider \"{name}\", so its functions cannot be called. Add {name} = {{ source \
             = \"{source}\" }} to required_providers in its terraform block.{hint}"
        )
    }
}
