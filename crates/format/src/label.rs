//! A label as it is written in quotes: normalised, with everything escaped that does not print.

use groma_unicode::quoted_template;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Returns true if a quoted label is already in normal form: printable ASCII without escapes.
pub(crate) fn is_plain(written: &str) -> bool {
    written.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'\\')
}

/// Returns the text of a label in quotes, normalised and escaped.
pub(crate) fn quoted(text: &str) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => quoted_template(text),
        _ => quoted_template(&text.nfc().collect::<String>()),
    }
}
