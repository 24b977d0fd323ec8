//! Where a value comes from, for people: the tree, then why what is unknown is so, and what would settle it.

use groma::why::{ASKED, WhyTree, lines, remedies, trace};
use groma::{Evaluation, Value, Why};
use groma_syntax::{Expr, Source, Sources, parse_expression};

use crate::project::Opened;

/// Where the value of an expression comes from that is asked at the console; nothing in a template.
pub(crate) fn of_expression(text: &str, value: &Value, opened: &Opened) -> Option<String> {
    let (evaluation, at) = opened.standing()?;
    let expr = read(text);
    let tree = Why::new(evaluation).ask_expression(&expr, Some(value.clone()), at);
    Some(self::text(&tree, opened, evaluation, &opened.sources()))
}

/// The parts of such an expression with their values.
pub(crate) fn parts(text: &str, opened: &Opened) -> Option<String> {
    let (evaluation, at) = opened.standing()?;
    Some(trace(&read(text), at, evaluation))
}

fn read(text: &str) -> Expr {
    let source = Source::new("<console-input>", format!("{text}\n"));
    Expr::of(&parse_expression(source.text(), ASKED))
}

/// The tree, and below it why the value is unknown and what would settle it.
pub(crate) fn text(
    tree: &WhyTree,
    opened: &Opened,
    evaluation: &Evaluation,
    sources: &Sources,
) -> String {
    let mut text = lines(tree, sources);
    let Some(value) = &tree.root().value else { return text };
    if value.is_wholly_known() && !value.summary().mocked {
        return text;
    }
    text.push('\n');
    let reasons = opened.reasons(sources);
    for line in reasons.lines(value) {
        text.push_str(&line);
        text.push('\n');
    }
    for node in tree.failed() {
        let name = node.address.as_deref().unwrap_or("the expression");
        let place = node.place.map(|place| format!(", {}", reasons.place(place)));
        text.push_str(&format!("  The error is in {name}{}.\n", place.unwrap_or_default()));
    }
    let all = remedies(value, evaluation.causes());
    if !all.is_empty() {
        text.push_str("\nWhat would settle it:\n");
        let width = all.iter().map(|one| one.address.chars().count()).max().unwrap_or(0);
        for one in &all {
            text.push_str(&format!("  {:width$}  {}\n", one.address, one.how));
        }
    }
    text
}
