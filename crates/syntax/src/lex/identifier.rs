//! Identifiers: UAX 31 by Unicode 9.0, with `_` at the start and `-` inside. `a-b` is one name; a subtraction needs blanks
//! around its sign.

use super::scan;
use crate::generated::identifier::{is_id_continue, is_id_start};
use crate::tree::TEXT_LIMIT;

/// Returns true if an identifier can start with the character.
pub(crate) fn is_start(c: char) -> bool {
    c == '_' || is_id_start(c)
}

/// Returns true if the character may follow the first one of an identifier.
pub(crate) fn is_continue(c: char) -> bool {
    c == '-' || is_id_continue(c)
}

/// Returns true if the whole text is one identifier, not longer than the maximum length of a source text.
pub fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.len() <= TEXT_LIMIT && length(text) == text.len()
}

/// Returns the length in bytes of the identifier at the start of `text`; 0 if there is none.
pub(crate) fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => end(text, 1).0,
        Some(byte) if !byte.is_ascii() => match text.chars().next() {
            Some(c) if is_start(c) => end(text, c.len_utf8()).0,
            _ => 0,
        },
        _ => 0,
    }
}

/// Returns the offset at which the identifier that includes the characters just before `at` ends, and the byte there.
#[inline(always)]
pub(super) fn end(text: &str, at: usize) -> (usize, u8) {
    let (at, next) = scan::name(text.as_bytes(), at);
    if next.is_ascii() { (at, next) } else { end_beyond_ascii(text, at) }
}

/// Returns the offset after an identifier that may continue with a non-ASCII character at `at`, and the byte after it.
#[cold]
fn end_beyond_ascii(text: &str, mut at: usize) -> (usize, u8) {
    while let Some(c) = text[at..].chars().next()
        && is_continue(c)
    {
        (at, _) = scan::name(text.as_bytes(), at + c.len_utf8());
    }
    (at, scan::byte(text.as_bytes(), at))
}
