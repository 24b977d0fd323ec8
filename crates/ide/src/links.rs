//! Document links: paths of modules and files, and registry pages of modules and providers.

use groma::hosts::{EntryKind, file_path};
use groma::place::{FileSyntax, PlaceTarget};
use groma_syntax::ast::ExprCase;
use groma_syntax::json::{JsonCase, JsonView};
use groma_syntax::{Body, BodyItem, Expr, Span, Token, TokenKind};

use crate::request::Request;

/// A path or source address in a document that an editor shows as a link, with its target.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DocumentLink {
    /// The span of the path, without quotes.
    pub span: Span,
    /// The target of the link.
    pub target: LinkTarget,
}

/// The target of a document link: a file or a URL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LinkTarget {
    /// A file, by name.
    File(String),
    /// A URL.
    Url(String),
}

/// Returns the links of a file, sorted by place.
pub fn document_links(request: &Request<'_>, file: &str) -> Vec<DocumentLink> {
    let Some(document) = request.document(file) else { return Vec::new() };
    let parse = match document.syntax() {
        FileSyntax::Native(parse) => parse,
        FileSyntax::Json(parse) => {
            let mut found = Vec::new();
            json_links(request, file, parse.document.root(), &mut found);
            return found;
        }
    };
    let mut found = Vec::new();
    // The two previous tokens.
    let mut before = [None, None];
    for token in parse.tree.tokens().iter() {
        let mut span = token.span();
        let last = before;
        before = [last[1], Some(token)];
        let word = |one: Option<Token>| one.map_or("", |one| one.span().of(document.text()));
        let is_source = word(last[1]) == "=" && word(last[0]).ends_with("source");
        match token.kind() {
            TokenKind::String if is_source || word(last[1]) == "(" => {
                span = Span::new(span.start + 1, span.end.saturating_sub(1).max(span.start + 1));
            }
            // The rest of a path after `${path.module}`.
            TokenKind::Literal if span.of(document.text()).starts_with('/') => {}
            _ => continue,
        }
        let Some((snapshot, place)) = request.place(file, span.start) else { break };
        let Some(PlaceTarget::FilePath(path)) = snapshot.target_at(place) else { continue };
        found.extend(
            target_file(request, &path)
                .map(|path| DocumentLink { span, target: LinkTarget::File(path) }),
        );
    }
    registry_links(&Body::of(parse), &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// Collects the links of a JSON file: sources of modules, and registry pages.
fn json_links(
    request: &Request<'_>,
    file: &str,
    root: JsonView<'_>,
    found: &mut Vec<DocumentLink>,
) {
    let mut waiting = vec![(root, Vec::<String>::new())];
    while let Some((view, around)) = waiting.pop() {
        match view.case() {
            JsonCase::Array(all) => {
                waiting.extend(all.into_iter().map(|one| (one, around.clone())))
            }
            JsonCase::Object(all) if around.len() <= MAX_DEPTH => {
                for one in all {
                    let around = around.iter().cloned().chain([one.name.to_string()]).collect();
                    waiting.push((one.value, around));
                }
            }
            JsonCase::String(text) => {
                let around: Vec<&str> = around.iter().map(String::as_str).collect();
                let url = match *around {
                    ["module", _, "source"] => {
                        let place = request.place(file, view.span().start + 1);
                        if let Some((snapshot, place)) = place
                            && let Some(PlaceTarget::FilePath(path)) = snapshot.target_at(place)
                            && let Some(path) = target_file(request, &path)
                        {
                            let span = link(view.span(), String::new()).span;
                            found.push(DocumentLink { span, target: LinkTarget::File(path) });
                        }
                        module_page(&text)
                    }
                    ["terraform", "required_providers", _, "source"] => provider_page(&text),
                    _ => None,
                };
                found.extend(url.map(|url| link(view.span(), url)));
            }
            _ => {}
        }
    }
    found.sort_unstable();
}

/// Returns the path of a file or, if it is that of a folder, of the main file of the module in it; `None` if there is neither.
fn target_file(request: &Request<'_>, path: &str) -> Option<String> {
    let host = request.workspace().host();
    let path = file_path::clean(path);
    match host.kind(&path).ok()? {
        EntryKind::File => Some(path),
        EntryKind::Directory => {
            let mut names: Vec<String> =
                host.list(&path).ok()?.into_iter().map(|entry| entry.name).collect();
            names.sort_unstable();
            let is_code = |name: &&String| groma::folders::is_code(name);
            let first = names.iter().find(|name| *name == "main.tf");
            let first = first.or_else(|| names.iter().find(is_code))?;
            Some(file_path::join(&path, first))
        }
        EntryKind::Other => None,
    }
}

/// Maximum depth of blocks in which sources of providers and modules are found; deeper blocks are skipped.
const MAX_DEPTH: usize = 3;

/// Collects the registry pages of modules and providers in a body.
fn registry_links(body: &Body, found: &mut Vec<DocumentLink>) {
    let mut waiting = vec![(body.clone(), Vec::<String>::new())];
    while let Some((body, around)) = waiting.pop() {
        for item in body.items() {
            match item {
                BodyItem::Block(block) if around.len() < MAX_DEPTH => {
                    let mut around = around.clone();
                    around.push(block.kind.text.to_string());
                    waiting.push((block.body, around));
                }
                BodyItem::Block(_) => {}
                BodyItem::Argument(argument) => {
                    let Expr::Native(value) = &argument.expr else { continue };
                    let around: Vec<&str> = around.iter().map(String::as_str).collect();
                    match (&*around, &*argument.name.text, value.view().case()) {
                        (["module"], "source", ExprCase::Template(template)) => {
                            let text = template.plain().unwrap_or_default();
                            found.extend(module_page(&text).map(|url| link(template.span(), url)));
                        }
                        (["terraform", "required_providers"], _, ExprCase::Object(items)) => {
                            for item in items.iter().filter(|item| item.key.text() == "source") {
                                let ExprCase::Template(template) = item.value.case() else {
                                    continue;
                                };
                                let text = template.plain().unwrap_or_default();
                                let url = provider_page(&text);
                                found.extend(url.map(|url| link(template.span(), url)));
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

/// Returns a link from a quoted string to a URL.
fn link(quoted: Span, url: String) -> DocumentLink {
    let end = quoted.end.saturating_sub(1).max(quoted.start + 1);
    DocumentLink { span: Span::new(quoted.start + 1, end), target: LinkTarget::Url(url) }
}

/// Returns true if a text is a valid part of a registry address.
fn is_name(part: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !part.is_empty() && part.chars().all(is_part)
}

/// Returns the public registry's page of a provider; `None` for other registries.
pub fn provider_page(source: &str) -> Option<String> {
    let parts: Vec<&str> =
        source.strip_prefix("registry.terraform.io/").unwrap_or(source).split('/').collect();
    let [namespace, name] = *parts else { return None };
    (is_name(namespace) && is_name(name))
        .then(|| format!("https://registry.terraform.io/providers/{namespace}/{name}/latest"))
}

/// Returns the public registry's page of a module; `None` for other kinds of sources.
fn module_page(source: &str) -> Option<String> {
    let source = source.split("//").next().unwrap_or_default();
    let source = source.strip_prefix("registry.terraform.io/").unwrap_or(source);
    let parts: Vec<&str> = source.split('/').collect();
    let [namespace, name, provider] = *parts else { return None };
    parts.iter().all(|part| is_name(part)).then(|| {
        format!("https://registry.terraform.io/modules/{namespace}/{name}/{provider}/latest")
    })
}
