//! The tree of `groma why` as lines in columns: value, place and code. What does not fit into a row follows below it, indented
//! further than its child nodes.

use groma::why::WhyRow;
use groma_syntax::render::columns;

use super::wrap::{fill, usable_width};

/// Maximum width of the first column, in columns of the screen; a longer row shifts its other columns.
const MAX_HEAD: usize = 72;
/// Width in columns of the screen that is kept free for the last column, a row's code, when the width of the first one is chosen;
/// also the minimum width of the first.
const MIN_CODE: usize = 24;

/// Formats the rows of a `groma why` tree in columns, with lines at most `width` columns wide unless a single word is longer.
pub(crate) fn text(rows: &[WhyRow], width: usize) -> String {
    let width = usable_width(width);
    let second = rows.iter().map(|row| columns(&row.place)).max().unwrap_or(0);
    let most = width.saturating_sub(second + MIN_CODE + 4).clamp(MIN_CODE, MAX_HEAD);
    let heads = rows.iter().map(|row| 2 * row.depth + columns(&row.head));
    let first = heads.filter(|head| *head <= most).max().unwrap_or(0);
    let mut out = String::new();
    for row in rows {
        push(row, (first, second), width, &mut out);
    }
    out
}

/// Appends one row of the tree as a line in columns at most `width` wide; `first` and `second` are the first two columns' widths.
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
