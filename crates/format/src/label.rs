//! A label as it is written in quotes: normalised, with everything escaped that does not print.

use groma_unicode::quoted_template;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Returns true if a label is written as it would be: it has no escapes, and everything prints.
pub(crate) fn is_plain(written: &str) -> bool {
    written.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'\\')
}

/// The text of a label in quotes.
pub(crate) fn quoted(text: &str) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => quoted_template(text),
        _ => quoted_template(&text.nfc().collect::<String>()),
    }
}
