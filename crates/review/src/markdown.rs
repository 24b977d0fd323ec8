//! A review as Markdown for a pull request comment: one collapsible section for each object, within the maximum length of a
//! comment. Text from code cannot close its fence or section.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use groma_syntax::render::harmless;
use groma_value::sentence::plural;

use crate::model::{ActionCounts, Review};
use crate::possible::title;
use crate::reasons::ProviderDefaults;
use crate::style::{StyledSink, TextStyle};
use crate::text::{deed, label, summary};

/// Maximum number of bytes of a comment, with a reserve for a heading above it.
pub(crate) const MAX_BYTES: usize = 60_000;
/// Maximum number of bytes for outputs.
const MAX_OUTPUT_BYTES: usize = 8_000;
/// Maximum number of bytes for changes outside of resource bodies.
const MAX_BESIDE_BYTES: usize = 12_000;
/// Maximum number of bytes for one object.
const MAX_OBJECT_BYTES: usize = 16_000;
/// Number of bytes reserved for the line that counts omitted objects.
const RESERVED_BYTES: usize = 100;
/// Maximum number of characters of a sentence.
const MAX_SENTENCE: usize = 1_000;

impl Review {
    /// Writes the review as Markdown: the counts, then a section for each object as far as there is space.
    ///
    /// # Errors
    /// The sink's error.
    pub fn write_markdown(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        sink.put(TextStyle::Plain, &self.composed(MAX_BYTES)?)
    }

    /// Returns the Markdown in at most `longest` bytes, if its required parts fit.
    pub(crate) fn composed(&self, longest: usize) -> Result<String, fmt::Error> {
        let mut out = String::new();
        if self.is_empty() && self.gaps.undecided.is_empty() {
            writeln!(out, "**{}**", self.nothing())?;
        } else {
            let counts = self.counts();
            writeln!(out, "**Plan: {}.**", summary(&counts))?;
            table(&counts, &mut out)?;
        }
        if self.is_partial {
            out.push_str("\nThe rest is undecided because of the errors.\n");
        }
        let mut foot = String::new();
        let mut is_cut = false;
        if !self.beside.is_empty() {
            let mut lines = FenceLines::up_to(MAX_BESIDE_BYTES.min(longest / 4));
            self.put_beside(&mut lines)?;
            let title = plural(self.beside.len(), "change");
            is_cut |= fold(&format!("{title} beside the resources"), lines, &mut foot);
        }
        if self.changed_outputs().next().is_some() {
            let mut lines = FenceLines::up_to(MAX_OUTPUT_BYTES.min(longest / 4));
            self.put_outputs(&mut lines)?;
            let title = plural(self.changed_outputs().count(), "output");
            is_cut |= fold(&format!("{title} to change"), lines, &mut foot);
        }
        for note in &self.notes {
            write!(foot, "\n{}\n", escaped(&clipped(note)))?;
        }
        if let Some(ignored) = self.ignored_line() {
            write!(foot, "\n{}\n", escaped(&clipped(&ignored)))?;
        }
        if let Some(missing) = self.missing() {
            write!(foot, "\n{missing}\n")?;
        }
        if let Some(mocks) = self.mocks() {
            write!(foot, "\n{mocks}\n")?;
        }
        let shown = self.shown_by();
        let room = longest.saturating_sub(foot.len() + RESERVED_BYTES + shown.len());
        let (cut, is_shortened) = self.objects(room, &mut out)?;
        if cut > 0 {
            let more = plural(cut, "more object");
            write!(out, "\n*Truncated to fit into a comment: {more}.{shown}*\n")?;
        } else if (is_cut || is_shortened) && !shown.is_empty() {
            write!(out, "\n*Some lines were left out to fit into a comment.{shown}*\n")?;
        }
        out.push_str(&foot);
        Ok(out)
    }

    /// Returns a sentence that names the command which shows the whole review; empty without a command.
    pub(crate) fn shown_by(&self) -> String {
        let command = self.command.as_ref().map(|command| code(&clipped(command)));
        command.map(|command| format!(" {command} shows all of it.")).unwrap_or_default()
    }

    /// Writes objects while there is space. Returns the number of omitted objects, and true if a written one is shortened.
    fn objects(&self, room: usize, out: &mut String) -> Result<(usize, bool), fmt::Error> {
        let defaults = ProviderDefaults::of(&self.after);
        let (mut cut, mut is_shortened) = (0, false);
        for item in self.certain() {
            // The rest is not rendered, so that a huge plan costs no more.
            if cut > 0 {
                cut += 1;
                continue;
            }
            let mut lines = FenceLines::up_to(MAX_OBJECT_BYTES);
            self.put_item(item, &defaults, &mut lines)?;
            let (before, alert, after) = deed(item);
            let title = match &item.previous {
                Some(from) if item.action == crate::Action::NoOp => {
                    format!("{} has moved to {}", code(from), code(&label(item)))
                }
                _ => format!("{}{before}{alert}{after}", code(&label(item))),
            };
            let start = out.len();
            is_shortened |= fold(&title, lines, out);
            if out.len() > room {
                out.truncate(start);
                cut += 1;
            }
        }
        for (address, fate) in self.drifted() {
            let title = format!("{}{fate} outside of the plan", code(address));
            cut += usize::from(!line(&title, room, out));
        }
        for group in &self.possible {
            if cut > 0 {
                cut += group.count();
                continue;
            }
            let mut lines = FenceLines::up_to(MAX_OBJECT_BYTES);
            self.write_group(group, &mut lines)?;
            let start = out.len();
            is_shortened |= fold(&escaped(&title(group)), lines, out);
            if out.len() > room {
                out.truncate(start);
                cut += group.count();
            }
        }
        for one in &self.invoked {
            let title = format!(
                "{} will be invoked ({}, by {})",
                code(&one.address),
                one.event,
                code(&one.triggered_by)
            );
            cut += usize::from(!line(&title, room, out));
        }
        for one in &self.remarks {
            let title = format!("{} {}", code(&one.address), escaped(&one.text));
            cut += usize::from(!line(&title, room, out));
        }
        for group in &self.uncounted {
            let count = group.declared.len();
            if cut > 0 {
                cut += count;
                continue;
            }
            let mut lines = FenceLines::up_to(MAX_OBJECT_BYTES);
            for one in &group.declared {
                lines.put(TextStyle::Plain, &harmless(&format!("? {}\n", one.address)))?;
            }
            let title =
                format!("{} cannot be determined, {}", plural(count, "object"), group.reason());
            let start = out.len();
            is_shortened |= fold(&escaped(&title), lines, out);
            if out.len() > room {
                out.truncate(start);
                cut += count;
            }
        }
        let undecided = self.gaps.undecided.iter().filter(|_| self.uncounted.is_empty());
        for one in undecided {
            let title =
                format!("{} is undecided: the number of instances is unknown", code(&one.address));
            cut += usize::from(!line(&title, room, out));
        }
        Ok((cut, is_shortened))
    }
}

/// Writes the table of counts.
fn table(counts: &ActionCounts, out: &mut String) -> fmt::Result {
    let made = counts.add - counts.replace;
    let gone = counts.destroy - (counts.replace - counts.forget_replaced);
    let rows = [
        ("import", counts.import),
        ("create", made),
        ("update", counts.change),
        ("replace", counts.replace),
        ("destroy", gone),
        ("forget", counts.forget - counts.forget_replaced),
        ("move", counts.moved),
        ("read", counts.read),
        ("outputs", counts.outputs),
        ("actions", counts.invoke),
        ("may change", counts.possible),
        ("cannot be determined", counts.untold),
    ];
    let mut rows = rows.into_iter().filter(|(_, count)| *count > 0).peekable();
    if rows.peek().is_some() {
        out.push_str("\n| | |\n|---|---:|\n");
    }
    rows.try_for_each(|(word, count)| writeln!(out, "| {word} | {count} |"))
}

/// Escapes a text for HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in harmless(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

/// Returns a text as HTML code, in which nothing is a mention or a link.
fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// Returns a sentence, cut at the maximum length.
fn clipped(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_SENTENCE) {
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
        None => Cow::Borrowed(text),
    }
}

/// Writes a collapsible section with an HTML title. Returns true if some of its lines were omitted.
fn fold(title: &str, lines: FenceLines, out: &mut String) -> bool {
    let FenceLines { mut text, cut, longest, .. } = lines;
    if cut > 0 {
        text.push_str(&format!("# ({})\n", plural(cut, "more line")));
    }
    // The fence has to be longer than any run of backticks inside.
    let fence = "`".repeat((longest + 1).max(3));
    out.push_str("\n<details><summary>");
    out.push_str(title);
    out.push_str("</summary>\n\n");
    out.push_str(&format!("{fence}diff\n{text}{fence}\n\n</details>\n"));
    cut > 0
}

/// Writes a line of HTML if there is space. Returns false otherwise.
fn line(html: &str, room: usize, out: &mut String) -> bool {
    let fits = out.len() + html.len() + 8 <= room;
    if fits {
        out.push_str(&format!("\n<p>{html}</p>\n"));
    }
    fits
}

/// Sink for lines of a `diff` fence, in which the first character of a line marks additions and removals, so the sign is moved
/// there.
#[derive(Default)]
struct FenceLines {
    text: String,
    /// The current line.
    line: String,
    /// The sign of the current line.
    symbol: Option<char>,
    room: usize,
    /// The number of lines omitted because of the maximum length.
    cut: usize,
    /// The longest run of backticks so far.
    longest: usize,
}

impl FenceLines {
    /// Creates a sink with a maximum number of bytes.
    fn up_to(room: usize) -> FenceLines {
        FenceLines { room, ..FenceLines::default() }
    }

    /// Ends the current line: adds it, or counts it as omitted.
    fn end(&mut self) {
        let line = std::mem::take(&mut self.line);
        let symbol = self.symbol.take();
        if self.cut > 0 || self.text.len() + line.len() > self.room {
            self.cut += 1;
            return;
        }
        let run = line.split(|character| character != '`').map(str::len).max();
        self.longest = self.longest.max(run.unwrap_or_default());
        match (symbol, line.strip_prefix(' ')) {
            (Some(symbol), Some(rest)) => {
                self.text.push(symbol);
                self.text.push_str(rest);
            }
            _ => self.text.push_str(&line),
        }
        self.text.push('\n');
    }
}

impl StyledSink for FenceLines {
    fn put(&mut self, style: TextStyle, text: &str) -> fmt::Result {
        let symbol = match style {
            TextStyle::Added => Some('+'),
            TextStyle::Removed => Some('-'),
            TextStyle::Changed => Some('!'),
            _ => None,
        };
        let is_at_start = !self.line.is_empty() && self.line.bytes().all(|byte| byte == b' ');
        if let Some(symbol) = symbol.filter(|_| is_at_start && text.len() == 1) {
            self.symbol = Some(symbol);
            self.line.push(' ');
            return Ok(());
        }
        let mut parts = text.split('\n');
        self.line.push_str(parts.next().unwrap_or_default());
        for part in parts {
            self.end();
            // The content of an omitted line is not needed.
            if self.cut == 0 || part.is_empty() {
                self.line.push_str(part);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_folds_cannot_be_ended() {
        let mut lines = FenceLines::up_to(1000);
        lines.put(TextStyle::Plain, "    ````\n</details>\n").unwrap();
        let mut out = String::new();
        fold(&code("a[\"</code></summary>\"]"), lines, &mut out);
        assert!(out.contains("`````diff\n    ````\n</details>\n`````\n"), "{out}");
        assert!(out.contains("a[&quot;&lt;/code&gt;&lt;/summary&gt;&quot;]"), "{out}");
    }

    #[test]
    fn symbols_stand_at_the_start_and_the_rest_is_counted() {
        let mut lines = FenceLines::up_to(20);
        lines.put(TextStyle::Plain, "      ").unwrap();
        lines.put(TextStyle::Added, "+").unwrap();
        lines.put(TextStyle::Plain, " a = 1\n").unwrap();
        lines.put(TextStyle::Plain, "        much too long for this\nand more\n").unwrap();
        assert_eq!((lines.text.as_str(), lines.cut), ("+       a = 1\n", 2));
    }
}
