//! Parsed texts, with the lines, whitespace and commas around an edit.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use groma_format::{OlderForms, format};
use groma_syntax::{
    Body, BodyItem, Diagnostic, FileId, JsonParse, Parse, TokenKind, parse_file, parse_json,
};

use crate::index::TextIndex;
use crate::json::DocumentStyle;

#[cfg(test)]
thread_local! {
    /// The number of bytes parsed on this thread, for tests.
    pub(crate) static READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A text with its syntax tree or JSON document, and the indices by which paths are searched in it.
pub(crate) struct ParsedText {
    /// The text.
    pub(crate) text: Arc<str>,
    /// The syntax tree; empty for a text in JSON syntax.
    pub(crate) parse: Parse,
    /// The JSON document; `None` for a text in native syntax.
    pub(crate) json: Option<JsonParse>,
    /// The index for searching paths in the text.
    pub(crate) index: TextIndex,
    /// The line ending that the text uses.
    line_end: &'static str,
    /// The layout of a JSON document, once it is detected.
    style: OnceCell<Rc<DocumentStyle>>,
}

impl ParsedText {
    /// Parses a text in native syntax.
    pub(crate) fn of(text: impl Into<Arc<str>>) -> ParsedText {
        ParsedText::new(text.into(), None)
    }

    /// Completes a parsed text from its JSON document, or by parsing it in native syntax if `json` is `None`.
    fn new(text: Arc<str>, json: Option<JsonParse>) -> ParsedText {
        #[cfg(test)]
        READ.set(READ.get() + text.len());
        let native = if json.is_some() { Arc::from("") } else { text.clone() };
        let parse = parse_file(&native, FileId(0));
        let line_end = match text.find('\n') {
            Some(at) if text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        ParsedText {
            text,
            parse,
            json,
            index: TextIndex::default(),
            line_end,
            style: OnceCell::new(),
        }
    }

    /// Parses a text in the syntax that its file name implies.
    pub(crate) fn named(name: &str, text: impl Into<Arc<str>>) -> ParsedText {
        if !name.ends_with(".json") {
            return ParsedText::of(text);
        }
        let text = text.into();
        let json = parse_json(&text, FileId(0));
        ParsedText::new(text, Some(json))
    }

    /// Parses another text, such as a new version or an excerpt of this one, keeping this text's line ending and JSON layout.
    pub(crate) fn with(&self, name: &str, text: impl Into<Arc<str>>) -> ParsedText {
        let style = match &self.json {
            Some(_) => OnceCell::from(self.style()),
            None => OnceCell::new(),
        };
        ParsedText { line_end: self.line_end, style, ..ParsedText::named(name, text) }
    }

    /// Returns the layout of a JSON document, detected on first use.
    pub(crate) fn style(&self) -> Rc<DocumentStyle> {
        self.style.get_or_init(|| Rc::new(DocumentStyle::of(self))).clone()
    }

    /// Returns the syntax errors of the text.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        match &self.json {
            Some(json) => &json.diagnostics,
            None => &self.parse.diagnostics,
        }
    }

    /// Returns the line ending that the text uses: `\n` or `\r\n`.
    pub(crate) fn line_end(&self) -> &'static str {
        self.line_end
    }

    /// Returns the offset of the start of the line that contains an offset.
    pub(crate) fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// Returns the offset of the end of the line that contains an offset, before its line ending. A token that ends with a line
    /// ending, such as a heredoc, ends its line.
    pub(crate) fn line_stop(&self, at: usize) -> usize {
        if at > 0 && self.text[..at].ends_with('\n') {
            return at - if self.text[..at].ends_with("\r\n") { 2 } else { 1 };
        }
        let end = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end);
        if self.text[at..end].ends_with('\r') { end - 1 } else { end }
    }

    /// Returns the offset of the start of the line after the one that contains an offset; the end of the text after the last
    /// line.
    pub(crate) fn next_line(&self, at: usize) -> usize {
        if at > 0 && self.text[..at].ends_with('\n') {
            return at;
        }
        self.text[at..].find('\n').map_or(self.text.len(), |end| at + end + 1)
    }

    /// Returns the indentation of the line that contains an offset.
    pub(crate) fn indent(&self, at: usize) -> &str {
        let line = &self.text[self.line_start(at)..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Returns true if only whitespace precedes an offset on its line.
    pub(crate) fn begins_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches(|c: char| c.is_whitespace() && c != '\n');
        before.is_empty() || before.ends_with('\n')
    }

    /// Returns true if only whitespace and a comment to the end of the line follow an offset.
    pub(crate) fn ends_line(&self, at: usize) -> bool {
        if at > 0 && self.text[..at].ends_with('\n') {
            return true;
        }
        let stop = self.line_stop(at);
        let first = self.token_from(at);
        let tokens = self.parse.tree.tokens().from(first);
        let on_line = tokens.iter().take_while(|token| (token.span().start as usize) < stop);
        on_line.into_iter().all(|token| {
            token.kind() == TokenKind::Newline
                || token.kind() == TokenKind::Comment && token.span().end as usize <= stop
        })
    }

    /// Returns the index of the first token that starts at an offset or later.
    pub(crate) fn token_from(&self, at: usize) -> usize {
        self.parse.tree.tokens().partition_point(|token| (token.span().start as usize) < at)
    }

    /// Returns the offset of the comma after an offset; `None` if a token other than a comment or a line end comes first.
    pub(crate) fn comma_after(&self, at: usize) -> Option<usize> {
        let mut tokens = self.parse.tree.tokens().from(self.token_from(at)).iter();
        let next = tokens
            .find(|token| !matches!(token.kind(), TokenKind::Comment | TokenKind::Newline))?;
        (next.kind() == TokenKind::Comma).then(|| next.span().start as usize)
    }

    /// Returns the offset of the start of the line after the line that starts at an offset.
    pub(crate) fn line_below(&self, start: usize) -> usize {
        self.text[start..].find('\n').map_or(self.text.len(), |end| start + end + 1)
    }

    /// Returns the offset before the line ending that directly precedes an offset; the offset itself if none does.
    pub(crate) fn before_line_end(&self, at: usize) -> usize {
        let before = &self.text[..at];
        before.strip_suffix("\r\n").or(before.strip_suffix('\n')).unwrap_or(before).len()
    }

    /// Returns true if the line that starts at an offset exists and is empty.
    pub(crate) fn is_empty_line(&self, start: usize) -> bool {
        let below = self.line_below(start);
        self.text[start..below].ends_with('\n') && self.text[start..below].trim().is_empty()
    }
}

/// A replacement of a range of bytes in a text.
#[derive(Clone, Debug)]
pub struct Splice {
    /// The range of bytes to replace.
    pub range: Range<usize>,
    /// The new text.
    pub text: String,
}

/// Returns the only argument or block of a text; `None` if there are several items or syntax errors.
pub(crate) fn only_item(text: &ParsedText) -> Option<BodyItem> {
    let mut items = Body::of(&text.parse).items();
    (text.parse.diagnostics.is_empty() && items.len() == 1).then(|| items.remove(0))
}

/// Returns the treatment of legacy syntax when a file with this name is formatted.
pub(crate) fn forms(name: &str) -> OlderForms {
    match name.ends_with(".pkr.hcl") || name.ends_with(".pkrvars.hcl") {
        true => OlderForms::Kept,
        false => OlderForms::New,
    }
}

/// Returns true if a text in native syntax has no syntax errors and has the formatter's layout.
pub(crate) fn is_formatted(text: &ParsedText, name: &str) -> bool {
    text.json.is_none()
        && text.parse.diagnostics.is_empty()
        && matches!(format(&text.parse, forms(name)), Ok(None))
}

/// Returns code with the line endings `line_end`, in which all lines but the first are indented by `indent`. Code with a
/// heredoc or another string of several lines is not indented.
pub(crate) fn shifted(code: &str, indent: &str, line_end: &str) -> String {
    let code = code.replace("\r\n", "\n");
    let parse = parse_file(&format!("x = {code}\n").into(), FileId(0));
    let is_fixed = parse.tree.tokens().iter().any(|token| {
        let written = token.span().of(parse.tree.text());
        token.kind() == TokenKind::HeredocOpen
            || token.kind() == TokenKind::Literal && written.contains('\n')
    });
    let separator = if is_fixed { line_end.to_owned() } else { format!("{line_end}{indent}") };
    code.replace('\n', &separator)
}
