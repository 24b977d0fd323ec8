//! Bodies with lowered expressions. `dynamic` blocks are kept as written; they are expanded when a build is evaluated.

use groma_config::{RawArgument, RawBlock, RawLabel};
use groma_eval::{LocatedCode, Reference};
use groma_functions::FunctionLibrary;
use groma_syntax::{Expr, Place};
use groma_value::Str;

/// An expression in a Packer template, as source and as lowered code.
#[derive(Clone, Debug)]
pub(crate) struct TemplateExpression {
    /// The source expression.
    pub(crate) expr: Expr,
    /// The lowered code.
    pub(crate) located: LocatedCode,
}

impl TemplateExpression {
    /// Creates a template expression from a parsed expression by lowering it; `library` holds the functions that it may call.
    pub(crate) fn new(expr: &Expr, library: &FunctionLibrary) -> TemplateExpression {
        TemplateExpression { expr: expr.clone(), located: LocatedCode::of(expr, library) }
    }

    /// Returns the source range of the expression.
    pub(crate) fn place(&self) -> Place {
        self.expr.place()
    }

    /// Returns the references in the expression, with their source ranges.
    pub(crate) fn references(&self) -> impl Iterator<Item = (&Reference, Place)> {
        let references = self.located.code.references().iter();
        references.map(|reference| (reference, self.located.place(reference.span)))
    }
}

/// An argument of a body, with its expression lowered.
#[derive(Clone, Debug)]
pub(crate) struct LoweredArgument {
    /// Its name.
    pub(crate) name: Str,
    /// The source range of the name.
    pub(crate) name_place: Place,
    /// The value.
    pub(crate) value: TemplateExpression,
}

/// A block inside a body, with lowered expressions.
#[derive(Clone, Debug)]
pub(crate) struct NestedContent {
    /// The block type.
    pub(crate) kind: Str,
    /// Its labels.
    pub(crate) labels: Vec<RawLabel>,
    /// The source range of the type and the labels.
    pub(crate) header: Place,
    /// The content.
    pub(crate) content: BlockContent,
}

/// The arguments and nested blocks of a block, with lowered expressions.
#[derive(Clone, Default, Debug)]
pub(crate) struct BlockContent {
    /// The source range at which missing content is reported.
    pub(crate) open: Place,
    /// The arguments in source order, each name once.
    pub(crate) arguments: Vec<LoweredArgument>,
    /// The nested blocks in source order.
    pub(crate) blocks: Vec<NestedContent>,
}

impl BlockContent {
    /// Lowers the arguments and nested blocks of a block.
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

    /// Returns the argument called `name`, if there is one.
    pub(crate) fn argument(&self, name: &str) -> Option<&LoweredArgument> {
        self.arguments.iter().find(|argument| &*argument.name == name)
    }

    /// Passes every expression of the block, including those in nested blocks, to `visit`.
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
    /// Lowers a nested block with its content.
    pub(crate) fn of(raw: &RawBlock, library: &FunctionLibrary) -> NestedContent {
        NestedContent {
            kind: raw.kind.clone(),
            labels: raw.labels.clone(),
            header: raw.header,
            content: BlockContent::of(raw, library),
        }
    }
}
