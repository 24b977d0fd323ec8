//! Sorting of a body's items by a shape, which defines the names of arguments and the kinds of blocks with their labels. A name
//! may be both; in native syntax the notation decides, in JSON the block wins. Other items are kept: the caller decides if they
//! are allowed.

use crate::body::{Argument, Block, Body, BodyItem, NativeBody};
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::span::Place;

/// Predicates that define which names in a body are arguments and which are blocks.
#[derive(Clone, Copy)]
pub struct BodyShape<'s> {
    /// Returns true if the name is that of an argument.
    pub is_argument: &'s dyn Fn(&str) -> bool,
    /// Returns the meaning of each label of a kind of block, in order; `None` if there is no such kind.
    pub labels: &'s dyn Fn(&str) -> Option<&'static [&'static str]>,
}

/// The items of a body, sorted by a [`BodyShape`] into arguments, blocks and others.
#[derive(Clone, Debug, Default)]
pub struct BodyContent {
    /// The arguments that the shape defines, in source order.
    pub arguments: Vec<Argument>,
    /// The blocks that the shape defines, in source order.
    pub blocks: Vec<Block>,
    /// The items that the shape does not define.
    pub rest: Vec<BodyItem>,
}

impl BodyContent {
    /// Returns the argument with the name `name`; `None` if the body does not have it.
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.name.text == *name)
    }

    /// Iterates over the blocks of the kind `kind`, in source order.
    pub fn blocks<'c>(&'c self, kind: &'c str) -> impl Iterator<Item = &'c Block> {
        self.blocks.iter().filter(move |block| block.kind.text == *kind)
    }
}

impl Body {
    /// Sorts the items of the body into arguments and blocks by a shape; reports wrong labels, JSON values of the wrong kind,
    /// and repeated arguments in JSON.
    pub fn content(&self, shape: BodyShape<'_>, out: &mut Diagnostics) -> BodyContent {
        match self {
            Self::Native(body) => native(body, shape, out),
            Self::Json(body) => body.content(shape, out),
        }
    }
}

/// Sorts the items of a body in native syntax into arguments and blocks by a shape; reports blocks with wrong labels.
fn native(body: &NativeBody, shape: BodyShape<'_>, out: &mut Diagnostics) -> BodyContent {
    let mut content = BodyContent::default();
    for item in body.items() {
        match item {
            BodyItem::Argument(argument) if (shape.is_argument)(&argument.name.text) => {
                content.arguments.push(argument);
            }
            BodyItem::Block(block) => match (shape.labels)(&block.kind.text) {
                Some(labels) if labels_fit(&block, labels, out) => content.blocks.push(block),
                Some(_) => {}
                None => content.rest.push(BodyItem::Block(block)),
            },
            argument => content.rest.push(argument),
        }
    }
    content
}

/// Returns true if a block has as many labels as its kind requires, and otherwise reports it; `labels` are the meanings of the
/// labels.
fn labels_fit(block: &Block, labels: &[&str], out: &mut Diagnostics) -> bool {
    let (found, wanted) = (block.labels.len(), labels.len());
    if found == wanted {
        return true;
    }
    let kind = block.kind.text.as_str();
    let found = match found {
        0 => "it has none".to_owned(),
        found => format!("it has {found}"),
    };
    let detail = match labels {
        [] => format!("A `{kind}` block takes no labels."),
        [one] => format!("A `{kind}` block takes one label, its {one}; {found}."),
        many => format!("A `{kind}` block takes {wanted} labels ({}); {found}.", many.join(", ")),
    };
    let span = match block.labels.get(wanted) {
        Some(extra) => extra.span,
        None => block.header,
    };
    let place = Place::new(block.body.file(), span);
    out.push(Diagnostic::error(&codes::BLOCK_LABELS, detail).at(place).within(block.header));
    false
}
