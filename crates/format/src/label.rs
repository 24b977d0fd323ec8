//! Block labels in quotes: in Normal Form C, with non-printing characters escaped.

use groma_unicode::quoted_template;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Returns true if a label in quotes needs no rewriting: it is printable ASCII without escapes.
pub(crate) fn is_plain(written: &str) -> bool {
    written.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'\\')
}

/// Returns a label in quotes: in Normal Form C, with non-printing characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => quoted_template(text),
        _ => quoted_template(&text.nfc().collect::<String>()),
    }
}
