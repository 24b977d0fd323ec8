//! Names in Packer templates, found in the texts of the folder, since the index of places covers only modules. A template is a
//! single folder, so each name has one declaration there.

use std::rc::Rc;

use groma::place::FileSyntax;
use groma::{Value, hosts::file_path};
use groma_syntax::ast::ExprView;
use groma_syntax::{Body, BodyItem, Expr, Span, TokenKind};

use crate::complete::{ChainStep, site_at};
use crate::definition::DefinitionLink;
use crate::document::TextDocument;
use crate::file_kind::FileKind;
use crate::file_span::FileSpan;
use crate::request::{Request, RequestRoot};
use crate::symbols::{DocumentSymbol, outline};

/// A declaration in a template.
pub(crate) struct PackerName {
    /// The address as references write it, such as `var.size` or `source.null.box`.
    pub(crate) address: String,
    /// The place of its header or name.
    pub(crate) place: FileSpan,
    /// The span of the whole declaration.
    pub(crate) whole: Span,
}

/// Returns true if a document is a file of a Packer template.
pub(crate) fn is_packer(document: &TextDocument) -> bool {
    document.kind() == Some(FileKind::Packer)
}

/// Returns the template files in a document's folder, sorted by name.
pub(crate) fn files(request: &Request<'_>, document: &TextDocument) -> Vec<Rc<TextDocument>> {
    let dir = file_path::parent(document.name());
    let host = request.workspace().host();
    let Ok(mut entries) = host.list(&dir) else { return Vec::new() };
    entries.sort_unstable();
    let names = entries.iter().filter(|one| FileKind::of(&one.name) == Some(FileKind::Packer));
    names.filter_map(|one| request.document(&file_path::join(&dir, &one.name))).collect()
}

/// Returns the declarations of a document's template, in the order of files.
pub(crate) fn packer_names(request: &Request<'_>, document: &TextDocument) -> Vec<PackerName> {
    let mut found = Vec::new();
    for file in files(request, document) {
        let mut push = |one: &DocumentSymbol| {
            let root = one.name.split('.').next().unwrap_or_default();
            if matches!(root, "var" | "local" | "source" | "data") && one.name.contains('.') {
                found.push(PackerName {
                    address: one.name.clone(),
                    place: FileSpan { file: file.name().into(), span: one.name_span },
                    whole: one.span,
                });
            }
        };
        for symbol in outline(&file) {
            symbol.children.iter().filter(|_| symbol.name == "locals").for_each(&mut push);
            push(&symbol);
        }
    }
    found
}

/// Returns the declaration that an offset refers to: the one declared there, or the target of a reference or of a source's name
/// in a string.
pub(crate) fn subject(
    request: &Request<'_>,
    document: &TextDocument,
    at: u32,
) -> Option<PackerName> {
    let names = packer_names(request, document);
    let is_here =
        |one: &PackerName| *one.place.file == *document.name() && one.place.span.touches(at);
    if let Some(at) = names.iter().position(is_here) {
        return names.into_iter().nth(at);
    }
    let address = address_at(document, at)?;
    // Further steps after the name lead into its value.
    let leads = |one: &PackerName| {
        let rest = address.strip_prefix(&one.address);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    names.into_iter().find(leads)
}

/// Returns the address that a reference or a string at an offset contains.
pub(crate) fn address_at(document: &TextDocument, at: u32) -> Option<String> {
    let tree = document.tree()?;
    let (before, after) = tree.tokens_at(at);
    let quoted =
        [before, after].into_iter().flatten().find(|(_, token)| token.kind() == TokenKind::String);
    Some(match quoted {
        Some((_, token)) => token.span().of(document.text()).trim_matches('"').to_owned(),
        None => {
            let site = site_at(tree, at);
            let step = |one: &ChainStep| match one {
                ChainStep::Name(name) => name.clone(),
                _ => "*".to_owned(),
            };
            let mut parts: Vec<String> = site.chain.iter().map(step).collect();
            parts.push(site.word.of(document.text()).to_owned());
            parts.join(".")
        }
    })
}

/// Returns the address of the template declaration that an offset refers to: the target of a reference there, or else the
/// declaration that contains it.
pub fn template_address(request: &Request<'_>, file: &str, at: u32) -> Option<String> {
    let document = request.document(file).filter(|document| is_packer(document))?;
    if let Some(one) = subject(request, &document, at) {
        return Some(one.address);
    }
    let around = |one: &PackerName| *one.place.file == *file && one.whole.touches(at);
    packer_names(request, &document).into_iter().find(around).map(|one| one.address)
}

/// Returns where the name at an offset is declared.
pub(crate) fn definition(
    request: &Request<'_>,
    document: &TextDocument,
    at: u32,
) -> Vec<DefinitionLink> {
    let link = |one: PackerName| DefinitionLink {
        origin: document.name_at(at),
        target: one.place,
        target_range: one.whole,
    };
    subject(request, document, at).map(link).into_iter().collect()
}

/// Returns the places that name the declaration at an offset; with `declares` its own place too.
pub(crate) fn references(
    request: &Request<'_>,
    document: &TextDocument,
    at: u32,
    declares: bool,
) -> Vec<FileSpan> {
    let Some(subject) = subject(request, document, at) else { return Vec::new() };
    let mut found: Vec<FileSpan> = declares.then(|| subject.place.clone()).into_iter().collect();
    for file in files(request, document) {
        let FileSyntax::Native(parse) = file.syntax() else { continue };
        let mut bodies = vec![Body::of(parse)];
        while let Some(body) = bodies.pop() {
            for item in body.items() {
                let mut see = |span| found.push(FileSpan { file: file.name().into(), span });
                match item {
                    BodyItem::Block(block) => {
                        // A block in a build names a source by its label, too.
                        let is_of_build = &*block.kind.text == "source" && block.labels.len() == 1;
                        let named = block.labels.iter().filter(|_| is_of_build);
                        let named =
                            named.filter(|label| names_address(&label.text, &subject.address));
                        named.for_each(|label| see(label.span));
                        bodies.push(block.body);
                    }
                    BodyItem::Argument(argument) => {
                        let Expr::Native(value) = &argument.expr else { continue };
                        uses(value.view(), &subject.address, &mut see);
                    }
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Visits the parts of an expression that name an address, as a reference or as a whole string.
fn uses(whole: ExprView<'_>, address: &str, see: &mut dyn FnMut(Span)) {
    let mut waiting = vec![whole];
    while let Some(view) = waiting.pop() {
        let text = view.text();
        let is_text = text.starts_with('"') && names_address(text.trim_matches('"'), address);
        if text == address || is_text {
            see(view.span());
            continue;
        }
        view.case().inner(|inner| waiting.push(inner));
    }
}

/// Returns true if a text names an address: in full, or for a source without `source.`, as in `only` and `except`.
fn names_address(text: &str, address: &str) -> bool {
    text == address || address.strip_prefix("source.").is_some_and(|short| short == text)
}

/// Returns the declaration that an offset refers to, with its value if it has one.
pub(crate) fn known_at(
    request: &Request<'_>,
    document: &TextDocument,
    at: u32,
) -> Option<(PackerName, Option<Value>)> {
    let subject = subject(request, document, at)?;
    let value = value_of(request, &subject.address);
    Some((subject, value))
}

/// Returns the value of a variable or a local value.
pub(crate) fn value_of(request: &Request<'_>, address: &str) -> Option<Value> {
    let RequestRoot::Template(template) = request.root() else { return None };
    let has_value = address.starts_with("var.") || address.starts_with("local.");
    has_value.then(|| template.evaluate(address).value)
}
