//! Values of what is deprecated, outputs and parts of resources, where an edition warns of them by what they are worth:
//! the value is marked, the mark goes wherever the value goes, and what uses it in the end warns once. What was warned of
//! is clean from there on.

use crate::codes;
use groma_module::declare::{Expression, Output};
use groma_module::dialect::Conventions;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Deprecation, Mark, Marks, Path, PathStep, Str, Value};

/// The mark of a deprecated output.
pub fn mark(output: &str, module: &str, advice: &str) -> Marks {
    let sentence =
        format!("The output \"{output}\" of the module \"{module}\" is deprecated: {advice}");
    Marks::one(Mark::Deprecated(Deprecation::Output, Str::from(sentence)))
}

/// Warns of what the value as a whole rests on, or of what any part of it does where that ends at the first use.
pub fn tell(
    value: Value,
    expression: &Expression,
    conventions: &Conventions,
    out: &mut Diagnostics,
) -> Value {
    if conventions.deprecation_ends_at_use {
        return tell_deep(value, expression, out);
    }
    let marks = value.marks();
    if !is_deprecated(&marks) {
        return value;
    }
    warn(&marks, expression.place(), out);
    let rest = rest(&marks);
    value.unmark().0.mark(&rest)
}

/// Warns of what the value as a whole rests on, and leaves it so: the next user of it warns, too.
pub fn tell_only(value: &Value, expression: &Expression, out: &mut Diagnostics) {
    warn(&value.marks(), expression.place(), out);
}

/// The same of what is handed over to another module; where that ends at the first use, it does so here.
pub fn tell_handed(
    value: Value,
    expression: &Expression,
    conventions: &Conventions,
    out: &mut Diagnostics,
) -> Value {
    if conventions.deprecation_ends_at_use {
        return tell_deep(value, expression, out);
    }
    tell_only(&value, expression, out);
    value
}

/// The value of an output that an expression of its module gives: marked where it is deprecated itself, and what it rests on
/// is warned of where the user could do something about it. `called`: how the caller names the module, absent of a
/// root.
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
        _ => tell_deep(value, expression, out),
    };
    match (&output.deprecated, called) {
        (Some(advice), Some(called)) => value.mark(&mark(&output.name, called, advice)),
        (Some(advice), None) if !ends => value.mark(&mark(&output.name, "", advice)),
        _ => value,
    }
}

/// Warns of what any part of the value rests on, where that part is written.
pub fn tell_deep(value: Value, expression: &Expression, out: &mut Diagnostics) -> Value {
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

/// The value without such marks, of which nothing is said.
pub fn forget(value: Value) -> Value {
    if !is_deprecated(&value.deep_marks()) {
        return value;
    }
    let (bare, mut places) = value.unmark_deep_paths();
    places.iter_mut().for_each(|(_, marks)| *marks = rest(marks));
    bare.mark_paths(&places)
}

fn is_deprecated(marks: &Marks) -> bool {
    marks.iter().any(|mark| matches!(mark, Mark::Deprecated(..)))
}

fn rest(marks: &Marks) -> Marks {
    marks.iter().filter(|mark| !matches!(mark, Mark::Deprecated(..))).cloned().collect()
}

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

/// Returns where a part of a value is written, as far as the value is written out.
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
