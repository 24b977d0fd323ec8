//! A label as it is written in quotes: normalised, with everything escaped that does not print.

use std::fmt::Write as _;

use groma_unicode::is_printable;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Whether a label is written as it would be: it has no escapes, and everything prints.
pub(crate) fn is_plain(written: &str) -> bool {
    written.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'\\')
}

/// The text of a label in quotes.
pub(crate) fn quoted(text: &str) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => escaped(text),
        _ => escaped(&text.nfc().collect::<String>()),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', c]),
            // Doubled before a brace, so that no sequence begins here.
            '$' | '%' if rest.as_str().starts_with('{') => out.extend([c, c]),
            c if is_printable(c) => out.push(c),
            c => {
                let code = u32::from(c);
                let written = if code < 0x10000 {
                    write!(out, "\\u{code:04x}")
                } else {
                    write!(out, "\\U{code:08x}")
                };
                debug_assert!(written.is_ok());
            }
        }
    }
    out.push('"');
    out
}
