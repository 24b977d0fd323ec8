//! A given value with its source. It is converted to its variable's type later, unless each value is checked when it is read.

use groma_syntax::{Diagnostic, Phase, Place, Severity, Sources};
use groma_value::{Str, Value};
use rustc_hash::FxHashMap;

/// The source of a variable's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputSource {
    /// The environment.
    Environment,
    /// The command line.
    Flag,
    /// A value file.
    File,
    /// The program that embeds this library.
    Embedder,
    /// A module call.
    Call,
}

impl InputSource {
    /// Returns the word for the source in the name of a source text.
    pub(crate) fn word(self) -> &'static str {
        match self {
            InputSource::Environment => "env",
            InputSource::File => "file",
            InputSource::Flag | InputSource::Embedder => "arguments",
            InputSource::Call => "call",
        }
    }
}

/// A value given to a variable.
#[derive(Clone, Debug)]
pub struct GivenInput {
    /// The value.
    pub value: Value,
    /// The source range of the value, if it is in a text.
    pub place: Option<Place>,
    /// The origin of the value, for messages.
    pub origin: String,
    /// The kind of origin.
    pub by: InputSource,
    /// True if the value is text from the command line or the environment: every edition then reports a mismatch at the
    /// declaration.
    pub is_text: bool,
    /// True if it could not be read, which was reported: the variable then counts as having no value.
    pub is_unread: bool,
}

/// The given values by variable name.
pub type Values = FxHashMap<Str, GivenInput>;

/// Returns true if a diagnostic says that given values cannot be read at all, whatever they are used for.
pub fn is_unreadable(found: &Diagnostic, sources: &Sources) -> bool {
    is_of_a_file(found, sources) && found.phase < Phase::Value
}

/// Returns true if a diagnostic is an error in a file, not in a value from the command line or environment.
pub fn is_of_a_file(found: &Diagnostic, sources: &Sources) -> bool {
    let is_file = found.place.is_none_or(|at| !sources.get(at.file).name().starts_with('<'));
    found.severity == Severity::Error && is_file
}
