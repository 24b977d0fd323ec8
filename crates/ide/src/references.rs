//! Finds all references: in every module of the root, and the arguments of module calls that set a variable.

use groma::place::{DeclarationId, PlaceTarget};

use groma_syntax::Span;

use crate::binding::bound_at;
use crate::file_span::FileSpan;
use crate::packer;
use crate::request::Request;

/// Returns the declaration that an offset refers to: the target of a reference, the declaration whose header is there, or the
/// variable that a module argument sets.
pub(crate) fn subject(request: &Request<'_>, file: &str, at: u32) -> Option<DeclarationId> {
    let (snapshot, place) = request.place(file, at)?;
    match snapshot.target_at(place)? {
        PlaceTarget::Reference { declaration, .. } | PlaceTarget::Declaration(declaration) => {
            Some(declaration)
        }
        PlaceTarget::Argument { name, declaration: Some(call), .. } => {
            snapshot.input_of(call, &name)
        }
        _ => None,
    }
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
    if let Some(document) = request.document(file).filter(|one| packer::is_packer(one)) {
        return packer::references(request, &document, at, declares);
    }
    let (Some(snapshot), Some(id)) = (request.snapshot(), subject(request, file, at)) else {
        return Vec::new();
    };
    let named = snapshot.references(id).iter().map(|one| one.place);
    let callers = snapshot.callers_of(id);
    let fed = callers.iter().filter_map(|one| one.argument);
    let own = declares.then(|| snapshot.definition(id)).flatten();
    let mut found: Vec<FileSpan> =
        named.chain(fed).chain(own).filter_map(|place| request.span_of(place)).collect();
    found.sort_unstable();
    found.dedup();
    found
}
