//! The start of an argument, which diagnostics mark if it does not fit: its first token, or all of a reference. Long arguments
//! are not underlined from end to end.

use groma_syntax::Span;
use groma_syntax::ast::{ExprCase, ExprView, TemplatePart, TemplateView};

use super::traversal::literal_key;

/// Returns the span that diagnostics about an argument mark: its first token, or the whole of a reference or literal.
pub(super) fn head(expression: ExprView<'_>) -> Span {
    let mut current = expression;
    loop {
        if let Some(opening) = current.opening() {
            return opening;
        }
        let span = current.span();
        current = match current.case() {
            ExprCase::Binary { left, .. } => left,
            ExprCase::Conditional { condition, .. } => condition,
            ExprCase::Parenthesised(inner) => inner,
            ExprCase::Unary { op_span, .. } => return op_span,
            ExprCase::Index { key, brackets, .. } if literal_key(key).is_none() => {
                return Span::new(brackets.start, brackets.start + 1);
            }
            ExprCase::Splat { marker, .. } => return marker,
            ExprCase::Template(template) => match first_part(template, span) {
                Ok(span) => return span,
                Err(inner) => inner,
            },
            _ => return span,
        };
    }
}

/// Returns the span of a template's first part, which diagnostics about the template mark; as the error, the expression with
/// which that part begins, whose own start is marked instead.
fn first_part<'t>(template: TemplateView<'t>, span: Span) -> Result<Span, ExprView<'t>> {
    if template.is_lone_interpolation() {
        return Ok(span);
    }
    match template.parts().into_iter().next() {
        Some(
            TemplatePart::Interpolation { expr, .. } | TemplatePart::If { condition: expr, .. },
        ) => Err(expr),
        Some(TemplatePart::Literal { span, .. } | TemplatePart::For { span, .. }) => Ok(span),
        None => Ok(Span::at(span.end)),
    }
}
