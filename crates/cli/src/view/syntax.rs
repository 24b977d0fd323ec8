//! The syntax of a file as JSON: bodies, expressions and comments, each with the bytes that it covers. Chains (`a.b[0].c`,
//! `1 + 2 + 3`) may be as long as the file, so they are written in loops; all other nesting is bounded by the parser.

use std::collections::HashMap;
use std::fmt::Write as _;

use groma_folder::Vertex;
use groma_syntax::ast::{Case, Expression, For, Part, Template, TemplateKind, UnaryOp};
use groma_syntax::{Body, Expr, Item, Parse, Sources, Span, TokenKind};

use super::json;

/// What the names of a module stand for.
#[derive(Default)]
pub(crate) struct Declared {
    /// JSON by address.
    places: HashMap<String, String>,
}

impl Declared {
    /// Those of the root module.
    pub(crate) fn of(vertices: &[Vertex], sources: &Sources) -> Declared {
        let in_root = vertices.iter().filter(|vertex| vertex.module.is_empty());
        let written = |vertex: &Vertex| {
            let object = json::Object::default()
                .with("kind", &json::string(vertex.kind))
                .with("address", &json::string(&vertex.id))
                .with("file", &json::string(sources.get(vertex.place.file).name()))
                .with("range", &range(vertex.place.span));
            (vertex.id.clone(), object.finish())
        };
        Declared { places: in_root.map(written).collect() }
    }
}

fn range(span: Span) -> String {
    format!("[{},{}]", span.start, span.end)
}

/// The body of a parsed file, as JSON.
pub(crate) fn body(parse: &Parse, declared: &Declared) -> String {
    let mut out = String::new();
    let text = parse.tree.text();
    write_body(&mut out, &Body::of(parse), Span::new(0, text.len() as u32), text, declared);
    out
}

/// The comments of a parsed file, as JSON.
pub(crate) fn comments(parse: &Parse) -> String {
    let text = parse.tree.text();
    let comments = parse.tree.tokens().iter().filter(|token| token.kind() == TokenKind::Comment);
    json::array(comments.map(|token| {
        let object = json::Object::default().with("range", &range(token.span()));
        object.with("text", &json::string(token.span().of(text))).finish()
    }))
}

/// A name that a `for` binds, and where.
type Bound<'t> = (&'t str, Span);

fn write_body(out: &mut String, body: &Body, span: Span, text: &str, declared: &Declared) {
    let mut writer = Writer { out, text, declared, bound: Vec::new() };
    writer.put("{\"range\":");
    writer.put(&range(span));
    writer.list("items", body.items(), |writer, item| match item {
        Item::Argument(argument) => {
            writer.open("argument", argument.span);
            writer.text("name", &argument.name.text);
            writer.with("name_range", &range(argument.name.span));
            writer.with("value", "");
            if let Expr::Native(native) = &argument.expr {
                let bound = Vec::new();
                Writer { out: writer.out, text, declared, bound }.expression(native.view());
            }
            writer.put("}");
        }
        Item::Block(block) => {
            writer.open("block", block.span);
            writer.text("type", &block.kind.text);
            writer.with("type_range", &range(block.kind.span));
            writer.list("labels", block.labels, |writer, label| {
                let object = json::Object::default()
                    .with("text", &json::string(&label.text))
                    .with("range", &range(label.span))
                    .with("quoted", if label.quoted { "true" } else { "false" });
                writer.put(&object.finish());
            });
            let span = match &block.body {
                Body::Native(body) => body.span(),
                Body::Json(_) => block.span,
            };
            writer.with("body", "");
            write_body(writer.out, &block.body, span, text, declared);
            writer.put("}");
        }
    });
    writer.put("}");
}

/// Writes what stands in one argument.
struct Writer<'o, 't> {
    out: &'o mut String,
    /// The whole text.
    text: &'o str,
    declared: &'o Declared,
    /// The names that are bound here, the innermost last.
    bound: Vec<Bound<'t>>,
}

impl<'t> Writer<'_, 't> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Opens an object with its kind and range.
    fn open(&mut self, kind: &str, span: Span) {
        let written = write!(self.out, "{{\"kind\":\"{kind}\",\"range\":{}", range(span));
        debug_assert!(written.is_ok());
    }

    /// A property whose value is JSON.
    fn with(&mut self, name: &str, value: &str) {
        let written = write!(self.out, ",\"{name}\":{value}");
        debug_assert!(written.is_ok());
    }

    /// A property whose value is a text.
    fn text(&mut self, name: &str, text: &str) {
        self.with(name, &json::string(text));
    }

    /// A property whose value is an expression.
    fn inner(&mut self, name: &str, expression: Expression<'t>) {
        self.with(name, "");
        self.expression(expression);
    }

    /// A property whose value is a list.
    fn list<T>(&mut self, name: &str, items: Vec<T>, mut write: impl FnMut(&mut Self, T)) {
        self.with(name, "[");
        for (at, item) in items.into_iter().enumerate() {
            if at > 0 {
                self.put(",");
            }
            write(self, item);
        }
        self.put("]");
    }

    fn expression(&mut self, expression: Expression<'t>) {
        let span = expression.span();
        match expression.case() {
            Case::Number(text) => {
                self.open("number", span);
                self.text("text", text);
            }
            Case::Root(_)
            | Case::Attribute { .. }
            | Case::Index { .. }
            | Case::LegacyIndex { .. } => {
                return self.chain(expression);
            }
            Case::Binary { .. } => return self.operators(expression),
            Case::Template(template) => self.template(template),
            Case::Parenthesised(inner) => {
                self.open("parentheses", span);
                self.inner("inner", inner);
            }
            Case::Unary { op, operand, .. } => {
                self.open("unary", span);
                self.text("operator", if op == UnaryOp::Negate { "-" } else { "!" });
                self.inner("operand", operand);
            }
            Case::Conditional { condition, then, otherwise } => {
                self.open("conditional", span);
                self.inner("condition", condition);
                self.inner("then", then);
                self.inner("else", otherwise);
            }
            Case::Tuple(items) => {
                self.open("tuple", span);
                self.list("items", items, Self::expression);
            }
            Case::Object(items) => {
                self.open("object", span);
                self.list("items", items, |writer, item| {
                    writer.put("{\"key\":");
                    writer.key(item.key);
                    writer.inner("value", item.value);
                    writer.put("}");
                });
            }
            Case::For(made) => {
                self.open("for", span);
                self.comprehension(made);
            }
            Case::Call(call) => {
                self.open("call", span);
                self.text("name", &call.name);
                self.with("name_range", &range(call.name_span));
                self.list("arguments", call.args, Self::expression);
                self.with("expand", if call.expand { "true" } else { "false" });
            }
            Case::Splat { source, full, each, .. } => {
                self.open("splat", span);
                self.text("form", if full { "full" } else { "attribute" });
                self.inner("source", source);
                self.inner("each", each);
            }
            // It is no text of its own, so it has no range.
            Case::SplatItem => self.put("{\"kind\":\"item\""),
            Case::Missing => self.open("missing", span),
        }
        self.put("}");
    }

    /// The key of an attribute of an object: a bare name stands for itself.
    fn key(&mut self, key: Expression<'t>) {
        match key.case() {
            Case::Root(name) => {
                self.open("name", key.span());
                self.text("name", name);
                self.put("}");
            }
            _ => self.expression(key),
        }
    }

    /// `a + b + c` is as deep as it is long.
    fn operators(&mut self, expression: Expression<'t>) {
        let mut rest = Vec::new();
        let mut left = expression;
        while let Case::Binary { op_span, left: before, right, .. } = left.case() {
            self.open("binary", left.span());
            self.text("operator", op_span.of(self.text));
            self.with("left", "");
            rest.push(right);
            left = before;
        }
        self.expression(left);
        for right in rest.into_iter().rev() {
            self.inner("right", right);
            self.put("}");
        }
    }

    /// A name or anything else, and the steps that follow it.
    fn chain(&mut self, expression: Expression<'t>) {
        let mut steps = Vec::new();
        let mut start = expression;
        let root = loop {
            let case = start.case();
            match &case {
                Case::Attribute { object, .. }
                | Case::Index { object, .. }
                | Case::LegacyIndex { object, .. } => {
                    start = *object;
                    steps.push(case);
                }
                Case::Root(name) => break Some(*name),
                _ => break None,
            }
        };
        steps.reverse();
        match root {
            Some(word @ ("true" | "false" | "null")) if steps.is_empty() => {
                self.open("literal", start.span());
                self.with("value", word);
                return self.put("}");
            }
            Some(name) => {
                self.open("reference", expression.span());
                self.text("root", name);
                self.with("root_range", &range(start.span()));
            }
            None => {
                self.open("access", expression.span());
                self.inner("object", start);
            }
        }
        let resolved = root.and_then(|root| self.resolve(root, &steps));
        self.list("steps", steps, Self::step);
        if let Some(resolved) = resolved {
            self.with("resolves_to", &resolved);
        }
        self.put("}");
    }

    fn step(&mut self, step: Case<'t>) {
        match step {
            Case::Attribute { name, dot_span, .. } => {
                self.open("attribute", dot_span);
                self.text("name", name);
            }
            Case::Index { key, brackets, .. } => {
                self.open("index", brackets);
                self.inner("key", key);
            }
            Case::LegacyIndex { digits, span, .. } => {
                self.open("legacy_index", span);
                self.text("digits", digits);
            }
            _ => self.open("missing", Span::at(0)),
        }
        self.put("}");
    }

    /// What a name with its first steps stands for: what a `for` binds, or a declaration.
    fn resolve(&self, root: &str, steps: &[Case<'t>]) -> Option<String> {
        if let Some((_, span)) = self.bound.iter().rev().find(|(name, _)| *name == root) {
            return Some(format!("{{\"kind\":\"for\",\"range\":{}}}", range(*span)));
        }
        let mut address = root.to_owned();
        let mut found = self.declared.places.get(&address);
        // The longest address is of a resource that is no managed one: its kind, its type and its name.
        for step in steps.iter().take(2) {
            let Case::Attribute { name, .. } = step else { break };
            address.push('.');
            address.push_str(name);
            found = self.declared.places.get(&address).or(found);
        }
        found.cloned()
    }

    /// The names that a `for` binds; what `write` writes stands in their scope.
    fn within(&mut self, key: Option<Bound<'t>>, value: Bound<'t>, write: impl FnOnce(&mut Self)) {
        let depth = self.bound.len();
        self.bound.extend(key);
        self.bound.push(value);
        write(self);
        self.bound.truncate(depth);
    }

    /// What a `for` calls the keys and the values.
    fn names(&mut self, key: Option<Bound<'t>>, value: Bound<'t>) {
        for (property, bound) in [("key_name", key), ("value_name", Some(value))] {
            let Some((name, span)) = bound else { continue };
            let object = json::Object::default().with("name", &json::string(name));
            self.with(property, &object.with("range", &range(span)).finish());
        }
    }

    fn comprehension(&mut self, made: For<'t>) {
        self.text("form", if made.is_object { "object" } else { "tuple" });
        self.names(made.key_name, made.value_name);
        self.inner("collection", made.collection);
        self.within(made.key_name, made.value_name, |writer| {
            if let Some(key) = made.key {
                writer.inner("key", key);
            }
            writer.inner("value", made.value);
            if let Some(condition) = made.condition {
                writer.inner("condition", condition);
            }
        });
        self.with("group", if made.group { "true" } else { "false" });
    }

    fn template(&mut self, template: Template<'t>) {
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

    fn part(&mut self, part: Part<'t>) {
        match part {
            Part::Literal { text, span } => {
                self.open("text", span);
                self.text("value", &text);
            }
            Part::Interpolation { expr, span } => {
                self.open("interpolation", span);
                self.inner("value", expr);
            }
            Part::If { condition, then, otherwise, span } => {
                self.open("if", span);
                self.inner("condition", condition);
                self.list("then", then, Self::part);
                if let Some(otherwise) = otherwise {
                    self.list("else", otherwise, Self::part);
                }
            }
            Part::For { key_name, value_name, collection, body, span } => {
                self.open("for", span);
                self.names(key_name, value_name);
                self.inner("collection", collection);
                self.within(key_name, value_name, |writer| {
                    writer.list("body", body, Self::part);
                });
            }
        }
        self.put("}");
    }
}
