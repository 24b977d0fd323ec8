//! Small words for sentences about values. What a value looks like in a sentence is decided in
//! `groma_value::sentence` alone.

pub(crate) use groma_value::sentence::{brief, type_in_words as type_of};

/// `1 element`, `3 elements`.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
