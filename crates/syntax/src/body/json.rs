//! Handles to bodies and expressions in a JSON document. Only a shape distinguishes blocks from arguments. A property named `//`
//! is a comment; a block with labels is nested in one object for each label, and any of these objects may be an array of objects
//! instead.

use std::sync::Arc;

use crate::body::{
    Argument, Block, Body, BodyContent, BodyItem, BodyShape, Expr, Label, Name, SharedText,
};
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::json::{JsonCase, JsonDocument, JsonParse, JsonProperty, JsonView};
use crate::span::{FileId, Place, Span};

/// A handle to a body in JSON: an object, or an array of objects that are read as one.
#[derive(Clone, Debug)]
pub struct JsonBody {
    document: Arc<JsonDocument>,
    file: FileId,
    id: u32,
}

/// A handle to an expression in JSON: a value of the document, whose strings are templates.
#[derive(Clone, Debug)]
pub struct JsonExpr {
    document: Arc<JsonDocument>,
    file: FileId,
    id: u32,
}

impl JsonExpr {
    /// Sets the file that the expression's places refer to.
    pub(super) fn set_file(&mut self, file: FileId) {
        self.file = file;
    }

    /// Returns the root value of a parsed document as an expression.
    pub fn root(parse: &JsonParse) -> Self {
        Self { document: Arc::clone(&parse.document), file: parse.file, id: 0 }
    }

    /// Returns the JSON value that is the expression.
    pub fn view(&self) -> JsonView<'_> {
        self.document.value(self.id)
    }

    /// Returns the source range of the expression in its file.
    pub fn span(&self) -> Span {
        self.view().span()
    }

    /// Returns the file that contains the expression.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Returns the source text of the expression.
    pub fn text(&self) -> SharedText {
        SharedText::slice(self.document.text(), self.span())
    }

    /// Returns the JSON document that contains the expression.
    pub fn document(&self) -> &Arc<JsonDocument> {
        &self.document
    }

    /// Returns `value`, a JSON value inside this expression, as an expression of its own in the same document.
    pub fn inner(&self, value: JsonView<'_>) -> Self {
        Self { document: Arc::clone(&self.document), file: self.file, id: value.id() }
    }

    /// Returns the expression's JSON value as a body.
    pub fn as_body(&self) -> JsonBody {
        JsonBody { document: Arc::clone(&self.document), file: self.file, id: self.id }
    }
}

impl JsonBody {
    /// Returns the root value of a parsed document as a body.
    pub(crate) fn root(parse: &JsonParse) -> Self {
        Self { document: Arc::clone(&parse.document), file: parse.file, id: 0 }
    }

    /// Returns the file that contains the body.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Returns the JSON value that is the body.
    pub fn view(&self) -> JsonView<'_> {
        self.document.value(self.id)
    }

    /// Returns the source range of the body: the text between its braces or brackets.
    pub fn span(&self) -> Span {
        let span = self.view().span();
        if span.len() < 2 { span } else { Span::new(span.start + 1, span.end - 1) }
    }

    /// Returns a JSON value of the document as an expression.
    fn expr(&self, value: JsonView<'_>) -> Expr {
        Expr::Json(JsonExpr {
            document: Arc::clone(&self.document),
            file: self.file,
            id: value.id(),
        })
    }

    /// Returns a JSON value of the document as a body.
    fn body(&self, value: JsonView<'_>) -> Body {
        Body::Json(Self { document: Arc::clone(&self.document), file: self.file, id: value.id() })
    }

    /// Returns every property as an argument, in source order, except comments. Repeated names are kept.
    pub fn items(&self) -> Vec<BodyItem> {
        let (properties, _) = uncommented(self.view());
        properties
            .into_iter()
            .map(|property| BodyItem::Argument(self.argument(&property)))
            .collect()
    }

    /// Returns a property of the body as an argument.
    fn argument(&self, property: &JsonProperty<'_>) -> Argument {
        Argument {
            name: self.name(property),
            expr: self.expr(property.value),
            span: property.name_span.join(property.value.span()),
        }
    }

    /// Returns the decoded name of a property, shared with the document where it has no escapes.
    fn text(&self, property: &JsonProperty<'_>) -> SharedText {
        let quoted = property.name_span;
        let inner = Span::new(quoted.start + 1, quoted.end.saturating_sub(1));
        SharedText::of(self.document.text(), inner, property.name.clone())
    }

    /// Returns the name of a property, decoded, with its span.
    fn name(&self, property: &JsonProperty<'_>) -> Name {
        Name { text: self.text(property), span: property.name_span }
    }

    /// Returns the error that a JSON value is of the wrong kind; `wanted` describes the expected kind.
    fn wrong(&self, value: JsonView<'_>, wanted: &str) -> Diagnostic {
        let detail = format!("{wanted} is expected here, not {}.", value.kind_name());
        Diagnostic::error(&codes::WRONG_JSON_VALUE, detail).at(Place::new(self.file, value.span()))
    }

    /// Sorts the properties of a JSON body into arguments and blocks by a shape; reports values of the wrong kind and repeated
    /// arguments.
    pub(crate) fn content(&self, shape: BodyShape<'_>, out: &mut Diagnostics) -> BodyContent {
        let mut content = BodyContent::default();
        let (properties, strays) = uncommented(self.view());
        for stray in strays {
            out.push(self.wrong(stray, "An object, or an array of objects,"));
        }
        for property in properties {
            if let Some(labels) = (shape.labels)(&property.name) {
                self.blocks(&property, labels, &mut content.blocks, out);
            } else if (shape.is_argument)(&property.name) {
                if let Some(first) = content.argument(&property.name) {
                    out.push(self.repeated(&property, first));
                } else {
                    content.arguments.push(self.argument(&property));
                }
            } else {
                content.rest.push(BodyItem::Argument(self.argument(&property)));
            }
        }
        content
    }

    /// Returns the error that an argument is set a second time.
    fn repeated(&self, property: &JsonProperty<'_>, first: &Argument) -> Diagnostic {
        let detail = format!(
            "`{}` is set already. An argument has one value; remove one of the two.",
            property.name
        );
        Diagnostic::error(&codes::DUPLICATE_ARGUMENT, detail)
            .at(Place::new(self.file, property.name_span))
            .note_at("It is first set here.", Place::new(self.file, first.name.span))
    }

    /// Appends the blocks that a property defines to `list`: its nested objects have labels as keys, one level for each label
    /// that `meanings` describes, and the objects in the innermost are the bodies.
    fn blocks(
        &self,
        property: &JsonProperty<'_>,
        meanings: &[&str],
        list: &mut Vec<Block>,
        out: &mut Diagnostics,
    ) {
        let name = self.name(property);
        let mut level = vec![(Vec::new(), property.value)];
        for label in meanings {
            let mut next = Vec::new();
            for (labels, value) in level {
                let (inner, strays) = properties(value);
                let is_missing = matches!(value.case(), JsonCase::Missing);
                let is_silent = inner.is_empty() && strays.is_empty() && !is_missing;
                for stray in strays {
                    let wanted = format!("An object whose properties are named by the {label}");
                    out.push(self.wrong(stray, &wanted));
                }
                if is_silent {
                    let detail = format!(
                        "A `{}` block has labels: an object with a property that is named by the {label} is expected here.",
                        name.text
                    );
                    let place = Place::new(self.file, value.span());
                    out.push(Diagnostic::error(&codes::BLOCK_LABELS, detail).at(place));
                }
                for property in inner {
                    let mut labels = labels.clone();
                    let text = self.text(&property);
                    labels.push(Label { text, span: property.name_span, quoted: true });
                    next.push((labels, property.value));
                }
            }
            level = next;
        }
        for (labels, value) in level {
            let bodies = match value.case() {
                JsonCase::Null | JsonCase::Missing => Vec::new(),
                JsonCase::Object(_) => vec![value],
                JsonCase::Array(values) => values,
                _ => {
                    let wanted = format!(
                        "An object, or an array of objects, with the contents of `{}`",
                        name.text
                    );
                    out.push(self.wrong(value, &wanted));
                    continue;
                }
            };
            for value in bodies {
                list.push(Block {
                    kind: name.clone(),
                    labels: labels.clone(),
                    body: self.body(value),
                    header: labels.last().map_or(name.span, |label: &Label| label.span),
                    span: name.span.join(value.span()),
                });
            }
        }
    }
}

/// Returns the properties of a body without `//` comments, and the values that should be objects but are not. Not for objects
/// whose keys are labels: there `//` is a label.
fn uncommented(value: JsonView<'_>) -> (Vec<JsonProperty<'_>>, Vec<JsonView<'_>>) {
    let (mut found, strays) = properties(value);
    found.retain(|property| property.name != "//");
    (found, strays)
}

/// Returns the properties of an object, or of all objects of an array, and the values that should be objects but are not.
fn properties(value: JsonView<'_>) -> (Vec<JsonProperty<'_>>, Vec<JsonView<'_>>) {
    let mut found = Vec::new();
    let mut strays = Vec::new();
    match value.case() {
        JsonCase::Object(properties) => found = properties,
        JsonCase::Array(values) => {
            for value in values {
                match value.case() {
                    JsonCase::Object(properties) => found.extend(properties),
                    JsonCase::Missing => {}
                    _ => strays.push(value),
                }
            }
        }
        JsonCase::Missing => {}
        _ => strays.push(value),
    }
    (found, strays)
}
