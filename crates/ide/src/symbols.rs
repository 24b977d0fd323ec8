//! The outline of a file: its blocks and arguments in order. It is computed from the syntax alone, so every HCL file has one,
//! and unclosed blocks are included.

use groma::edit;
use groma::place::FileSyntax;
use groma_syntax::ast::ExprCase;
use groma_syntax::json::{JsonCase, JsonProperty, JsonView};
use groma_syntax::{Argument, Block, Body, BodyItem, Expr, Span};

use crate::document::TextDocument;
use crate::request::Request;

/// An entry of a document's outline: a block or an argument, with those inside of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentSymbol {
    /// The name, such as `var.region` or `aws_vpc.main`.
    pub name: String,
    /// A short description, such as `resource`; may be empty.
    pub detail: String,
    /// The kind of the symbol.
    pub kind: SymbolKind,
    /// The span of the whole symbol.
    pub span: Span,
    /// The span of its header or name, within `span`.
    pub name_span: Span,
    /// The symbols that it contains.
    pub children: Vec<DocumentSymbol>,
}

/// The kind of declaration, block or argument that an outline entry stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SymbolKind {
    /// A variable.
    Variable,
    /// A local value.
    Local,
    /// An output.
    Output,
    /// A module call.
    Module,
    /// A resource, a data source, or a source of a Packer template.
    Resource,
    /// A provider or a plugin.
    Provider,
    /// A check, a test run or an assertion.
    Check,
    /// Any other block.
    Block,
    /// An argument whose value is an object.
    Object,
    /// An argument whose value is a list.
    List,
    /// Any other argument.
    Argument,
}

/// Returns the blocks and arguments of a file as nested symbols for an editor's outline; empty if it cannot be read.
pub fn document_symbols(request: &Request<'_>, file: &str) -> Vec<DocumentSymbol> {
    request.document(file).map_or_else(Vec::new, |document| outline(&document))
}

/// Returns the top-level blocks and arguments of a document as symbols, each with its nested ones.
pub(crate) fn outline(document: &TextDocument) -> Vec<DocumentSymbol> {
    match document.syntax() {
        syntax @ FileSyntax::Native(_) => of_body(&syntax.body(), &[], 0),
        FileSyntax::Json(parse) => of_object(parse.document.root(), &[], 0),
    }
}

/// Maximum depth of symbols in an outline; deeper blocks and arguments are left out.
const MAX_DEPTH: usize = 12;

/// Returns the outline symbols of a body in native syntax; `around` are the types of the enclosing blocks, `depth` is their
/// number.
fn of_body(body: &Body, around: &[&str], depth: usize) -> Vec<DocumentSymbol> {
    if depth > MAX_DEPTH {
        return Vec::new();
    }
    let symbol = |item: &BodyItem| match item {
        BodyItem::Argument(argument) => of_argument(argument, around),
        BodyItem::Block(block) => of_block(block, around, depth),
    };
    body.items().iter().map(symbol).collect()
}

/// Returns the outline symbol of an argument, which has no children; `around` are the types of the enclosing blocks.
fn of_argument(argument: &Argument, around: &[&str]) -> DocumentSymbol {
    let name = &*argument.name.text;
    let local = around == ["locals"];
    let kind = match &argument.expr {
        _ if local => SymbolKind::Local,
        Expr::Native(expr) => match expr.view().case() {
            ExprCase::Object(_) => SymbolKind::Object,
            ExprCase::Tuple(_) => SymbolKind::List,
            _ => SymbolKind::Argument,
        },
        Expr::Json(_) => SymbolKind::Argument,
    };
    DocumentSymbol {
        name: if local { format!("local.{name}") } else { name.to_owned() },
        detail: String::new(),
        kind,
        span: argument.span,
        name_span: argument.name.span,
        children: Vec::new(),
    }
}

/// Returns the outline symbol of a block, with its children; `around` are the types of the enclosing blocks, `depth` is
/// their number.
fn of_block(block: &Block, around: &[&str], depth: usize) -> DocumentSymbol {
    let kind = &*block.kind.text;
    let labels: Vec<&str> = block.labels.iter().map(|label| &*label.text).collect();
    let within: Vec<&str> = around.iter().copied().chain([kind]).collect();
    DocumentSymbol {
        name: block_name(kind, &labels, around),
        detail: if labels.is_empty() { String::new() } else { kind.to_owned() },
        kind: block_kind(kind, around),
        span: block.span,
        name_span: block.header,
        children: of_body(&block.body, &within, depth + 1),
    }
}

/// Returns the name of a block in the outline: for a declaration at the top level its address, such as `var.size`, for any
/// other block its type and labels; `around` are the types of the enclosing blocks, none at the top level.
fn block_name(kind: &str, labels: &[&str], around: &[&str]) -> String {
    let joined = labels.join(".");
    match (kind, around.is_empty()) {
        _ if labels.is_empty() => kind.to_owned(),
        ("variable", true) => format!("var.{joined}"),
        ("resource", true) => joined,
        ("local", true) => format!("local.{joined}"),
        (
            "data" | "module" | "output" | "provider" | "check" | "ephemeral" | "run" | "list"
            | "action" | "source" | "component" | "stack" | "deployment",
            true,
        ) => {
            format!("{kind}.{joined}")
        }
        _ => format!("{kind} {}", labels.join(" ")),
    }
}

/// Returns the kind of outline symbol for a block of the type `kind`: that of a plain block unless `around`, the types of the
/// enclosing blocks, is empty.
fn block_kind(kind: &str, around: &[&str]) -> SymbolKind {
    match kind {
        _ if !around.is_empty() => SymbolKind::Block,
        "variable" => SymbolKind::Variable,
        "output" => SymbolKind::Output,
        "module" | "component" | "stack" | "deployment" => SymbolKind::Module,
        "resource" | "data" | "ephemeral" | "source" | "list" => SymbolKind::Resource,
        "provider" => SymbolKind::Provider,
        "check" | "run" => SymbolKind::Check,
        _ => SymbolKind::Block,
    }
}

/// Returns the outline symbols of the properties of a JSON object; `around` are the names of the enclosing block types and
/// properties, `depth` is their number. At the top level, block kinds contain one level of properties per label.
fn of_object(view: JsonView<'_>, around: &[&str], depth: usize) -> Vec<DocumentSymbol> {
    if depth > MAX_DEPTH {
        return Vec::new();
    }
    let mut found = Vec::new();
    for property in properties(view) {
        let kind = &*property.name;
        match edit::labels(kind).filter(|_| around.is_empty()) {
            Some(count) => {
                let labelled = LabelledLevel { kind, count, depth };
                labelled.collect_blocks(&property, &mut Vec::new(), &mut found);
            }
            None => found.push(of_property(&property, around, depth)),
        }
    }
    found
}

/// Returns the outline symbol of a JSON property that is not a block with labels; `around` are the names of the enclosing
/// block types and properties, `depth` is their number.
fn of_property(property: &JsonProperty<'_>, around: &[&str], depth: usize) -> DocumentSymbol {
    let local = around == ["locals"];
    let kind = match property.value.case() {
        _ if local => SymbolKind::Local,
        JsonCase::Object(_) => SymbolKind::Object,
        JsonCase::Array(_) => SymbolKind::List,
        _ => SymbolKind::Argument,
    };
    let within: Vec<&str> = around.iter().copied().chain([&*property.name]).collect();
    let name = &property.name;
    DocumentSymbol {
        name: if local { format!("local.{name}") } else { name.to_string() },
        detail: String::new(),
        kind,
        span: property.name_span.join(property.value.span()),
        name_span: property.name_span,
        children: match property.value.case() {
            JsonCase::Object(_) if !local => of_object(property.value, &within, depth + 1),
            _ => Vec::new(),
        },
    }
}

/// A kind of block in JSON whose labels are nested properties: its name, number of labels, and depth in the outline.
struct LabelledLevel<'k> {
    /// The kind of the block.
    kind: &'k str,
    /// The number of labels.
    count: usize,
    /// The depth of the block in the outline.
    depth: usize,
}

impl LabelledLevel<'_> {
    /// Adds to `found` the outline symbols of the blocks in the value of a JSON property: of properties named by the next
    /// label, or, if `labels`, those read so far, are complete, of one body or a list of bodies.
    fn collect_blocks(
        &self,
        property: &JsonProperty<'_>,
        labels: &mut Vec<String>,
        found: &mut Vec<DocumentSymbol>,
    ) {
        if labels.len() < self.count {
            for inner in properties(property.value) {
                labels.push(inner.name.to_string());
                self.collect_blocks(&inner, labels, found);
                labels.pop();
            }
            return;
        }
        let bodies = match property.value.case() {
            JsonCase::Array(all) => all,
            _ => vec![property.value],
        };
        for body in bodies {
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            let name_span = property.name_span;
            let children = of_object(body, &[self.kind], self.depth + 1);
            let span = match body.span().start == property.value.span().start {
                true => name_span.join(body.span()),
                false => body.span(),
            };
            found.push(DocumentSymbol {
                name: block_name(self.kind, &labels, &[]),
                detail: if labels.is_empty() { String::new() } else { self.kind.to_owned() },
                kind: block_kind(self.kind, &[]),
                span,
                name_span: if span.start == name_span.start {
                    name_span
                } else {
                    Span::at(span.start)
                },
                children,
            });
        }
    }
}

/// Returns the properties of an object, or of each object in a list.
fn properties(view: JsonView<'_>) -> Vec<JsonProperty<'_>> {
    match view.case() {
        JsonCase::Object(all) => all,
        JsonCase::Array(all) => {
            let objects = all.into_iter().filter_map(|one| match one.case() {
                JsonCase::Object(all) => Some(all),
                _ => None,
            });
            objects.flatten().collect()
        }
        _ => Vec::new(),
    }
}
