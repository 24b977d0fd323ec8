//! Renames declarations of Packer templates: in the template's files, in the labels of its builds, and in values files.

use std::collections::BTreeMap;
use std::rc::Rc;

use groma::edit::TextEdit;
use groma::hosts::file_path;
use groma_syntax::{BodyItem, Span, is_identifier};

use crate::document::TextDocument;
use crate::file_kind::FileKind;
use crate::file_span::{ChangeSet, FileEdits, replacement};
use crate::packer::{PackerName, files, packer_names, references, subject};
use crate::request::Request;

/// Returns the declaration to rename at an offset, with the span and text of its name there.
///
/// # Errors
/// If there is no name to rename: a sentence for the user.
pub(crate) fn rename_site(
    request: &Request<'_>,
    document: &TextDocument,
    at: u32,
) -> Result<(PackerName, Span, String), String> {
    let subject = subject(request, document, at).ok_or("No name that can be changed is here.")?;
    let name = subject.address.rsplit('.').next().unwrap_or_default().to_owned();
    let span = document.spelling_at(at, &name);
    let span = span.ok_or_else(|| format!("Put the cursor on the name `{name}` to rename it."))?;
    Ok((subject, span, name))
}

/// Returns the edits that rename the declaration at an offset, in all files of the template and the values files of its folder.
///
/// # Errors
/// If the name cannot be changed everywhere: a sentence for the user.
pub(crate) fn rename(
    request: &Request<'_>,
    document: &TextDocument,
    at: u32,
    new: &str,
) -> Result<ChangeSet, String> {
    let (subject, _, old) = rename_site(request, document, at)?;
    if !is_identifier(new) {
        return Err(format!("`{new}` is not a name."));
    }
    let scope = &subject.address[..subject.address.len() - old.len()];
    let taken = format!("{scope}{new}");
    if packer_names(request, document).iter().any(|one| one.address == taken) {
        return Err(format!("There is a declaration {taken} already."));
    }
    if let Some(json) = files(request, document).iter().find(|file| file.is_json()) {
        let name = file_path::last(json.name());
        return Err(format!(
            "{name} is a part of the template and written in JSON, which is not changed."
        ));
    }
    let mut edits: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    let mut push = |file: &str, span: Span| {
        edits.entry(file.to_owned()).or_default().push(replacement(span, new));
    };
    for at in references(request, document, at, false) {
        let Some(file) = request.document(&at.file) else { continue };
        // The name is the end of the reference, possibly followed by a quote.
        let end = at.span.start + at.span.of(file.text()).trim_end_matches('"').len() as u32;
        push(&at.file, Span::new(end - old.len() as u32, end));
    }
    if let Some(span) = declared_name(request, &subject, &old) {
        push(&subject.place.file, span);
    }
    if subject.address.starts_with("var.") {
        for file in value_files(request, document) {
            for item in file.syntax().body().items() {
                match item {
                    BodyItem::Argument(argument) if *argument.name.text == *old => {
                        let quotes = u32::from(file.is_json());
                        let span = argument.name.span;
                        push(file.name(), Span::new(span.start + quotes, span.end - quotes));
                    }
                    _ => {}
                }
            }
        }
    }
    let files = edits.into_iter().map(|(file, mut edits)| {
        edits.sort_by_key(|edit| edit.start);
        edits.dedup();
        FileEdits { file, edits }
    });
    Ok(ChangeSet { files: files.collect(), ..ChangeSet::default() })
}

/// Returns the span of the name in a declaration's header.
fn declared_name(request: &Request<'_>, subject: &PackerName, name: &str) -> Option<Span> {
    let file = request.document(&subject.place.file)?;
    let header = subject.place.span;
    // The last match is the name, since a source's type may have the same text.
    let at = header.of(file.text()).rfind(name)? as u32;
    let span = Span::at(header.start + at);
    file.spelling_at(span.start, name)
}

/// Returns the values files beside a document's template.
fn value_files(request: &Request<'_>, document: &TextDocument) -> Vec<Rc<TextDocument>> {
    let dir = file_path::parent(document.name());
    let host = request.workspace().host();
    let mut entries = host.list(&dir).unwrap_or_default();
    entries.sort_unstable();
    let of_values = |name: &str| FileKind::of(name) == Some(FileKind::PackerValues);
    let names = entries.iter().filter(|one| of_values(&one.name));
    names.filter_map(|one| request.document(&file_path::join(&dir, &one.name))).collect()
}
