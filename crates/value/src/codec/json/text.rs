//! JSON text in the making: the one place that writes brackets, commas and blanks. It comes on one line or over several,
//! and goes on to a reader while more of it is written, if there is one.

use std::fmt::{self, Write as _};

/// The maximum number of bytes wait before they that are handed on.
const WAITING: usize = 1 << 16;

/// How a document is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonLayout {
    /// On one line, without a blank.
    Compact,
    /// Over several lines, two blanks a level.
    Pretty,
}

/// JSON text on its way. What is handed on is handed on between the items of arrays and the properties of objects.
pub struct JsonText<'w> {
    waiting: String,
    layout: JsonLayout,
    /// How many brackets are open.
    depth: usize,
    /// True if nothing stands yet behind the bracket that was opened last.
    is_fresh: bool,
    /// How many properties are being written that may yet be taken back.
    held: usize,
    reader: Option<&'w mut dyn fmt::Write>,
    outcome: fmt::Result,
}

impl<'w> JsonText<'w> {
    /// Text that stays.
    pub fn new(layout: JsonLayout) -> JsonText<'w> {
        JsonText {
            waiting: String::new(),
            layout,
            depth: 0,
            is_fresh: false,
            held: 0,
            reader: None,
            outcome: Ok(()),
        }
    }

    /// Text for a reader.
    pub fn to(reader: &'w mut dyn fmt::Write, layout: JsonLayout) -> JsonText<'w> {
        JsonText { reader: Some(reader), ..JsonText::new(layout) }
    }

    /// Writes what is JSON already: a number, `true`, `null`. What has brackets with something in between is written
    /// with [`JsonObject`] and [`array()`], which know the layout.
    pub fn push_str(&mut self, json: &str) {
        self.waiting.push_str(json);
    }

    /// Writes a string, quotes included; only what must be escaped is.
    pub fn string(&mut self, text: &str) {
        write_text(text, &mut self.waiting, false);
    }

    /// Writes a string as `jsonencode` does, with what could end a script escaped too.
    pub(super) fn careful_string(&mut self, text: &str) {
        write_text(text, &mut self.waiting, true);
    }

    fn open(&mut self, bracket: char) {
        self.waiting.push(bracket);
        self.depth += 1;
        self.is_fresh = true;
    }

    /// Opens an object, for writers that nest too deeply to hold an [`JsonObject`] for each.
    pub fn open_object(&mut self) {
        self.open('{');
    }

    /// Writes the name of a property of the object that is open; its value comes next.
    pub fn name(&mut self, name: &str) {
        self.name_by(name, JsonText::string);
    }

    fn name_by(&mut self, name: &str, write: impl FnOnce(&mut JsonText<'w>, &str)) {
        self.part();
        write(self, name);
        self.push_str(if self.layout == JsonLayout::Pretty { ": " } else { ":" });
    }

    /// Opens an array; see [`JsonText::open_object`].
    pub fn open_array(&mut self) {
        self.open('[');
    }

    /// Begins an item of the array that is open.
    pub fn item(&mut self) {
        self.part();
    }

    /// Closes the array that is open.
    pub fn close_array(&mut self) {
        self.close(']');
    }

    /// Closes the object that is open.
    pub fn close_object(&mut self) {
        self.close('}');
    }

    /// Begins a further part of what was opened last.
    #[inline]
    fn part(&mut self) {
        if !std::mem::take(&mut self.is_fresh) {
            self.waiting.push(',');
        }
        if self.layout == JsonLayout::Pretty {
            self.new_line();
        }
        if self.waiting.len() >= WAITING && self.held == 0 {
            self.hand_on();
        }
    }

    fn close(&mut self, bracket: char) {
        self.depth = self.depth.saturating_sub(1);
        if !std::mem::take(&mut self.is_fresh) && self.layout == JsonLayout::Pretty {
            self.new_line();
        }
        self.waiting.push(bracket);
    }

    fn new_line(&mut self) {
        self.waiting.push('\n');
        self.waiting.extend(std::iter::repeat_n("  ", self.depth));
    }

    fn hand_on(&mut self) {
        if let Some(reader) = &mut self.reader {
            if self.outcome.is_ok() {
                self.outcome = reader.write_str(&self.waiting);
            }
            self.waiting.clear();
        }
    }

    /// Returns true if the reader takes no more, so that a long writer may stop.
    pub fn is_over(&self) -> bool {
        self.outcome.is_err()
    }

    /// Text that stayed.
    pub fn into_string(self) -> String {
        self.waiting
    }

    /// Hands on the rest; whether the reader took it all.
    ///
    /// # Errors
    /// When the reader did not.
    pub fn finish(mut self) -> fmt::Result {
        self.hand_on();
        self.outcome
    }
}

/// A JSON object that is being written.
pub struct JsonObject<'o, 'w> {
    out: &'o mut JsonText<'w>,
}

impl<'o, 'w> JsonObject<'o, 'w> {
    /// Opens an object.
    pub fn open(out: &'o mut JsonText<'w>) -> JsonObject<'o, 'w> {
        out.open_object();
        JsonObject { out }
    }

    /// Writes a name and gives the text to write its value to.
    pub fn key(&mut self, name: &str) -> &mut JsonText<'w> {
        self.key_by(name, JsonText::string)
    }

    /// The same with a name whose spelling is another's.
    pub(super) fn key_by(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut JsonText<'w>, &str),
    ) -> &mut JsonText<'w> {
        self.out.name_by(name, write);
        self.out
    }

    /// Writes a property unless `write` says that there is nothing to say: then nothing of it stays.
    pub fn key_if(&mut self, name: &str, write: impl FnOnce(&mut JsonText<'w>) -> bool) {
        let (start, was_fresh) = (self.out.waiting.len(), self.out.is_fresh);
        self.out.held += 1;
        let is_kept = write(self.key(name));
        self.out.held -= 1;
        if !is_kept {
            self.out.waiting.truncate(start);
            self.out.is_fresh = was_fresh;
        }
    }

    /// A property that is text.
    pub fn text(&mut self, name: &str, text: &str) {
        self.key(name).string(text);
    }

    /// A property that is JSON already; see [`JsonText::push_str`].
    pub fn raw(&mut self, name: &str, json: &str) {
        self.key(name).push_str(json);
    }

    /// A property that is true or false.
    pub fn flag(&mut self, name: &str, flag: bool) {
        self.raw(name, if flag { "true" } else { "false" });
    }

    /// A property that is a whole number.
    pub fn number(&mut self, name: &str, number: impl fmt::Display) {
        self.raw(name, &number.to_string());
    }

    /// A property that is an object.
    pub fn object(&mut self, name: &str) -> JsonObject<'_, 'w> {
        JsonObject::open(self.key(name))
    }

    /// Returns true if the reader takes no more.
    pub fn is_over(&self) -> bool {
        self.out.is_over()
    }

    /// Closes it.
    pub fn close(self) {
        self.out.close_object();
    }
}

/// Writes an array, item by item, as long as the reader takes them.
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

/// Writes an array of texts.
pub fn texts<T: AsRef<str>>(items: impl IntoIterator<Item = T>, out: &mut JsonText<'_>) {
    array(items, out, |item, out| out.string(item.as_ref()));
}

/// A text as a JSON string, quotes included; only what must be escaped is.
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_text(text, &mut out, false);
    out
}

/// Writes a JSON string. A careful one has `<`, `>`, `&` and the Unicode line separators escaped too.
fn write_text(text: &str, out: &mut String, is_careful: bool) {
    let special = |c: char| match c {
        '"' | '\\' | '\0'..='\x1f' => true,
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => is_careful,
        _ => false,
    };
    out.push('"');
    // Most texts are plain, and bytes are looked at faster than characters.
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
    use super::{JsonLayout, JsonObject, JsonText, array, string, texts};

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

    #[test]
    fn one_document_has_two_layouts() {
        let compact = r#"{"a\n":[1.10,-0],"b":{},"c":[],"d":{"e":"x\"{,"}}"#;
        assert_eq!(document(JsonLayout::Compact), compact);
        let pretty = "{\n  \"a\\n\": [\n    1.10,\n    -0\n  ],\n  \"b\": {},\n  \"c\": [],\n  \"d\": {\n    \"e\": \"x\\\"{,\"\n  }\n}";
        assert_eq!(document(JsonLayout::Pretty), pretty);
    }

    #[test]
    fn a_reader_gets_it_all_in_pieces() {
        let mut taken = String::new();
        let mut out = JsonText::to(&mut taken, JsonLayout::Compact);
        array(0..40_000, &mut out, |_, out| out.string("ab"));
        assert!(out.waiting.len() < 1 << 17);
        assert_eq!(out.finish(), Ok(()));
        assert_eq!(taken.len(), 40_000 * 5 + 1);
    }

    /// A reader that takes so many bytes.
    struct Narrow(usize);

    impl std::fmt::Write for Narrow {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            let left = self.0.checked_sub(text.len());
            left.map(|left| self.0 = left).ok_or(std::fmt::Error)
        }
    }

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

    #[test]
    fn strings() {
        assert_eq!(string("\u{1}\\\u{2028}"), "\"\\u0001\\\\\u{2028}\"");
    }
}
