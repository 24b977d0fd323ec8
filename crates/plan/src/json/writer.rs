//! Building JSON objects and arrays as text that goes on to its reader while more of it is written.
//! Values of the language are written elsewhere; here is only what stands around them.

use std::fmt;

use groma_value::json::write_string;

/// So many bytes wait before they are handed on.
const WAITING: usize = 1 << 16;

/// JSON text on its way: it is handed on between the items of arrays and the properties of objects,
/// so whoever takes back what they wrote has to do it before the next of them.
pub(super) struct Text<'w> {
    waiting: String,
    reader: Option<&'w mut dyn fmt::Write>,
    outcome: fmt::Result,
}

impl<'w> Text<'w> {
    /// Text that stays.
    pub(super) fn new() -> Text<'w> {
        Text { waiting: String::new(), reader: None, outcome: Ok(()) }
    }

    /// Text for a reader.
    pub(super) fn to(reader: &'w mut dyn fmt::Write) -> Text<'w> {
        Text { reader: Some(reader), ..Text::new() }
    }

    pub(super) fn push(&mut self, c: char) {
        self.waiting.push(c);
    }

    pub(super) fn push_str(&mut self, text: &str) {
        self.waiting.push_str(text);
    }

    /// What waits, for those who write to strings.
    pub(super) fn waiting(&mut self) -> &mut String {
        &mut self.waiting
    }

    /// Where the text stands, to come back to.
    pub(super) fn mark(&self) -> usize {
        self.waiting.len()
    }

    /// Takes back what was written since.
    pub(super) fn take_back(&mut self, mark: usize) {
        self.waiting.truncate(mark);
    }

    fn hand_on_if_full(&mut self) {
        if self.waiting.len() >= WAITING {
            self.hand_on();
        }
    }

    fn hand_on(&mut self) {
        if let Some(reader) = &mut self.reader {
            if self.outcome.is_ok() {
                self.outcome = reader.write_str(&self.waiting);
            }
            self.waiting.clear();
        }
    }

    /// Text that stayed.
    pub(super) fn into_string(self) -> String {
        self.waiting
    }

    /// Hands on the rest; whether the reader took it all.
    pub(super) fn finish(mut self) -> fmt::Result {
        self.hand_on();
        self.outcome
    }
}

/// A JSON object that is being written.
pub(super) struct Object<'o, 'w> {
    out: &'o mut Text<'w>,
    is_empty: bool,
}

impl<'o, 'w> Object<'o, 'w> {
    /// Opens an object.
    pub(super) fn open(out: &'o mut Text<'w>) -> Object<'o, 'w> {
        out.push('{');
        Object { out, is_empty: true }
    }

    /// Writes a name and gives the text to write its value to.
    pub(super) fn key(&mut self, name: &str) -> &mut Text<'w> {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
        self.out.hand_on_if_full();
        write_string(name, self.out.waiting());
        self.out.push(':');
        self.out
    }

    /// A property that is text.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        write_string(text, self.key(name).waiting());
    }

    /// A property that is JSON already.
    pub(super) fn raw(&mut self, name: &str, json: &str) {
        self.key(name).push_str(json);
    }

    /// A property that is true or false.
    pub(super) fn flag(&mut self, name: &str, flag: bool) {
        self.raw(name, if flag { "true" } else { "false" });
    }

    /// A property that is an object.
    pub(super) fn object(&mut self, name: &str) -> Object<'_, 'w> {
        Object::open(self.key(name))
    }

    /// Closes it.
    pub(super) fn close(self) {
        self.out.push('}');
    }
}

/// Writes an array, item by item.
pub(super) fn array<'w, T>(
    items: impl IntoIterator<Item = T>,
    out: &mut Text<'w>,
    mut write: impl FnMut(T, &mut Text<'w>),
) {
    out.push('[');
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.hand_on_if_full();
        write(item, out);
    }
    out.push(']');
}

/// An array of texts.
pub(super) fn texts(items: &[String], out: &mut Text<'_>) {
    array(items, out, |item, out| write_string(item, out.waiting()));
}
