//! `depends_on`: a literal list of references to whole objects. In old code they are quoted, and still references.

use groma_config::{RawBlock, is_traversal, quoted};
use groma_eval::{Reference, Step};
use groma_syntax::ast::ExprCase;
use groma_syntax::{Diagnostic, Diagnostics, Expr, FileId, Place, Span, json};

use crate::codes;
use crate::declare::{DeclarationReader, Expression};

/// The message for a `depends_on` that is not a list of references.
const NOT_A_LIST: &str = "depends_on takes a list of references in square brackets.";
/// The message for an item of `depends_on` that is not a reference.
const NOT_A_REFERENCE: &str =
    "depends_on lists references, such as the address of a resource or a module, and nothing else.";

impl DeclarationReader<'_> {
    /// Reads `depends_on` as expressions that contain its references: one for each quoted item, and in native syntax one for the
    /// whole list. Reports items that are not references.
    pub fn depends_on(&self, raw: &RawBlock, out: &mut Diagnostics) -> Vec<Expression> {
        let Some(argument) = raw.argument("depends_on") else { return Vec::new() };
        let file = argument.expr.file();
        let mut found = Vec::new();
        match &argument.expr {
            Expr::Native(native) => {
                let items = match native.view().case() {
                    ExprCase::Tuple(items) => items,
                    ExprCase::Missing => return found,
                    _ => {
                        out.push(wrong(NOT_A_LIST, Place::new(file, native.span())));
                        return found;
                    }
                };
                for item in items {
                    let place = Place::new(file, item.span());
                    if let Some(text) = quoted(item) {
                        let detail = "References in depends_on need no quotes.";
                        out.push(Diagnostic::warning(&codes::DEPENDS_ON_ITEM, detail).at(place));
                        found.extend(self.reference_in(&text, file, item.span(), out));
                    } else if !is_traversal(item) {
                        out.push(wrong(NOT_A_REFERENCE, place));
                    }
                }
                found.push(Expression::new(&argument.expr, &self.library));
            }
            Expr::Json(document) => {
                let json::JsonCase::Array(items) = document.view().case() else {
                    out.push(wrong(NOT_A_LIST, Place::new(file, document.span())));
                    return found;
                };
                for item in items {
                    match item.case() {
                        json::JsonCase::String(text) => {
                            found.extend(self.reference_in(&text, file, item.span(), out));
                        }
                        _ => out.push(wrong(NOT_A_REFERENCE, Place::new(file, item.span()))),
                    }
                }
            }
        }
        found
    }

    /// Parses the reference in a quoted string; reports any other text and returns `None`.
    fn reference_in(
        &self,
        text: &str,
        file: FileId,
        span: Span,
        out: &mut Diagnostics,
    ) -> Option<Expression> {
        let parse = groma_syntax::parse_expression(&text.into(), file);
        let expr = Expr::of(&parse);
        let fine = parse.diagnostics.is_empty()
            && matches!(&expr, Expr::Native(native) if is_traversal(native.view()));
        if !fine {
            out.push(wrong(NOT_A_REFERENCE, Place::new(file, span)));
            return None;
        }
        let mut expression = Expression::new(&expr, &self.library);
        expression.located.base += span.start + 1;
        Some(expression)
    }
}

/// Returns the diagnostic for an invalid item of `depends_on`.
fn wrong(detail: &str, place: Place) -> Diagnostic {
    Diagnostic::error(&codes::DEPENDS_ON_ITEM, detail).at(place)
}

/// Reports references in `depends_on` with steps after the address of a resource, module or other declaration, such as an
/// attribute: a dependency is on the whole.
pub(super) fn report_parts(expression: &Expression, out: &mut Diagnostics) {
    let located = &expression.located;
    for reference in located.code.references() {
        if reference.steps.len() > length(reference) {
            let detail = "depends_on takes only whole resources and modules: remove everything after the address.";
            out.push(wrong(detail, located.place(reference.span)));
        }
    }
}

/// Returns the number of steps of a reference that belong to the address of a declaration, including an instance key; further
/// steps lead into its value.
fn length(reference: &Reference) -> usize {
    let key = |at: usize| usize::from(matches!(reference.steps.get(at), Some(Step::Index(_))));
    match &*reference.root {
        "var" | "local" | "path" | "terraform" | "count" | "each" => 1,
        "self" => 0,
        // An output is a whole object.
        "module" => 2 + key(1),
        "data" | "ephemeral" | "resource" => 2 + key(2),
        _ => 1 + key(1),
    }
}
