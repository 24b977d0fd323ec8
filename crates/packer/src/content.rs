//! Bodies ready to be evaluated: every expression is lowered once. `dynamic` blocks stay as they are written; what
//! they make depends on values and comes when a build is worked out.

use groma_eval::{Located, Reference};
use groma_folder::{RawArgument, RawBlock, RawLabel};
use groma_functions::Library;
use groma_syntax::{Expr, Place};
use groma_value::Str;

/// An expression, as written and as it is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    /// As written.
    pub(crate) expr: Expr,
    /// As it is evaluated.
    pub(crate) located: Located,
}

impl Expression {
    pub(crate) fn new(expr: &Expr, library: &Library) -> Expression {
        Expression { expr: expr.clone(), located: Located::of(expr, library) }
    }

    /// Where it stands.
    pub(crate) fn place(&self) -> Place {
        self.expr.place()
    }

    /// What it refers to, with the places.
    pub(crate) fn references(&self) -> impl Iterator<Item = (&Reference, Place)> {
        let references = self.located.code.references().iter();
        references.map(|reference| (reference, self.located.place(reference.span)))
    }
}

/// An argument of a body, lowered.
#[derive(Clone, Debug)]
pub(crate) struct LoweredArgument {
    /// Its name.
    pub(crate) name: Str,
    /// Where the name stands.
    pub(crate) name_place: Place,
    /// What it is set to.
    pub(crate) value: Expression,
}

/// A block inside a body.
#[derive(Clone, Debug)]
pub(crate) struct Nested {
    /// The word that starts it.
    pub(crate) kind: Str,
    /// Its labels.
    pub(crate) labels: Vec<RawLabel>,
    /// Where the word and the labels stand.
    pub(crate) header: Place,
    /// What is in it.
    pub(crate) content: Content,
}

/// What stands in a block.
#[derive(Clone, Default, Debug)]
pub(crate) struct Content {
    /// Where it begins: what is missing in it can be reported there.
    pub(crate) open: Place,
    /// In source order, each name once.
    pub(crate) arguments: Vec<LoweredArgument>,
    /// In source order.
    pub(crate) blocks: Vec<Nested>,
}

impl Content {
    /// What a block holds as written, lowered.
    pub(crate) fn of(raw: &RawBlock, library: &Library) -> Content {
        let argument = |argument: &RawArgument| LoweredArgument {
            name: argument.name.clone(),
            name_place: argument.name_place,
            value: Expression::new(&argument.expr, library),
        };
        Content {
            open: raw.edge,
            arguments: raw.arguments.iter().map(argument).collect(),
            blocks: raw.blocks.iter().map(|block| Nested::of(block, library)).collect(),
        }
    }

    /// The argument of that name.
    pub(crate) fn argument(&self, name: &str) -> Option<&LoweredArgument> {
        self.arguments.iter().find(|argument| &*argument.name == name)
    }

    /// Visits every expression, inner blocks included.
    pub(crate) fn expressions<'c>(&'c self, visit: &mut dyn FnMut(&'c Expression)) {
        for argument in &self.arguments {
            visit(&argument.value);
        }
        for block in &self.blocks {
            block.content.expressions(visit);
        }
    }
}

impl Nested {
    /// A block as written, lowered.
    pub(crate) fn of(raw: &RawBlock, library: &Library) -> Nested {
        Nested {
            kind: raw.kind.clone(),
            labels: raw.labels.clone(),
            header: raw.header,
            content: Content::of(raw, library),
        }
    }
}
