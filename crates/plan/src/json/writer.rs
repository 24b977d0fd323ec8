//! Building JSON objects and arrays in one text. Values of the language are written elsewhere; here
//! is only what stands around them.

use groma_value::json::string;

/// A JSON object that is being written.
pub(super) struct Object<'o> {
    out: &'o mut String,
    is_empty: bool,
}

impl<'o> Object<'o> {
    /// Opens an object.
    pub(super) fn open(out: &'o mut String) -> Object<'o> {
        out.push('{');
        Object { out, is_empty: true }
    }

    /// Writes a name and gives the text to write its value to.
    pub(super) fn key(&mut self, name: &str) -> &mut String {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
        self.out.push_str(&string(name));
        self.out.push(':');
        self.out
    }

    /// A property that is text.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        let text = string(text);
        self.key(name).push_str(&text);
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
    pub(super) fn object(&mut self, name: &str) -> Object<'_> {
        Object::open(self.key(name))
    }

    /// Closes it.
    pub(super) fn close(self) {
        self.out.push('}');
    }
}

/// Writes an array, item by item.
pub(super) fn array<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String),
) {
    out.push('[');
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

/// An array of texts.
pub(super) fn texts(items: &[String], out: &mut String) {
    array(items, out, |item, out| out.push_str(&string(item)));
}
