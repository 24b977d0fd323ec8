//! Finds all references: in every file of the root, and the arguments that set a variable.

use groma::root::RootDeclaration;
use groma_syntax::Span;

use crate::binding::bound_at;
use crate::file_span::FileSpan;
use crate::request::Request;

/// Returns the declaration that an offset refers to: the target of a reference, the declaration whose header is there, or
/// the variable that an argument sets; `None` if it refers to none.
pub(crate) fn subject(request: &Request<'_>, file: &str, at: u32) -> Option<RootDeclaration> {
    request.root_of(file)?.definition_at(file, at)
}

/// Returns the places that name the declaration or bound name at an offset, sorted; with `declares` its own place too.
pub fn references(request: &Request<'_>, file: &str, at: u32, declares: bool) -> Vec<FileSpan> {
    if let Some(document) = request.document(file)
        && let Some(bound) = bound_at(&document, at)
    {
        let own = declares.then_some(bound.binder);
        let mut spans: Vec<Span> = bound.uses.into_iter().chain(own).collect();
        spans.sort_unstable();
        let here = |span| FileSpan { file: document.name().into(), span };
        return spans.into_iter().map(here).collect();
    }
    let Some(root) = request.root_of(file) else { return Vec::new() };
    let mut found = root.references_at(file, at);
    if declares {
        let own = root.definition_at(file, at).and_then(|one| one.site());
        found.extend(own.map(|site| site.place));
        found.sort_unstable();
        found.dedup();
    }
    found
}
