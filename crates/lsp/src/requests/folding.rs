//! Folding ranges of a document.

use groma_ide::{FoldingKind, FoldingRange, folding as folds};
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// Answers `textDocument/foldingRange` with the line ranges of the document that can be collapsed.
pub(super) fn folding(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let found = folds(&request, &inquiry.file);
    let places = server.places(&request);
    let lines_only = server.client.folds_lines_only;
    let fold = |one: &FoldingRange| {
        let range = places.range(&inquiry.file, one.span);
        let (start, end) = (&range["start"], &range["end"]);
        let is_bracketed = one.kind == FoldingKind::Brackets;
        let first = start["line"].as_u64()?;
        // The line of the closing bracket stays visible.
        let last = end["line"].as_u64()?.saturating_sub(u64::from(is_bracketed && lines_only));
        if last <= first {
            return None;
        }
        let mut fold = json!({ "startLine": first, "endLine": last });
        if !lines_only {
            let before = one.span.end - u32::from(is_bracketed);
            fold["startCharacter"] =
                places.point(&inquiry.file, one.span.start + 1)["character"].clone();
            fold["endCharacter"] = places.point(&inquiry.file, before)["character"].clone();
        }
        match one.kind {
            FoldingKind::Brackets => {}
            FoldingKind::Comment => fold["kind"] = json!("comment"),
            FoldingKind::Region => fold["kind"] = json!("region"),
        }
        Some(fold)
    };
    Ok(found.iter().filter_map(fold).collect())
}
