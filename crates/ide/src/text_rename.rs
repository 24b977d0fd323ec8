//! Renames declarations that belong to no module: those of a Packer template, in its files, the labels of its builds and its
//! values files, and the runs of a test file.

use std::collections::BTreeMap;
use std::rc::Rc;

use groma::edit::TextEdit;
use groma::hosts::file_path;
use groma::root::{RootDeclaration, RootSite};
use groma_syntax::{BodyItem, Span, is_identifier};

use crate::document::TextDocument;
use crate::file_kind::FileKind;
use crate::file_span::{ChangeSet, FileEdits, replacement};
use crate::rename::name_of;
use crate::request::Request;

/// Returns true if the name of a declaration is chosen by the user and not by a provider, so that it can be renamed.
pub(crate) fn is_renamed(subject: &RootDeclaration) -> bool {
    let kind = subject.site().map(|site| site.kind);
    matches!(kind, Some("variable" | "local" | "source" | "data" | "run"))
}

/// Returns the edits that rename the declaration at an offset, in all files of the root and the values files of its folder.
///
/// # Errors
/// If the name cannot be changed everywhere: a sentence for the user.
pub(crate) fn rename(
    request: &Request<'_>,
    file: &str,
    at: u32,
    new: &str,
) -> Result<ChangeSet, String> {
    let root = request.root_of(file);
    let known = root.and_then(|root| Some((root.definition_at(file, at)?, root)));
    let Some((subject, root)) = known.filter(|(subject, _)| is_renamed(subject)) else {
        return Err("No name that can be changed is here.".to_owned());
    };
    let old = name_of(&subject.address).to_owned();
    let document = request.document(file).ok_or("The file cannot be read.")?;
    if document.spelling_at(at, &old).is_none() {
        return Err(format!("Put the cursor on the name `{old}` to rename it."));
    }
    if !is_identifier(new) {
        return Err(format!("`{new}` is not a name."));
    }
    let scope = &subject.address[..subject.address.len() - old.len()];
    let taken = format!("{scope}{new}");
    if root.declarations().iter().any(|one| one.address == taken) {
        return Err(format!("There is a declaration {taken} already."));
    }
    let mut edits: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    let mut push = |file: &str, span: Span| {
        edits.entry(file.to_owned()).or_default().push(replacement(span, new));
    };
    for at in root.references_at(file, at) {
        let Some(file) = request.document(&at.file) else { continue };
        // The name is the end of the reference, possibly followed by a quote.
        let written = at.span.of(file.text()).trim_end_matches('"');
        let Some(before) = written.strip_suffix(old.as_str()) else {
            let name = file_path::last(&at.file);
            return Err(format!("`{old}` is written with escapes in {name}: {written}."));
        };
        let start = at.span.start + before.len() as u32;
        push(&at.file, Span::new(start, start + old.len() as u32));
    }
    if let Some(site) = subject.site()
        && let Some(span) = declared_name(request, &site, &old)
    {
        push(&site.place.file, span);
    }
    if subject.address.starts_with("var.") {
        for file in value_files(request, &document) {
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

/// Returns the span of the name `name` in the header of the declaration at `site`; `None` if the header does not contain the
/// name as a word or the file cannot be read.
fn declared_name(request: &Request<'_>, site: &RootSite, name: &str) -> Option<Span> {
    let file = request.document(&site.place.file)?;
    let header = site.place.span;
    // The last match is the name, since a source's type may have the same text.
    let at = header.of(file.text()).rfind(name)? as u32;
    let span = Span::at(header.start + at);
    file.spelling_at(span.start, name)
}

/// Returns the documents of the Packer variable files in a document's folder, sorted by name.
fn value_files(request: &Request<'_>, document: &TextDocument) -> Vec<Rc<TextDocument>> {
    let dir = file_path::parent(document.name());
    let host = request.workspace().host();
    let mut entries = host.list(&dir).unwrap_or_default();
    entries.sort_unstable();
    let of_values = |name: &str| FileKind::of(name) == Some(FileKind::PackerValues);
    let names = entries.iter().filter(|one| of_values(&one.name));
    names.filter_map(|one| request.document(&file_path::join(&dir, &one.name))).collect()
}
