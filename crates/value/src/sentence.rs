//! Message texts about values. A sentence knows if it may quote a value, so that code that knows of a mark can withhold it: the
//! replacement is decided here only. A composed text counts as quoting; constant texts and those that their author declares safe
//! do not.

use std::borrow::Cow;
use std::fmt;

use crate::print::quoted;
use crate::{Type, Value};

/// The words displayed in place of a value that must not be shown.
pub const HIDDEN: &str = "a sensitive value";

/// The sentence displayed in place of one that may quote a value that must not be shown.
pub const WITHHELD: &str = "What is wrong is not told, because it would show a sensitive value.";

/// Maximum number of characters of a string that a message quotes.
const LONGEST: usize = 40;

/// A message text with a flag that is true if it may quote a value.
#[derive(Clone, Debug)]
pub struct Sentence {
    text: Cow<'static, str>,
    quotes: bool,
}

impl Sentence {
    /// Creates a sentence that is safe to show: it quotes no value except by [`brief`], or one that was checked not to be hidden.
    pub fn trusted(text: impl Into<Cow<'static, str>>) -> Sentence {
        Sentence { text: text.into(), quotes: false }
    }

    /// Returns the sentence for display: if `hidden` and it may quote a value, [`WITHHELD`] instead.
    #[must_use]
    pub fn shown(self, hidden: bool) -> Sentence {
        if hidden && self.quotes { Sentence::trusted(WITHHELD) } else { self }
    }

    /// Returns the text of the sentence, even if it quotes a value that must not be shown.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the owned text of the sentence, even if it quotes a value that must not be shown.
    pub fn into_text(self) -> String {
        self.text.into_owned()
    }
}

impl From<&'static str> for Sentence {
    fn from(text: &'static str) -> Sentence {
        Sentence { text: Cow::Borrowed(text), quotes: false }
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Sentence {
        Sentence { text: Cow::Owned(text), quotes: true }
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// Returns a short description of a value for messages, such as `a list with 2 elements`; [`HIDDEN`] if a part is sensitive or
/// ephemeral.
pub fn brief(value: &Value) -> String {
    if value.has_marks() && value.deep_marks().hide() {
        return HIDDEN.to_owned();
    }
    match value.bare() {
        Value::Null(_) => "null".to_owned(),
        Value::Unknown(_) => "an unknown value".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Decimal(decimal) => cut(&decimal.number().to_text()),
        Value::Real(real) => cut(&real.number().to_text()),
        Value::String(text) => quoted(&cut(text)),
        Value::List(list) => counted("a list", list.items().len()),
        Value::Set(set) => counted("a set", set.items().len()),
        Value::Tuple(tuple) => counted("a tuple", tuple.items().len()),
        Value::Map(map) => counted("a map", map.entries().len()),
        Value::Object(object) => counted("an object", object.len()),
        Value::Marked(_) => HIDDEN.to_owned(),
    }
}

/// Returns the value with its sensitive and ephemeral parts replaced: known ones by nulls, others by unknowns with the same
/// causes.
pub fn redacted(value: &Value) -> Value {
    if !value.has_marks() || !value.deep_marks().hide() {
        return value.clone();
    }
    value.transform(&mut |part| {
        if !part.marks().hide() {
            return part.clone();
        }
        let bare = match part.is_wholly_known() {
            true => Value::null(part.ty()),
            false => Value::unknown_because(part.ty(), part.deep_causes()),
        };
        bare.mark(&part.deep_marks())
    })
}

/// Returns a type with its article for messages, without the names of object attributes: `a list of string`, `an object`.
pub fn type_in_words(ty: &Type) -> String {
    match ty {
        // The only known value of this type.
        Type::Dynamic => "null".to_owned(),
        ty => crate::print::with_article(ty),
    }
}

/// Returns a count with its noun in singular or plural: `1 element`, `3 elements`.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns a noun followed by a number of elements: `a list with 2 elements`.
fn counted(what: &str, count: usize) -> String {
    format!("{what} with {}", plural(count, "element"))
}

/// Returns a text cut off at [`LONGEST`] characters.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
