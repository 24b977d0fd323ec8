//! Formatted text for hovers and documentation, which a client shows as Markdown or plain text.

/// A formatted text: paragraphs, code blocks and lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RichText {
    /// The blocks, from top to bottom.
    pub blocks: Vec<TextBlock>,
}

/// A block of formatted text: code, a paragraph, a list or a horizontal rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextBlock {
    /// A code block.
    Code {
        /// The language, such as `terraform`; empty for none.
        language: &'static str,
        /// The code, without a final newline.
        text: String,
    },
    /// A paragraph in Markdown, without tables.
    Text(String),
    /// List items, each in Markdown.
    List(Vec<String>),
    /// A horizontal rule.
    Rule,
}

impl RichText {
    /// Creates a formatted text without blocks.
    pub fn new() -> RichText {
        RichText::default()
    }

    /// Appends a code block to the formatted text.
    pub(crate) fn code(&mut self, language: &'static str, text: impl Into<String>) {
        self.blocks.push(TextBlock::Code { language, text: text.into() });
    }

    /// Appends a paragraph of Markdown to the formatted text.
    pub(crate) fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(TextBlock::Text(text.into()));
    }

    /// Appends a list of Markdown items to the formatted text, unless it is empty.
    pub(crate) fn list(&mut self, points: Vec<String>) {
        if !points.is_empty() {
            self.blocks.push(TextBlock::List(points));
        }
    }

    /// Appends a manual page, without its title, to the formatted text.
    pub(crate) fn page(&mut self, page: &str) {
        let below = page.strip_prefix("# ").and_then(|rest| rest.split_once('\n'));
        let mut rest = below.map_or(page, |(_, below)| below);
        while let Some(at) = rest.find("```") {
            self.paragraphs(&rest[..at]);
            let fenced = &rest[at + 3..];
            let (_, code) = fenced.split_once('\n').unwrap_or(("", ""));
            let (code, behind) = code.split_once("\n```").unwrap_or((code, ""));
            self.code("text", code);
            rest = behind;
        }
        self.paragraphs(rest);
    }

    /// Appends the paragraphs and headings of a part of a manual page without code blocks.
    fn paragraphs(&mut self, text: &str) {
        for one in text.split("\n\n").map(str::trim).filter(|one| !one.is_empty()) {
            match one.trim_start_matches('#') {
                words if words.len() < one.len() => self.text(format!("**{}**", words.trim())),
                _ => self.text(one),
            }
        }
    }

    /// Appends a horizontal rule to the formatted text, unless that is empty.
    pub(crate) fn rule(&mut self) {
        if !self.blocks.is_empty() {
            self.blocks.push(TextBlock::Rule);
        }
    }

    /// Returns true if the text has no blocks.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Returns the text as Markdown. Code fences are longer than any in the code, so that no value can end them.
    pub fn markdown(&self) -> String {
        let block = |one: &TextBlock| match one {
            TextBlock::Code { language, text } => {
                let fence = "`".repeat(longest_run(text).max(2) + 1);
                format!("{fence}{language}\n{text}\n{fence}")
            }
            TextBlock::Text(text) => text.clone(),
            TextBlock::List(points) => {
                let points: Vec<String> = points.iter().map(|one| format!("- {one}")).collect();
                points.join("\n")
            }
            TextBlock::Rule => "---".to_owned(),
        };
        self.blocks.iter().map(block).collect::<Vec<_>>().join("\n\n")
    }

    /// Returns the text without Markdown formatting and tables.
    pub fn plain(&self) -> String {
        let block = |one: &TextBlock| match one {
            TextBlock::Code { text, .. } => text.clone(),
            TextBlock::Text(text) => without_marks(&without_tables(text)),
            TextBlock::List(points) => {
                let points = points.iter().map(|one| format!("- {}", without_marks(one)));
                points.collect::<Vec<_>>().join("\n")
            }
            TextBlock::Rule => String::new(),
        };
        let shown = self.blocks.iter().filter(|one| **one != TextBlock::Rule);
        shown.map(block).collect::<Vec<_>>().join("\n\n")
    }
}

/// Returns a Markdown code span of a text, with enough backticks around it.
pub(crate) fn code_span(text: &str) -> String {
    let marks = "`".repeat(longest_run(text) + 1);
    let room = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{marks}{room}{text}{room}{marks}")
}

/// Returns the length of the longest run of backticks in a text.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Converts Markdown tables to lists: one item per row, with the first cell in front. Column titles are dropped.
fn without_tables(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    // The number of lines of the table so far; the first two are its header.
    let mut row = 0;
    for line in text.lines() {
        let Some(inner) = line.trim().strip_prefix('|') else {
            row = 0;
            lines.push(line.to_owned());
            continue;
        };
        row += 1;
        if row <= 2 {
            continue;
        }
        let inner = inner.strip_suffix('|').unwrap_or(inner).replace("\\|", "\u{0}");
        let cells = inner.split('|').map(|cell| cell.trim().replace('\u{0}', "|"));
        let mut cells = cells.filter(|cell| !cell.is_empty());
        let first = cells.next().unwrap_or_default();
        let rest = cells.collect::<Vec<_>>().join("; ");
        lines.push(match rest.is_empty() {
            true => format!("- {first}"),
            false => format!("- {first}: {rest}"),
        });
    }
    lines.join("\n")
}

/// Returns Markdown without backticks, emphasis and link targets.
fn without_marks(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '[']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let Some(link) = from.strip_prefix('[') else {
            out.push_str(if from.starts_with("* ") { "*" } else { "" });
            rest = &from[1..];
            continue;
        };
        rest = link;
        match link.split_once("](") {
            Some((words, behind)) if !words.contains(['[', '\n']) && behind.contains(')') => {
                out.push_str(words);
                rest = behind.split_once(')').map_or("", |(_, rest)| rest);
            }
            _ => out.push('['),
        }
    }
    out.push_str(rest);
    out
}
