//! The outline of a document.

use groma_ide::{DocumentSymbol, SymbolKind, document_symbols as outline};
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::places::Places;
use crate::state::ServerState;

/// Answers `textDocument/documentSymbol` with the outline of the document, nested or flat as the client supports.
pub(super) fn document_symbols(
    server: &mut ServerState,
    params: &Value,
) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let found = outline(&request, &inquiry.file);
    let places = server.places(&request);
    if server.client.has_symbol_trees {
        return Ok(found.iter().map(|one| tree(one, &inquiry.file, &places)).collect());
    }
    let mut flat = Vec::new();
    found.iter().for_each(|one| flatten(one, None, &inquiry.file, &places, &mut flat));
    Ok(flat.into())
}

/// Returns the protocol's number for a kind of outline symbol.
pub(super) fn kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Variable | SymbolKind::Local => 13,
        SymbolKind::Output => 7,
        SymbolKind::Module => 2,
        SymbolKind::Resource => 5,
        SymbolKind::Provider => 4,
        SymbolKind::Check => 12,
        SymbolKind::Block => 23,
        SymbolKind::Object => 19,
        SymbolKind::List => 18,
        SymbolKind::Argument => 8,
    }
}

/// Returns an outline symbol with its children as the protocol's `DocumentSymbol`.
fn tree(one: &DocumentSymbol, file: &str, places: &Places<'_, '_>) -> Value {
    let children = one.children.iter().map(|one| tree(one, file, places));
    json!({
        "name": one.name,
        "detail": one.detail,
        "kind": kind(one.kind),
        "range": places.range(file, one.span),
        "selectionRange": places.range(file, one.name_span),
        "children": children.collect::<Vec<_>>(),
    })
}

/// Appends an outline symbol and its children as the protocol's `SymbolInformation`, which are not nested; `around` is the
/// name of the symbol that contains this one.
fn flatten(
    one: &DocumentSymbol,
    around: Option<&str>,
    file: &str,
    places: &Places<'_, '_>,
    out: &mut Vec<Value>,
) {
    let location = json!({ "uri": places.uri(file), "range": places.range(file, one.span) });
    let mut symbol = json!({ "name": one.name, "kind": kind(one.kind), "location": location });
    if let Some(around) = around {
        symbol["containerName"] = json!(around);
    }
    out.push(symbol);
    one.children.iter().for_each(|child| flatten(child, Some(&one.name), file, places, out));
}
