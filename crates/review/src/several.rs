//! Reviews of several roots in one comment of a pull request. They share the maximum length: a short one gets all that it needs,
//! the others equal parts of the rest, and omitted ones are counted.

use std::fmt::{self, Write as _};

use groma_value::sentence::plural;

use crate::markdown::{MAX_BYTES, escaped};
use crate::model::Review;
use crate::style::{StyledSink, TextStyle};
use crate::text::summary;

/// Number of bytes of a pull request comment reserved for the line that counts the roots whose reviews do not fit into it.
const RESERVED_BYTES: usize = 200;

/// Writes the reviews of several roots, each given as its directory and its review, as one pull request comment in Markdown, each
/// under a heading with its directory; `lines` follow at the end.
///
/// # Errors
/// The sink's error.
pub fn write_several(
    roots: &[(String, Review)],
    lines: &[String],
    sink: &mut dyn StyledSink,
) -> fmt::Result {
    let mut foot = String::new();
    for line in lines {
        write!(foot, "\n{}\n", escaped(line))?;
    }
    let text = composed(roots, MAX_BYTES.saturating_sub(foot.len()))?;
    let foot = if text.is_empty() { foot.trim_start_matches('\n') } else { &foot };
    sink.put(TextStyle::Plain, &format!("{text}{foot}"))
}

/// Returns the Markdown heading above the review of the root in the directory `dir`.
fn heading(dir: &str) -> String {
    format!("### {dir}\n\n")
}

/// Returns the reviews of several roots, each given as its directory and its review, as Markdown of at most `longest` bytes, with
/// a line that counts the roots whose reviews do not fit.
fn composed(roots: &[(String, Review)], longest: usize) -> Result<String, fmt::Error> {
    let last =
        RESERVED_BYTES + roots.first().map_or(0, |(_, review)| review.command_sentence().len());
    let headings: Vec<String> = roots.iter().map(|(dir, _)| heading(dir)).collect();
    let whole: Vec<String> =
        roots.iter().map(|(_, review)| review.composed(longest)).collect::<Result<_, _>>()?;
    let taken: usize = headings.iter().map(|heading| heading.len() + 1).sum();
    let lengths: Vec<usize> = whole.iter().map(String::len).collect();
    let mut all = whole;
    let fits = taken + lengths.iter().sum::<usize>() <= longest;
    if !fits {
        let share = share(&lengths, longest.saturating_sub(taken + last));
        for (text, (_, review)) in all.iter_mut().zip(roots) {
            if text.len() > share {
                *text = review.composed(share)?;
            }
        }
    }
    let mut out = String::new();
    for (at, (heading, text)) in headings.iter().zip(&all).enumerate() {
        let blank = if at > 0 { "\n" } else { "" };
        let is_last = fits || at + 1 == all.len();
        let most = if is_last { longest } else { longest.saturating_sub(last) };
        if out.len() + blank.len() + heading.len() + text.len() > most {
            cut(&roots[at..], &mut out)?;
            break;
        }
        write!(out, "{blank}{heading}{text}")?;
    }
    Ok(out)
}

/// Returns the length to which each text has to be limited so that all fit into `room` bytes; space that short ones leave is
/// given to longer ones.
fn share(lengths: &[usize], room: usize) -> usize {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    let mut left = room;
    for (at, length) in sorted.iter().enumerate() {
        let equal = left / (sorted.len() - at);
        if *length > equal {
            return equal;
        }
        left -= length;
    }
    sorted.last().copied().unwrap_or_default()
}

/// Writes the line that counts the `roots` whose reviews do not fit into a pull request comment, each a directory and its review,
/// with the sum of their changes.
fn cut(roots: &[(String, Review)], out: &mut String) -> fmt::Result {
    let mut counts = crate::ActionCounts::default();
    for (_, review) in roots {
        counts.extend(&review.counts());
    }
    let more = plural(roots.len(), "more root");
    let blank = if out.is_empty() { "" } else { "\n" };
    let what = summary(&counts);
    let shown = roots.first().map(|(_, review)| review.command_sentence()).unwrap_or_default();
    writeln!(out, "{blank}*Truncated to fit into a comment: {more}, with {what}.{shown}*")
}

#[cfg(test)]
mod tests {
    use super::share;

    /// Checks that short texts leave the space that they do not need to longer ones.
    #[test]
    fn who_needs_little_gets_it() {
        assert_eq!(share(&[10, 20, 300, 400], 230), 100);
        assert_eq!(share(&[10, 20], 230), 20);
        assert_eq!(share(&[500], 230), 230);
        assert_eq!(share(&[], 230), 0);
    }
}
