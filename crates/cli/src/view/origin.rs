//! The origin of a value as text: the tree, then the causes of an unknown value and how to make it known.

use groma::packer::{why_in_template, why_template_block};
use groma::why::{QUERY_FILE, WhyTree, remedies, rows, trace};
use groma::{Value, Why};
use groma_syntax::{Expr, Source, parse_expression};

use super::tree;
use super::wrap::{fill, usable_width};
use crate::project::OpenedRoot;

/// Explains where the value of a console expression comes from: returns its provenance tree and the causes of unknowns as text;
/// `None` if the root has no values.
pub(crate) fn of_expression(
    text: &str,
    value: &Value,
    opened: &OpenedRoot,
    width: usize,
) -> Option<String> {
    let (expr, value) = (read(text), Some(value.clone()));
    let tree = match (opened.selected(), opened.template()) {
        (Some((evaluation, at)), _) => Why::new(evaluation).ask_expression(&expr, value, &at),
        (None, Some(template)) => why_in_template(&expr, value, template),
        (None, None) => return None,
    };
    Some(self::text(&tree, opened, width))
}

/// Explains where the arguments of a template's source or build block come from; `None` if the text names no block.
pub(crate) fn of_block(text: &str, opened: &OpenedRoot, width: usize) -> Option<String> {
    let tree = why_template_block(&read(text), opened.template()?)?;
    Some(self::text(&tree, opened, width))
}

/// Returns the value of every part of an expression, as the console's `:trace` prints it; `None` in a template.
pub(crate) fn parts(text: &str, opened: &OpenedRoot) -> Option<String> {
    let (evaluation, at) = opened.selected()?;
    Some(trace(&read(text), &at, evaluation))
}

/// Parses an expression of the console.
fn read(text: &str) -> Expr {
    let source = Source::new("<console-input>", format!("{text}\n"));
    Expr::of(&parse_expression(source.text(), QUERY_FILE))
}

/// Formats the provenance tree of a value as text, followed by the causes and remedies of its unknown or mocked parts.
pub(crate) fn text(tree: &WhyTree, opened: &OpenedRoot, width: usize) -> String {
    let sources = opened.sources();
    let mut text = tree::text(&rows(tree, &sources), width);
    let Some(value) = &tree.root().value else { return text };
    if value.is_wholly_known() && !value.summary().mocked {
        return text;
    }
    text.push('\n');
    let reasons = opened.reasons(&sources);
    for line in reasons.lines(value) {
        push(&line, 4, width, &mut text);
    }
    for node in tree.failed() {
        let name = node.address.as_deref().unwrap_or("the expression");
        let place = node.place.map(|place| format!(", {}", reasons.place(place)));
        let line = format!("  The error is in {name}{}.", place.unwrap_or_default());
        push(&line, 4, width, &mut text);
    }
    let all = remedies(value, opened.causes());
    if !all.is_empty() {
        text.push_str("\nThese would make it known:\n");
        let wide = all.iter().map(|one| one.address.chars().count()).max().unwrap_or(0);
        for one in &all {
            push(&format!("  {:wide$}  {}", one.address, one.how), 6, width, &mut text);
        }
    }
    text
}

/// Appends a line, wrapped to `width` columns; the lines after its first are indented by `hang` columns.
fn push(line: &str, hang: usize, width: usize, text: &mut String) {
    fill(line, hang, usable_width(width), text);
    text.push('\n');
}
