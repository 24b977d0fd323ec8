//! Spans in files by name, and the places of declarations.

use std::sync::Arc;

use groma_syntax::{Place, Sources, Span};

/// A span of bytes in a file, which is given by its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileSpan {
    /// The name of the file, as in the root's diagnostics.
    pub file: Arc<str>,
    /// The span of bytes.
    pub span: Span,
}

impl FileSpan {
    /// Converts a place to a span with the name of its file.
    pub(crate) fn of(place: Place, sources: &Sources) -> FileSpan {
        let (source, place) = sources.at(place);
        FileSpan { file: source.name().into(), span: place.span }
    }
}

/// The site of a declaration: its kind, and the spans of its name and of the whole declaration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RootSite {
    /// The word for the declaration's kind, such as `variable`, `source` or `run`.
    pub kind: &'static str,
    /// The span of its name, or of its header if the name is not written verbatim.
    pub place: FileSpan,
    /// The span of the whole declaration, in a module that of its header.
    pub range: FileSpan,
}
