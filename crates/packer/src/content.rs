//! Bodies ready to be evaluated: every expression is lowered once. `dynamic` blocks stay as they are written; what
//! they make depends on values and comes when a build is worked out.

use groma_config::{RawArgument, RawBlock, RawLabel};
use groma_eval::{LocatedCode, Reference};
use groma_functions::FunctionLibrary;
use groma_syntax::{Expr, Place};
use groma_value::Str;

/// An expression, as written and as it is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct TemplateExpression {
    /// As written.
    pub(crate) expr: Expr,
    /// As it is evaluated.
    pub(crate) located: LocatedCode,
}

impl TemplateExpression {
    pub(crate) fn new(expr: &Expr, library: &FunctionLibrary) -> TemplateExpression {
        TemplateExpression { expr: expr.clone(), located: LocatedCode::of(expr, library) }
    }

    /// Returns where it stands.
    pub(crate) fn place(&self) -> Place {
        self.expr.place()
    }

    /// Returns what it refers to, with the places.
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
    /// The place where the name stands.
    pub(crate) name_place: Place,
    /// The value.
    pub(crate) value: TemplateExpression,
}

/// A block inside a body.
#[derive(Clone, Debug)]
pub(crate) struct NestedContent {
    /// The word that starts it.
    pub(crate) kind: Str,
    /// Its labels.
    pub(crate) labels: Vec<RawLabel>,
    /// The place where the word and the labels stand.
    pub(crate) header: Place,
    /// The content.
    pub(crate) content: BlockContent,
}

/// The content of a block.
#[derive(Clone, Default, Debug)]
pub(crate) struct BlockContent {
    /// The place where it begins: what is missing in it can be reported there.
    pub(crate) open: Place,
    /// In source order, each name once.
    pub(crate) arguments: Vec<LoweredArgument>,
    /// In source order.
    pub(crate) blocks: Vec<NestedContent>,
}

impl BlockContent {
    /// Returns what a block holds as written, lowered.
    pub(crate) fn of(raw: &RawBlock, library: &FunctionLibrary) -> BlockContent {
        let argument = |argument: &RawArgument| LoweredArgument {
            name: argument.name.clone(),
            name_place: argument.name_place,
            value: TemplateExpression::new(&argument.expr, library),
        };
        BlockContent {
            open: raw.edge,
            arguments: raw.arguments.iter().map(argument).collect(),
            blocks: raw.blocks.iter().map(|block| NestedContent::of(block, library)).collect(),
        }
    }

    /// The argument of that name.
    pub(crate) fn argument(&self, name: &str) -> Option<&LoweredArgument> {
        self.arguments.iter().find(|argument| &*argument.name == name)
    }

    /// Visits every expression, inner blocks included.
    pub(crate) fn expressions<'c>(&'c self, visit: &mut dyn FnMut(&'c TemplateExpression)) {
        for argument in &self.arguments {
            visit(&argument.value);
        }
        for block in &self.blocks {
            block.content.expressions(visit);
        }
    }
}

impl NestedContent {
    /// A block as written, lowered.
    pub(crate) fn of(raw: &RawBlock, library: &FunctionLibrary) -> NestedContent {
        NestedContent {
            kind: raw.kind.clone(),
            labels: raw.labels.clone(),
            header: raw.header,
            content: BlockContent::of(raw, library),
        }
    }
}
