//! The common part of document requests: the file, its root, and the conversion of positions.

use groma::syntax::{Source, Span};
use groma_ide::Request;
use serde_json::Value;

use crate::message::RequestError;
use crate::points::{offset_in, read_point, read_range, span_in};
use crate::root::RootContext;
use crate::state::ServerState;
use crate::uri::path_of;

/// A request about a document: its path, its root and the unit in which the client counts columns.
pub(super) struct DocumentInquiry {
    /// The path of the file.
    pub(super) file: String,
    /// The root that the document belongs to.
    pub(super) context: RootContext,
    unit: groma::syntax::ColumnUnit,
}

impl DocumentInquiry {
    /// Reads the document of a request's parameters, and loads its root if necessary.
    pub(super) fn of(
        server: &mut ServerState,
        params: &Value,
    ) -> Result<DocumentInquiry, RequestError> {
        let uri = params["textDocument"]["uri"].as_str();
        let uri = uri.ok_or_else(|| RequestError::parameter("textDocument"))?;
        let file = groma::hosts::file_path::clean(&path_of(uri));
        if server.documents.get(&file).is_some_and(|document| document.is_lost) {
            let why = "the text of the document is not known any more; close it and open it again";
            return Err(RequestError::failed(why));
        }
        let context = server.context(&file);
        Ok(DocumentInquiry { file, context, unit: server.client.unit })
    }

    /// Creates the request that is passed to `groma-ide` for this document.
    pub(super) fn request(&self) -> Request<'_> {
        self.context.request()
    }

    /// Returns the byte offset of the position in a request's parameters.
    pub(super) fn offset(
        &self,
        request: &Request<'_>,
        params: &Value,
    ) -> Result<u32, RequestError> {
        self.offset_of(request, &params["position"])
    }

    /// Converts a position of the protocol to a byte offset in the document's text.
    pub(super) fn offset_of(
        &self,
        request: &Request<'_>,
        position: &Value,
    ) -> Result<u32, RequestError> {
        let point = read_point(position).ok_or_else(|| RequestError::parameter("position"))?;
        self.with_text(request, |source| offset_in(source, point, self.unit))?
            .ok_or_else(|| RequestError::failed("the position lies outside of the document"))
    }

    /// Returns the span, in bytes, of the range in a request's parameters.
    pub(super) fn span(&self, request: &Request<'_>, params: &Value) -> Result<Span, RequestError> {
        let range = read_range(&params["range"]).ok_or_else(|| RequestError::parameter("range"))?;
        self.with_text(request, |source| span_in(source, range, self.unit))?
            .ok_or_else(|| RequestError::failed("the range lies outside of the document"))
    }

    /// Calls `ask` with the document's text; an error if it cannot be read.
    fn with_text<T>(
        &self,
        request: &Request<'_>,
        ask: impl FnOnce(&Source) -> T,
    ) -> Result<T, RequestError> {
        let document = request.document(&self.file);
        let document = document
            .ok_or_else(|| RequestError::failed(format!("{} cannot be read as text", self.file)))?;
        Ok(ask(document.source()))
    }
}
