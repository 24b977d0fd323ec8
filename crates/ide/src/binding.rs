//! Names that an expression binds for a part of itself, as `for` does: where one is bound and where it is used. They belong to no
//! declaration, so every way to and from them starts from the text.

use groma_syntax::Span;
use groma_syntax::ast::Bindings;

use crate::document::TextDocument;

/// A bound name: where it is bound, and every use of it.
pub(crate) struct BoundName {
    /// The place of the name where it is bound.
    pub(crate) binder: Span,
    /// The uses, by place.
    pub(crate) uses: Vec<Span>,
}

/// The bound name at an offset.
pub(crate) fn bound_at(document: &TextDocument, at: u32) -> Option<BoundName> {
    let whole = document.expression_at(at)?;
    let bindings = Bindings::of(whole.view());
    let id = match bindings.binder_at(at) {
        Some(id) => id,
        None => bindings.use_at(at)?.binder?,
    };
    let binder = bindings.binder(id)?;
    if binder.name.is_empty() {
        return None;
    }
    let mut uses: Vec<Span> = bindings.uses_of(id).map(|one| one.span).collect();
    uses.sort_unstable();
    Some(BoundName { binder: binder.span, uses })
}
