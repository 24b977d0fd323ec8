//! JSON documents with places, as in `.tf.json` files. Repeated properties are kept, since some of them are merged; strings are
//! not read as templates yet.

mod parse;
mod string;

use std::borrow::Cow;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::parse::{Parse, parse_inner_template};
use crate::span::{FileId, Place, Span};

pub use parse::parse;

/// A parsed JSON text: its values as a flat list of nodes.
#[derive(Debug)]
pub struct JsonDocument {
    text: Arc<str>,
    /// The values in source order, each followed by the values inside it.
    nodes: Box<[JsonNode]>,
}

/// A parsed JSON document and the diagnostics of its text.
#[derive(Clone, Debug)]
pub struct JsonParse {
    /// The document.
    pub document: Arc<JsonDocument>,
    /// The diagnostics, ordered by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The file that the places refer to.
    pub file: FileId,
}

/// The kind of a node in a JSON document: a kind of value, or missing after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JsonKind {
    Null,
    True,
    False,
    Number,
    String,
    Array,
    /// Its children are names and values in turns.
    Object,
    Missing,
}

/// A node of a JSON document: kind, span, and the number of nodes in its subtree.
#[derive(Clone, Copy, Debug)]
struct JsonNode {
    kind: JsonKind,
    span: Span,
    /// The number of nodes in its subtree, itself included.
    size: u32,
}

/// A reference to a value in a JSON document.
#[derive(Clone, Copy)]
pub struct JsonView<'d> {
    document: &'d JsonDocument,
    id: u32,
}

/// A property of a JSON object: name and value.
#[derive(Clone, Debug)]
pub struct JsonProperty<'d> {
    /// The name, unescaped.
    pub name: Cow<'d, str>,
    /// The span of the name, with its quotes.
    pub name_span: Span,
    /// The value.
    pub value: JsonView<'d>,
}

/// A JSON value by its kind, with its content.
#[derive(Clone, Debug)]
pub enum JsonCase<'d> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number's text.
    Number(&'d str),
    /// A text, unescaped.
    String(Cow<'d, str>),
    /// A list of values.
    Array(Vec<JsonView<'d>>),
    /// Properties in source order; names may repeat.
    Object(Vec<JsonProperty<'d>>),
    /// Something that could not be read; already reported.
    Missing,
}

impl JsonDocument {
    /// Returns the source text of the document.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the root value of the document.
    pub fn root(&self) -> JsonView<'_> {
        self.value(0)
    }

    /// Returns the value that is the node number `id`.
    pub(crate) fn value(&self, id: u32) -> JsonView<'_> {
        JsonView { document: self, id }
    }

    /// Returns the node number `id`; a node of kind `Missing` for a number out of range.
    fn node(&self, id: u32) -> JsonNode {
        match self.nodes.get(id as usize) {
            Some(node) => *node,
            None => JsonNode { kind: JsonKind::Missing, span: Span::at(0), size: 1 },
        }
    }
}

impl std::fmt::Debug for JsonView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}({:?})", self.document.node(self.id).kind, self.text())
    }
}

impl<'d> JsonView<'d> {
    /// Returns the source range of the value.
    pub fn span(self) -> Span {
        self.document.node(self.id).span
    }

    /// Returns the source text of the value.
    pub fn text(self) -> &'d str {
        self.span().of(&self.document.text)
    }

    /// Returns the number of the value's node in its document.
    pub(crate) fn id(self) -> u32 {
        self.id
    }

    /// Returns the value by its kind, with its content.
    pub fn case(self) -> JsonCase<'d> {
        match self.document.node(self.id).kind {
            JsonKind::Null => JsonCase::Null,
            JsonKind::True => JsonCase::Bool(true),
            JsonKind::False => JsonCase::Bool(false),
            JsonKind::Number => JsonCase::Number(self.text()),
            JsonKind::String => JsonCase::String(self.string()),
            JsonKind::Array => JsonCase::Array(self.children().collect()),
            JsonKind::Object => JsonCase::Object(self.properties()),
            JsonKind::Missing => JsonCase::Missing,
        }
    }

    /// Returns the phrase for the kind of the value in messages, such as `a number`.
    pub fn kind_name(self) -> &'static str {
        match self.document.node(self.id).kind {
            JsonKind::Null => "null",
            JsonKind::True | JsonKind::False => "a boolean",
            JsonKind::Number => "a number",
            JsonKind::String => "a text",
            JsonKind::Array => "an array",
            JsonKind::Object => "an object",
            JsonKind::Missing => "nothing readable",
        }
    }

    /// Returns the content of a string value, with escapes decoded.
    fn string(self) -> Cow<'d, str> {
        let text = self.text();
        let inner = text.strip_prefix('"').unwrap_or(text);
        string::decode(inner.strip_suffix('"').unwrap_or(inner))
    }

    /// Iterates over the direct children of an array or object; names of properties count as children.
    fn children(self) -> impl Iterator<Item = JsonView<'d>> {
        let end = self.id + self.document.node(self.id).size;
        let mut at = self.id + 1;
        std::iter::from_fn(move || {
            let child = (at < end).then(|| self.document.value(at))?;
            at += self.document.node(at).size.max(1);
            Some(child)
        })
    }

    /// Returns the properties of an object value, in source order.
    fn properties(self) -> Vec<JsonProperty<'d>> {
        let mut list = Vec::new();
        let mut children = self.children();
        while let (Some(name), Some(value)) = (children.next(), children.next()) {
            list.push(JsonProperty { name: name.string(), name_span: name.span(), value });
        }
        list
    }

    /// Returns the offset in the file at which byte `at` of a string's decoded content is written; `string` is the string's span
    /// with its quotes.
    pub fn written_at(self, string: Span, at: u32) -> u32 {
        let inner = Span::new(string.start + 1, string.end.saturating_sub(1).max(string.start + 1));
        let within = string::written_at(inner.of(&self.document.text), at as usize);
        inner.start + within as u32
    }

    /// Parses a string value as a template; returns it with the offset to be added to its spans for offsets in the file. In
    /// strings with escapes these are approximate, because spans refer to the unescaped text, but never outside of the value.
    pub fn template(self, file: FileId) -> (Parse, u32) {
        let whole = self.span();
        let base = whole.start + 1;
        let mut parse = parse_inner_template(&self.string().into(), file);
        for diagnostic in &mut parse.diagnostics {
            let shift = |place: &mut Place| {
                let span = place.span.shift(base);
                place.span = Span::new(span.start.min(whole.end), span.end.min(whole.end));
            };
            diagnostic.place.iter_mut().for_each(shift);
            diagnostic.notes.iter_mut().filter_map(|note| note.place.as_mut()).for_each(shift);
        }
        (parse, base)
    }
}
