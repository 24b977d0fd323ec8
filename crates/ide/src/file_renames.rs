//! Edits for moved folders: the sources of module calls that lead to a moved folder are updated, and so are paths out of a
//! folder whose depth changes.

use groma::hosts::file_path;
use groma_syntax::ast::ExprCase;
use groma_syntax::{Body, BodyItem, Expr, Span};

use crate::document::TextDocument;
use crate::file_span::{ChangeSet, FileEdits, replacement};
use crate::request::Request;

/// Returns the edits for renaming a module's folder: of module sources that lead into it, and of those in it that lead out. A
/// single file yields no edits. The edits refer to the old paths.
pub fn file_renames(request: &Request<'_>, from: &str, to: &str) -> ChangeSet {
    let (from, to) = (file_path::clean(from), file_path::clean(to));
    let mut files = Vec::new();
    for folder in code_folders(request) {
        let host = request.workspace().host();
        let Ok(mut entries) = host.list(&folder) else { continue };
        entries.sort_unstable();
        for entry in entries.iter().filter(|entry| groma::folders::is_code(&entry.name)) {
            let path = file_path::join(&folder, &entry.name);
            let Some(document) = request.document(&path) else { continue };
            let mut edits = Vec::new();
            for (span, source) in local_sources(&document) {
                let old = file_path::join(&folder, &source);
                let own = moved(&folder, &from, &to).unwrap_or_else(|| folder.clone());
                let new = moved(&old, &from, &to).unwrap_or(old.clone());
                if own == folder && new == old {
                    continue;
                }
                let relative = file_path::relative(&own, &new);
                let relative = match relative.starts_with("../") || relative == ".." {
                    true => relative,
                    false => format!("./{}", relative.trim_start_matches("./")),
                };
                if relative != source {
                    edits.push(replacement(span, relative));
                }
            }
            if !edits.is_empty() {
                edits.sort_by_key(|edit| edit.start);
                files.push(FileEdits { file: path, edits });
            }
        }
    }
    files.sort_by(|a, b| a.file.cmp(&b.file));
    files.dedup_by(|a, b| a.file == b.file);
    ChangeSet { files, ..ChangeSet::default() }
}

/// Returns the folders with code below the folder that the editor has opened, and those of the root.
fn code_folders(request: &Request<'_>) -> Vec<String> {
    let host = request.workspace().host();
    let mut folders = match request.top() {
        Some(top) => groma::folders::roots_below(&*host, &top),
        None => Vec::new(),
    };
    let of_root = request.snapshot().into_iter().flat_map(|snapshot| snapshot.file_names());
    folders.extend(of_root.map(file_path::parent));
    folders = folders.iter().map(|folder| file_path::clean(folder)).collect();
    folders.sort_unstable();
    folders.dedup();
    folders
}

/// Returns the new path of a file or folder at or below a moved path; `None` if it is not moved.
fn moved(path: &str, from: &str, to: &str) -> Option<String> {
    let rest = path.strip_prefix(from)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| format!("{to}{rest}"))
}

/// Returns the local source paths of module calls in a file, with the span between the quotes.
fn local_sources(document: &TextDocument) -> Vec<(Span, String)> {
    let body = document.syntax().body();
    let mut found = Vec::new();
    match document.tree() {
        Some(_) => in_native(&body, &mut found),
        None => in_json(document, &mut found),
    }
    found.retain(|(_, source)| source.starts_with("./") || source.starts_with("../"));
    found
}

/// Collects the `source` arguments of `module` blocks in native syntax: the span between the quotes, and the text.
fn in_native(body: &Body, found: &mut Vec<(Span, String)>) {
    for item in body.items() {
        let BodyItem::Block(block) = item else { continue };
        if &*block.kind.text != "module" {
            continue;
        }
        for item in block.body.items() {
            if let BodyItem::Argument(argument) = item
                && &*argument.name.text == "source"
                && let Expr::Native(value) = &argument.expr
                && let ExprCase::Template(template) = value.view().case()
                && let Some(text) = template.plain()
            {
                let span = value.span();
                let inner = Span::new(span.start + 1, span.end.saturating_sub(1));
                found.push((inner, text.into_owned()));
            }
        }
    }
}

/// Collects the `source` arguments of `module` blocks in JSON syntax: the span between the quotes, and the text.
fn in_json(document: &TextDocument, found: &mut Vec<(Span, String)>) {
    use groma::place::FileSyntax;
    use groma_syntax::json::{JsonCase, JsonView};

    /// Returns the properties of an object, or of each object in a list.
    fn properties(view: JsonView<'_>) -> Vec<groma_syntax::json::JsonProperty<'_>> {
        match view.case() {
            JsonCase::Object(all) => all,
            JsonCase::Array(all) => all.into_iter().flat_map(properties_of_one).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the properties of an object; empty for anything else.
    fn properties_of_one(view: JsonView<'_>) -> Vec<groma_syntax::json::JsonProperty<'_>> {
        match view.case() {
            JsonCase::Object(all) => all,
            _ => Vec::new(),
        }
    }

    let FileSyntax::Json(parse) = document.syntax() else { return };
    let calls = properties(parse.document.root()).into_iter().filter(|one| one.name == "module");
    for call in calls.flat_map(|one| properties(one.value)) {
        for argument in properties(call.value).into_iter().filter(|one| one.name == "source") {
            if let JsonCase::String(text) = argument.value.case() {
                let span = argument.value.span();
                let inner = Span::new(span.start + 1, span.end.saturating_sub(1));
                found.push((inner, text.into_owned()));
            }
        }
    }
}
