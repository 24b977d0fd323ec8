//! Deprecation by value, in editions that report uses of deprecated outputs and resource attributes where their values are used:
//! the value is marked, the mark propagates, and the final use is reported once. After the report the mark is removed.

use crate::codes;
use groma_module::declare::{Expression, Output};
use groma_module::dialect::Conventions;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Deprecation, Mark, Marks, Path, PathStep, Str, Value};

/// Returns the mark for a deprecated output of a called module; `advice` is the text of its declaration.
pub fn mark(output: &str, module: &str, advice: &str) -> Marks {
    let sentence =
        format!("The output \"{output}\" of the module \"{module}\" is deprecated: {advice}");
    Marks::one(Mark::Deprecated(Deprecation::Output, Str::from(sentence)))
}

/// Reports the deprecation marks of a used value and returns it without them; those inside it only in editions where marks end
/// at the first use.
pub fn report(
    value: Value,
    expression: &Expression,
    conventions: &Conventions,
    out: &mut Diagnostics,
) -> Value {
    if conventions.deprecation_ends_at_use {
        return report_parts(value, expression, out);
    }
    let marks = value.marks();
    if !is_deprecated(&marks) {
        return value;
    }
    warn(&marks, expression.place(), out);
    let rest = rest(&marks);
    value.unmark().0.mark(&rest)
}

/// Reports the deprecation marks of a value but not those inside it, and leaves them: the next use is reported, too.
pub fn report_whole(value: &Value, expression: &Expression, out: &mut Diagnostics) {
    warn(&value.marks(), expression.place(), out);
}

/// Reports the deprecation marks of a value passed to another module; removes them in editions where they end at the first use.
pub fn report_passed(
    value: Value,
    expression: &Expression,
    conventions: &Conventions,
    out: &mut Diagnostics,
) -> Value {
    if conventions.deprecation_ends_at_use {
        return report_parts(value, expression, out);
    }
    report_whole(&value, expression, out);
    value
}

/// Returns the value of an output, with a mark of its own if the output is deprecated, and reports the other deprecations that
/// the value depends on, unless that mark replaces them; `called` is the name of the module call, `None` for a root.
pub fn of_output(
    value: Value,
    output: &Output,
    expression: &Expression,
    called: Option<&str>,
    conventions: &Conventions,
    out: &mut Diagnostics,
) -> Value {
    let ends = conventions.deprecation_ends_at_use;
    if !ends && !conventions.deprecation_follows_values {
        return value;
    }
    let value = match &output.deprecated {
        Some(_) if !ends => forget(value),
        _ => report_parts(value, expression, out),
    };
    match (&output.deprecated, called) {
        (Some(advice), Some(called)) => value.mark(&mark(&output.name, called, advice)),
        (Some(advice), None) if !ends => value.mark(&mark(&output.name, "", advice)),
        _ => value,
    }
}

/// Reports the deprecation marks of a value and inside it, each at the source range of its part; returns the value without
/// them.
pub fn report_parts(value: Value, expression: &Expression, out: &mut Diagnostics) -> Value {
    if !is_deprecated(&value.deep_marks()) {
        return value;
    }
    let (bare, mut places) = value.unmark_deep_paths();
    for (path, marks) in &mut places {
        if is_deprecated(marks) {
            warn(marks, place_of(expression, path), out);
            *marks = rest(marks);
        }
    }
    bare.mark_paths(&places)
}

/// Removes the deprecation marks of a value without reporting them.
pub fn forget(value: Value) -> Value {
    if !is_deprecated(&value.deep_marks()) {
        return value;
    }
    let (bare, mut places) = value.unmark_deep_paths();
    places.iter_mut().for_each(|(_, marks)| *marks = rest(marks));
    bare.mark_paths(&places)
}

/// Returns true if one of the marks is a deprecation.
fn is_deprecated(marks: &Marks) -> bool {
    marks.iter().any(|mark| matches!(mark, Mark::Deprecated(..)))
}

/// Returns the marks that are not deprecations.
fn rest(marks: &Marks) -> Marks {
    marks.iter().filter(|mark| !matches!(mark, Mark::Deprecated(..))).cloned().collect()
}

/// Reports the deprecations among these marks as warnings at a source range.
fn warn(marks: &Marks, place: Place, out: &mut Diagnostics) {
    for mark in marks.iter() {
        let Mark::Deprecated(kind, sentence) = mark else { continue };
        let code = match kind {
            Deprecation::Output => &codes::DEPRECATED_OUTPUT,
            Deprecation::Attribute => &codes::DEPRECATED_ATTRIBUTE,
        };
        out.push(Diagnostic::warning(code, sentence.to_string()).at(place));
    }
}

/// Returns the source range of the part at a path of a literal, or of the innermost literal on the path.
fn place_of(expression: &Expression, path: &Path) -> Place {
    let Expr::Native(native) = &expression.expr else { return expression.place() };
    let mut view = native.view();
    for step in &path.0 {
        match inside(view, step) {
            Some(inner) => view = inner,
            None => break,
        }
    }
    Place::new(expression.expr.file(), view.span())
}

/// Returns the expression at a step into an object or tuple literal; `None` for other expressions.
fn inside<'t>(view: ExprView<'t>, step: &PathStep) -> Option<ExprView<'t>> {
    match (view.case(), step) {
        (ExprCase::Parenthesised(inner), _) => inside(inner, step),
        (ExprCase::Tuple(items), PathStep::Index(at)) => items.get(at.as_position()?).copied(),
        (ExprCase::Object(items), PathStep::Attribute(name)) => {
            let named = items.iter().rev().find(|item| match item.key.case() {
                ExprCase::Root(word) => word == &**name,
                ExprCase::Template(text) => text.plain().is_some_and(|text| *text == **name),
                _ => false,
            });
            named.map(|item| item.value)
        }
        _ => None,
    }
}
