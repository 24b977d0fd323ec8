//! Layout: done twice it is done once, and nothing but blanks changes, or forms that mean the same.

use std::sync::Arc;

use groma_format::{OlderForms, format_bytes};
use groma_syntax::{Body, BodyItem, FileId, Parse, TokenKind, parse_file};

use crate::text::complaints;
use crate::utf8;

/// Formats a file and checks that formatting again changes nothing; `None` if the file has syntax errors.
fn layout(bytes: &[u8], forms: OlderForms) -> Option<Vec<u8>> {
    let once = match format_bytes("input", bytes, forms) {
        Ok(once) => once.unwrap_or_else(|| bytes.to_vec()),
        Err(refused) => {
            assert!(refused.found.has_errors());
            let text = refused.sources.get(FileId(0)).text();
            complaints(text, refused.found.as_slice());
            return None;
        }
    };
    let twice = format_bytes("input", &once, forms).expect("what was laid out can be read");
    assert_eq!(twice, None, "formatted twice is not formatted once");
    Some(once)
}

/// Returns the bytes without white space and without a byte order mark at the start.
fn marrow(bytes: &[u8]) -> Vec<u8> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.iter().copied().filter(|byte| !b" \t\r\n".contains(byte)).collect()
}

/// Returns the argument names and block types (each with its number of labels) of a file, and its comments.
fn outline(parse: &Parse) -> (Vec<String>, Vec<String>) {
    let mut items = Vec::new();
    let mut open = Body::of(parse).items();
    while let Some(item) = open.pop() {
        match item {
            BodyItem::Argument(argument) => items.push(argument.name.text.to_string()),
            BodyItem::Block(block) => {
                items.push(format!("{} {}", block.kind.text, block.labels.len()));
                open.extend(block.body.items());
            }
        }
    }
    let text = parse.tree.text();
    let comments = parse.tree.tokens().iter().filter(|token| token.kind() == TokenKind::Comment);
    (items, comments.map(|token| token.span().of(text).to_owned()).collect())
}

/// Checks that formatting changes only white space, or deprecated forms where these are rewritten.
pub(crate) fn format(bytes: &[u8]) {
    if let Some(kept) = layout(bytes, OlderForms::Kept) {
        assert_eq!(marrow(&kept), marrow(bytes), "more than blanks changed");
    }
    let new = layout(bytes, OlderForms::New);
    let (Some(before), Some(Some(after))) = (utf8(bytes), new.as_deref().map(utf8)) else { return };
    let read = |text: &str| outline(&parse_file(&Arc::from(text), FileId(0)));
    assert_eq!(read(before), read(after), "something is lost");
}
