//! JSON parser. It never fails: text that cannot be read is reported and becomes a missing value.

use std::sync::Arc;

use crate::codes;
use crate::diagnostic::{Diagnostic, DiagnosticCode};
use crate::json::{JsonDocument, JsonKind, JsonNode, JsonParse, string};
use crate::lex::DIAGNOSTIC_LIMIT;
use crate::parse::NESTING;
use crate::span::{FileId, Place, Span};
use crate::tree::TEXT_LIMIT;

/// The state of the JSON parser: its offset in the text, the nodes added so far, and the diagnostics.
struct JsonParser<'s> {
    text: &'s str,
    bytes: &'s [u8],
    file: FileId,
    at: usize,
    depth: u32,
    /// True if an error at the end of the text was reported: each open bracket would cause another.
    ended: bool,
    nodes: Vec<JsonNode>,
    diagnostics: Vec<Diagnostic>,
}

/// Parses a JSON text to a document of values with places, and reports its errors.
pub fn parse(text: &Arc<str>, file: FileId) -> JsonParse {
    let mut parser = JsonParser {
        text,
        bytes: text.as_bytes(),
        file,
        at: if text.starts_with('\u{feff}') { 3 } else { 0 },
        depth: 0,
        ended: false,
        nodes: Vec::new(),
        diagnostics: Vec::new(),
    };
    if text.len() > TEXT_LIMIT {
        let detail = format!("The text has {} bytes; at most {TEXT_LIMIT} are read.", text.len());
        parser.report(&codes::JSON_TOO_LONG, 0, 0, detail);
        parser.leaf(JsonKind::Missing, 0, 0);
    } else {
        parser.value();
        parser.blanks();
        if parser.at < parser.bytes.len() && parser.diagnostics.is_empty() {
            let end = parser.token_end(parser.at);
            let detail = "One JSON value makes a file. Remove what follows it.";
            parser.report(&codes::INVALID_JSON, parser.at, end, detail);
        }
    }
    let JsonParser { nodes, diagnostics, .. } = parser;
    let document = Arc::new(JsonDocument { text: Arc::clone(text), nodes: nodes.into() });
    JsonParse { document, diagnostics, file }
}

impl JsonParser<'_> {
    /// Reports an error, unless the maximum number is reached or an error at the end of the text was reported already.
    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        start: usize,
        end: usize,
        detail: impl Into<String>,
    ) {
        let ends = self.at >= self.bytes.len() || end >= self.bytes.len();
        if self.diagnostics.len() < DIAGNOSTIC_LIMIT && !(ends && self.ended) {
            self.ended |= ends;
            let place = Place::new(self.file, Span::new(start as u32, end as u32));
            self.diagnostics.push(Diagnostic::error(code, detail).at(place));
        }
    }

    /// Returns the byte of the text at offset `at`; 0 past the end.
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// Skips white space before the next token.
    fn blanks(&mut self) {
        while matches!(self.byte(self.at), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    /// Returns the end offset of the token at `at`, for error messages: of a word, a text in single quotes, or one character.
    fn token_end(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        if let Some(quoted) = rest.strip_prefix('\'') {
            let mut line = quoted.char_indices().take_while(|(_, c)| !matches!(c, '\n' | '"'));
            if let Some((length, _)) = line.find(|(_, c)| *c == '\'') {
                return at + length + 2;
            }
        }
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.');
        let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
        at + length.max(rest.chars().next().map_or(0, char::len_utf8))
    }

    /// Adds a node without children, of a kind and a source range, to the document.
    fn leaf(&mut self, kind: JsonKind, start: usize, end: usize) {
        let span = Span::new(start as u32, end as u32);
        self.nodes.push(JsonNode { kind, span, size: 1 });
    }

    /// Parses a JSON value to one node with its children.
    fn value(&mut self) {
        self.blanks();
        let start = self.at;
        match self.byte(start) {
            b'{' | b'[' if self.depth >= NESTING => self.too_deep(),
            b'{' => self.collection(JsonKind::Object),
            b'[' => self.collection(JsonKind::Array),
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            _ if start >= self.bytes.len() => {
                self.report(
                    &codes::UNCLOSED_JSON,
                    start,
                    start,
                    "The text ends where a value is expected.",
                );
                self.leaf(JsonKind::Missing, start, start);
            }
            _ => self.word(),
        }
    }

    /// Parses `null`, `true` or `false` to a node; reports any other word.
    fn word(&mut self) {
        let start = self.at;
        let end = self.token_end(start);
        let text = &self.text[start..end];
        let kind = match text {
            "null" => JsonKind::Null,
            "true" => JsonKind::True,
            "false" => JsonKind::False,
            _ => JsonKind::Missing,
        };
        if kind == JsonKind::Missing {
            let detail = match text.as_bytes().first() {
                Some(b'\'') => {
                    "Text in JSON stands in double quotes, not in single ones.".to_owned()
                }
                Some(b'/' | b'#') => {
                    "JSON has no comments. A property named `//` is ignored and may hold one."
                        .to_owned()
                }
                Some(b',' | b']' | b'}' | b':') => format!("A value is expected before `{text}`."),
                Some(b'.' | b'+') => "A number starts with a digit or `-`.".to_owned(),
                _ => format!(
                    "`{text}` is no value. Text stands in double quotes; the only words are null, true and false."
                ),
            };
            self.report(&codes::INVALID_JSON, start, end, detail);
            if matches!(self.byte(start), b',' | b']' | b'}' | b':') {
                return self.leaf(JsonKind::Missing, start, start);
            }
        }
        self.at = end;
        self.leaf(kind, start, end);
    }

    /// Parses a JSON number to a node; reports a malformed one.
    fn number(&mut self) {
        let start = self.at;
        let end = self.token_end(start);
        if !is_number(&self.bytes[start..end]) {
            let text = &self.text[start..end];
            let digits = text.trim_start_matches('-');
            let detail = if digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.")
            {
                format!("`{text}` is not a number: in JSON it may not start with a zero.")
            } else {
                format!("`{text}` is not a number.")
            };
            self.report(&codes::INVALID_JSON, start, end, detail);
            self.leaf(JsonKind::Missing, start, end);
        } else {
            self.leaf(JsonKind::Number, start, end);
        }
        self.at = end;
    }

    /// Parses a JSON string to a node; reports invalid escapes and control characters in it.
    fn string(&mut self) {
        let start = self.at;
        let mut at = start + 1;
        loop {
            match self.byte(at) {
                b'"' => break,
                b'\\' => {
                    let (length, found) = string::escape(&self.text[at..]);
                    if found.is_none() {
                        let escape = &self.text[at..at + length];
                        let detail = format!(
                            "JSON has no escape `{escape}`. There are \\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t and \\uNNNN."
                        );
                        self.report(&codes::INVALID_JSON, at, at + length, detail);
                    }
                    at += length;
                }
                b'\n' | b'\r' => return self.unclosed_string(start, at),
                0 if at >= self.bytes.len() => return self.unclosed_string(start, at),
                byte @ 0..0x20 => {
                    let detail = format!(
                        "A control character must be escaped in JSON: write `\\u{byte:04x}`."
                    );
                    self.report(&codes::INVALID_JSON, at, at + 1, detail);
                    at += 1;
                }
                _ => at += 1,
            }
        }
        self.leaf(JsonKind::String, start, at + 1);
        self.at = at + 1;
    }

    /// Reports a string without a closing quote, and adds it as a node that ends at `end`.
    fn unclosed_string(&mut self, start: usize, end: usize) {
        let detail = "The text that starts here is not closed on its line. Close it with `\"`; a line end is `\\n`.";
        self.report(&codes::UNCLOSED_JSON, start, end, detail);
        self.leaf(JsonKind::String, start, end);
        self.at = end;
    }

    /// Reports a value that exceeds the maximum nesting depth, and skips the rest of the text.
    fn too_deep(&mut self) {
        let start = self.at;
        let detail = format!("Nesting deeper than {NESTING} levels is not read.");
        self.report(&codes::JSON_TOO_DEEP, start, start + 1, detail);
        self.at = self.bytes.len();
        self.leaf(JsonKind::Missing, start, self.at);
    }

    /// Parses an array or an object, as `kind` says, to a node with its children.
    fn collection(&mut self, kind: JsonKind) {
        let (close, sign) = if kind == JsonKind::Object { (b'}', '}') } else { (b']', ']') };
        let start = self.at;
        let node = self.nodes.len();
        self.leaf(kind, start, start + 1);
        self.at += 1;
        self.depth += 1;
        loop {
            self.blanks();
            let at = self.at;
            if self.byte(at) == close {
                self.at += 1;
                break;
            }
            if at >= self.bytes.len() {
                let detail =
                    format!("What opens here is never closed. Write `{sign}` where it ends.");
                self.report(&codes::UNCLOSED_JSON, start, start + 1, detail);
                break;
            }
            if matches!(self.byte(at), b'}' | b']') {
                let found = self.byte(at) as char;
                let detail = format!("`{sign}` is expected here, not `{found}`.");
                self.report(&codes::INVALID_JSON, at, at + 1, detail);
                self.at += 1;
                break;
            }
            if kind == JsonKind::Object {
                self.property();
            } else {
                self.value();
            }
            self.separator(close, at);
        }
        self.depth -= 1;
        let size = (self.nodes.len() - node) as u32;
        self.nodes[node].size = size;
        self.nodes[node].span = Span::new(start as u32, self.at as u32);
    }

    /// Parses a property of an object to two nodes: its name, and its value after the colon.
    fn property(&mut self) {
        let start = self.at;
        if self.byte(start) == b'"' {
            self.string();
        } else {
            let end = self.token_end(start);
            let text = &self.text[start..end];
            let detail =
                format!("The name of a property stands in double quotes; `{text}` does not.");
            self.report(&codes::INVALID_JSON, start, end, detail);
            if matches!(self.byte(start), b',' | b':') {
                self.leaf(JsonKind::String, start, start);
            } else {
                self.leaf(JsonKind::String, start, end);
                self.at = end;
            }
        }
        self.blanks();
        if self.byte(self.at) == b':' {
            self.at += 1;
            return self.value();
        }
        let at = self.at;
        let end = if at < self.bytes.len() { self.token_end(at) } else { at };
        let detail = match self.byte(at) {
            b'=' => "Between name and value stands a colon, not `=`.",
            _ => "After the name of a property a colon and its value are expected.",
        };
        self.report(&codes::INVALID_JSON, at, end, detail);
        if self.byte(at) == b'=' {
            self.at += 1;
            return self.value();
        }
        self.leaf(JsonKind::Missing, at, at);
    }

    /// Parses the comma between two items of a collection that ends with the byte `close`; `before` is the offset at which the
    /// item before it began.
    fn separator(&mut self, close: u8, before: usize) {
        self.blanks();
        let at = self.at;
        let what = if close == b'}' { "properties" } else { "values" };
        match self.byte(at) {
            b',' => {
                self.at += 1;
                self.blanks();
                if self.byte(self.at) == close {
                    let detail = "Nothing may follow a comma but another item. Remove the comma.";
                    self.report(&codes::INVALID_JSON, at, at + 1, detail);
                }
            }
            b'}' | b']' => {}
            _ if at >= self.bytes.len() => {}
            b'"' | b'{' | b'[' => {
                let detail = format!("Between two {what} stands a comma. Write `,` before this.");
                self.report(&codes::INVALID_JSON, at, at + 1, detail);
            }
            _ => {
                let end = self.token_end(at);
                let detail =
                    format!("Between two {what} stands a comma, not `{}`.", &self.text[at..end]);
                self.report(&codes::INVALID_JSON, at, end, detail);
                self.at = if at == before { end.max(at + 1) } else { end };
            }
        }
    }
}

/// Returns true if the text is a valid JSON number.
fn is_number(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(text);
    if whole == 0 || whole > 1 && text[0] == b'0' {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let exponent =
            exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let count = digits(exponent);
        if count == 0 {
            return false;
        }
        rest = &exponent[count..];
    }
    rest.is_empty()
}
