//! Semantic tokens: five numbers per token, relative to the previous one, in full or as the difference from the last answer.

use groma_ide::{Request, SemanticToken, TokenMeaning, semantic_tokens};
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::points::point_json;
use crate::state::ServerState;

/// The names of the semantic token types, in the order of their numbers.
const MEANINGS: [&str; 8] =
    ["keyword", "type", "class", "property", "namespace", "variable", "parameter", "function"];

/// The names of the semantic token modifiers, in the order of their bits.
const MODIFIERS: [&str; 3] = ["declaration", "readonly", "defaultLibrary"];

/// Returns the legend of semantic tokens: the names of the types and modifiers that answers encode as numbers.
pub(super) fn legend() -> Value {
    json!({ "tokenTypes": MEANINGS, "tokenModifiers": MODIFIERS })
}

/// Returns the number of a token's type and the bits of its modifiers, as the legend defines them.
fn number(token: &SemanticToken) -> (u32, u32) {
    let (meaning, bits) = match token.kind {
        TokenMeaning::BlockKind => (0, 0),
        TokenMeaning::Constant => (0, 2),
        TokenMeaning::ResourceType | TokenMeaning::TypeWord => (1, 0),
        TokenMeaning::Label => (2, 0),
        TokenMeaning::Argument | TokenMeaning::Attribute => (3, 0),
        TokenMeaning::Namespace => (4, 0),
        TokenMeaning::Name => (5, 0),
        TokenMeaning::Bound => (6, 0),
        TokenMeaning::Function => (7, 4),
    };
    (meaning, bits | u32::from(token.declares))
}

/// Answers `textDocument/semanticTokens/full` with the tokens of the whole document.
pub(super) fn full(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let (file, data) = whole(server, params)?;
    let id = next_id(server, &file);
    server.tokens.insert(file, (id.clone(), data.clone()));
    Ok(json!({ "resultId": id, "data": data }))
}

/// Answers `textDocument/semanticTokens/full/delta` with the changes of the tokens since the list that the client names.
pub(super) fn delta(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let (file, data) = whole(server, params)?;
    let id = next_id(server, &file);
    let before = server.tokens.insert(file, (id.clone(), data.clone()));
    let before = before.filter(|(known, _)| Some(&**known) == params["previousResultId"].as_str());
    let Some((_, before)) = before else {
        return Ok(json!({ "resultId": id, "data": data }));
    };
    let same = before.iter().zip(&data).take_while(|(old, new)| old == new).count();
    let (old, new) = (&before[same..], &data[same..]);
    let behind = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new);
    let behind = behind.count();
    let (removed, added) = (old.len() - behind, &new[..new.len() - behind]);
    let edits = match removed == 0 && added.is_empty() {
        true => json!([]),
        false => json!([{ "start": same, "deleteCount": removed, "data": added }]),
    };
    Ok(json!({ "resultId": id, "edits": edits }))
}

/// Answers `textDocument/semanticTokens/range` with the tokens in the requested range.
pub(super) fn range(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let range = inquiry.span(&request, params)?;
    let found = semantic_tokens(&request, &inquiry.file, Some(range));
    Ok(json!({ "data": encoded(server, &request, &inquiry.file, &found) }))
}

/// Returns the result id for a file's next full list of semantic tokens: the last id plus one, or 1.
fn next_id(server: &ServerState, file: &str) -> String {
    let known = server.tokens.get(file).and_then(|(id, _)| id.parse::<u64>().ok());
    known.map_or(1, |id| id.wrapping_add(1)).to_string()
}

/// Computes all semantic tokens of a request's document, and returns the file's path and the tokens in the protocol's encoding.
fn whole(server: &mut ServerState, params: &Value) -> Result<(String, Vec<u32>), RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let found = semantic_tokens(&request, &inquiry.file, None);
    let data = encoded(server, &request, &inquiry.file, &found);
    Ok((inquiry.file.clone(), data))
}

/// Encodes tokens as the protocol's list of five numbers per token, with positions relative to the previous token.
fn encoded(
    server: &ServerState,
    request: &Request<'_>,
    file: &str,
    found: &[SemanticToken],
) -> Vec<u32> {
    let Some(document) = request.document(file) else { return Vec::new() };
    let number_of = |value: &Value| value.as_u64().unwrap_or(0) as u32;
    let point = |offset: u32| {
        let point = point_json(document.source(), offset, server.client.unit);
        (number_of(&point["line"]), number_of(&point["character"]))
    };
    let (mut data, mut last) = (Vec::with_capacity(found.len() * 5), (0, 0));
    for token in found {
        let (line, column) = point(token.span.start);
        let (end, behind) = point(token.span.end);
        if end != line {
            continue;
        }
        let before = if line == last.0 { column - last.1 } else { column };
        let (meaning, bits) = number(token);
        data.extend([line - last.0, before, behind - column, meaning, bits]);
        last = (line, column);
    }
    data
}
