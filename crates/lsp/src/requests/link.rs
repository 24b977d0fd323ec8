//! Document links to files and URLs.

use groma_ide::{DocumentLink, LinkTarget, document_links};
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// Answers `textDocument/documentLink` with the links in the document to files and to pages of the registry.
pub(super) fn links(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let found = document_links(&request, &inquiry.file);
    let places = server.places(&request);
    let link = |one: &DocumentLink| {
        let target = match &one.target {
            LinkTarget::File(file) => places.uri(file),
            LinkTarget::Url(address) => address.clone(),
        };
        json!({ "range": places.range(&inquiry.file, one.span), "target": target })
    };
    Ok(found.iter().map(link).collect())
}
