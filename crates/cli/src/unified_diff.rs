//! Unified diffs as `diff -u` prints them, with three lines of context.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput, Token};

/// Number of context lines around a change.
const CONTEXT_LINES: u32 = 3;

/// Returns the unified diff from `before` to `after`, whose headers name the same file.
pub(crate) fn unified(name: &str, before: &[u8], after: &[u8]) -> Vec<u8> {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let mut out = format!("--- old/{name}\n+++ new/{name}\n").into_bytes();
    let mut changes = diff.hunks().peekable();
    while let Some(first) = changes.next() {
        let mut group = vec![first];
        // Changes whose context would overlap form one hunk.
        while let Some(next) = changes.next_if(|next| {
            next.before.start - group[group.len() - 1].before.end <= 2 * CONTEXT_LINES
        }) {
            group.push(next);
        }
        let (first, last) = (&group[0], &group[group.len() - 1]);
        let lead = first.before.start.min(CONTEXT_LINES);
        let tail = (input.before.len() as u32 - last.before.end).min(CONTEXT_LINES);
        let old = first.before.start - lead..last.before.end + tail;
        let new = first.after.start - lead..last.after.end + tail;
        out.extend(format!("@@ -{} +{} @@\n", range(&old), range(&new)).bytes());
        let mut line = |sign: u8, token: &Token| {
            let text: &[u8] = input.interner[*token];
            out.push(sign);
            out.extend_from_slice(text);
            if !text.ends_with(b"\n") {
                out.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        };
        let of = |lines: &[Token], range: Range<u32>| {
            lines[range.start as usize..range.end as usize].to_vec()
        };
        let mut at = old.start;
        for change in &group {
            of(&input.before, at..change.before.start).iter().for_each(|token| line(b' ', token));
            of(&input.before, change.before.clone()).iter().for_each(|token| line(b'-', token));
            of(&input.after, change.after.clone()).iter().for_each(|token| line(b'+', token));
            at = change.before.end;
        }
        of(&input.before, at..old.end).iter().for_each(|token| line(b' ', token));
    }
    out
}

/// Returns the line range of a hunk for its header: the first line and the number of lines, as in `3,7`.
fn range(lines: &Range<u32>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => (lines.start + 1).to_string(),
        count => format!("{},{count}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::unified;

    /// Checks hunks with context and a missing final newline.
    #[test]
    fn hunks() {
        let before = b"a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl";
        let after = b"a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n";
        let want = "--- old/x\n+++ new/x\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n@@ -9,4 +9,4 @@\n i\n j\n k\n-l\n\
                    \\ No newline at end of file\n+l\n";
        assert_eq!(String::from_utf8_lossy(&unified("x", before, after)), want);
    }

    /// Checks the line ranges of hunks with one line and with none.
    #[test]
    fn one_line_and_none() {
        let diff = |before: &[u8], after: &[u8]| {
            String::from_utf8_lossy(&unified("x", before, after)).into_owned()
        };
        assert!(diff(b"a\n", b"b\n").ends_with("@@ -1 +1 @@\n-a\n+b\n"));
        assert!(diff(b"a\n", b"").ends_with("@@ -1 +0,0 @@\n-a\n"));
    }
}
