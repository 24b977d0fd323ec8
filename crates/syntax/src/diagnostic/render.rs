//! Text of a diagnostic for a terminal: summary, place, source lines with carets, detail, notes. Characters that a terminal
//! would interpret are escaped.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation;

use crate::diagnostic::{Diagnostic, InstanceContext, ReferenceValue, Severity, SourceExcerpt};
use crate::source::Source;
use crate::sources::Sources;
use crate::span::{FileId, Place, Span};

/// Maximum number of source lines displayed at a diagnostic's place; `…` stands for further ones.
const LINES: u32 = 4;
/// Maximum number of columns that are displayed of a source line; a longer one is cut.
const WIDTH: usize = 160;
/// Maximum number of columns displayed before the diagnostic's place in a line that is cut.
const LEAD: usize = 60;
/// The text displayed instead of a source line that may contain a sensitive value.
pub const WITHHELD: &str = "(not shown: it may hold a sensitive value)";
/// Maximum number of lines above a diagnostic's place that are searched for the header of the block around it.
const REACH: u32 = 2_000;
/// Maximum length in bytes of a block header that is displayed; a longer one is left out.
const HEADER: usize = 1_000;

/// The terminal escape sequence for the colour of errors.
const RED: &str = "\u{1b}[31m";
/// The terminal escape sequence for the colour of warnings.
const YELLOW: &str = "\u{1b}[33m";
/// The terminal escape sequence for the colour of notes.
const BLUE: &str = "\u{1b}[34m";
/// The terminal escape sequence for bold text.
const BOLD: &str = "\u{1b}[1m";
/// The terminal escape sequence that ends colours and bold text.
const RESET: &str = "\u{1b}[0m";
/// Every terminal escape sequence that may be in the rendered text.
pub const ESCAPE_SEQUENCES: [&str; 5] = [RED, YELLOW, BLUE, BOLD, RESET];

/// Renders a diagnostic for a terminal: summary with the code in brackets, place, detail, notes and fix. The text ends with a
/// line end.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let diagnostic = &*diagnostic.displayed();
    let (word, paint) = match diagnostic.severity {
        Severity::Error => ("Error", RED),
        Severity::Warning => ("Warning", YELLOW),
        Severity::Note => ("Note", BLUE),
    };
    let style = SnippetStyle { colour, paint };
    let mut out = String::new();
    let head = style.in_paint(&format!("{word}:"));
    let _ =
        writeln!(out, "{head} {} [{}]", style.bold(diagnostic.code.summary), diagnostic.code.slug);
    if let Some(place) = diagnostic.place {
        out.push('\n');
        if let Some(instance) = &diagnostic.instance {
            let _ = writeln!(out, "  in {}", harmless(&instance_phrase(instance, sources)));
        }
        write_excerpt(&mut out, place, &diagnostic.operands, sources, style);
    }
    if !diagnostic.detail.is_empty() {
        let _ = writeln!(out, "\n{}", harmless(&diagnostic.detail));
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "\n{} {}", style.bold("Note:"), harmless(&note.text));
        if let Some(place) = note.place {
            out.push('\n');
            write_excerpt(&mut out, place, &[], sources, SnippetStyle { colour, paint: BLUE });
        }
        if let Some(excerpt) = &note.excerpt {
            out.push('\n');
            write_quote(&mut out, excerpt, SnippetStyle { colour, paint: BLUE });
        }
    }
    if let Some(fix) = &diagnostic.fix {
        let (source, place) = sources.at(fix.place);
        let at = source.position(place.span.start);
        let _ = write!(out, "\n{} {}", style.bold("Fix:"), harmless(&fix.label));
        let _ = match fix.text.as_str() {
            "" => writeln!(out, " (line {}, column {})", at.line, at.column),
            text => {
                writeln!(
                    out,
                    ": write `{}` at line {}, column {}",
                    harmless(text),
                    at.line,
                    at.column
                )
            }
        };
    }
    out
}

/// The style of a diagnostic's text: colours on or off, and the colour of its severity.
#[derive(Clone, Copy)]
struct SnippetStyle {
    colour: bool,
    paint: &'static str,
}

impl SnippetStyle {
    /// Returns a text in bold and in the colour of the diagnostic's severity, unless colours are off.
    fn in_paint(self, text: &str) -> String {
        if self.colour { format!("{BOLD}{}{text}{RESET}", self.paint) } else { text.to_owned() }
    }

    /// Returns a text in bold, unless colours are off.
    fn bold(self, text: &str) -> String {
        if self.colour { format!("{BOLD}{text}{RESET}") } else { text.to_owned() }
    }
}

/// Writes the source lines at a place: file, line, enclosing block, the lines with carets, and `operands`, the values of
/// references near it.
fn write_excerpt(
    out: &mut String,
    place: Place,
    operands: &[ReferenceValue],
    sources: &Sources,
    style: SnippetStyle,
) {
    let (source, place) = sources.at(place);
    let first = source.position(place.span.start).line;
    let end = place.span.end.max(place.span.start + 1) - 1;
    let last = source.position(end).line.max(first);
    let _ = write!(out, "  on {} line {first}", harmless(source.name()));
    if let Some(block) = block_around(sources, place.file, first) {
        let _ = write!(out, ", in {}", harmless(block));
    }
    out.push_str(":\n");
    let shown = last.min(first + LINES - 1);
    let digits = shown.to_string().len().max(3);
    for line in first..=shown {
        if sources.shown_line(place.file, line).is_none() {
            let _ = writeln!(out, "  {line:digits$}: {WITHHELD}");
            continue;
        }
        let span = source.line_span(line);
        let covered = Span::new(
            place.span.start.clamp(span.start, span.end),
            place.span.end.clamp(span.start, span.end),
        );
        let part = drawn_part(source, span, covered.start);
        let is_cut = part.start > span.start;
        let (at, length) = (covered.start - part.start, covered.len());
        let (text, carets) = draw(part.of(source.text()), is_cut, at, length);
        let _ = writeln!(out, "  {line:digits$}: {text}");
        if !carets.trim().is_empty() {
            let _ = writeln!(out, "  {:digits$}  {}", "", style.in_paint(&carets));
        }
    }
    if shown < last {
        let _ = writeln!(out, "  {:digits$}  …", "");
    }
    for operand in operands {
        let _ = writeln!(
            out,
            "  {:digits$}  {} is {}",
            "",
            harmless(&operand.name),
            harmless(&operand.value)
        );
    }
}

/// Returns the phrase that names the instance in which a diagnostic was found, and the place of its module's call.
fn instance_phrase(instance: &InstanceContext, sources: &Sources) -> String {
    let mut text = instance.address.clone();
    match instance.others {
        0 => {}
        1 => text.push_str(" and 1 more instance"),
        more => text.push_str(&format!(" and {more} more instances")),
    }
    if let Some(call) = instance.call {
        let (source, call) = sources.at(call);
        let line = source.position(call.span.start).line;
        text.push_str(&format!(", called at {}:{line}", source.name()));
    }
    text
}

/// Writes the excerpt below a note: one line of a text without a file number, with carets below its marked part.
fn write_quote(out: &mut String, excerpt: &SourceExcerpt, style: SnippetStyle) {
    let (name, line) = (harmless(&excerpt.name), excerpt.line);
    let digits = line.to_string().len().max(3);
    let (text, carets) =
        draw(&excerpt.text, excerpt.is_cut, excerpt.span.start, excerpt.span.len());
    let _ = writeln!(out, "  on {name} line {line}:\n  {line:digits$}: {text}");
    let _ = writeln!(out, "  {:digits$}  {}", "", style.in_paint(&carets));
}

/// Returns the span that is displayed of a line with a diagnostic at the offset `at`: all of a short line, else a part around
/// that offset. If the line continues, one more grapheme cluster follows the shown part.
pub(super) fn drawn_part(source: &Source, line: Span, at: u32) -> Span {
    if line.len() as usize <= WIDTH {
        return line;
    }
    let at = at.clamp(line.start, line.end);
    let from = source.lead(line, at, LEAD);
    let mut rest = Span::new(from, line.end).of(source.text()).grapheme_indices(true);
    let end = rest.nth(WIDTH).map_or(line.end, |(end, more)| from + (end + more.len()) as u32);
    Span::new(from, end.max(at))
}

/// Returns the displayed text of a source line, with `…` in front if `is_cut`, and the carets below the `length` bytes from
/// `start`.
fn draw(line: &str, is_cut: bool, start: u32, length: u32) -> (String, String) {
    let (start, end) = (start as usize, (start + length) as usize);
    let mut text = String::new();
    let mut carets = String::new();
    let before = line.get(..start).unwrap_or("").graphemes(true).count();
    if is_cut {
        text.push('…');
        carets.push(' ');
    }
    for (column, (at, cluster)) in line.grapheme_indices(true).enumerate() {
        if column >= WIDTH {
            text.push('…');
            break;
        }
        let mark = if at >= start && at < end { '^' } else { ' ' };
        if cluster == "\t" {
            text.push('\t');
            carets.push(if mark == '^' { '^' } else { '\t' });
        } else {
            let shown = harmless(cluster);
            carets.extend(std::iter::repeat_n(mark, width(&shown)));
            text.push_str(&shown);
        }
    }
    if start >= line.len() || length == 0 && !carets.contains('^') {
        let at = carets.char_indices().nth(before).map_or(carets.len(), |(at, _)| at);
        carets.truncate(at);
        carets.push('^');
    }
    carets.truncate(carets.trim_end().len());
    (text, carets)
}

/// Returns the width in terminal columns of a grapheme cluster, or of the escape that replaces it.
fn width(cluster: &str) -> usize {
    let wide = |c: char| {
        matches!(u32::from(c),
            0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff
            | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd)
    };
    match cluster.chars().next() {
        Some(c) if wide(c) => 2,
        // The escape of a character that is not displayed.
        Some('\\') => cluster.chars().count(),
        _ => 1,
    }
}

/// Returns the width of a text in terminal columns; colour sequences have no width.
pub fn columns(text: &str) -> usize {
    let mut sum = 0;
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        sum += rest[..at].graphemes(true).map(width).sum::<usize>();
        rest = &rest[at..];
        let paint = ESCAPE_SEQUENCES.iter().find(|paint| rest.starts_with(**paint));
        rest = &rest[paint.map_or(1, |paint| paint.len())..];
    }
    sum + rest.graphemes(true).map(width).sum::<usize>()
}

/// Returns the header of the block that contains a line, such as `resource "a" "b"`; `None` if none is found near the line, or a
/// line up to it contains a secret. It is the first line without indentation at or above the given one.
fn block_around(sources: &Sources, file: FileId, line: u32) -> Option<&str> {
    for above in (line.saturating_sub(REACH).max(1)..=line).rev() {
        let text = sources.shown_line(file, above)?.trim_end();
        let first = text.chars().next();
        if first.is_none_or(char::is_whitespace) || text.starts_with(['#', '/']) {
            continue;
        }
        let header = match text.strip_suffix('{') {
            Some(header) => header.trim_end(),
            // A block on one line contains none of the lines below it.
            None if above == line => {
                let brace = text.as_bytes().windows(2).take(HEADER).position(|two| two == b" {");
                text[..brace?].trim_end()
            }
            None => return None,
        };
        if header.len() > HEADER {
            return None;
        }
        let is_block = first.is_some_and(char::is_alphabetic) && !header.contains(['=', '(', '[']);
        return (is_block && !header.is_empty()).then_some(header);
    }
    None
}

/// Returns true if a terminal would interpret the character or display the text differently: control characters, bidirectional
/// formatting and zero-width characters.
pub fn is_harmful(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        c if c.is_ascii() => false,
        c => matches!(u32::from(c),
            0x00ad | 0x061c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff
            | 0xfff9..=0xfffb | 0xe0000..=0xe007f),
    }
}

/// Returns the text with characters escaped that a terminal would interpret or hide, as `\u202e`.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
    if text.bytes().all(is_plain) || !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        let mut units = [0; 2];
        match is_harmful(c) {
            true => c.encode_utf16(&mut units).iter().for_each(|unit| {
                let _ = write!(out, "\\u{unit:04x}");
            }),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::DiagnosticCode;
    use crate::source::Source;

    /// The diagnostic code of the rendered diagnostics.
    static CODE: DiagnosticCode = DiagnosticCode {
        slug: "test",
        summary: "Something is wrong",
        doc: "A test's.",
        may_be_new: false,
    };

    /// Returns the rendered diagnostic about the bytes from `start` to `end` of a text, without colours.
    fn drawn(text: &str, start: u32, end: u32) -> String {
        let mut sources = Sources::new();
        let file = sources.add(Source::new("main.tf", text));
        let place = Place::new(file, Span::new(start, end));
        render(&Diagnostic::error(&CODE, "Do this.").at(place), &sources, false)
    }

    #[test]
    fn a_place_in_a_block() {
        let text = "locals {\n\ta = nope(1)\n}\n";
        let expected = "Error: Something is wrong [test]\n\n  on main.tf line 2, in locals:\n    2: \ta = nope(1)\n       \t    \
                        ^^^^\n\nDo this.\n";
        assert_eq!(drawn(text, 14, 18), expected);
    }

    #[test]
    fn the_end_of_a_line_and_of_the_text() {
        assert!(drawn("a = 1 +\nb = 2", 7, 8).contains("1: a = 1 +\n              ^\n"));
        assert!(drawn("a = 1 +", 7, 7).contains("1: a = 1 +\n              ^\n"));
        assert!(drawn("", 0, 0).contains("1: \n       ^\n"));
    }

    #[test]
    fn wide_and_harmful_characters() {
        assert!(
            drawn("日本 = \u{1b}x", 9, 11).contains("1: 日本 = \\u001bx\n              ^^^^^^^\n")
        );
    }

    #[test]
    fn long_lines_and_long_places() {
        let text = format!("{} here {}", "x".repeat(500), "y".repeat(500));
        let shown = drawn(&text, 501, 505);
        assert!(shown.lines().all(|line| line.chars().count() < 180), "{shown}");
        assert!(shown.contains(&format!("{}^^^^", " ".repeat(60))), "{shown}");
        assert!(drawn("a\nb\nc\nd\ne\nf\n", 0, 12).contains("4: d\n       ^\n       …\n"));
    }
}
