//! Indices of bodies and collections by name. Each is built when it is first searched, so that many paths cost no more than
//! reading the text once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use groma_syntax::json::{JsonCase, JsonView};
use groma_syntax::{Body, BodyItem, Expr, JsonExpr, Span};

use crate::parts::{CollectionPart, attributes, elements};
use crate::path::key_name;

/// The arguments and blocks of one body, by argument name or block type.
type Items = HashMap<String, Vec<BodyItem>>;

/// The attributes of an object expression by name, or the elements of a list expression.
#[derive(Debug, Default)]
pub(crate) struct CollectionParts {
    /// The attributes with a plain name, by that name.
    pub(crate) named: HashMap<String, Vec<CollectionPart>>,
    /// The elements of a list.
    pub(crate) elements: Vec<CollectionPart>,
}

/// A property of a JSON object or an element of a JSON list, with its span.
#[derive(Clone, Debug)]
pub(crate) struct DocumentPart {
    /// The index in the object or list.
    pub(crate) at: usize,
    /// The span of the whole, with a property's name.
    pub(crate) whole: Span,
    pub(crate) value: JsonExpr,
}

/// The properties of a JSON object or the elements of a JSON list.
#[derive(Debug)]
pub(crate) enum DocumentParts {
    /// The properties of an object, by name.
    Object(HashMap<String, Vec<DocumentPart>>),
    /// The elements of a list.
    List(Vec<DocumentPart>),
    /// Another value, without parts.
    Plain,
}

/// The parts of the bodies, objects and lists of one text, by span, collected on first use.
#[derive(Debug, Default)]
pub(crate) struct TextIndex {
    items: RefCell<HashMap<(u32, u32), Rc<Items>>>,
    parts: RefCell<HashMap<(u32, u32), Rc<CollectionParts>>>,
    documents: RefCell<HashMap<(u32, u32), Rc<DocumentParts>>>,
}

/// Returns the start and end of a span, the key by which a [`TextIndex`] finds the parts of a body, object or list.
fn place(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

impl TextIndex {
    /// Returns the arguments and blocks of a body by name, collected on first use.
    pub(crate) fn items(&self, body: &Body) -> Rc<Items> {
        let make = || {
            let mut all = Items::new();
            for item in body.items() {
                let name = match &item {
                    BodyItem::Argument(argument) => argument.name.text.to_string(),
                    BodyItem::Block(block) => block.kind.text.to_string(),
                };
                all.entry(name).or_default().push(item);
            }
            Rc::new(all)
        };
        self.items.borrow_mut().entry(place(body.span())).or_insert_with(make).clone()
    }

    /// Returns the attributes of an object or the elements of a list, collected on first use.
    pub(crate) fn parts(&self, expr: &Expr) -> Rc<CollectionParts> {
        let make = || Rc::new(CollectionParts::of(expr));
        self.parts.borrow_mut().entry(place(expr.span())).or_insert_with(make).clone()
    }

    /// Returns the properties or elements of a JSON value, collected on first use.
    pub(crate) fn document_parts(&self, value: &JsonExpr) -> Rc<DocumentParts> {
        let make = || Rc::new(DocumentParts::of(value));
        self.documents.borrow_mut().entry(place(value.span())).or_insert_with(make).clone()
    }
}

impl DocumentParts {
    /// Collects the properties of a JSON object by name, or the elements of a JSON list; nothing for another JSON value.
    fn of(value: &JsonExpr) -> DocumentParts {
        match value.view().case() {
            JsonCase::Object(properties) => {
                let mut named: HashMap<String, Vec<DocumentPart>> = HashMap::new();
                for (at, one) in properties.into_iter().enumerate() {
                    let whole = one.name_span.join(one.value.span());
                    let part = DocumentPart { at, whole, value: value.inner(one.value) };
                    named.entry(one.name.into_owned()).or_default().push(part);
                }
                DocumentParts::Object(named)
            }
            JsonCase::Array(items) => {
                let items = items.into_iter().enumerate();
                let part = |(at, one): (usize, JsonView<'_>)| DocumentPart {
                    at,
                    whole: one.span(),
                    value: value.inner(one),
                };
                DocumentParts::List(items.map(part).collect())
            }
            _ => DocumentParts::Plain,
        }
    }
}

impl CollectionParts {
    /// Collects the attributes of an object by name, without computed ones, or the elements of a list; nothing for another
    /// expression.
    fn of(expr: &Expr) -> CollectionParts {
        let mut all = CollectionParts::default();
        let Expr::Native(native) = expr else { return all };
        for (at, item) in attributes(expr).into_iter().enumerate() {
            let Some(name) = key_name(item.key) else { continue };
            let whole = item.key.span().join(item.value.span());
            let value = Expr::Native(native.inner(item.value));
            let part = CollectionPart { of: expr.clone(), at, whole, value };
            all.named.entry(name).or_default().push(part);
        }
        for (at, item) in elements(expr).into_iter().enumerate() {
            let value = Expr::Native(native.inner(item));
            all.elements.push(CollectionPart { of: expr.clone(), at, whole: item.span(), value });
        }
        all
    }
}
