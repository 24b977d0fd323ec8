//! Spans in files by name, and the places of declarations.

use std::sync::Arc;

use groma_syntax::{Place, Sources, Span};

/// A span of bytes in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileSpan {
    /// The file's name, as the root names it.
    pub file: Arc<str>,
    /// The span of bytes.
    pub span: Span,
}

impl FileSpan {
    /// Returns the span of a place in the file that it is in.
    pub(crate) fn of(place: Place, sources: &Sources) -> FileSpan {
        let (source, place) = sources.at(place);
        FileSpan { file: source.name().into(), span: place.span }
    }
}

/// The kind of a declaration, with the spans of its name and of the whole declaration in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RootSite {
    /// The word for its kind, such as `variable`, `source` or `run`.
    pub kind: &'static str,
    /// Its name, or its header if the name is not written verbatim.
    pub place: FileSpan,
    /// The whole of it, or in a module its header.
    pub range: FileSpan,
}
