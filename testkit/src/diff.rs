//! Differences of two short texts, line by line.
//!
//! Made for answers of a few dozen lines: longer texts are compared from both ends only, not aligned within.

/// Number of equal lines shown before and after a difference.
const AROUND: usize = 2;
/// Maximum product of the numbers of lines between the common start and end; above it no common lines are searched there.
const ALIGNED: usize = 250_000;

/// The text that contains a line: the expected one, the actual one or both.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Both,
    Want,
    Got,
}

/// Returns the differences of two texts by line: `-` for expected lines, `+` for actual ones; empty if they are equal.
#[must_use]
pub fn lines(want: &str, got: &str) -> String {
    let want: Vec<&str> = want.lines().collect();
    let got: Vec<&str> = got.lines().collect();
    let rows = align(&want, &got);
    let changed: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].0 != Side::Both).collect();
    let near = |row: usize| {
        let next = changed.partition_point(|&at| at < row);
        let close = |index: usize| changed.get(index).is_some_and(|&at| at.abs_diff(row) <= AROUND);
        close(next) || next.checked_sub(1).is_some_and(close)
    };
    let mut out = String::new();
    let mut hidden = false;
    for (row, (side, line)) in rows.iter().enumerate() {
        if !near(row) {
            hidden = true;
            continue;
        }
        if std::mem::take(&mut hidden) {
            out += "    …\n";
        }
        out += match side {
            Side::Both => "      ",
            Side::Want => "    - ",
            Side::Got => "    + ",
        };
        out += line;
        out.push('\n');
    }
    out
}

/// Merges the lines of both texts into one sequence, each with the text that contains it.
fn align<'t>(want: &[&'t str], got: &[&'t str]) -> Vec<(Side, &'t str)> {
    let head = want.iter().zip(got).take_while(|(a, b)| a == b).count();
    let tail =
        want[head..].iter().rev().zip(got[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&want[head..want.len() - tail], &got[head..got.len() - tail]);
    let mut rows: Vec<(Side, &str)> = want[..head].iter().map(|line| (Side::Both, *line)).collect();
    if left.len() * right.len() > ALIGNED {
        rows.extend(left.iter().map(|line| (Side::Want, *line)));
        rows.extend(right.iter().map(|line| (Side::Got, *line)));
    } else {
        common(left, right, &mut rows);
    }
    rows.extend(want[want.len() - tail..].iter().map(|line| (Side::Both, *line)));
    rows
}

/// Appends the lines of both texts, merged at their longest common subsequence.
fn common<'t>(left: &[&'t str], right: &[&'t str], rows: &mut Vec<(Side, &'t str)>) {
    let width = right.len() + 1;
    let mut longest = vec![0u32; (left.len() + 1) * width];
    for i in (0..left.len()).rev() {
        for j in (0..right.len()).rev() {
            longest[i * width + j] = if left[i] == right[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if left[i] == right[j] {
            rows.push((Side::Both, left[i]));
            i += 1;
            j += 1;
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            rows.push((Side::Want, left[i]));
            i += 1;
        } else {
            rows.push((Side::Got, right[j]));
            j += 1;
        }
    }
    rows.extend(left[i..].iter().map(|line| (Side::Want, *line)));
    rows.extend(right[j..].iter().map(|line| (Side::Got, *line)));
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn shows_what_changed_and_a_little_around() {
        assert_eq!(lines("a\nb", "a\nb"), "");
        assert_eq!(
            lines("1\n2\n3\n4\n5\n6", "1\n2\n3\n4\nx\n6"),
            "    …\n      3\n      4\n    - 5\n    + x\n      6\n"
        );
        assert_eq!(lines("", "new"), "    + new\n");
    }

    #[test]
    fn long_texts_do_not_take_forever() {
        let many = |word: &str| (0..20_000).map(|n| format!("{word}{n}\n")).collect::<String>();
        assert_eq!(lines(&many("a"), &many("b")).lines().count(), 40_000);
    }
}
