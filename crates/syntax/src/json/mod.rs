//! JSON with places: what `.tf.json` files are written in.

use std::sync::Arc;

use crate::span::Span;

/// A parsed JSON text.
#[derive(Debug)]
pub struct Document {
    text: Arc<str>,
}

/// A value in a document.
#[derive(Clone, Copy, Debug)]
pub struct Value<'d> {
    document: &'d Document,
    id: u32,
}

impl Document {
    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The outermost value.
    pub fn root(&self) -> Value<'_> {
        self.value(0)
    }

    pub(crate) fn value(&self, id: u32) -> Value<'_> {
        Value { document: self, id }
    }
}

impl Value<'_> {
    /// Which bytes it covers.
    pub fn span(self) -> Span {
        Span::new(self.id, self.document.text.len() as u32)
    }
}
