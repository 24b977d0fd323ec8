//! Where a value comes from, for people: the tree, then why what is unknown is so, and what would settle it.

use groma::Evaluation;
use groma::why::{WhyTree, lines, remedies};
use groma_syntax::Sources;

use crate::project::Opened;

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
    for line in opened.reasons(sources).lines(value) {
        text.push_str(&line);
        text.push('\n');
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
