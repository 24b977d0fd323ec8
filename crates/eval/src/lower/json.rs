//! JSON syntax: strings and property names are templates, all else is constant. A syntax error in a template becomes a fault,
//! since it counts only when the value is evaluated.

use std::collections::BTreeSet;

use groma_syntax::ast::ExprCase;
use groma_syntax::json::{self, JsonCase as Json, JsonProperty};
use groma_syntax::{Expr, FileId, Severity, Span};
use groma_value::{Number, Value};

use super::Lowering;
use super::collection::ObjectKey;
use crate::code::{OpId, OpKind};
use crate::codes;

impl Lowering<'_> {
    /// Lowers a JSON value to an operation, checking the nesting depth.
    pub(super) fn json(&mut self, value: json::JsonView<'_>) -> OpId {
        self.deeper(value.span(), |lowering| lowering.json_case(value))
    }

    /// Lowers a JSON value to an operation by its kind; a string is lowered as a template.
    fn json_case(&mut self, value: json::JsonView<'_>) -> OpId {
        let span = value.span();
        match value.case() {
            Json::Null => self.add(OpKind::Value(Value::NULL), span),
            Json::Bool(flag) => self.add(OpKind::Value(Value::Bool(flag)), span),
            Json::Number(text) => match Number::parse_literal(text) {
                Some(number) => self.add(OpKind::Value(number.in_binary().into()), span),
                None => self.add(OpKind::Missing, span),
            },
            Json::String(text) if is_plain(&text) => {
                self.add(OpKind::Value(Value::text(&*text)), span)
            }
            Json::String(_) => {
                let (parse, base) = value.template(FileId(0));
                self.json_template(&parse, base, span)
            }
            Json::Array(items) => {
                let each = items.iter().map(|item| (item.span(), *item));
                self.tuple_by(each, span, |lowering, item| lowering.json(item))
            }
            Json::Object(properties) => self.json_object(&properties, span),
            Json::Missing => self.add(OpKind::Missing, span),
        }
    }

    /// Lowers a JSON object to an operation; a repeated property name becomes a fault.
    fn json_object(&mut self, properties: &[JsonProperty<'_>], span: Span) -> OpId {
        let mut items = Vec::with_capacity(properties.len());
        let mut seen = BTreeSet::new();
        for property in properties {
            let name = &*property.name;
            let key = if !seen.insert(name) {
                let detail = format!("The property \"{}\" occurs twice.", name.escape_debug());
                ObjectKey::Operation(self.fault(&codes::DUPLICATE_KEY, property.name_span, detail))
            } else {
                self.json_key(property)
            };
            items.push((key, self.json(property.value)));
        }
        self.object_of(items, span)
    }

    /// Lowers the name of a JSON property, which is a template, to an object key.
    fn json_key(&mut self, property: &JsonProperty<'_>) -> ObjectKey {
        let span = property.name_span;
        if is_plain(&property.name) {
            return ObjectKey::Name((&*property.name).into(), span);
        }
        let parse = groma_syntax::parse_inner_template(&(&*property.name).into(), FileId(0));
        ObjectKey::Operation(self.json_template(&parse, span.start + 1, span))
    }

    /// Lowers the parsed template of a JSON string to an operation; its spans start at `base` and are limited to `whole`, that of
    /// the string.
    fn json_template(&mut self, parse: &groma_syntax::Parse, base: u32, whole: Span) -> OpId {
        if let Some(error) = parse.diagnostics.iter().find(|one| one.severity == Severity::Error) {
            let span = error.place.map_or(whole, |place| place.span);
            let inside = whole.start <= span.start && span.end <= whole.end;
            let span = if inside { span } else { whole };
            return self.fault(error.code, span, error.detail.clone());
        }
        let Expr::Native(native) = Expr::of(parse) else {
            return self.add(OpKind::Missing, whole);
        };
        let outer = self.inside.replace((base, whole));
        let view = native.view();
        let id = match view.case() {
            ExprCase::Template(template) => self.template(template, view.span()),
            _ => self.expression(view),
        };
        self.inside = outer;
        id
    }
}

/// Returns true if a text contains no template sequence and no escape of one.
fn is_plain(text: &str) -> bool {
    !text.contains("${") && !text.contains("%{")
}
