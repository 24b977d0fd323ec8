//! Names that an expression binds for a part of itself, as `for` does. They are not declarations, so navigation to and from them
//! works on the text.

use groma_syntax::Span;
use groma_syntax::ast::Bindings;

use crate::document::TextDocument;

/// A name that an expression binds, such as the variable of a `for`: where it is bound, and every use.
pub(crate) struct BoundName {
    /// The span of the name where it is bound.
    pub(crate) binder: Span,
    /// The spans of its uses, sorted.
    pub(crate) uses: Vec<Span>,
}

/// Returns the bound name at an offset, which may be in its binding or in a use; `None` if no bound name is there.
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
