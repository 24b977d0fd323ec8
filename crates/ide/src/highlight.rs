//! Occurrences of the name at an offset within its file.

use crate::binding::bound_at;
use crate::references::references;
use crate::request::Request;
use groma_syntax::Span;

/// An occurrence of a name in a file, to be highlighted with the others of the same name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NameHighlight {
    /// The span of the name.
    pub span: Span,
    /// True if the name is declared or bound there.
    pub declares: bool,
}

/// Returns the occurrences of the name at an offset in its file, sorted by place.
pub fn highlights(request: &Request<'_>, file: &str, at: u32) -> Vec<NameHighlight> {
    let Some(document) = request.document(file) else { return Vec::new() };
    if let Some(bound) = bound_at(&document, at) {
        let own = NameHighlight { span: bound.binder, declares: true };
        let uses = bound.uses.iter().map(|span| NameHighlight { span: *span, declares: false });
        return std::iter::once(own).chain(uses).collect();
    }
    let used = references(request, file, at, false);
    let all = references(request, file, at, true);
    let here = all.into_iter().filter(|one| *one.file == *document.name());
    here.map(|one| NameHighlight { span: one.span, declares: !used.contains(&one) }).collect()
}
