//! Index of columns in long lines. A line is read once, and the number of columns before it is recorded every few thousand
//! bytes: later counts start at the nearest of these marks, so that many places in one line take only linear time.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::span::Span;

/// The distance in bytes between the offsets of a long line at which its columns are recorded; shorter lines have no such
/// offsets.
const STRIDE: usize = 2048;

/// A byte offset in a line with the number of columns before it, in grapheme clusters and in UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct ColumnMark {
    /// The byte offset in the text, at which a grapheme cluster begins.
    pub(crate) byte: usize,
    /// The number of grapheme clusters before it in its line, without a byte order mark at the start of the text.
    pub(crate) clusters: usize,
    /// The number of UTF-16 code units before it in its line.
    pub(crate) units: usize,
}

impl ColumnMark {
    /// Returns the later byte offset `to` of the same line with the number of columns before it, counted on from this offset.
    fn moved(self, text: &str, to: usize) -> ColumnMark {
        let between = text.get(self.byte..to).unwrap_or("");
        walked(between.len());
        let (clusters, units) = match between.is_ascii() {
            true => (between.len(), between.len()),
            false => (between.graphemes(true).count(), between.encode_utf16().count()),
        };
        ColumnMark { byte: to, clusters: self.clusters + clusters, units: self.units + units }
    }
}

/// An index of the columns in the lines of a text that are longer than [`STRIDE`]: how many precede each of a few byte offsets,
/// one at every stride.
#[derive(Debug, Default)]
pub(crate) struct ColumnIndex {
    marks: Box<[ColumnMark]>,
}

impl ColumnIndex {
    /// Builds the index of the columns in the lines longer than [`STRIDE`] of a text whose lines start at the offsets `starts`.
    pub(crate) fn of(text: &str, starts: &[u32]) -> ColumnIndex {
        let mut marks = Vec::new();
        let ends = starts.iter().skip(1).map(|next| *next as usize - 1).chain([text.len()]);
        for (start, end) in starts.iter().zip(ends) {
            let mut last = origin(text, *start as usize);
            while end.saturating_sub(last.byte) > STRIDE {
                last = last.moved(text, boundary(text, last.byte, end));
                marks.push(last);
            }
        }
        ColumnIndex { marks: marks.into() }
    }

    /// Returns the numbers of columns before the byte offset `byte`, in the line that starts at `start`.
    pub(crate) fn at(&self, text: &str, start: usize, byte: usize) -> ColumnMark {
        let origin = origin(text, start);
        if byte < origin.byte {
            // The offset is among several byte order marks.
            let units = (byte - start) / '\u{feff}'.len_utf8();
            return ColumnMark { byte, clusters: 0, units };
        }
        let before = self.marks.partition_point(|mark| mark.byte <= byte);
        self.last_of(0..before, origin).moved(text, byte)
    }

    /// Returns the last indexed byte offset of `line` that satisfies `is_before`, with the columns before it; the line's first
    /// column if there is none.
    pub(crate) fn before(
        &self,
        text: &str,
        line: Span,
        is_before: impl Fn(&ColumnMark) -> bool,
    ) -> ColumnMark {
        let from = self.marks.partition_point(|mark| mark.byte < line.start as usize);
        let to = self.marks.partition_point(|mark| mark.byte < line.end as usize);
        let within = self.marks[from..to].partition_point(is_before);
        self.last_of(from..from + within, origin(text, line.start as usize))
    }

    /// Returns the last of a range of the indexed byte offsets, with its columns, if it is not before `origin`, the first column
    /// of its line; otherwise `origin`.
    fn last_of(&self, range: Range<usize>, origin: ColumnMark) -> ColumnMark {
        let last = self.marks[range].last().filter(|mark| mark.byte >= origin.byte);
        last.copied().unwrap_or(origin)
    }
}

/// Returns the byte offset from which the columns of the line at `start` are counted: the line's start, or at the start of the
/// text the byte after any byte order marks.
fn origin(text: &str, start: usize) -> ColumnMark {
    let rest = &text[start..];
    let marks = if start == 0 { rest.len() - rest.trim_start_matches('\u{feff}').len() } else { 0 };
    ColumnMark { byte: start + marks, clusters: 0, units: marks / '\u{feff}'.len_utf8() }
}

/// Returns the offset of the first grapheme cluster at least one stride after `from`, at most `end`.
fn boundary(text: &str, from: usize, end: usize) -> usize {
    let line = &text[from..end];
    // There always is a boundary between two ASCII characters, since a line end is at the end only.
    if line.as_bytes()[STRIDE - 1..].iter().take(2).all(u8::is_ascii) {
        return from + STRIDE;
    }
    let mut all = line.grapheme_indices(true);
    let found = all.find(|(at, _)| *at >= STRIDE).map_or(line.len(), |(at, _)| at);
    walked(found);
    from + found
}

/// Does nothing here; in tests it counts the bytes that were read to find columns.
#[cfg(not(test))]
pub(crate) fn walked(_: usize) {}

#[cfg(test)]
pub(crate) use counted::{take_walked, walked};

#[cfg(test)]
mod counted {
    use std::cell::Cell;

    thread_local! {
        /// The number of bytes that this thread has read to find columns, since it was last taken.
        static WALKED: Cell<usize> = const { Cell::new(0) };
    }

    /// Counts bytes of a line that were read to find columns.
    pub(crate) fn walked(bytes: usize) {
        WALKED.set(WALKED.get() + bytes);
    }

    /// Returns the number of bytes read since the last call, and sets it to 0.
    pub(crate) fn take_walked() -> usize {
        WALKED.take()
    }
}

#[cfg(test)]
mod tests {
    use super::take_walked;
    use crate::diagnostic::render::render;
    use crate::diagnostic::{Diagnostic, DiagnosticCode};
    use crate::find::{ColumnUnit, Point};
    use crate::source::Source;
    use crate::sources::Sources;
    use crate::span::{Place, Span};
    use unicode_segmentation::UnicodeSegmentation;

    /// Returns texts of long lines and short ones, whose clusters have many bytes, UTF-16 code units or characters.
    fn texts() -> Vec<String> {
        let mut texts = Vec::new();
        for part in ["x = 1, ", "äö日本😀", "e\u{301}\u{323}", "🇩🇪🇫🇷", "👩‍👩‍👧 \r"]
        {
            let long = part.repeat(9_000 / part.len());
            texts.push(format!("\u{feff}{long}\nshort\n\n{long}{long}\r\n{part}\n{long}"));
        }
        texts.push(format!("a{}b\nc", "\u{301}".repeat(6_000)));
        texts
    }

    #[test]
    fn columns_are_those_of_a_walk_from_the_start_of_the_line() {
        for text in texts() {
            let source = Source::new("a", text.as_str());
            for (at, _) in text.char_indices().step_by(211).chain([(text.len(), ' ')]) {
                let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
                let whole = &text[start..at];
                let before = if start == 0 { whole.trim_start_matches('\u{feff}') } else { whole };
                let position = source.position(at as u32);
                assert_eq!(position.column as usize, before.graphemes(true).count() + 1, "{at}");
                let point = source.point(at as u32, ColumnUnit::Utf16);
                assert_eq!(point.column as usize, whole.encode_utf16().count(), "{at}");
                if text[at..].chars().next().is_some_and(|c| c != '\n' && c != '\r') {
                    assert_eq!(source.offset(point, ColumnUnit::Utf16) as usize, at);
                }
            }
            let past = Point { line: 3, column: u32::MAX };
            let line = source.line_span(4);
            assert_eq!(source.offset(past, ColumnUnit::Utf16), line.end);
        }
    }

    #[test]
    fn many_places_in_one_line_cost_no_more_than_the_line() {
        /// The diagnostic code of the diagnostic that is rendered at many places.
        static CODE: DiagnosticCode = DiagnosticCode {
            slug: "test",
            summary: "Something is wrong",
            doc: "A test's.",
            may_be_new: false,
        };
        for part in ["abcdefgh", "äöüßäöüß", "e\u{301}日"] {
            let text = part.repeat(400_000 / part.len());
            let mut sources = Sources::new();
            let file = sources.add(Source::new("main.tf", text.as_str()));
            take_walked();
            let places = (0..200).map(|at| at * (text.len() / 200 / part.len()) * part.len());
            for at in places {
                let place = Place::new(file, Span::new(at as u32, at as u32 + 1));
                let drawn =
                    render(&Diagnostic::error(&CODE, "Do this.").at(place), &sources, false);
                assert!(drawn.len() < 2_000, "{drawn}");
                sources.get(file).point(at as u32, ColumnUnit::Utf16);
            }
            let walked = take_walked();
            // Twice the line for its marks, and for each place a few of the distances between two.
            assert!(walked < 3 * text.len() + 200 * 8 * 2_100, "{walked} of {}", text.len());
        }
    }
}
