//! Table of the sub-expressions of an expression with their values, inner ones first. A loop has a row for each iteration. Parts
//! that were not evaluated, such as the branch that was not taken, have no row.

use std::sync::Arc;

use groma_eval::NamedValues;
use groma_project::{Evaluation, ScopeRef};
use groma_syntax::ast::{BinaryOp, ExprCase, ExprView as View, ForView, TemplatePart};
use groma_syntax::render::harmless;
use groma_syntax::{Expr, FileId};
use groma_value::Value;
use rustc_hash::FxHashSet;

use crate::drawing::one_line;
use crate::loop_bindings::iterations;
use crate::site::{EvaluationSite, PartEvaluator};
use crate::slice::truth;
use crate::source_text::{is_plain, of_view};
use crate::summary::short;

/// Maximum number of iterations of a loop in the table that the console's `:trace` prints; later ones are only counted.
const MAX_ITERATIONS: usize = 8;
/// Maximum number of sub-expressions for one iteration of a loop in the table that the console's `:trace` prints.
const MAX_ROW_PARTS: usize = 6;
/// Maximum number of sub-expressions of an expression in the table that the console's `:trace` prints.
const MAX_PARTS: usize = 200;
/// Maximum number of characters of the source text of a sub-expression in the table that the console's `:trace` prints;
/// longer ones are cut.
const MAX_TEXT: usize = 60;
/// Maximum number of characters of the value of a sub-expression in the table that the console's `:trace` prints; longer ones
/// are cut.
const MAX_VALUE: usize = 80;
/// Maximum number of characters of a cell in a loop iteration's row of the table that the console's `:trace` prints.
const MAX_CELL: usize = 32;

/// Placeholder in the table that the console's `:trace` prints for a value that is missing because of an error.
const FAILED: &str = "(error)";
/// Placeholder in the table that the console's `:trace` prints for a source text that would reveal a secret.
const HIDDEN: &str = "(not shown)";

/// An entry of the table that the console's `:trace` prints: one sub-expression, or the iterations of a loop.
enum TraceEvent {
    /// A sub-expression and its value.
    Part(String, String),
    /// The rows of a loop, and the number of omitted ones.
    Loop(Vec<Vec<String>>, usize),
}

/// Returns a table of the sub-expressions of an expression with their values in the scope `standpoint`, as text; empty for JSON
/// syntax.
pub fn trace(expr: &Expr, standpoint: &ScopeRef, evaluation: &Evaluation) -> String {
    let at =
        Arc::new(EvaluationSite { standpoint: standpoint.clone(), call: None, iterator: None });
    let tracer = ExpressionTracer { evaluator: PartEvaluator::new(evaluation, &at) };
    match expr {
        Expr::Native(native) => text(&tracer.whole(native.view())),
        Expr::Json(_) => String::new(),
    }
}

/// An evaluator of the sub-expressions of one expression, which builds the table that the console's `:trace` prints of their
/// values.
struct ExpressionTracer {
    evaluator: PartEvaluator,
}

impl ExpressionTracer {
    /// Returns the entries of the printed table for the sub-expressions of `view` and their values, without repetitions.
    fn whole(&self, view: View<'_>) -> Vec<TraceEvent> {
        let mut entries = Vec::new();
        let mut seen: FxHashSet<(String, String)> = FxHashSet::default();
        for part in self.parts(view, &NamedValues::new()) {
            if entries.len() >= MAX_PARTS {
                break;
            }
            let value = self.value(part, &NamedValues::new());
            if let ExprCase::For(each) = part.case() {
                entries.extend(self.rows(&each));
            }
            let pair =
                (self.text(part, value.as_ref(), MAX_TEXT), shown(value.as_ref(), MAX_VALUE));
            // An entry that repeats another one is omitted.
            if seen.insert(pair.clone()) {
                entries.push(TraceEvent::Part(pair.0, pair.1));
            }
        }
        entries
    }

    /// Evaluates a sub-expression, with `names`, those that the loop around it binds; `None` after an error.
    fn value(&self, view: View<'_>, names: &NamedValues) -> Option<Value> {
        self.evaluator.part(view, names.clone())
    }

    /// Returns the source text of a sub-expression on one line, cut after `most` characters, or a placeholder if it contains a
    /// secret and `value`, its value, is hidden.
    fn text(&self, view: View<'_>, value: Option<&Value>, most: usize) -> String {
        // The user wrote the expression, so only the arguments of `sensitive` are withheld.
        let written = of_view(view, FileId(0));
        let is_hidden = value.is_some_and(|value| value.has_marks() && value.deep_marks().hide());
        match is_hidden && written.has_secrets {
            true => HIDDEN.to_owned(),
            false => one_line(&written.text, most),
        }
    }

    /// Returns the sub-expressions that the evaluation of `view` evaluates, inner ones first, the whole expression last; `names`
    /// are those that the loop around it binds.
    /// Literals, parentheses and the contents of loops are left out.
    fn parts<'t>(&self, view: View<'t>, names: &NamedValues) -> Vec<View<'t>> {
        let mut found = Vec::new();
        let mut rest = vec![(view, false)];
        while let Some((view, is_open)) = rest.pop() {
            if found.len() >= MAX_PARTS {
                break;
            }
            if is_open {
                found.push(view);
                continue;
            }
            let inner = match view.case() {
                ExprCase::Parenthesised(inner) => {
                    rest.push((inner, false));
                    continue;
                }
                ExprCase::Number(_) | ExprCase::Missing | ExprCase::SplatItem => continue,
                ExprCase::Root("true" | "false" | "null") => continue,
                _ => self.inner(view, names),
            };
            let is_literal = inner.is_empty()
                && matches!(
                    view.case(),
                    ExprCase::Template(_) | ExprCase::Tuple(_) | ExprCase::Object(_)
                );
            if is_literal && !rest.is_empty() {
                continue;
            }
            rest.push((view, true));
            rest.extend(inner.into_iter().rev().map(|view| (view, false)));
        }
        found
    }

    /// Returns the direct sub-expressions of `view` that its evaluation evaluates, such as the selected branch of a conditional;
    /// `names` are those that the loop around it binds.
    fn inner<'t>(&self, view: View<'t>, names: &NamedValues) -> Vec<View<'t>> {
        let holds = |condition: View<'t>| truth(self.value(condition, names));
        match view.case() {
            ExprCase::Unary { operand, .. } => vec![operand],
            ExprCase::Binary { op, left, right, .. } => {
                let decides = match op {
                    BinaryOp::And => Some(false),
                    BinaryOp::Or => Some(true),
                    _ => None,
                };
                match decides.is_some() && holds(left) == decides {
                    true => vec![left],
                    false => vec![left, right],
                }
            }
            ExprCase::Conditional { condition, then, otherwise } => match holds(condition) {
                Some(true) => vec![condition, then],
                Some(false) => vec![condition, otherwise],
                None => vec![condition],
            },
            ExprCase::Tuple(items) => items,
            ExprCase::Object(items) => items.into_iter().map(|item| item.value).collect(),
            ExprCase::For(each) => vec![each.collection],
            ExprCase::Splat { source, .. } => vec![source],
            ExprCase::Call(call) if call.name.trim_start_matches("core::") == "try" => {
                let answers = |arg: &&View<'t>| self.value(**arg, names).is_some();
                match call.args.iter().position(|arg| answers(&arg)) {
                    Some(at) => call.args[..=at].to_vec(),
                    None => call.args,
                }
            }
            ExprCase::Call(call) => call.args,
            ExprCase::Template(template) => match template.lone_interpolation() {
                Some(inner) => vec![inner],
                None => self.interpolated(template.parts(), names),
            },
            ExprCase::Attribute { .. } | ExprCase::Index { .. } | ExprCase::LegacyIndex { .. } => {
                let mut found = Vec::new();
                let mut at = view;
                loop {
                    at = match at.case() {
                        ExprCase::Attribute { object, .. }
                        | ExprCase::LegacyIndex { object, .. } => object,
                        ExprCase::Index { object, key, .. } => {
                            found.extend((!is_plain(key)).then_some(key));
                            object
                        }
                        ExprCase::Root(_) | ExprCase::SplatItem => break,
                        _ => {
                            found.push(at);
                            break;
                        }
                    };
                }
                found.reverse();
                found
            }
            ExprCase::Root(_)
            | ExprCase::Number(_)
            | ExprCase::Parenthesised(_)
            | ExprCase::SplatItem
            | ExprCase::Missing => Vec::new(),
        }
    }

    /// Returns the expressions in the parts of a template, also in the branches that its `if` directives select; `names` are
    /// those that the loop around it binds.
    fn interpolated<'t>(&self, parts: Vec<TemplatePart<'t>>, names: &NamedValues) -> Vec<View<'t>> {
        let mut found = Vec::new();
        let mut rest: Vec<TemplatePart<'t>> = parts.into_iter().rev().collect();
        while let Some(part) = rest.pop() {
            match part {
                TemplatePart::Literal { .. } => {}
                TemplatePart::Interpolation { expr, .. } => found.push(expr),
                TemplatePart::If { condition, then, otherwise, .. } => {
                    found.push(condition);
                    match truth(self.value(condition, names)) {
                        Some(true) => rest.extend(then.into_iter().rev()),
                        Some(false) => rest.extend(otherwise.into_iter().flatten().rev()),
                        None => {}
                    }
                }
                TemplatePart::For { collection, .. } => found.push(collection),
            }
        }
        found
    }

    /// Returns one row for each iteration of a loop; `None` if its elements are unknown or hidden by a mark such as
    /// sensitive.
    fn rows(&self, each: &ForView<'_>) -> Option<TraceEvent> {
        let collection = self.value(each.collection, &NamedValues::new())?;
        let elements = iterations(&collection)?;
        let count = elements.len();
        // The last one shows how the loop ends.
        let is_shown = |at: usize| at < MAX_ITERATIONS || at + 1 == count;
        let mut rows: Vec<(Vec<String>, usize)> = Vec::new();
        let mut left = 0;
        for (at, (key, value)) in elements.into_iter().enumerate() {
            if !is_shown(at) && count > MAX_ITERATIONS + 2 {
                left += 1;
                continue;
            }
            let row = self.row(each, key, value);
            match rows.last_mut() {
                Some((last, times)) if *last == row => *times += 1,
                _ => rows.push((row, 1)),
            }
        }
        let entries = rows.into_iter().map(|(mut row, times)| {
            if times > 1 {
                row.push(format!("({times} times)"));
            }
            row
        });
        Some(TraceEvent::Loop(entries.collect(), left))
    }

    /// Returns the cells of the printed table for one iteration of a loop: the names that it binds and the sub-expressions of
    /// its result.
    fn row(&self, each: &ForView<'_>, key: Value, value: Value) -> Vec<String> {
        let mut names = NamedValues::new();
        let mut row = Vec::new();
        for (name, value) in each
            .key_name
            .map(|(name, _)| (name, key))
            .into_iter()
            .chain([(each.value_name.0, value)])
        {
            row.push(format!("{name} = {}", short(&value, MAX_CELL)));
            names.insert(name, value);
        }
        if let Some(condition) = each.condition {
            self.inside(condition, &names, &mut row);
            let value = self.value(condition, &names);
            row.push(format!("if {}", shown(value.as_ref(), MAX_CELL)));
            if truth(value) == Some(false) {
                return row;
            }
        }
        self.inside(each.value, &names, &mut row);
        let result = shown(self.value(each.value, &names).as_ref(), MAX_CELL);
        row.push(match each.key {
            Some(key) => {
                let key = self.value(key, &names);
                format!("{} => {result}", shown(key.as_ref(), MAX_CELL))
            }
            None => format!("-> {result}"),
        });
        row
    }

    /// Adds cells for the values of the sub-expressions of `view`, one part of a loop's result, to `row`, a row of the printed
    /// table; `names` are those that the loop binds.
    fn inside(&self, view: View<'_>, names: &NamedValues, row: &mut Vec<String>) {
        let parts = self.parts(view, names);
        let inner = parts.iter().filter(|part| part.span() != view.span());
        for part in
            inner.filter(|part| !matches!(part.case(), ExprCase::Root(_))).take(MAX_ROW_PARTS)
        {
            let value = self.value(*part, names);
            let text = self.text(*part, value.as_ref(), MAX_CELL);
            let cell = format!("{text} = {}", shown(value.as_ref(), MAX_CELL));
            if !row.contains(&cell) {
                row.push(cell);
            }
        }
    }
}

/// Returns a value on one line of at most `most` characters, or the placeholder for a value that is missing because of an
/// error.
fn shown(value: Option<&Value>, most: usize) -> String {
    value.map_or_else(|| FAILED.to_owned(), |value| short(value, most))
}

/// Formats the table of an expression: its sub-expressions and their values in columns, loops indented with columns of their
/// own.
fn text(entries: &[TraceEvent]) -> String {
    let width = |text: &str| text.chars().count();
    let left = entries.iter().filter_map(|one| match one {
        TraceEvent::Part(text, _) => Some(width(text)),
        TraceEvent::Loop(..) => None,
    });
    let left = left.max().unwrap_or(0);
    let mut out = String::new();
    for one in entries {
        match one {
            TraceEvent::Part(text, value) => {
                let line = format!("{text:left$} = {value}");
                out.push_str(&harmless(&line));
                out.push('\n');
            }
            TraceEvent::Loop(rows, more) => {
                let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
                let widths: Vec<usize> = (0..columns)
                    .map(|at| rows.iter().filter_map(|row| row.get(at)).map(|c| width(c)).max())
                    .map(Option::unwrap_or_default)
                    .collect();
                for (at, row) in rows.iter().enumerate() {
                    if *more > 0 && at + 1 == rows.len() {
                        out.push_str(&format!("  … {more} more\n"));
                    }
                    let cells = row.iter().zip(&widths);
                    let cells: Vec<String> =
                        cells.map(|(cell, width)| format!("{cell:width$}")).collect();
                    out.push_str(&harmless(format!("  {}", cells.join("  ")).trim_end()));
                    out.push('\n');
                }
            }
        }
    }
    out
}
