//! Formatting of a file's bytes. Comments may contain bytes that are not valid UTF-8; these are kept, and the parser sees
//! placeholders instead.

use std::sync::Arc;

use groma_syntax::{
    Diagnostic, Diagnostics, FileId, Parse, Place, Source, Sources, Span, TEXT_LIMIT, TokenKind,
    parse_file,
};

use crate::codes;
use crate::{OlderForms, format};

/// The placeholder character in the parsed text for a byte that is not valid UTF-8.
const STAND_IN: char = '\u{fffd}';

/// The errors for which a file cannot be formatted, with the text that they refer to.
#[derive(Debug)]
pub struct UnreadableText {
    /// The errors in the file.
    pub found: Diagnostics,
    /// The file's text, the only source.
    pub sources: Sources,
}

/// Returns the formatted bytes of the file called `name`, with older notations kept or rewritten as `forms` says; `None` if they
/// are unchanged.
///
/// # Errors
/// If the text has syntax errors or invalid UTF-8 outside comments, or would be too long when formatted.
pub fn format_bytes(
    name: &str,
    bytes: &[u8],
    forms: OlderForms,
) -> Result<Option<Vec<u8>>, Box<UnreadableText>> {
    let (text, odd): (Arc<str>, Vec<InvalidByte>) = match str::from_utf8(bytes) {
        Ok(text) => (text.into(), Vec::new()),
        Err(_) => decode(bytes),
    };
    let mut sources = Sources::new();
    let file = sources.add(Source::new(name, text));
    let parse = parse_file(sources.get(file).text(), file);
    let mut found = Diagnostics::new();
    found.extend(parse.diagnostics.iter().cloned());
    found.extend(first_outside_comments(&odd, &parse));
    if found.has_errors() {
        found.sort_by_place();
        return Err(Box::new(UnreadableText { found, sources }));
    }
    match format(&parse, forms) {
        Ok(text) => Ok(text.map(|text| encode(text, &odd))),
        Err(length) => {
            found.push(too_long(length, file));
            Err(Box::new(UnreadableText { found, sources }))
        }
    }
}

/// Returns the error for a file whose formatted text would have `length` bytes, more than the maximum.
fn too_long(length: u64, file: FileId) -> Diagnostic {
    let detail = format!(
        "With its lines aligned, the text would have {length} bytes; the maximum is {TEXT_LIMIT}. A very long line \
         is next to many others: put empty lines around it."
    );
    Diagnostic::error(&codes::LAYOUT_TOO_LONG, detail).at(Place::new(file, Span::at(0)))
}

/// A byte of a file that is not valid UTF-8, with the position of its placeholder.
struct InvalidByte {
    /// The index of its placeholder among all placeholder characters of the text, including those of the file itself.
    nth: usize,
    /// The byte offset of its placeholder in the text.
    at: u32,
    byte: u8,
}

/// Returns a file's bytes as text with a placeholder for each byte that is not valid UTF-8, and the list of these bytes.
fn decode(bytes: &[u8]) -> (Arc<str>, Vec<InvalidByte>) {
    let mut text = String::with_capacity(bytes.len());
    let mut odd = Vec::new();
    let mut seen = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if chunk.invalid().is_empty() {
            continue;
        }
        // Placeholder characters that the file itself contains count, too.
        let begin =
            odd.last().map_or(0, |last: &InvalidByte| last.at as usize + STAND_IN.len_utf8());
        seen += text[begin..].matches(STAND_IN).count();
        for byte in chunk.invalid() {
            odd.push(InvalidByte { nth: seen, at: text.len() as u32, byte: *byte });
            text.push(STAND_IN);
            seen += 1;
        }
    }
    (text.into(), odd)
}

/// Returns a text as bytes, with the invalid bytes of `odd` in place of their placeholders.
fn encode(text: String, odd: &[InvalidByte]) -> Vec<u8> {
    if odd.is_empty() {
        return text.into_bytes();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut odd = odd.iter().peekable();
    let mut copied = 0;
    for (nth, (at, stand_in)) in text.match_indices(STAND_IN).enumerate() {
        if let Some(odd) = odd.next_if(|odd| odd.nth == nth) {
            bytes.extend_from_slice(&text.as_bytes()[copied..at]);
            bytes.push(odd.byte);
            copied = at + stand_in.len();
        }
    }
    bytes.extend_from_slice(&text.as_bytes()[copied..]);
    bytes
}

/// Returns the error about the first invalid byte outside comments; `None` if there is none.
fn first_outside_comments(odd: &[InvalidByte], parse: &Parse) -> Option<Diagnostic> {
    let tokens = parse.tree.tokens();
    let is_outside = |odd: &&InvalidByte| {
        let after = tokens.partition_point(|token| token.span().start <= odd.at);
        let token = after.checked_sub(1).and_then(|at| tokens.get(at));
        token.is_none_or(|token| token.kind() != TokenKind::Comment || token.span().end <= odd.at)
    };
    let first = odd.iter().find(is_outside)?;
    let detail = format!(
        "The byte {:#04x} does not belong to any UTF-8 character. Save the file as UTF-8.",
        first.byte
    );
    let span = Span::new(first.at, first.at + STAND_IN.len_utf8() as u32);
    Some(Diagnostic::error(&codes::INVALID_UTF8, detail).at(Place::new(parse.file, span)))
}
