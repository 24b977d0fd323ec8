//! The dependencies of an expression in JSON syntax: nested values, and strings that are templates.

use std::rc::Rc;

use groma_syntax::Expr;
use groma_syntax::json::{self, JsonCase as Json};
use groma_value::Value;

use crate::loop_bindings::ReversedPath;
use crate::slice::{DependencyKind, ExpressionSlicer, SliceDependency};
use crate::source_text::{inside_json, of_json};

impl ExpressionSlicer<'_> {
    /// Returns the dependencies of the part of a JSON value that a path selects.
    pub(crate) fn json(
        &mut self,
        value: json::JsonView<'_>,
        mut path: ReversedPath,
    ) -> Vec<SliceDependency> {
        let mut out = Vec::new();
        let mut rest = vec![value];
        while let Some(value) = rest.pop() {
            let inner = path.last().and_then(|step| inside_json(value, step));
            match (value.case(), inner) {
                (Json::Object(_) | Json::Array(_), Some(inner)) => {
                    path.pop();
                    rest.push(inner);
                }
                (Json::Object(all), None) => {
                    rest.extend(all.iter().map(|one| one.value));
                }
                (Json::Array(all), None) => {
                    rest.extend(all);
                }
                (Json::String(text), _) if text.contains("${") || text.contains("%{") => {
                    let (parse, base) = value.template(self.file);
                    if let Expr::Native(native) = Expr::of(&parse) {
                        let shift = std::mem::replace(&mut self.shift, base);
                        let is_plain =
                            value.text().get(1..).is_some_and(|raw| raw.starts_with(&*text));
                        self.escaped = (!is_plain).then(|| of_json(value, self.file));
                        // Places in another text have other numbers.
                        self.kept = Rc::default();
                        out.extend(self.dependencies_of(native.view(), path.clone()));
                        (self.shift, self.escaped) = (shift, None);
                    }
                }
                (Json::Missing, _) => {}
                _ => {
                    out.push(self.literal_json(value));
                }
            }
        }
        // Literals count only if there are no references.
        let is_literal = |one: &SliceDependency| matches!(one.what, DependencyKind::Literal(..));
        if out.iter().any(|one| !is_literal(one)) {
            out.retain(|one| !is_literal(one));
        } else if out.len() != 1 {
            out = vec![self.literal_json(value)];
        }
        out
    }

    /// Returns a JSON literal as a dependency of the expression that contains it.
    fn literal_json(&self, value: json::JsonView<'_>) -> SliceDependency {
        let written = of_json(value, self.file);
        let known = json_value(value);
        SliceDependency {
            start: (value.span().start, 0),
            what: DependencyKind::Literal(written, known),
        }
    }
}

/// Decodes a JSON literal; `None` if it is malformed.
fn json_value(value: json::JsonView<'_>) -> Option<Value> {
    groma_value::json::decode(value.text()).ok()
}
