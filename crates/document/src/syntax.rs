//! Syntax trees as JSON: bodies, expressions and comments, each with its range of bytes. Chains (`a.b[0].c`, `1 + 2 + 3`) may be
//! as long as the file, so they are written in loops; the parser bounds all other nesting.

use std::cell::RefCell;
use std::collections::HashMap;

use groma::json::{JsonObject, JsonText, array};
use groma::{ExpressionPlace, ExpressionValues, graph::GraphVertex, hosts::file_path};
use groma_syntax::ast::{
    Bindings, ExprCase, ExprView, ForView, TemplateKind, TemplatePart, TemplateView, UnaryOp,
};
use groma_syntax::{Block, Body, BodyItem, Expr, Label, Parse, Sources, Span, TokenKind};

use crate::written_values::{WrittenValues, write_range};

/// The declarations of a module that names may refer to, by address, and the values of its expressions if the caller adds them.
#[derive(Default)]
pub struct DeclaredNames {
    by_address: HashMap<String, DeclaredPlace>,
    worths: ExpressionValues,
}

/// The kind of a declaration, and the file and span in which it is declared.
struct DeclaredPlace {
    kind: &'static str,
    file: String,
    span: Span,
}

impl DeclaredNames {
    /// Collects the declarations of the root module from the vertices of the reference graph.
    pub fn of(vertices: &[GraphVertex], sources: &Sources) -> DeclaredNames {
        let in_root = vertices.iter().filter(|vertex| vertex.id.module().is_root());
        let declaration = |vertex: &GraphVertex| {
            let (source, place) = sources.at(vertex.place);
            let file = source.name().to_owned();
            let declaration = DeclaredPlace { kind: vertex.kind, file, span: place.span };
            (vertex.id.to_string(), declaration)
        };
        let by_address = in_root.map(declaration).collect();
        DeclaredNames { by_address, worths: ExpressionValues::default() }
    }

    /// Returns the declarations with the values of the module's expressions.
    pub fn with(self, worths: ExpressionValues) -> DeclaredNames {
        DeclaredNames { worths, ..self }
    }
}

/// The referent of a name: a binding of a `for`, or a declaration with its address.
enum MeantName<'d> {
    /// A name that a `for` binds.
    Bound(Span),
    /// A declaration, by its address.
    Declared(&'d str, &'d DeclaredPlace),
}

/// The data for writing the syntax tree of one file: its name, the module's declarations, the values of its expressions, and the
/// record of the values that the document contains already.
#[derive(Clone, Copy)]
pub(crate) struct FileSurroundings<'o> {
    name: &'o str,
    declared: &'o DeclaredNames,
    told: &'o RefCell<WrittenValues>,
    worths: Option<&'o HashMap<Span, ExpressionPlace>>,
}

impl<'o> FileSurroundings<'o> {
    /// Returns the data for writing the syntax tree of the file with this name, with the values of its expressions if
    /// `declared` has them; `told` records the values written.
    pub(crate) fn of(
        name: &'o str,
        declared: &'o DeclaredNames,
        told: &'o RefCell<WrittenValues>,
    ) -> FileSurroundings<'o> {
        let worths = declared.worths.in_file(&file_path::clean(name));
        FileSurroundings { name, declared, told, worths }
    }
}

/// Writes the parsed body of the file `name` in native syntax as a node of the JSON document of syntax trees, with the
/// declarations that its names lead to and the values that `declared` has; `told` records the values written.
pub(crate) fn body(
    name: &str,
    parse: &Parse,
    declared: &DeclaredNames,
    told: &RefCell<WrittenValues>,
    out: &mut JsonText<'_>,
) {
    let text = parse.tree.text();
    let around = FileSurroundings::of(name, declared, told);
    write_body(out, &Body::of(parse), Span::new(0, text.len() as u32), text, around);
}

/// Writes the comments of a parsed file as a JSON array: the range and the text of each.
pub(crate) fn comments(parse: &Parse, out: &mut JsonText<'_>) {
    let text = parse.tree.text();
    let comments = parse.tree.tokens().iter().filter(|token| token.kind() == TokenKind::Comment);
    array(comments, out, |token, out| {
        let mut one = JsonObject::open(out);
        write_range(token.span(), one.key("range"));
        one.text("text", token.span().of(text));
        one.close();
    });
}

/// A name that a `for` binds, and its span.
type Bound<'t> = (&'t str, Span);

/// Writes a body in native syntax as a node of the JSON document of syntax trees, with its arguments and blocks.
fn write_body(
    out: &mut JsonText<'_>,
    body: &Body,
    span: Span,
    text: &str,
    around: FileSurroundings<'_>,
) {
    let bindings = Bindings::default();
    let mut writer = SyntaxWriter::new(out, text, around, &bindings);
    writer.out.open_object();
    writer.range("range", span);
    writer.list("items", body.items(), |writer, item| match item {
        BodyItem::Argument(argument) => {
            writer.open("argument", argument.span);
            writer.text("name", &argument.name.text);
            writer.range("name_range", argument.name.span);
            writer.out.name("value");
            if let Expr::Native(native) = &argument.expr {
                let bindings = Bindings::of(native.view());
                let out = &mut *writer.out;
                SyntaxWriter::new(out, text, around, &bindings).expression(native.view());
            }
            writer.close();
        }
        BodyItem::Block(block) => {
            writer.open_block(&block);
            writer.out.name("body");
            write_body(writer.out, &block.body, block.body.span(), text, around);
            writer.close();
        }
    });
    writer.close();
}

/// A writer of expressions and their parts as nodes of the JSON document of syntax trees.
pub(crate) struct SyntaxWriter<'o, 'w, 't> {
    pub(crate) out: &'o mut JsonText<'w>,
    /// The text that spans refer to.
    text: &'o str,
    around: FileSurroundings<'o>,
    /// The names in the expression with their bindings.
    bindings: &'o Bindings<'t>,
    /// Maps a span of the text to the span in the file where it is written.
    written: &'o dyn Fn(Span) -> Span,
}

impl<'o, 'w, 't> SyntaxWriter<'o, 'w, 't> {
    /// Creates a writer for expressions in the text of a file.
    pub(crate) fn new(
        out: &'o mut JsonText<'w>,
        text: &'o str,
        around: FileSurroundings<'o>,
        bindings: &'o Bindings<'t>,
    ) -> SyntaxWriter<'o, 'w, 't> {
        SyntaxWriter { out, text, around, bindings, written: &|span| span }
    }

    /// Returns the writer for a text embedded in the file, such as a template in a JSON string; `written` maps its spans to the
    /// file.
    pub(crate) fn written_at(self, written: &'o dyn Fn(Span) -> Span) -> SyntaxWriter<'o, 'w, 't> {
        SyntaxWriter { written, ..self }
    }

    /// Opens the JSON object of a block and writes its type and its labels; the caller writes its body and closes it.
    pub(crate) fn open_block(&mut self, block: &Block) {
        self.open("block", block.span);
        self.text("type", &block.kind.text);
        self.range("type_range", block.kind.span);
        self.list("labels", block.labels.iter().collect(), |writer, label: &Label| {
            writer.out.open_object();
            writer.text("text", &label.text);
            writer.range("range", label.span);
            writer.flag("quoted", label.quoted);
            writer.close();
        });
    }

    /// Opens the JSON object of a syntax node, with its kind and its byte range.
    pub(crate) fn open(&mut self, kind: &str, span: Span) {
        self.out.open_object();
        self.text("kind", kind);
        self.range("range", span);
    }

    /// Closes the JSON object that was opened last.
    pub(crate) fn close(&mut self) {
        self.out.close_object();
    }

    /// Writes the name of a JSON property; the caller writes its value next.
    fn property(&mut self, name: &str) -> &mut JsonText<'w> {
        self.out.name(name);
        self.out
    }

    /// Writes a JSON property whose value is a string.
    pub(crate) fn text(&mut self, name: &str, text: &str) {
        self.out.name(name);
        self.out.string(text);
    }

    /// Writes a property whose value is the range of a span in the file.
    pub(crate) fn range(&mut self, name: &str, span: Span) {
        self.out.name(name);
        write_range((self.written)(span), self.out);
    }

    /// Writes a property whose value is a JSON literal: `true`, `false` or `null`.
    pub(crate) fn word(&mut self, name: &str, word: &str) {
        self.out.name(name);
        self.out.push_str(word);
    }

    /// Writes a JSON property whose value is a bool.
    fn flag(&mut self, name: &str, flag: bool) {
        self.word(name, if flag { "true" } else { "false" });
    }

    /// Writes a property whose value is the node of an expression.
    fn inner(&mut self, name: &str, expression: ExprView<'t>) {
        self.out.name(name);
        self.expression(expression);
    }

    /// Writes a property whose value is an array, each item by `write`.
    pub(crate) fn list<T>(
        &mut self,
        name: &str,
        items: Vec<T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.out.name(name);
        self.out.open_array();
        for item in items {
            self.out.item();
            write(self, item);
        }
        self.out.close_array();
    }

    /// Writes an expression as a node of the JSON document of syntax trees, with its values if the module's declarations came
    /// with them.
    pub(crate) fn expression(&mut self, expression: ExprView<'t>) {
        let span = expression.span();
        match expression.case() {
            ExprCase::Number(text) => {
                self.open("number", span);
                self.text("text", text);
            }
            ExprCase::Root(_)
            | ExprCase::Attribute { .. }
            | ExprCase::Index { .. }
            | ExprCase::LegacyIndex { .. } => {
                return self.chain(expression);
            }
            ExprCase::Binary { .. } => return self.operators(expression),
            ExprCase::Template(template) => self.template(template),
            ExprCase::Parenthesised(inner) => {
                self.open("parentheses", span);
                self.inner("inner", inner);
            }
            ExprCase::Unary { op, operand, .. } => {
                self.open("unary", span);
                self.text("operator", if op == UnaryOp::Negate { "-" } else { "!" });
                self.inner("operand", operand);
            }
            ExprCase::Conditional { condition, then, otherwise } => {
                self.open("conditional", span);
                self.inner("condition", condition);
                self.inner("then", then);
                self.inner("else", otherwise);
            }
            ExprCase::Tuple(items) => {
                self.open("tuple", span);
                self.list("items", items, Self::expression);
            }
            ExprCase::Object(items) => {
                self.open("object", span);
                self.list("items", items, |writer, item| {
                    writer.out.open_object();
                    writer.out.name("key");
                    writer.key(item.key);
                    writer.inner("value", item.value);
                    writer.close();
                });
            }
            ExprCase::For(made) => {
                self.open("for", span);
                self.comprehension(made);
            }
            ExprCase::Call(call) => {
                self.open("call", span);
                self.text("name", &call.name);
                self.range("name_range", call.name_span);
                self.list("arguments", call.args, Self::expression);
                self.flag("expand", call.expand);
            }
            ExprCase::Splat { source, full, each, .. } => {
                self.open("splat", span);
                self.text("form", if full { "full" } else { "attribute" });
                self.inner("source", source);
                self.inner("each", each);
            }
            // The element of a splat has no text of its own, so it has no range.
            ExprCase::SplatItem => {
                self.out.open_object();
                self.text("kind", "item");
            }
            ExprCase::Missing => self.open("missing", span),
        }
        if !matches!(expression.case(), ExprCase::SplatItem) {
            self.write_values(span);
        }
        self.close();
    }

    /// Writes the values of the sub-expression at a span as a property, if the module's declarations came with values.
    pub(crate) fn write_values(&mut self, span: Span) {
        let span = (self.written)(span);
        let FileSurroundings { name, told, worths, .. } = self.around;
        let Some(found) = worths.and_then(|worths| worths.get(&span)) else { return };
        array(&found.values, self.property("values"), |worth, out| {
            told.borrow_mut().write(worth, name, span, out);
        });
        if found.has_more {
            self.flag("more_values", true);
        }
    }

    /// Writes the key of an object's attribute as a node; a bare name is a literal.
    fn key(&mut self, key: ExprView<'t>) {
        match key.case() {
            ExprCase::Root(name) => {
                self.open("name", key.span());
                self.text("name", name);
                self.close();
            }
            _ => self.expression(key),
        }
    }

    /// Writes nested binary operations, such as `1 + 2 + 3`, as nested nodes. A loop, since their depth is unbounded.
    fn operators(&mut self, expression: ExprView<'t>) {
        let mut rest = Vec::new();
        let mut left = expression;
        while let ExprCase::Binary { op_span, left: before, right, .. } = left.case() {
            self.open("binary", left.span());
            self.text("operator", op_span.of(self.text));
            self.out.name("left");
            rest.push((right, left.span()));
            left = before;
        }
        self.expression(left);
        for (right, span) in rest.into_iter().rev() {
            self.inner("right", right);
            self.write_values(span);
            self.close();
        }
    }

    /// Writes a traversal as a node: a root or an operand, the steps after it, and the referent of the root.
    fn chain(&mut self, expression: ExprView<'t>) {
        let mut steps = Vec::new();
        let mut start = expression;
        let root = loop {
            let case = start.case();
            match &case {
                ExprCase::Attribute { object, .. }
                | ExprCase::Index { object, .. }
                | ExprCase::LegacyIndex { object, .. } => {
                    start = *object;
                    steps.push(case);
                }
                ExprCase::Root(name) => break Some(*name),
                _ => break None,
            }
        };
        steps.reverse();
        match root {
            Some(word @ ("true" | "false" | "null")) if steps.is_empty() => {
                self.open("literal", start.span());
                self.word("value", word);
                return self.close();
            }
            Some(name) => {
                self.open("reference", expression.span());
                self.text("root", name);
                self.range("root_range", start.span());
            }
            None => {
                self.open("access", expression.span());
                self.inner("object", start);
            }
        }
        let resolved = root.and_then(|root| self.referent(start, root, &steps));
        self.list("steps", steps, Self::step);
        if let Some(meant) = resolved {
            self.resolved(&meant);
        }
        // The range of a splat includes the steps applied to each element.
        if !matches!(start.case(), ExprCase::SplatItem) {
            self.write_values(expression.span());
        }
        self.close();
    }

    /// Writes a step of a traversal as a JSON object, such as an attribute or an index.
    fn step(&mut self, step: ExprCase<'t>) {
        match step {
            ExprCase::Attribute { name, dot_span, .. } => {
                self.open("attribute", dot_span);
                self.text("name", name);
            }
            ExprCase::Index { key, brackets, .. } => {
                self.open("index", brackets);
                self.inner("key", key);
            }
            ExprCase::LegacyIndex { digits, span, .. } => {
                self.open("legacy_index", span);
                self.text("digits", digits);
            }
            _ => self.open("missing", Span::at(0)),
        }
        self.close();
    }

    /// Writes the referent of a name as the property `resolves_to`: the binding of a `for`, or a declaration's address and place.
    fn resolved(&mut self, meant: &MeantName<'_>) {
        self.out.name("resolves_to");
        self.out.open_object();
        match meant {
            MeantName::Bound(span) => {
                self.text("kind", "for");
                self.range("range", *span);
            }
            MeantName::Declared(address, declaration) => {
                self.text("kind", declaration.kind);
                self.text("address", address);
                self.text("file", &declaration.file);
                self.out.name("range");
                write_range(declaration.span, self.out);
            }
        }
        self.close();
    }

    /// Returns the referent of a traversal that consists of the name `root`, which is the expression `start`, and of `steps`: a
    /// binding of a `for`, or a declaration; `None` for other names.
    fn referent(
        &self,
        start: ExprView<'t>,
        root: &str,
        steps: &[ExprCase<'t>],
    ) -> Option<MeantName<'o>> {
        if let Some(binder) = self.bindings.binder_of(start) {
            return Some(MeantName::Bound(binder.span));
        }
        let known: &'o HashMap<String, DeclaredPlace> = &self.around.declared.by_address;
        let mut address = root.to_owned();
        let mut found = known.get_key_value(&address);
        // The longest address has three names: the keyword, type and name of a resource that is not managed.
        for step in steps.iter().take(2) {
            let ExprCase::Attribute { name, .. } = step else { break };
            address.push('.');
            address.push_str(name);
            found = known.get_key_value(&address).or(found);
        }
        found.map(|(address, declaration)| MeantName::Declared(address, declaration))
    }

    /// Writes the key and value variable of a `for` as properties, each with its range.
    fn names(&mut self, key: Option<Bound<'t>>, value: Bound<'t>) {
        for (property, bound) in [("key_name", key), ("value_name", Some(value))] {
            let Some((name, span)) = bound else { continue };
            self.out.name(property);
            self.out.open_object();
            self.text("name", name);
            self.range("range", span);
            self.close();
        }
    }

    /// Writes the parts of a `for` expression as properties, such as its collection and its condition.
    fn comprehension(&mut self, made: ForView<'t>) {
        self.text("form", if made.is_object { "object" } else { "tuple" });
        self.names(made.key_name, made.value_name);
        self.inner("collection", made.collection);
        if let Some(key) = made.key {
            self.inner("key", key);
        }
        self.inner("value", made.value);
        if let Some(condition) = made.condition {
            self.inner("condition", condition);
        }
        self.flag("group", made.group);
    }

    /// Writes the node of a template in a JSON string that occupies `whole` in the file, with its parts and values.
    pub(crate) fn string(&mut self, template: TemplateView<'t>, whole: Span) {
        let written = std::mem::replace(&mut self.written, &|span| span);
        // The parts are written elsewhere than the whole.
        match template.plain() {
            Some(text) => {
                self.open("string", whole);
                self.text("form", "quoted");
                self.text("value", &text);
                self.written = written;
            }
            None => {
                self.open("template", whole);
                self.text("form", "quoted");
                self.written = written;
                self.list("parts", template.parts(), Self::part);
            }
        }
        let inside = std::mem::replace(&mut self.written, &|span| span);
        self.write_values(whole);
        self.written = inside;
    }

    /// Writes a template's node, quoted or heredoc, with its text or its parts, and leaves it open for its caller to close.
    fn template(&mut self, template: TemplateView<'t>) {
        let form = match template.kind() {
            TemplateKind::Quoted | TemplateKind::Bare => "quoted",
            TemplateKind::Heredoc { flush: false } => "heredoc",
            TemplateKind::Heredoc { flush: true } => "indented_heredoc",
        };
        match template.plain() {
            Some(text) => {
                self.open("string", template.span());
                self.text("form", form);
                self.text("value", &text);
            }
            None => {
                self.open("template", template.span());
                self.text("form", form);
                self.list("parts", template.parts(), Self::part);
            }
        }
    }

    /// Writes a part of a template as a node, such as literal text or an interpolation.
    fn part(&mut self, part: TemplatePart<'t>) {
        match part {
            TemplatePart::Literal { text, span } => {
                self.open("text", span);
                self.text("value", &text);
            }
            TemplatePart::Interpolation { expr, span } => {
                self.open("interpolation", span);
                self.inner("value", expr);
            }
            TemplatePart::If { condition, then, otherwise, span } => {
                self.open("if", span);
                self.inner("condition", condition);
                self.list("then", then, Self::part);
                if let Some(otherwise) = otherwise {
                    self.list("else", otherwise, Self::part);
                }
            }
            TemplatePart::For { key_name, value_name, collection, body, span } => {
                self.open("for", span);
                self.names(key_name, value_name);
                self.inner("collection", collection);
                self.list("body", body, Self::part);
            }
        }
        self.close();
    }
}
