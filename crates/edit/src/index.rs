//! What a text holds, by names. It is made where a path leads through, once, so that many paths cost no more than the text.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use groma_syntax::{Body, Expr, Item, Span};

use crate::parts::{Part, attributes, elements};
use crate::path::key_name;

/// The items of a body, by the name of an argument or the kind of a block.
type Items = HashMap<String, Vec<Item>>;

/// The parts of an object or a list.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// Attributes with a plain name.
    pub(crate) named: HashMap<String, Vec<Part>>,
    pub(crate) elements: Vec<Part>,
}

/// The bodies, objects and lists of one text that were looked into, by where they stand.
#[derive(Debug, Default)]
pub(crate) struct Index {
    items: RefCell<HashMap<(u32, u32), Rc<Items>>>,
    parts: RefCell<HashMap<(u32, u32), Rc<Parts>>>,
}

fn place(span: Span) -> (u32, u32) {
    (span.start, span.end)
}

impl Index {
    /// The items of a body of the text.
    pub(crate) fn items(&self, body: &Body) -> Rc<Items> {
        let make = || {
            let mut all = Items::new();
            for item in body.items() {
                let name = match &item {
                    Item::Argument(argument) => argument.name.text.to_string(),
                    Item::Block(block) => block.kind.text.to_string(),
                };
                all.entry(name).or_default().push(item);
            }
            Rc::new(all)
        };
        self.items.borrow_mut().entry(place(body.span())).or_insert_with(make).clone()
    }

    /// The parts of an expression of the text.
    pub(crate) fn parts(&self, expr: &Expr) -> Rc<Parts> {
        let make = || Rc::new(Parts::of(expr));
        self.parts.borrow_mut().entry(place(expr.span())).or_insert_with(make).clone()
    }
}

impl Parts {
    fn of(expr: &Expr) -> Parts {
        let mut all = Parts::default();
        let Expr::Native(native) = expr else { return all };
        for (at, item) in attributes(expr).into_iter().enumerate() {
            let Some(name) = key_name(item.key) else { continue };
            let whole = item.key.span().join(item.value.span());
            let value = Expr::Native(native.inner(item.value));
            let part = Part { of: expr.clone(), at, whole, value };
            all.named.entry(name).or_default().push(part);
        }
        for (at, item) in elements(expr).into_iter().enumerate() {
            let value = Expr::Native(native.inner(item));
            all.elements.push(Part { of: expr.clone(), at, whole: item.span(), value });
        }
        all
    }
}
