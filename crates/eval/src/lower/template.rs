//! Templates: text with interpolations. A template that is a single interpolation is the interpolated expression itself and
//! keeps its type; the parts of a directive are always text.

use groma_syntax::Span;
use groma_syntax::ast::{TemplatePart, TemplateView};
use groma_value::Value;

use super::Lowering;
use crate::code::{ForNode, OpId, OpKind};

impl Lowering<'_> {
    /// Lowers a quoted, heredoc or file template to an operation, or to a constant if it is plain text.
    pub(super) fn template(&mut self, template: TemplateView<'_>, span: Span) -> OpId {
        if let Some(expression) = template.lone_interpolation() {
            return self.expression(expression);
        }
        if let Some(text) = template.plain() {
            return self.add(OpKind::Value(Value::text(&*text)), span);
        }
        self.parts(template.parts(), span)
    }

    /// Lowers the parts of a template to one operation that joins their texts.
    fn parts(&mut self, parts: Vec<TemplatePart<'_>>, span: Span) -> OpId {
        if parts.is_empty() {
            return self.add(OpKind::Value(Value::text("")), span);
        }
        if let [TemplatePart::Literal { text, .. }] = parts.as_slice() {
            return self.add(OpKind::Value(Value::text(&**text)), span);
        }
        // A loop: this nests with the templates, and an iterator would have frames of its own.
        let mut nodes = Vec::with_capacity(parts.len());
        for part in parts {
            nodes.push(self.part(part));
        }
        self.add(OpKind::Template(nodes.into()), span)
    }

    /// Lowers one part of a template to an operation: literal text, an interpolation or a directive.
    fn part(&mut self, part: TemplatePart<'_>) -> OpId {
        match part {
            TemplatePart::Literal { text, span } => {
                self.add(OpKind::Value(Value::text(&*text)), span)
            }
            TemplatePart::Interpolation { expr, .. } => self.expression(expr),
            directive => self.directive(directive),
        }
    }

    /// Lowers a `%{ if }` or `%{ for }` directive to an operation.
    #[inline(never)]
    fn directive(&mut self, part: TemplatePart<'_>) -> OpId {
        match part {
            TemplatePart::Literal { .. } | TemplatePart::Interpolation { .. } => self.part(part),
            TemplatePart::If { condition, then, otherwise, span } => {
                let condition = self.expression(condition);
                let then = self.nested(then, span);
                let otherwise = self.nested(otherwise.unwrap_or_default(), span);
                self.add(OpKind::Conditional { condition, then, otherwise }, span)
            }
            TemplatePart::For { key_name, value_name, collection, body, span } => {
                let collection = self.expression(collection);
                let (key_slot, value_slot) = self.bind(key_name, value_name);
                let value = self.nested(body, span);
                self.unbind(key_slot);
                let node = ForNode {
                    key_slot,
                    value_slot,
                    collection,
                    key: None,
                    value,
                    condition: None,
                    group: false,
                };
                self.add(OpKind::TemplateFor(Box::new(node)), span)
            }
        }
    }

    /// Lowers the parts inside of a directive to one operation.
    fn nested(&mut self, parts: Vec<TemplatePart<'_>>, span: Span) -> OpId {
        self.deeper(span, |lowering| lowering.parts(parts, span))
    }
}
