//! Wraps prose to the width of the screen. Only lines at the left margin are prose: indented lines are code or drawings, and
//! lines with double blanks are columns. Quoted values are kept on one line if possible.

use std::borrow::Cow;
use std::io::{self, Write};

use groma_syntax::render::columns;

/// The width of text in columns if that of the screen is not known, as in a pipe.
pub(crate) const WIDTH: usize = 100;
/// Minimum width in columns to which text is wrapped.
const MIN_WIDTH: usize = 40;

/// Returns the text with prose lines at most `width` columns wide, unless a single word is longer.
pub(crate) fn wrapped(text: &str, width: usize) -> Cow<'_, str> {
    if text.lines().all(|line| line.len() <= width) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    for line in text.split_inclusive('\n') {
        match is_prose(line) && columns(line.trim_end()) > width {
            true => fill(line, if line.starts_with("- ") { 2 } else { 0 }, width, &mut out),
            false => out.push_str(line),
        }
    }
    Cow::Owned(out)
}

/// Returns true if a line may be wrapped: it is not indented and has no aligned columns.
fn is_prose(line: &str) -> bool {
    !line.starts_with([' ', '\t']) && !line.trim_end().contains("  ")
}

/// Returns a text width in columns, raised to [`MIN_WIDTH`] if it is smaller.
pub(crate) fn usable_width(width: usize) -> usize {
    width.max(MIN_WIDTH)
}

/// Appends a line, wrapped if it is wider than `width` columns; the lines after its first are indented by `hang` columns.
pub(crate) fn fill(line: &str, hang: usize, width: usize, out: &mut String) {
    if columns(line.trim_end()) <= width {
        out.push_str(line);
        return;
    }
    let text = line.trim_start_matches(' ');
    let set_in = line.len() - text.len();
    out.push_str(&line[..set_in]);
    let (mut column, mut is_begun) = (set_in, false);
    for word in words(text, width.saturating_sub(hang)) {
        let wide = columns(word.trim_end());
        if is_begun && column + 1 + wide > width {
            out.push('\n');
            out.push_str(&" ".repeat(hang));
            column = hang;
        } else if is_begun {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        (column, is_begun) = (column + wide, true);
    }
}

/// Yields the units of a line that are kept whole: words, and quoted text unless it is longer than `width`.
fn words(line: &str, width: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let end = end_of_word(text, width);
        rest = text.get(end + 1..);
        text.get(..end)
    })
}

/// Returns the byte offset of the blank after the first word or quoted text, or the length of the text without such a blank; a
/// quoted text counts as words only if it ends beyond `width` bytes.
fn end_of_word(text: &str, width: usize) -> usize {
    let mut quote: Option<char> = None;
    let mut first_blank = None;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match quote {
            // A quote that is not closed within a line is ordinary text.
            Some(_) if at > width => return first_blank.unwrap_or_else(|| blank(text)),
            Some(open) if c == open && !is_escaped => quote = None,
            Some(_) if c == ' ' => first_blank = first_blank.or(Some(at)),
            None if c == ' ' => return at,
            None if matches!(c, '"' | '`') => quote = Some(c),
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    match quote {
        Some(_) => first_blank.unwrap_or(text.len()),
        None => text.len(),
    }
}

/// Returns the byte offset of the first blank, or the length of the text.
fn blank(text: &str) -> usize {
    text.find(' ').unwrap_or(text.len())
}

/// A stream that wraps prose, line by line.
pub(crate) struct WrappedStream<'w> {
    out: &'w mut (dyn Write + Send),
    width: usize,
    line: Vec<u8>,
}

impl<'w> WrappedStream<'w> {
    /// Creates a stream for a screen of this width in columns, if known.
    pub(crate) fn new(out: &'w mut (dyn Write + Send), width: Option<usize>) -> WrappedStream<'w> {
        let width = usable_width(width.unwrap_or(WIDTH));
        WrappedStream { out, width, line: Vec::new() }
    }

    /// Writes the collected line to the stream below, wrapped if it is prose.
    fn pass(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        match std::str::from_utf8(&line) {
            Ok(text) => self.out.write_all(wrapped(text, self.width).as_bytes()),
            Err(_) => self.out.write_all(&line),
        }
    }
}

impl Write for WrappedStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => {
                self.line.extend_from_slice(&bytes[..=end]);
                self.pass()?;
                self.line.extend_from_slice(&bytes[end + 1..]);
            }
            None => self.line.extend_from_slice(bytes),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.pass()?;
        }
        self.out.flush()
    }
}

impl Drop for WrappedStream<'_> {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            // A failure cannot be reported any more.
            let _ = self.pass();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    /// Checks that prose is wrapped at blanks and list items are indented.
    #[test]
    fn prose_is_broken_between_words() {
        assert_eq!(wrapped("one two three four\nfive\n", 9), "one two\nthree\nfour\nfive\n");
        assert_eq!(wrapped("a longerthanthat b", 6), "a\nlongerthanthat\nb");
        assert_eq!(wrapped("日本 日本 日本", 6), "日本\n日本\n日本");
        assert_eq!(wrapped("- one two three\n", 9), "- one two\n  three\n");
    }

    /// Checks that indented lines and columns are not wrapped.
    #[test]
    fn what_is_drawn_stays() {
        let drawn = "    1: a = \"some long text\"\na  column  beside  others\n";
        assert_eq!(wrapped(drawn, 10), drawn);
    }

    /// Checks that quoted text is not broken.
    #[test]
    fn what_is_quoted_stays_together() {
        assert_eq!(wrapped("say \"a b c\" or `d e f` now", 12), "say \"a b c\"\nor `d e f`\nnow");
        assert_eq!(wrapped("an inch is 1\" and more of it", 12), "an inch is\n1\" and more\nof it");
        assert_eq!(wrapped(r#"say "a \" b" it"#, 10), "say\n\"a \\\" b\"\nit");
    }

    /// Checks that colour sequences do not count as width.
    #[test]
    fn colours_take_no_room() {
        let bold = "\u{1b}[1mone\u{1b}[0m two";
        assert_eq!(wrapped(bold, 7), bold);
    }
}
