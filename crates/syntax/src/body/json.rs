//! Handles into a JSON document. What is a block is known only by a shape.

use std::sync::Arc;

use crate::body::{BodyShape, Content, Item, Text};
use crate::diagnostic::Diagnostics;
use crate::json::{Document, Value};
use crate::span::{FileId, Span};

/// A body in JSON: one object, or several that count as one.
#[derive(Clone, Debug)]
pub struct JsonBody {
    document: Arc<Document>,
    file: FileId,
}

/// An expression in JSON.
#[derive(Clone, Debug)]
pub struct JsonExpr {
    document: Arc<Document>,
    file: FileId,
    id: u32,
}

impl JsonExpr {
    /// What it is.
    pub fn view(&self) -> Value<'_> {
        self.document.value(self.id)
    }

    /// Which bytes of its file it covers.
    pub fn span(&self) -> Span {
        self.view().span()
    }

    /// The file it stands in.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// How it is written.
    pub fn text(&self) -> Text {
        Text::slice(self.document.text(), self.span())
    }
}

impl JsonBody {
    /// The file it stands in.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Which bytes it covers.
    pub fn span(&self) -> Span {
        self.document.root().span()
    }

    /// Every property as an argument.
    pub fn items(&self) -> Vec<Item> {
        Vec::new()
    }

    pub(crate) fn content(&self, _shape: &BodyShape, _out: &mut Diagnostics) -> Content {
        Content::default()
    }
}
