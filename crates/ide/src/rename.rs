//! Renames a declaration wherever it is used, with `moved` blocks for renamed resources and modules.

use std::sync::Arc;

use groma::edit::{self, RenameRequest};
use groma::root::RootDeclaration;
use groma::{Host, hosts::file_path};
use groma_syntax::ast::Bindings;
use groma_syntax::{Span, is_identifier};

use crate::binding::{BoundName, bound_at};
use crate::document::TextDocument;
use crate::file_span::{ChangeSet, FileEdits, replacement};
use crate::references::subject;
use crate::request::Request;
use crate::text_rename;

/// An occurrence of a name that the user can rename: its span and the current name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenameSite {
    /// The span of the name at the offset.
    pub span: Span,
    /// The current name.
    pub name: String,
}

/// Returns the name at an offset, if it can be changed.
///
/// # Errors
/// If there is no name that the user has chosen: a sentence for the user.
pub fn prepare_rename(request: &Request<'_>, file: &str, at: u32) -> Result<RenameSite, String> {
    if let Some(document) = request.document(file)
        && let Some(bound) = bound_at(&document, at)
    {
        let span = document.name_at(at).unwrap_or(bound.binder);
        let name = bound.binder.of(document.text()).to_owned();
        return Ok(RenameSite { span, name });
    }
    let subject = renamed(request, file, at)?;
    if subject.in_module().is_none() && !text_rename::is_renamed(&subject) {
        return Err(NO_NAME.to_owned());
    }
    let name = name_of(&subject.address).to_owned();
    let document = request.document(file);
    let span = document.and_then(|one| one.spelling_at(at, &name));
    let span = span.ok_or_else(|| format!("Put the cursor on the name `{name}` to rename it."))?;
    Ok(RenameSite { span, name })
}

/// Returns the edits that rename the declaration or bound name at an offset: its declaration, all references in the opened
/// folders, module calls, values files and tests, with `moved` blocks.
///
/// # Errors
/// If the name cannot be changed everywhere: a sentence for the user.
pub fn rename(request: &Request<'_>, file: &str, at: u32, new: &str) -> Result<ChangeSet, String> {
    if let Some(document) = request.document(file)
        && let Some(bound) = bound_at(&document, at)
    {
        return rename_bound(&document, &bound, new);
    }
    let subject = renamed(request, file, at)?;
    let Some((snapshot, id)) = subject.in_module() else {
        return text_rename::rename(request, file, at, new);
    };
    let site = snapshot.declaration(id).ok_or(NO_NAME)?;
    let address = site.address;
    let (source, _) = snapshot.project().sources().at(site.place);
    let dir = file_path::parent(source.name());
    let top = request.top().unwrap_or_else(|| dir.clone());
    let host: Arc<dyn Host> = request.workspace().host();
    let value_files = snapshot.value_files();
    let what = RenameRequest {
        dir: &dir,
        top: &top,
        old: &address,
        new,
        edition: Some(snapshot.edition()),
        value_files: &value_files,
    };
    let made = edit::rename(&host, &what).map_err(|refusal| refusal.0)?;
    Ok(ChangeSet::of_texts(&made.files, made.notes))
}

/// Returns the edits that rename a name bound by `for`, within its expression.
fn rename_bound(
    document: &TextDocument,
    bound: &BoundName,
    new: &str,
) -> Result<ChangeSet, String> {
    if !is_identifier(new) {
        return Err(format!("`{new}` is not a name."));
    }
    let whole = document.expression_at(bound.binder.start);
    let is_taken = whole.is_some_and(|whole| {
        let bindings = Bindings::of(whole.view());
        let bound = bindings.binders().iter().any(|one| one.name == new);
        bound || bindings.uses().iter().any(|one| one.name == new)
    });
    if is_taken {
        return Err(format!("The expression uses the name `{new}` already."));
    }
    let places = bound.uses.iter().chain([&bound.binder]);
    let mut edits: Vec<_> = places.map(|span| replacement(*span, new)).collect();
    edits.sort_by_key(|edit| edit.start);
    let files = vec![FileEdits { file: document.name().to_owned(), edits }];
    Ok(ChangeSet { files, ..ChangeSet::default() })
}

/// The error for a file outside the open roots.
const NOT_IN_ROOT: &str = "The file belongs to no root that is open.";
/// The error for an offset without a name that can be changed.
const NO_NAME: &str =
    "No name that can be changed is here: only declarations and references to them have one.";

/// Returns the declaration that an offset refers to, which is to be renamed; an error if there is none.
fn renamed(request: &Request<'_>, file: &str, at: u32) -> Result<RootDeclaration, String> {
    request.root().ok_or(NOT_IN_ROOT)?;
    Ok(subject(request, file, at).ok_or(NO_NAME)?)
}

/// Returns the last step of an address.
pub(crate) fn name_of(address: &str) -> &str {
    address.rsplit('.').next().unwrap_or(address)
}
