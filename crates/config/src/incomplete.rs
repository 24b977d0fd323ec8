//! Incompleteness: what an answer does not take into account, such as missing modules, repetitions of unknown length, and data
//! and functions that were not queried. The evaluator records it; the sentences about it are the same for all roots.

use std::sync::Arc;

use crate::codes;
use groma_address::{InstanceAddress, ModulePath, UndecidedAddress};
use groma_syntax::{Diagnostic, Place};
use groma_value::Causes;

/// Maximum number of entries of each list of an [`Incompleteness`] that its diagnostic names; it counts the others.
const MAX_NAMED: usize = 10;

/// A called module that was not read, because it is not installed or cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreadModule {
    /// The path of the module.
    pub address: ModulePath,
    /// The place of the call.
    pub place: Place,
    /// The source as written, if it is a literal.
    pub source: Option<String>,
    /// The version constraint of the call.
    pub version: Option<String>,
}

/// A resource or module call with an unknown number of instances.
#[derive(Clone, Debug)]
pub struct UndecidedCount {
    /// Its address, with `[*]` for unknown keys.
    pub address: UndecidedAddress,
    /// The place of the declaration.
    pub place: Place,
    /// The causes of the unknown number.
    pub causes: Causes,
}

/// An instance of a data source that was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreadData {
    /// The address of the instance.
    pub address: InstanceAddress,
    /// The place of its declaration.
    pub place: Place,
}

/// A function that the evaluation did not call, because its result needs a provider, the network or the time of the plan.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnaskedFunction {
    /// The name of the function.
    pub name: Arc<str>,
    /// The place of the call.
    pub place: Option<Place>,
}

/// A provider whose available schemas the evaluation does not use, because they are of a version that the code does not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfitSchemas {
    /// The provider's address, as in the schemas.
    pub provider: String,
    /// The version of the schemas.
    pub version: String,
    /// The date of that version, if it is recorded.
    pub date: Option<String>,
    /// The version constraint in the code.
    pub required: String,
    /// The place of the constraint.
    pub place: Place,
}

impl UnfitSchemas {
    /// Returns the version of the unused schemas for a message, with its date if it is known.
    fn version_text(&self) -> String {
        match &self.date {
            Some(date) => format!("{} of {date}", self.version),
            None => self.version.clone(),
        }
    }

    /// Returns the note that the provider's schemas are not used, because the code requires another version.
    pub fn diagnostic(&self) -> Diagnostic {
        let detail = format!(
            "The available schemas of {} are for version {}, but \"{}\" is required here. They may lack what this code uses, so everything of the provider was checked without a schema. Give the schemas of an allowed version: print them with `providers schema -json`, and pack them with `groma schema pack`.",
            self.provider,
            self.version_text(),
            self.required
        );
        Diagnostic::remark(&codes::SCHEMA_VERSION, detail).at(self.place)
    }
}

/// Everything that an evaluation could not take into account, such as modules that were not read.
#[derive(Clone, Default, Debug)]
pub struct Incompleteness {
    /// Missing modules.
    pub modules: Vec<UnreadModule>,
    /// Resources and module calls with an unknown number of instances, and everything inside of these.
    pub undecided: Vec<UndecidedCount>,
    /// Data sources that were not read.
    pub data: Vec<UnreadData>,
    /// Functions that were not called although a value depends on them.
    pub functions: Vec<UnaskedFunction>,
    /// Providers with schemas of another version.
    pub schemas: Vec<UnfitSchemas>,
    /// The number of constructs that may be new in an edition newer than those known.
    pub news: usize,
}

impl Incompleteness {
    /// Returns the incompleteness with the number of constructs of newer editions set to that of the diagnostics about them in
    /// `found`.
    #[must_use]
    pub fn with_newer_constructs<'d>(
        self,
        found: impl IntoIterator<Item = &'d Diagnostic>,
    ) -> Incompleteness {
        let new = found.into_iter().filter(|one| one.code == &groma_eval::codes::NEWER_EDITION);
        Incompleteness { news: new.count(), ..self }
    }

    /// Returns true if the evaluation took everything into account.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
            && self.undecided.is_empty()
            && self.data.is_empty()
            && self.functions.is_empty()
            && self.schemas.is_empty()
            && self.news == 0
    }

    /// Returns counts of what was not taken into account, such as `3 modules not read, 18 objects undecided`; empty if there is
    /// nothing.
    pub fn summary(&self) -> String {
        let counts = [
            (self.modules.len(), "module", "modules", "not read"),
            (self.undecided.len(), "object", "objects", "undecided"),
            (self.data.len(), "data source", "data sources", "not read"),
            (self.functions.len(), "function call", "function calls", "not asked"),
            (self.schemas.len(), "provider's schemas", "providers' schemas", "of another version"),
            (self.news, "thing", "things", "of a newer edition that are unknown"),
        ];
        let some = counts.into_iter().filter(|(count, ..)| *count > 0);
        let parts = some.map(|(count, one, many, what)| match count {
            1 => format!("1 {one} {what}"),
            count => format!("{count} {many} {what}"),
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    /// Returns the error by which `--strict` refuses an incomplete evaluation; `None` if everything was taken into account.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        if self.is_empty() {
            return None;
        }
        let detail = format!(
            "With --strict everything has to be read and decided, and something was not: {}.",
            self.summary()
        );
        let mut found = Diagnostic::error(&codes::INCOMPLETE, detail);
        for one in self.modules.iter().take(MAX_NAMED) {
            let from = match (&one.source, &one.version) {
                (None, _) => String::new(),
                (Some(source), None) => format!(" from \"{source}\""),
                (Some(source), Some(version)) => format!(" from \"{source}\" ({version})"),
            };
            let text = format!(
                "{}{from} is not read. Install it with init, or give its folder with --module 'SOURCE=DIR'.",
                one.address
            );
            found = found.note_at(text, one.place);
        }
        for one in self.undecided.iter().take(MAX_NAMED) {
            let text = format!("The number of instances of {} is not decided.", one.address);
            found = found.note_at(text, one.place);
        }
        for one in self.data.iter().take(MAX_NAMED) {
            found = found.note_at(format!("{} is not read here.", one.address), one.place);
        }
        for one in self.functions.iter().take(MAX_NAMED) {
            let text = format!("{} is not asked here.", &*one.name);
            found = match one.place {
                Some(place) => found.note_at(text, place),
                None => found.note(text),
            };
        }
        for one in self.schemas.iter().take(MAX_NAMED) {
            let text = format!(
                "The available schemas of {} are for version {}, but \"{}\" is required.",
                one.provider,
                one.version_text(),
                one.required
            );
            found = found.note_at(text, one.place);
        }
        let lists = [
            self.modules.len(),
            self.undecided.len(),
            self.data.len(),
            self.functions.len(),
            self.schemas.len(),
        ];
        match lists.iter().map(|count| count.saturating_sub(MAX_NAMED)).sum::<usize>() {
            0 => Some(found),
            more => Some(found.note(format!("There are {more} more."))),
        }
    }
}
