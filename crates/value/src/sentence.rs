//! What is said about values. A sentence knows whether it may quote one, so that code that knows of a mark can
//! withhold it:
//! this is the only place where it is decided what is said instead. A text that was put together counts as quoting;
//! constant ones, and those that their maker vouches for, do not.

use std::borrow::Cow;
use std::fmt;

use crate::print::quoted;
use crate::{Type, Value};

/// What stands for a value that is not to be shown.
pub const HIDDEN: &str = "a sensitive value";

/// What is said in place of a sentence that may quote what is not to be shown.
pub const WITHHELD: &str = "What is wrong is not told, because it would show a sensitive value.";

/// How much of a text is quoted.
const LONGEST: usize = 40;

/// One or more sentences, and whether they may quote a value.
#[derive(Clone, Debug)]
pub struct Sentence {
    text: Cow<'static, str>,
    quotes: bool,
}

impl Sentence {
    /// A text that quotes nothing of a value but what [`brief`] gave, or was made knowing whether it may.
    pub fn vouched(text: impl Into<Cow<'static, str>>) -> Sentence {
        Sentence { text: text.into(), quotes: false }
    }

    /// The sentence as it may be said where the values it is about are not to be shown, if `hidden`.
    #[must_use]
    pub fn told(self, hidden: bool) -> Sentence {
        if hidden && self.quotes { Sentence::vouched(WITHHELD) } else { self }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text.
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

/// A value in a few words, as it may stand in a sentence: hidden where a part of it is.
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

/// The value as one may speak of its parts: what is not to be shown has none, only whether it is known, and why.
pub fn veiled(value: &Value) -> Value {
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

/// The type with an article: `a list of string`, `an object`. It never names what an object holds.
pub fn type_in_words(ty: &Type) -> String {
    match ty {
        // Its only value that is known.
        Type::Dynamic => "null".to_owned(),
        ty => crate::print::with_article(ty),
    }
}

/// `1 element`, `3 elements`.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn counted(what: &str, count: usize) -> String {
    format!("{what} with {}", plural(count, "element"))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
