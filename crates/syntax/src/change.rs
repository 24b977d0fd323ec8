//! Comparison of two versions of a text: the unchanged items before and after the lines that differ. Only bytes and line ends
//! are compared, so the result is valid only if the lines between are parsed without an error.

use crate::span::Span;

/// The difference that an edit makes in a text: the changed lines, and how many items, such as blocks, are unchanged before and
/// after these lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextChange {
    /// The number of items at the beginning that are unchanged.
    pub before: usize,
    /// The number of items at the end that are unchanged except for their offset.
    pub after: usize,
    /// The span of the changed lines in the new text, between these items.
    pub lines: Span,
    /// The number of bytes by which the items at the end have moved, negative towards the start.
    pub by: i32,
}

/// Compares an old text, whose `items` (such as blocks) have these spans, with a new one and returns the changed lines; `None` if
/// they differ outside of `within`, the span of the old text that edits may change. The items are in source order.
pub fn change(old: &str, items: &[Span], within: Span, new: &str) -> Option<TextChange> {
    let (front, back) = common(old.as_bytes(), new.as_bytes());
    let (first, end) = (within.start as usize, within.end as usize);
    let changed_to = old.len() - back;
    if front < first || changed_to > end {
        return None;
    }
    let mut before = items.partition_point(|item| (item.end as usize) < front);
    let mut from = first;
    while before > 0 {
        // The line must end after the item, so that no construct continues on the next line.
        let rest = &old[items[before - 1].end as usize..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let stop = items[before - 1].end as usize + line.len();
        let is_over = matches!(line.trim_start().as_bytes(), [] | [b'#', ..] | [b'/', b'/', ..]);
        if stop < front && is_over {
            from = stop + 1;
            break;
        }
        before -= 1;
    }
    let mut at = items.partition_point(|item| (item.start as usize) < changed_to);
    at = at.max(before);
    let mut to = end;
    while at < items.len() {
        let start = items[at].start as usize;
        let line = old[..start].rfind('\n').map_or(0, |end| end + 1);
        // The line end before it must be the same in both texts.
        if line > changed_to && line >= from && old[line..start].trim().is_empty() {
            to = line;
            break;
        }
        at += 1;
    }
    let by = new.len() as i64 - old.len() as i64;
    let stop = u32::try_from(to as i64 + by).ok()?;
    if (stop as usize) < from || !new.is_char_boundary(from) || !new.is_char_boundary(stop as usize)
    {
        return None;
    }
    let lines = Span::new(from as u32, stop);
    Some(TextChange { before, after: items.len() - at, lines, by: i32::try_from(by).ok()? })
}

/// Returns the length in bytes of the longest common start of two texts, and that of the common end of what remains.
fn common(old: &[u8], new: &[u8]) -> (usize, usize) {
    let most = old.len().min(new.len());
    let front = equal_run(most, |at, len| old[at..at + len] == new[at..at + len]);
    let left = most - front;
    let (o, n) = (old.len(), new.len());
    let back = equal_run(left, |at, len| old[o - at - len..o - at] == new[n - at - len..n - at]);
    (front, back)
}

/// Returns the length in bytes of the common start, or common end, of two texts, at most `most`; `is_equal(at, len)` compares
/// `len` bytes at the distance `at` from that start or end. The compared lengths decrease to one byte.
fn equal_run(most: usize, is_equal: impl Fn(usize, usize) -> bool) -> usize {
    let mut at = 0;
    for step in [4096, 256, 16, 1] {
        while at + step <= most && is_equal(at, step) {
            at += step;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the spans of the arguments and blocks of a text.
    fn spans(text: &str) -> Vec<Span> {
        let parse = crate::parse_file(&text.into(), crate::FileId(0));
        let items = crate::Body::of(&parse).items();
        let span = |item| match item {
            crate::BodyItem::Argument(one) => one.span,
            crate::BodyItem::Block(one) => one.span,
        };
        items.into_iter().map(span).collect()
    }

    /// Compares two texts; returns the numbers of unchanged items before and after, and the changed lines of the new one.
    fn changed(old: &str, new: &str) -> Option<(usize, usize, String)> {
        let whole = Span::new(0, old.len() as u32);
        let found = change(old, &spans(old), whole, new)?;
        Some((found.before, found.after, found.lines.of(new).to_owned()))
    }

    #[test]
    fn lines_between_what_is_kept() {
        let old = "a = 1\nb = 2 # two\nc = 3\n";
        assert_eq!(changed(old, old), Some((3, 0, String::new())));
        let edited = old.replace("= 2", "= 20");
        assert_eq!(changed(old, &edited), Some((1, 1, "b = 20 # two\n".to_owned())));
        let longer = old.replace("b = 2", "b = 2\nd = 4");
        assert_eq!(changed(old, &longer).map(|(before, after, _)| (before, after)), Some((1, 1)));
        assert_eq!(changed(old, "").map(|(before, after, _)| (before, after)), Some((0, 0)));
    }

    #[test]
    fn what_may_go_on_is_not_kept() {
        let old = "a = 1 /* x\n y */\nb = 2\n";
        assert_eq!(changed(old, &old.replace('2', "3")).map(|found| found.0), Some(0));
        let old = "a = 1\nb = 2\n";
        assert_eq!(changed(old, "a = 1\n# b = 2\n").map(|found| found.1), Some(0));
        assert_eq!(changed(old, "a = 1 b = 2\n").map(|found| found.0), Some(0));
    }
}
