//! Reading a body by a shape: which names are arguments, which are blocks and with how many labels.
//! A name may be both; in native syntax the writing decides, in JSON the block wins.

use crate::body::{Argument, Block, Body, Item, JsonBody, NativeBody};
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::span::{FileId, Place, Span};

/// What a body may hold.
#[derive(Clone, Debug, Default)]
pub struct BodyShape {
    /// Names of arguments, and whether each must be there.
    pub arguments: Vec<(&'static str, bool)>,
    /// Kinds of blocks.
    pub blocks: Vec<BlockShape>,
    /// Whether anything else may stand there too; it is kept in [`BodyContent::rest`].
    pub rest: bool,
}

/// A kind of block and the names of its labels.
#[derive(Clone, Debug)]
pub struct BlockShape {
    /// The first word.
    pub kind: &'static str,
    /// What each label means, in order: their number is the number of labels.
    pub labels: &'static [&'static str],
}

impl BodyShape {
    /// A shape from rows: arguments that may be there, blocks with the meaning of their labels.
    pub fn new(
        arguments: &[&'static str],
        blocks: &[(&'static str, &'static [&'static str])],
    ) -> Self {
        Self {
            arguments: arguments.iter().map(|name| (*name, false)).collect(),
            blocks: blocks.iter().map(|(kind, labels)| BlockShape { kind, labels }).collect(),
            rest: false,
        }
    }

    /// Says that an argument must be there.
    #[must_use]
    pub fn required(mut self, name: &'static str) -> Self {
        self.arguments.retain(|(known, _)| *known != name);
        self.arguments.push((name, true));
        self
    }

    /// Lets anything else stand there too.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.rest = true;
        self
    }

    pub(crate) fn block(&self, kind: &str) -> Option<&BlockShape> {
        self.blocks.iter().find(|shape| shape.kind == kind)
    }

    pub(crate) fn argument(&self, name: &str) -> bool {
        self.arguments.iter().any(|(known, _)| *known == name)
    }
}

/// What a body holds, sorted out by a shape.
#[derive(Clone, Debug, Default)]
pub struct BodyContent {
    /// The arguments the shape names, in source order.
    pub arguments: Vec<Argument>,
    /// The blocks the shape names, in source order.
    pub blocks: Vec<Block>,
    /// What the shape does not name, where it is open.
    pub rest: Vec<Item>,
}

impl BodyContent {
    /// The argument with that name.
    pub fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.name.text == *name)
    }

    /// The blocks of that kind.
    pub fn blocks<'c>(&'c self, kind: &'c str) -> impl Iterator<Item = &'c Block> {
        self.blocks.iter().filter(move |block| block.kind.text == *kind)
    }
}

impl Body {
    /// Reads it by a shape: what the shape names is sorted out, what it does not name is reported (or kept in
    /// `content.rest` where the shape is open).
    pub fn content(&self, shape: &BodyShape, out: &mut Diagnostics) -> BodyContent {
        match self {
            Self::Native(body) => native(body, shape, out),
            Self::Json(body) => json(body, shape, out),
        }
    }
}

fn native(body: &NativeBody, shape: &BodyShape, out: &mut Diagnostics) -> BodyContent {
    let mut content = BodyContent::default();
    let file = body.file();
    for item in body.items() {
        match item {
            Item::Argument(argument) if shape.argument(&argument.name.text) => {
                content.arguments.push(argument);
            }
            Item::Block(block) if shape.block(&block.kind.text).is_some() => {
                if shape.block(&block.kind.text).is_some_and(|s| labels_fit(&block, s, out)) {
                    content.blocks.push(block);
                }
            }
            item if shape.rest => content.rest.push(item),
            Item::Argument(argument) => out.push(stray_argument(&argument, shape, file)),
            Item::Block(block) => out.push(stray_block(&block, shape, file)),
        }
    }
    missing(&Body::Native(body.clone()), shape, &content, out);
    content
}

fn json(body: &JsonBody, shape: &BodyShape, out: &mut Diagnostics) -> BodyContent {
    let content = body.content(shape, out);
    missing(&Body::Json(body.clone()), shape, &content, out);
    content
}

fn missing(body: &Body, shape: &BodyShape, content: &BodyContent, out: &mut Diagnostics) {
    for (name, required) in &shape.arguments {
        if *required && content.argument(name).is_none() {
            let detail = format!("The argument `{name}` must be set here. Add `{name} = …`.");
            out.push(Diagnostic::error(&codes::MISSING_ARGUMENT, detail).at(body.end()));
        }
    }
}

fn labels_fit(block: &Block, shape: &BlockShape, out: &mut Diagnostics) -> bool {
    let (found, wanted) = (block.labels.len(), shape.labels.len());
    if found == wanted {
        return true;
    }
    let kind = shape.kind;
    let found = match found {
        0 => "it has none".to_owned(),
        found => format!("it has {found}"),
    };
    let detail = match shape.labels {
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

fn stray_argument(argument: &Argument, shape: &BodyShape, file: FileId) -> Diagnostic {
    let name = &argument.name.text;
    if shape.block(name).is_some() {
        let detail =
            format!("`{name}` is a block: write `{name} {{ … }}`, without the equals sign.");
        let place = Place::new(file, argument.name.span);
        return Diagnostic::error(&codes::UNEXPECTED_ARGUMENT, detail).at(place);
    }
    stray_property(name, argument.name.span, shape, file)
}

/// A name that the shape does not know.
pub(crate) fn stray_property(
    name: &str,
    span: Span,
    shape: &BodyShape,
    file: FileId,
) -> Diagnostic {
    let detail = format!("There is no argument `{name}` here.{}", nearest(name, shape));
    Diagnostic::error(&codes::UNEXPECTED_ARGUMENT, detail).at(Place::new(file, span))
}

fn stray_block(block: &Block, shape: &BodyShape, file: FileId) -> Diagnostic {
    let kind = &block.kind.text;
    let detail = if shape.argument(kind) {
        format!("`{kind}` is an argument: write `{kind} = …`.")
    } else {
        format!("There are no `{kind}` blocks here.{}", nearest(kind, shape))
    };
    Diagnostic::error(&codes::UNEXPECTED_BLOCK, detail).at(Place::new(file, block.kind.span))
}

fn nearest(name: &str, shape: &BodyShape) -> String {
    let names = shape.arguments.iter().map(|(name, _)| *name);
    let kinds = shape.blocks.iter().map(|block| block.kind);
    let near = names.chain(kinds).map(|known| (distance(name, known), known)).min();
    match near {
        Some((distance, known)) if distance <= 2 && distance < known.len() => {
            format!(" Did you mean `{known}`?")
        }
        _ => String::new(),
    }
}

/// How many letters have to change to turn one name into the other; names that are too long count as far.
fn distance(left: &str, right: &str) -> usize {
    const LONG: usize = 64;
    if left.len() > LONG || right.len() > LONG {
        return usize::MAX;
    }
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(a != *b)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[right.len()]
}
