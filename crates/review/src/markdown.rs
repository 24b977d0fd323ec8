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
use crate::text::{action_phrase, label, summary};

/// Maximum number of bytes of a pull request comment, with a reserve for a heading above it; what does not fit is omitted and
/// counted.
pub(crate) const MAX_BYTES: usize = 60_000;
/// Maximum number of bytes for the section of outputs in a pull request comment.
const MAX_OUTPUT_BYTES: usize = 8_000;
/// Maximum number of bytes for the section of a pull request comment about changes outside of resource bodies.
const MAX_OUTSIDE_BYTES: usize = 12_000;
/// Maximum number of bytes for the section about one object in a pull request comment.
const MAX_OBJECT_BYTES: usize = 16_000;
/// Number of bytes of a pull request comment reserved for the line that counts the objects without a section.
const RESERVED_BYTES: usize = 100;
/// Maximum number of characters of a sentence in a pull request comment; longer ones are cut.
const MAX_SENTENCE: usize = 1_000;

impl Review {
    /// Writes the review as Markdown: the counts, then a section for each object as far as there is space.
    ///
    /// # Errors
    /// The sink's error.
    pub fn write_markdown(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        sink.put(TextStyle::Plain, &self.composed(MAX_BYTES)?)
    }

    /// Returns the review as Markdown of at most `longest` bytes, in which sections of objects that do not fit are omitted and
    /// counted; all other sections are kept, even if they are longer.
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
        if !self.outside.is_empty() {
            let mut lines = FenceLines::up_to(MAX_OUTSIDE_BYTES.min(longest / 4));
            self.put_outside(&mut lines)?;
            let title = plural(self.outside.len(), "change");
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
        let shown = self.command_sentence();
        let room = longest.saturating_sub(foot.len() + RESERVED_BYTES + shown.len());
        let mut space = CommentSpace { out: &mut out, room, omitted: 0, is_shortened: false };
        self.fold_objects(&mut space)?;
        let CommentSpace { omitted, is_shortened, .. } = space;
        if omitted > 0 {
            let more = plural(omitted, "more object");
            write!(out, "\n*Truncated to fit into a comment: {more}.{shown}*\n")?;
        } else if (is_cut || is_shortened) && !shown.is_empty() {
            write!(out, "\n*Some lines were left out to fit into a comment.{shown}*\n")?;
        }
        out.push_str(&foot);
        Ok(out)
    }

    /// Returns the sentence that names the command which shows the whole review; empty if none is known.
    pub(crate) fn command_sentence(&self) -> String {
        let command = self.command.as_ref().map(|command| code(&clipped(command)));
        command.map(|command| format!(" {command} shows all of it.")).unwrap_or_default()
    }

    /// Writes the changed objects that fit into the pull request comment: certain changes first, then possible ones.
    fn fold_objects(&self, space: &mut CommentSpace<'_>) -> fmt::Result {
        self.fold_certain(space)?;
        for (address, phrase) in self.drifted() {
            space.line(&format!("{}{phrase} outside of the plan", code(address)));
        }
        for group in &self.possible {
            space.section(group.count(), |lines| {
                self.write_group(group, lines)?;
                Ok(escaped(&title(group)))
            })?;
        }
        for one in &self.invoked {
            space.line(&format!(
                "{} will be invoked ({}, by {})",
                code(&one.address),
                one.event,
                code(&one.triggered_by)
            ));
        }
        for one in &self.remarks {
            space.line(&format!("{} {}", code(&one.address), escaped(&one.text)));
        }
        self.fold_uncounted(space)
    }

    /// Writes the changes of instances that are certain, not only possible, each as a collapsible section.
    fn fold_certain(&self, space: &mut CommentSpace<'_>) -> fmt::Result {
        let defaults = ProviderDefaults::of(&self.after);
        for item in self.certain() {
            space.section(1, |lines| {
                self.put_item(item, &defaults, lines)?;
                let (before, alert, after) = action_phrase(item);
                Ok(match &item.previous {
                    Some(from) if item.action == crate::Action::NoOp => {
                        format!("{} has moved to {}", code(from), code(&label(item)))
                    }
                    _ => format!("{}{before}{alert}{after}", code(&label(item))),
                })
            })?;
        }
        Ok(())
    }

    /// Writes the declarations for which the number of instances, or the change, cannot be determined.
    fn fold_uncounted(&self, space: &mut CommentSpace<'_>) -> fmt::Result {
        for group in &self.uncounted {
            let count = group.declared.len();
            space.section(count, |lines| {
                for one in &group.declared {
                    lines.put(TextStyle::Plain, &harmless(&format!("? {}\n", one.address)))?;
                }
                let objects = plural(count, "object");
                Ok(escaped(&format!("{objects} cannot be determined, {}", group.reason())))
            })?;
        }
        let undecided = self.gaps.undecided.iter().filter(|_| self.uncounted.is_empty());
        for one in undecided {
            let address = code(&one.address.to_string());
            space.line(&format!("{address} is undecided: the number of instances is unknown"));
        }
        Ok(())
    }
}

/// The text of a pull request comment so far, its maximum length, and the number of objects that did not fit.
struct CommentSpace<'o> {
    out: &'o mut String,
    /// Maximum length of the comment so far.
    room: usize,
    /// The number of objects that did not fit.
    omitted: usize,
    /// True if lines of a written section are missing.
    is_shortened: bool,
}

impl CommentSpace<'_> {
    /// Writes a section about `count` objects, or counts them as omitted if it does not fit; `write` writes its lines and
    /// returns its HTML title, and is not called once an object was omitted, so that a huge plan costs no more.
    fn section(
        &mut self,
        count: usize,
        write: impl FnOnce(&mut FenceLines) -> Result<String, fmt::Error>,
    ) -> fmt::Result {
        if self.omitted > 0 {
            self.omitted += count;
            return Ok(());
        }
        let mut lines = FenceLines::up_to(MAX_OBJECT_BYTES);
        let title = write(&mut lines)?;
        let start = self.out.len();
        self.is_shortened |= fold(&title, lines, self.out);
        if self.out.len() > self.room {
            self.out.truncate(start);
            self.omitted += count;
        }
        Ok(())
    }

    /// Writes a line of HTML about one object, unless it does not fit.
    fn line(&mut self, html: &str) {
        if self.out.len() + html.len() + 8 <= self.room {
            self.out.push_str(&format!("\n<p>{html}</p>\n"));
        } else {
            self.omitted += 1;
        }
    }
}

/// Writes the numbers of changes as a Markdown table.
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
        ("cannot be determined", counts.unknown),
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

/// Returns a text as an HTML `code` element, in which nothing is a mention or a link.
fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// Returns a sentence, cut after `MAX_SENTENCE` characters.
fn clipped(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_SENTENCE) {
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
        None => Cow::Borrowed(text),
    }
}

/// Writes a collapsible section with an HTML title and the given lines; returns true if `lines` has omitted some.
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

/// A receiver of styled text that collects it as lines of a Markdown `diff` code block. The first character of such a line
/// marks an addition or removal, so the sign is moved there.
#[derive(Default)]
struct FenceLines {
    /// The complete lines.
    text: String,
    /// The current line.
    line: String,
    /// The sign of the current line.
    symbol: Option<char>,
    /// Maximum number of bytes of the lines.
    room: usize,
    /// The number of lines omitted because of the maximum length.
    cut: usize,
    /// The longest run of backticks so far.
    longest: usize,
}

impl FenceLines {
    /// Creates an empty collection of `diff` lines that keeps at most `room` bytes of them and counts the other lines.
    fn up_to(room: usize) -> FenceLines {
        FenceLines { room, ..FenceLines::default() }
    }

    /// Ends the current line: adds it to the section, or counts it as omitted if it does not fit.
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

    /// Checks that text from code cannot close the fence or the section that contains it.
    #[test]
    fn fences_and_folds_cannot_be_ended() {
        let mut lines = FenceLines::up_to(1000);
        lines.put(TextStyle::Plain, "    ````\n</details>\n").unwrap();
        let mut out = String::new();
        fold(&code("a[\"</code></summary>\"]"), lines, &mut out);
        assert!(out.contains("`````diff\n    ````\n</details>\n`````\n"), "{out}");
        assert!(out.contains("a[&quot;&lt;/code&gt;&lt;/summary&gt;&quot;]"), "{out}");
    }

    /// Checks that the sign of a line is moved to its start, and that lines without space are counted.
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
