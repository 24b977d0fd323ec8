//! Values given to variables, with their sources. A value is converted to its variable's type later, unless each value is
//! checked when it is read.

use groma_syntax::{Diagnostic, Phase, Place, Severity, Sources};
use groma_value::{Str, Value};
use rustc_hash::FxHashMap;

/// The kind of source that gives a variable its value, such as the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputSource {
    /// An environment variable.
    Environment,
    /// The command line.
    Flag,
    /// A variable file.
    File,
    /// The program that embeds the library.
    Embedder,
    /// A module call.
    Call,
}

impl InputSource {
    /// Returns the word for this kind of source, such as `env`, in the names of source texts.
    pub(crate) fn word(self) -> &'static str {
        match self {
            InputSource::Environment => "env",
            InputSource::File => "file",
            InputSource::Flag | InputSource::Embedder => "arguments",
            InputSource::Call => "call",
        }
    }
}

/// The value given to a variable, with its place and its source.
#[derive(Clone, Debug)]
pub struct GivenInput {
    /// The value as given.
    pub value: Value,
    /// The place of the value, if it is in a text.
    pub place: Option<Place>,
    /// The source in words, for messages.
    pub origin: String,
    /// The kind of source.
    pub by: InputSource,
    /// True if the value is text from the command line or the environment: every edition then reports a misfit at the
    /// declaration.
    pub is_text: bool,
    /// True if it could not be read, which was reported: the variable then counts as having no value.
    pub is_unread: bool,
}

/// The values that the environment, variable files and the caller give to input variables, by the names of the variables.
pub type Values = FxHashMap<Str, GivenInput>;

/// Returns true if a diagnostic is an error in a variable file found before its values are used, such as a syntax error.
pub fn is_unreadable(found: &Diagnostic, sources: &Sources) -> bool {
    is_of_a_file(found, sources) && found.phase < Phase::Value
}

/// Returns true if a diagnostic is an error in a file, not in a value from the command line or the environment.
pub fn is_of_a_file(found: &Diagnostic, sources: &Sources) -> bool {
    let is_file = found.place.is_none_or(|at| !sources.get(at.file).name().starts_with('<'));
    found.severity == Severity::Error && is_file
}
