//! The tree of `groma why` as lines: columns where a row has room for them; what has none stands below its node, set in
//! further than the nodes below that one.

use groma::why::WhyRow;
use groma_syntax::render::columns;

use super::wrap::{fill, narrowest};

/// A left column is no wider than this; a row that is pushes its own rest.
const LEFT: usize = 72;
/// The maximum number of columns that are left for expressions, if the places leave any.
const TEXT: usize = 24;

/// The rows as text, no line wider than the screen unless a single word is.
pub(crate) fn text(rows: &[WhyRow], width: usize) -> String {
    let width = narrowest(width);
    let second = rows.iter().map(|row| columns(&row.place)).max().unwrap_or(0);
    let most = width.saturating_sub(second + TEXT + 4).clamp(TEXT, LEFT);
    let heads = rows.iter().map(|row| 2 * row.depth + columns(&row.head));
    let first = heads.filter(|head| *head <= most).max().unwrap_or(0);
    let mut out = String::new();
    for row in rows {
        push(row, (first, second), width, &mut out);
    }
    out
}

fn push(row: &WhyRow, (first, second): (usize, usize), width: usize, out: &mut String) {
    let set_in = 2 * row.depth;
    let mut line = format!("{:set_in$}{}", "", row.head);
    let mut column = columns(&line);
    let beside = [(first + 2, &row.place), (first + 2 + second + 2, &row.text)];
    let mut rest = beside.into_iter().filter(|(_, text)| !text.is_empty()).peekable();
    while let Some((start, text)) =
        rest.next_if(|(start, text)| (*start).max(column + 2) + columns(text) <= width)
    {
        let start = start.max(column + 2);
        line.push_str(&" ".repeat(start - column));
        line.push_str(text);
        column = start + columns(text);
    }
    fill(&line, set_in + 4, width, out);
    out.push('\n');
    let below: Vec<&str> = rest.map(|(_, text)| text.as_str()).collect();
    if !below.is_empty() {
        fill(&format!("{:1$}{2}", "", set_in + 4, below.join("  ")), set_in + 6, width, out);
        out.push('\n');
    }
}
