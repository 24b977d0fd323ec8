//! Writing of JSON text: brackets, commas and whitespace are written here only. The text is on one line or on several, and may
//! be passed on to a receiver while more of it is written. A reader in the same process may have tokens in place of text.

use std::fmt::{self, Write as _};

use super::tokens;

/// The number of bytes that a [`JsonText`] buffers before it passes them on to its receiver.
const FLUSH_SIZE: usize = 1 << 16;

/// The layout of a JSON document: text, compact on one line or indented on several, or tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonLayout {
    /// A single line without spaces.
    Compact,
    /// Several lines, indented by two spaces a level.
    Pretty,
    /// No text, but tokens that [`JsonTokens`](super::JsonTokens) reads.
    Tokens,
}

/// A writer of one JSON text, kept in memory or passed on to a receiver in pieces. Text is passed on between the items of arrays
/// and the properties of objects.
pub struct JsonText<'w> {
    buffer: String,
    layout: JsonLayout,
    /// The number of open brackets.
    depth: usize,
    /// True if nothing follows the opening bracket written last.
    is_fresh: bool,
    /// The number of unfinished properties that may still be removed, during which nothing is passed on.
    held: usize,
    receiver: Option<&'w mut dyn fmt::Write>,
    outcome: fmt::Result,
}

impl<'w> JsonText<'w> {
    /// Creates a writer whose JSON text is kept in memory.
    pub fn new(layout: JsonLayout) -> JsonText<'w> {
        JsonText {
            buffer: String::new(),
            layout,
            depth: 0,
            is_fresh: false,
            held: 0,
            receiver: None,
            outcome: Ok(()),
        }
    }

    /// Creates a writer that passes its JSON text on in pieces to `receiver`, which may refuse it.
    pub fn to(receiver: &'w mut dyn fmt::Write, layout: JsonLayout) -> JsonText<'w> {
        JsonText { receiver: Some(receiver), ..JsonText::new(layout) }
    }

    /// Appends a whole value as raw JSON: a number, `true`, `null`. Arrays and objects are written with [`JsonObject`] and
    /// [`array()`], which apply the layout.
    pub fn push_str(&mut self, json: &str) {
        match self.layout {
            JsonLayout::Tokens => tokens::push(tokens::RAW, json, &mut self.buffer),
            JsonLayout::Compact | JsonLayout::Pretty => self.buffer.push_str(json),
        }
    }

    /// Writes a JSON string with its quotes, escaping only what JSON requires.
    pub fn string(&mut self, text: &str) {
        self.write_string(text, false);
    }

    /// Writes a string as `jsonencode` does, which also escapes `<`, `>`, `&` and the Unicode line separators.
    pub(super) fn careful_string(&mut self, text: &str) {
        self.write_string(text, true);
    }

    /// Writes a string; with `is_careful`, escapes as `jsonencode` does.
    fn write_string(&mut self, text: &str, is_careful: bool) {
        match self.layout {
            JsonLayout::Tokens => tokens::push(tokens::STRING, text, &mut self.buffer),
            JsonLayout::Compact | JsonLayout::Pretty => {
                write_text(text, &mut self.buffer, is_careful);
            }
        }
    }

    /// Writes an opening bracket, which is also its token, and enters a nesting level.
    fn open(&mut self, bracket: char) {
        self.buffer.push(bracket);
        self.depth += 1;
        self.is_fresh = true;
    }

    /// Opens an object, for writers that nest too deeply to keep a [`JsonObject`] for each level.
    pub fn open_object(&mut self) {
        self.open(tokens::OPEN_OBJECT);
    }

    /// Writes the name of a property in the open object; its value must follow.
    pub fn name(&mut self, name: &str) {
        self.name_by(name, JsonText::string);
    }

    /// Writes a property name with the function `write`, and the colon after it.
    fn name_by(&mut self, name: &str, write: impl FnOnce(&mut JsonText<'w>, &str)) {
        self.part();
        let colon = match self.layout {
            JsonLayout::Tokens => return tokens::push(tokens::NAME, name, &mut self.buffer),
            JsonLayout::Compact => ":",
            JsonLayout::Pretty => ": ",
        };
        write(self, name);
        self.buffer.push_str(colon);
    }

    /// Opens an array, for writers that nest too deeply for [`array()`].
    pub fn open_array(&mut self) {
        self.open(tokens::OPEN_ARRAY);
    }

    /// Begins an item of the open array: writes the comma and the line break before it.
    pub fn item(&mut self) {
        self.part();
    }

    /// Writes the closing bracket of the innermost open array.
    pub fn close_array(&mut self) {
        self.close(tokens::CLOSE_ARRAY);
    }

    /// Writes the closing brace of the innermost open object.
    pub fn close_object(&mut self) {
        self.close(tokens::CLOSE_OBJECT);
    }

    /// Begins the next item of the innermost open array, or property of the object: writes the comma and the line break before
    /// it.
    #[inline]
    fn part(&mut self) {
        if !std::mem::take(&mut self.is_fresh) && self.layout != JsonLayout::Tokens {
            self.buffer.push(',');
        }
        if self.layout == JsonLayout::Pretty {
            self.new_line();
        }
        if self.buffer.len() >= FLUSH_SIZE && self.held == 0 {
            self.flush();
        }
    }

    /// Ends the innermost array or object with the closing bracket `bracket`.
    fn close(&mut self, bracket: char) {
        self.depth = self.depth.saturating_sub(1);
        if !std::mem::take(&mut self.is_fresh) && self.layout == JsonLayout::Pretty {
            self.new_line();
        }
        self.buffer.push(bracket);
    }

    /// Begins a new line, indented by the number of open brackets.
    fn new_line(&mut self) {
        self.buffer.push('\n');
        self.buffer.extend(std::iter::repeat_n("  ", self.depth));
    }

    /// Passes the buffered JSON text on to the writer's receiver, unless that has refused text, and empties the buffer; does
    /// nothing if the text is kept in memory.
    fn flush(&mut self) {
        if let Some(receiver) = &mut self.receiver {
            if self.outcome.is_ok() {
                self.outcome = receiver.write_str(&self.buffer);
            }
            self.buffer.clear();
        }
    }

    /// Returns true if the receiver to which the JSON text is passed on refused some of it, so that writing may stop.
    pub fn is_over(&self) -> bool {
        self.outcome.is_err()
    }

    /// Returns the whole JSON text that a writer without receiver has kept.
    pub fn into_string(self) -> String {
        self.buffer
    }

    /// Passes the JSON text that is still buffered on to the writer's receiver.
    ///
    /// # Errors
    /// If the receiver refused text.
    pub fn finish(mut self) -> fmt::Result {
        self.flush();
        self.outcome
    }
}

/// A JSON object that is being written, to which properties are added.
pub struct JsonObject<'o, 'w> {
    out: &'o mut JsonText<'w>,
}

impl<'o, 'w> JsonObject<'o, 'w> {
    /// Writes the opening brace of an object, to which properties are then added.
    pub fn open(out: &'o mut JsonText<'w>) -> JsonObject<'o, 'w> {
        out.open_object();
        JsonObject { out }
    }

    /// Writes a property name and returns the writer for its value, which must follow.
    pub fn key(&mut self, name: &str) -> &mut JsonText<'w> {
        self.key_by(name, JsonText::string)
    }

    /// Writes a property name with the function `write`, and returns the writer for its value.
    pub(super) fn key_by(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut JsonText<'w>, &str),
    ) -> &mut JsonText<'w> {
        self.out.name_by(name, write);
        self.out
    }

    /// Writes a property whose value is written by `write`, and removes the property if that returns false.
    pub fn key_if(&mut self, name: &str, write: impl FnOnce(&mut JsonText<'w>) -> bool) {
        let (start, was_fresh) = (self.out.buffer.len(), self.out.is_fresh);
        self.out.held += 1;
        let is_kept = write(self.key(name));
        self.out.held -= 1;
        if !is_kept {
            self.out.buffer.truncate(start);
            self.out.is_fresh = was_fresh;
        }
    }

    /// Writes a property whose value is a string.
    pub fn text(&mut self, name: &str, text: &str) {
        self.key(name).string(text);
    }

    /// Writes a property whose value is the JSON text `json` as it stands: a number, `true`, `null` ([`JsonText::push_str`]).
    pub fn raw(&mut self, name: &str, json: &str) {
        self.key(name).push_str(json);
    }

    /// Writes a property whose value is a boolean.
    pub fn flag(&mut self, name: &str, flag: bool) {
        self.raw(name, if flag { "true" } else { "false" });
    }

    /// Writes a property whose value is a whole number.
    pub fn number(&mut self, name: &str, number: impl fmt::Display) {
        self.raw(name, &number.to_string());
    }

    /// Writes a property name and opens an object as its value.
    pub fn object(&mut self, name: &str) -> JsonObject<'_, 'w> {
        JsonObject::open(self.key(name))
    }

    /// Returns true if the receiver to which the JSON text is passed on refused some of it, so that writing may stop.
    pub fn is_over(&self) -> bool {
        self.out.is_over()
    }

    /// Writes the closing brace of the object.
    pub fn close(self) {
        self.out.close_object();
    }
}

/// Writes an array, each item with the function `write`; ends early if the receiver to which `out` passes its text on refuses
/// some.
pub fn array<'w, T>(
    items: impl IntoIterator<Item = T>,
    out: &mut JsonText<'w>,
    mut write: impl FnMut(T, &mut JsonText<'w>),
) {
    out.open_array();
    for item in items {
        if out.is_over() {
            break;
        }
        out.item();
        write(item, out);
    }
    out.close_array();
}

/// Writes strings as a JSON array.
pub fn texts<T: AsRef<str>>(items: impl IntoIterator<Item = T>, out: &mut JsonText<'_>) {
    array(items, out, |item, out| out.string(item.as_ref()));
}

/// Returns a text as a JSON string with its quotes, escaping only what JSON requires.
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_text(text, &mut out, false);
    out
}

/// Writes a JSON string; with `is_careful`, also escapes `<`, `>`, `&` and the Unicode line separators.
fn write_text(text: &str, out: &mut String, is_careful: bool) {
    let special = |c: char| match c {
        '"' | '\\' | '\0'..='\x1f' => true,
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => is_careful,
        _ => false,
    };
    out.push('"');
    // Most texts need no escapes, and bytes are searched faster than characters.
    let may_be_special = |byte: &u8| match byte {
        b'"' | b'\\' | 0..=0x1f => true,
        b'<' | b'>' | b'&' | 0xe2 => is_careful,
        _ => false,
    };
    let mut rest = text;
    if !text.as_bytes().iter().any(may_be_special) {
        out.push_str(text);
        out.push('"');
        return;
    }
    while let Some(at) = rest.find(special) {
        out.push_str(&rest[..at]);
        let mut chars = rest[at..].chars();
        match chars.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some('\x08') => out.push_str("\\b"),
            Some('\x0c') => out.push_str("\\f"),
            Some(c) => {
                let written = write!(out, "\\u{:04x}", u32::from(c));
                debug_assert!(written.is_ok());
            }
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::{JsonToken, JsonTokens};
    use super::{JsonLayout, JsonObject, JsonText, array, string, texts};

    /// Returns a document with every kind of part, in a layout.
    fn document(layout: JsonLayout) -> String {
        let mut out = JsonText::new(layout);
        let mut top = JsonObject::open(&mut out);
        top.key_if("gone", |out| {
            out.push_str("[");
            false
        });
        array(["1.10", "-0"], top.key("a\n"), |item, out| out.push_str(item));
        top.object("b").close();
        texts([""; 0], top.key("c"));
        let mut inner = top.object("d");
        inner.text("e", "x\"{,");
        inner.close();
        top.close();
        out.into_string()
    }

    /// Tests the compact and the indented text of one document.
    #[test]
    fn one_document_has_two_layouts() {
        let compact = r#"{"a\n":[1.10,-0],"b":{},"c":[],"d":{"e":"x\"{,"}}"#;
        assert_eq!(document(JsonLayout::Compact), compact);
        let pretty = "{\n  \"a\\n\": [\n    1.10,\n    -0\n  ],\n  \"b\": {},\n  \"c\": [],\n  \"d\": {\n    \"e\": \"x\\\"{,\"\n  }\n}";
        assert_eq!(document(JsonLayout::Pretty), pretty);
    }

    /// Writes a document anew from its tokens, on one line.
    fn rewritten(tokens: &str) -> String {
        let mut out = JsonText::new(JsonLayout::Compact);
        let mut is_item = vec![false];
        for token in JsonTokens::of(tokens) {
            let is_end = matches!(token, JsonToken::CloseObject | JsonToken::CloseArray);
            if is_item.last() == Some(&true) && !is_end {
                out.item();
            }
            match token {
                JsonToken::OpenObject | JsonToken::OpenArray => {
                    is_item.push(token == JsonToken::OpenArray);
                }
                JsonToken::CloseObject | JsonToken::CloseArray => drop(is_item.pop()),
                JsonToken::Name(_) | JsonToken::String(_) | JsonToken::Raw(_) => {}
            }
            match token {
                JsonToken::OpenObject => out.open_object(),
                JsonToken::OpenArray => out.open_array(),
                JsonToken::CloseObject => out.close_object(),
                JsonToken::CloseArray => out.close_array(),
                JsonToken::Name(name) => out.name(name),
                JsonToken::String(text) => out.string(text),
                JsonToken::Raw(json) => out.push_str(json),
            }
        }
        out.into_string()
    }

    /// Tests that the tokens of a document say what its text says, with texts of any length.
    #[test]
    fn tokens_say_what_the_text_says() {
        assert_eq!(rewritten(&document(JsonLayout::Tokens)), document(JsonLayout::Compact));
        for length in [0, 1, 63, 64, 65, 4_095, 4_096, 300_000] {
            let text = "ä\"".repeat(length);
            let mut out = JsonText::new(JsonLayout::Tokens);
            array([&text, "after"], &mut out, |text, out| out.string(text));
            let tokens = out.into_string();
            let read: Vec<JsonToken<'_>> = JsonTokens::of(&tokens).collect();
            let (text, after) = (JsonToken::String(&text), JsonToken::String("after"));
            assert_eq!(read, [JsonToken::OpenArray, text, after, JsonToken::CloseArray]);
        }
    }

    /// Tests that tokens that nothing has written end where they are not understood.
    #[test]
    fn other_texts_than_tokens_end_early() {
        for other in
            ["x{", "\"\u{5}abc", "\"\u{1}ä", "\"ä", ":", &format!("={}", "\u{7f}".repeat(90))]
        {
            assert_eq!(JsonTokens::of(other).count(), 0, "{other:?}");
        }
    }

    /// Tests that a receiver gets the whole text, and that little of it is buffered.
    #[test]
    fn a_reader_gets_it_all_in_pieces() {
        let mut taken = String::new();
        let mut out = JsonText::to(&mut taken, JsonLayout::Compact);
        array(0..40_000, &mut out, |_, out| out.string("ab"));
        assert!(out.buffer.len() < 1 << 17);
        assert_eq!(out.finish(), Ok(()));
        assert_eq!(taken.len(), 40_000 * 5 + 1);
    }

    /// A receiver that refuses text after a number of bytes.
    struct Narrow(usize);

    impl std::fmt::Write for Narrow {
        /// Accepts text as long as it fits into the remaining bytes.
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            let left = self.0.checked_sub(text.len());
            left.map(|left| self.0 = left).ok_or(std::fmt::Error)
        }
    }

    /// Tests that writing stops soon after the receiver refuses text.
    #[test]
    fn what_the_reader_does_not_take_is_not_worked_out() {
        let (mut narrow, mut count) = (Narrow(200_000), 0);
        let mut out = JsonText::to(&mut narrow, JsonLayout::Compact);
        array(0..1_000, &mut out, |_, out| {
            array(0..1_000, out, |_, out| {
                count += 1;
                out.push_str("0");
            });
        });
        assert!(out.is_over() && out.finish().is_err());
        assert!(count < 200_000, "{count}");
    }

    /// Tests the escapes in strings.
    #[test]
    fn strings() {
        assert_eq!(string("\u{1}\\\u{2028}"), "\"\\u0001\\\\\u{2028}\"");
    }
}
