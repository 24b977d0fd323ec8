//! An index of a text by names. It is made where a path leads through, once, so that many paths cost no more than the
//! text.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use groma_syntax::{Body, BodyItem, Expr, Span};

use crate::parts::{CollectionPart, attributes, elements};
use crate::path::key_name;

/// The items of a body, by the name of an argument or the kind of a block.
type Items = HashMap<String, Vec<BodyItem>>;

/// The parts of an object or a list.
#[derive(Debug, Default)]
pub(crate) struct CollectionParts {
    /// Attributes with a plain name.
    pub(crate) named: HashMap<String, Vec<CollectionPart>>,
    pub(crate) elements: Vec<CollectionPart>,
}

/// The bodies, objects and lists of one text that were looked into, by where they stand.
#[derive(Debug, Default)]
pub(crate) struct TextIndex {
    items: RefCell<HashMap<(u32, u32), Rc<Items>>>,
    parts: RefCell<HashMap<(u32, u32), Rc<CollectionParts>>>,
}

fn place(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

impl TextIndex {
    /// The items of a body of the text.
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

    /// The parts of an expression of the text.
    pub(crate) fn parts(&self, expr: &Expr) -> Rc<CollectionParts> {
        let make = || Rc::new(CollectionParts::of(expr));
        self.parts.borrow_mut().entry(place(expr.span())).or_insert_with(make).clone()
    }
}

impl CollectionParts {
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
