//! Index of the names in a Packer template's files. A template is one folder, so each name has one declaration; uses are found in
//! the syntax, since builds name sources in strings and labels, too.

use std::sync::Arc;

use groma_eval::{LocatedCode, Reference, Step};
use groma_functions::FunctionLibrary;
use groma_packer::{TemplateEvaluation, is_template};
use groma_runtime::file_path;
use groma_syntax::ast::ExprView;
use groma_syntax::json::{JsonCase, JsonView};
use groma_syntax::{Body, BodyItem, Expr, FileId, NativeExpr, Place, Sources, Span};

use super::{FileSpan, RootDeclaration, RootSite};
use crate::place::FileSyntax;

/// A file of a Packer template: its name, its number in the template's sources, and its syntax.
struct TemplateFile {
    name: String,
    id: FileId,
    syntax: Arc<FileSyntax>,
}

/// An index of a Packer template's files and of the declarations in them.
pub(crate) struct TemplateNames {
    /// The files, sorted by name.
    files: Vec<TemplateFile>,
    declarations: Vec<RootDeclaration>,
    library: FunctionLibrary,
}

impl TemplateNames {
    /// Builds the index from an evaluated template: its variables, locals, data and sources.
    pub(crate) fn of(evaluation: &TemplateEvaluation) -> TemplateNames {
        let template = evaluation.template();
        let sources = template.sources();
        let own = sources.iter().filter(|(_, source)| is_template(source.name()));
        let mut files: Vec<TemplateFile> = own
            .map(|(id, source)| TemplateFile {
                name: file_path::clean(source.name()),
                id,
                syntax: Arc::new(FileSyntax::parse(source.name(), source.text(), id)),
            })
            .collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        let mut names = TemplateNames {
            files,
            declarations: Vec::new(),
            library: FunctionLibrary::of(template.edition()),
        };
        let mut found: Vec<(RootSite, String)> = Vec::new();
        let mut add = |address: String, kind: &'static str, place: Place| {
            found.push((names.site(kind, place, sources), address));
        };
        for one in evaluation.variables() {
            add(format!("var.{}", &*one.name), "variable", one.place);
        }
        for one in evaluation.locals() {
            add(format!("local.{}", &*one.name), "local", one.place);
        }
        for one in evaluation.data() {
            add(one.name.to_string(), "data", one.place);
        }
        for one in evaluation.origins() {
            add(one.address(), "source", one.place);
        }
        found.sort_by(|a, b| a.0.place.cmp(&b.0.place));
        let declared = found.into_iter();
        names.declarations =
            declared.map(|(site, address)| RootDeclaration::in_text(address, site)).collect();
        names
    }

    /// Returns the site of the declaration of the kind `kind` that begins at a place: the spans of its name and of the whole.
    fn site(&self, kind: &'static str, place: Place, sources: &Sources) -> RootSite {
        let place = sources.resolve(place);
        let here = |span| FileSpan { file: sources.get(place.file).name().into(), span };
        let file = self.files.iter().find(|file| file.id == place.file);
        let declared = file.and_then(|file| match &*file.syntax {
            FileSyntax::Native(parse) => declared_in(&Body::of(parse), place.span),
            FileSyntax::Json(parse) => declared_in_json(parse.document.root(), place.span),
        });
        let (name, whole) = declared.unwrap_or((place.span, place.span));
        RootSite { kind, place: here(name), range: here(whole) }
    }

    /// Iterates over the names of the template's files with their file numbers, sorted by name.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, FileId)> {
        self.files.iter().map(|file| (file.name.as_str(), file.id))
    }

    /// Returns the syntax of the file `name`; `None` if the template does not have it.
    pub(super) fn syntax(&self, name: &str) -> Option<&Arc<FileSyntax>> {
        self.files.iter().find(|file| file.name == name).map(|file| &file.syntax)
    }

    /// Returns the declarations of the template, sorted by file and position.
    pub(super) fn declarations(&self) -> &[RootDeclaration] {
        &self.declarations
    }

    /// Returns the declaration that an offset of a file refers to: the one that is declared there, or the one that a reference
    /// or a string such as a source's name refers to; `None` if there is none.
    pub(super) fn at(&self, name: &str, at: u32) -> Option<&RootDeclaration> {
        let is_here = |one: &&RootDeclaration| {
            let place = one.site().map(|site| site.place);
            place.is_some_and(|place| {
                file_path::clean(&place.file) == name && place.span.touches(at)
            })
        };
        if let Some(one) = self.declarations.iter().find(is_here) {
            return Some(one);
        }
        let file = self.files.iter().find(|file| file.name == name)?;
        let mut address = None;
        file.named(&self.library, &mut |span, named| {
            if span.touches(at) {
                address = self.declarations.iter().find(|one| names_address(named, &one.address));
            }
        });
        address
    }

    /// Returns the places that refer to the declaration with an address, sorted.
    pub(super) fn references(&self, address: &str) -> Vec<FileSpan> {
        let mut found = Vec::new();
        for file in &self.files {
            file.named(&self.library, &mut |span, named| {
                if names_address(named, address) {
                    found.push(FileSpan { file: file.name.as_str().into(), span });
                }
            });
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl TemplateFile {
    /// Calls `see` with every span of the file that may refer to a declaration, and with the address or text there: the
    /// first steps of references, whole strings, and labels of sources in builds; `library` has the functions with which
    /// expressions are lowered.
    fn named(&self, library: &FunctionLibrary, see: &mut dyn FnMut(Span, &str)) {
        let parse = match &*self.syntax {
            FileSyntax::Native(parse) => parse,
            FileSyntax::Json(parse) => {
                return named_in_json(parse.document.root(), self.id, library, see);
            }
        };
        let mut bodies = vec![Body::of(parse)];
        while let Some(body) = bodies.pop() {
            for item in body.items() {
                match item {
                    BodyItem::Block(block) => {
                        // A block in a build names a source by its label.
                        let is_of_build = &*block.kind.text == "source" && block.labels.len() == 1;
                        let labels = block.labels.iter().filter(|_| is_of_build);
                        labels.for_each(|label| see(label.span, &label.text));
                        bodies.push(block.body);
                    }
                    BodyItem::Argument(argument) => {
                        if let Expr::Native(value) = &argument.expr {
                            texts(value.view(), see);
                            references(value, library, see);
                        }
                    }
                }
            }
        }
    }
}

/// Calls `see` with every span of a JSON document that may refer to a declaration, and with the address or text there: names of
/// properties, whole strings, and references in strings.
fn named_in_json(
    whole: JsonView<'_>,
    file: FileId,
    library: &FunctionLibrary,
    see: &mut dyn FnMut(Span, &str),
) {
    let mut waiting = vec![whole];
    while let Some(view) = waiting.pop() {
        match view.case() {
            JsonCase::Object(properties) => {
                for property in properties {
                    see(property.name_span, &property.name);
                    waiting.push(property.value);
                }
            }
            JsonCase::Array(elements) => waiting.extend(elements),
            JsonCase::String(text) => {
                see(view.span(), &text);
                let (parse, _) = view.template(file);
                if let Expr::Native(template) = Expr::of(&parse) {
                    let written = |at| view.written_at(view.span(), at);
                    references(&template, library, &mut |span, named| {
                        see(Span::new(written(span.start), written(span.end)), named);
                    });
                }
            }
            JsonCase::Null | JsonCase::Bool(_) | JsonCase::Number(_) | JsonCase::Missing => {}
        }
    }
}

/// Calls `see` with every literal string in an expression: its span with the quotes, and its text.
fn texts(whole: ExprView<'_>, see: &mut dyn FnMut(Span, &str)) {
    let mut waiting = vec![whole];
    while let Some(view) = waiting.pop() {
        if let Some(text) = groma_config::quoted(view) {
            see(view.span(), &text);
            continue;
        }
        view.case().inner(|inner| waiting.push(inner));
    }
}

/// Calls `see` with every reference in an expression to a variable, local, source or data: its span, and its address, such as
/// `var.size`.
fn references(value: &NativeExpr, library: &FunctionLibrary, see: &mut dyn FnMut(Span, &str)) {
    let located = LocatedCode::of(&Expr::Native(value.clone()), library);
    for reference in located.code.references() {
        let steps = match &*reference.root {
            "var" | "local" => 1,
            "source" | "data" => 2,
            _ => continue,
        };
        if let Some(address) = address(reference, steps) {
            see(located.place_of_first(reference, steps).span, &address);
        }
    }
}

/// Returns the address that consists of a reference's root name and its first `steps` steps; `None` if one of these is not a
/// name.
fn address(reference: &Reference, steps: usize) -> Option<String> {
    let mut address = reference.root.to_string();
    for step in reference.steps.get(..steps)? {
        let Step::Attribute(name) = step else { return None };
        address.push('.');
        address.push_str(name);
    }
    Some(address)
}

/// Returns true if a text is an address in full, or that of a source without `source.`, as in `only` and `except`.
fn names_address(text: &str, address: &str) -> bool {
    text == address || address.strip_prefix("source.").is_some_and(|short| short == text)
}

/// Returns the spans of the name and of the whole of the argument at the start of `place`, or of the header and of the whole of
/// the block whose header is there; `None` if there is neither.
fn declared_in(body: &Body, place: Span) -> Option<(Span, Span)> {
    body.items().into_iter().find_map(|item| match item {
        BodyItem::Block(block) if block.header.touches(place.start) => {
            Some((block.header, block.span))
        }
        BodyItem::Block(block) if block.span.touches(place.start) => {
            declared_in(&block.body, place)
        }
        BodyItem::Argument(argument) if argument.span.touches(place.start) => {
            Some((argument.name.span, argument.span))
        }
        _ => None,
    })
}

/// Returns the spans of the name and of the whole of the JSON property that begins where `place` does; `None` if there is none.
fn declared_in_json(whole: JsonView<'_>, place: Span) -> Option<(Span, Span)> {
    let mut waiting = vec![whole];
    while let Some(view) = waiting.pop() {
        match view.case() {
            JsonCase::Object(properties) => {
                for property in properties {
                    let whole = Span::new(property.name_span.start, property.value.span().end);
                    if whole.start == place.start {
                        return Some((property.name_span, whole));
                    }
                    waiting.push(property.value);
                }
            }
            JsonCase::Array(elements) => waiting.extend(elements),
            _ => {}
        }
    }
    None
}
