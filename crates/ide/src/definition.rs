//! Navigation from a name to its definition, declaration, type definition and implementation. On a definition itself its own
//! place is returned, so that an editor can show the references.

use groma::hosts::file_path;
use groma::place::{DeclarationId, PlaceTarget};
use groma::root::RootDeclaration;
use groma_syntax::Span;

use crate::binding::bound_at;
use crate::document::TextDocument;
use crate::file_kind::FileKind;
use crate::file_span::FileSpan;
use crate::references::subject;
use crate::request::Request;
use crate::template_names::template_names;

/// A link from the span of a name or path to the place that it refers to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DefinitionLink {
    /// The span that the link starts from, such as a name; `None` if only the offset is known.
    pub origin: Option<Span>,
    /// The name of the target, or the start of a file.
    pub target: FileSpan,
    /// The whole target, which contains the name.
    pub target_range: Span,
}

/// Returns where the code at an offset is defined: the header of a declaration, the variable for an argument of a module call,
/// or the files that a path names.
pub fn definition(request: &Request<'_>, file: &str, at: u32) -> Vec<DefinitionLink> {
    let document = request.document(file);
    if let Some(document) = &document
        && let Some(bound) = bound_at(document, at)
    {
        let target = FileSpan { file: document.name().into(), span: bound.binder };
        return vec![DefinitionLink {
            origin: document.name_at(at),
            target,
            target_range: bound.binder,
        }];
    }
    if let Some(document) = document.as_ref().filter(|one| one.kind() == Some(FileKind::Template)) {
        return given_by_callers(request, document, at);
    }
    let Some(root) = request.root_of(file) else { return Vec::new() };
    if let Some(found) = root.definition_at(file, at) {
        let origin = document.and_then(|document| document.name_at(at));
        return link_to(origin, &found).into_iter().collect();
    }
    let target = request.place(file, at).and_then(|(snapshot, place)| snapshot.target_at(place));
    match target {
        Some(PlaceTarget::FilePath(path)) => files_at(request, &path),
        _ => Vec::new(),
    }
}

/// Returns the link from the span `origin` to a declaration of any root; `None` if its place is not known.
fn link_to(origin: Option<Span>, found: &RootDeclaration) -> Option<DefinitionLink> {
    let site = found.site()?;
    Some(DefinitionLink { origin, target: site.place, target_range: site.range.span })
}

/// Returns the place where a template file's first caller passes the variable at an offset.
fn given_by_callers(
    request: &Request<'_>,
    document: &TextDocument,
    at: u32,
) -> Vec<DefinitionLink> {
    let Some(origin) = document.name_at(at) else { return Vec::new() };
    let name = origin.of(document.text());
    let given = template_names(request, document).into_iter().find(|one| one.name == name);
    let place = given.and_then(|one| one.place);
    let link = |target: FileSpan| {
        let target_range = target.span;
        DefinitionLink { origin: Some(origin), target, target_range }
    };
    place.map(link).into_iter().collect()
}

/// Returns where the name at an offset is declared, which is the same as its definition in this language.
pub fn declaration(request: &Request<'_>, file: &str, at: u32) -> Vec<DefinitionLink> {
    definition(request, file, at)
}

/// Returns the variable whose type the value at an offset must have: an argument of a module call, or a reference to a variable.
pub fn type_definition(request: &Request<'_>, file: &str, at: u32) -> Vec<DefinitionLink> {
    let Some((snapshot, place)) = request.place(file, at) else { return Vec::new() };
    let position = snapshot.syntax_position(place);
    let call = snapshot.declaration_around(place);
    let given = position.argument.filter(|_| position.blocks == ["module"]);
    let variable = given.and_then(|(name, _)| input(request, call?, &name));
    let variable = variable.or_else(|| match snapshot.target_at(place)? {
        PlaceTarget::Reference { declaration, .. } | PlaceTarget::Declaration(declaration) => {
            snapshot.is_variable(declaration).then_some(declaration)
        }
        _ => None,
    });
    let origin = request.document(file).and_then(|document| document.name_at(at));
    variable.and_then(|one| link(request, origin, one)).into_iter().collect()
}

/// Returns the values that module calls pass to the variable at an offset.
pub fn implementation(request: &Request<'_>, file: &str, at: u32) -> Vec<DefinitionLink> {
    let Some(subject) = subject(request, file, at) else { return Vec::new() };
    let Some((snapshot, id)) = subject.in_module() else { return Vec::new() };
    let origin = request.document(file).and_then(|document| document.name_at(at));
    let callers = snapshot.callers_of(id);
    let places = callers.iter().filter_map(|one| Some((one.argument?, one.value?)));
    let mut found: Vec<DefinitionLink> = places
        .filter_map(|(argument, value)| {
            let (name, value) = (request.span_of(argument)?, request.span_of(value)?);
            let target_range = name.span.join(value.span);
            Some(DefinitionLink { origin, target: name, target_range })
        })
        .collect();
    found.sort_unstable();
    found
}

/// Returns the variable that an argument of a module call sets; `None` if the called module does not declare it.
fn input(request: &Request<'_>, call: DeclarationId, name: &str) -> Option<DeclarationId> {
    request.snapshot()?.input_of(call, name)
}

/// Returns the link from the span `origin` to a declaration of the request's module; `None` if its place is not known.
fn link(
    request: &Request<'_>,
    origin: Option<Span>,
    declaration: DeclarationId,
) -> Option<DefinitionLink> {
    let snapshot = request.snapshot()?;
    let site = snapshot.declaration(declaration)?;
    let target = request.span_of(site.name.unwrap_or(site.place))?;
    let target_range = request.span_of(site.place)?.span;
    Some(DefinitionLink { origin, target, target_range })
}

/// Returns a link to the file at a path or, if the path is that of a folder, to the main file of the module in it.
fn files_at(request: &Request<'_>, path: &str) -> Vec<DefinitionLink> {
    let Some(snapshot) = request.snapshot() else { return Vec::new() };
    let whole = |file: &str| DefinitionLink {
        origin: None,
        target: FileSpan { file: file.into(), span: Span::at(0) },
        target_range: Span::at(0),
    };
    let path = file_path::clean(path);
    let of_folder: Vec<&str> =
        snapshot.file_names().filter(|name| file_path::parent(name) == path).collect();
    if let Some(first) =
        of_folder.iter().find(|name| name.ends_with("/main.tf")).or(of_folder.first())
    {
        return vec![whole(first)];
    }
    let is_there = request.workspace().text(&path).is_ok();
    is_there.then(|| whole(&path)).into_iter().collect()
}
