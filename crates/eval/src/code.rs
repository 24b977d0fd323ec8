//! Lowered code: one flat arena of small operations for an expression or a template. Spans are
//! relative to the start of the expression, so code survives edits elsewhere in its file; a
//! [`Located`] adds where it stands now.

use std::sync::Arc;

use groma_functions::{Form, Function, Library, Provided, Reads};
use groma_syntax::ast::BinaryOp;
use groma_syntax::{FileId, Place, Span};
use groma_value::{AttributeNames, Str, Type, Value};

use crate::defaults::Defaults;
use crate::fault::Fault;
use crate::hint::{Hint, is_same};

/// An expression or a template, lowered once for one edition, evaluated as often as needed.
pub struct Code {
    pub(crate) operations: Box<[Operation]>,
    pub(crate) root: OpId,
    pub(crate) references: Box<[Reference]>,
    /// The literal steps of all references, with their places.
    pub(crate) hops: Box<[Hop]>,
    pub(crate) slots: usize,
    pub(crate) library: Library,
    /// The names of providers whose functions are called, with the places of the calls' names.
    pub(crate) providers: Vec<(Arc<str>, Span)>,
}

impl Code {
    /// Every reference to a root outside of the expression's own names, in source order.
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// The names of providers whose functions are called, each with the place of the function's name relative to
    /// the expression.
    pub fn providers(&self) -> &[(Arc<str>, Span)] {
        &self.providers
    }

    /// The value, if the expression is a constant.
    pub fn constant(&self) -> Option<&Value> {
        match self.node(self.root) {
            Op::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it gives the same wherever its names are worth the same: it reads no file, clock, environment or chance.
    pub fn asks_nobody(&self) -> bool {
        let is_plain = |call: &CallNode| call.function.reads == Reads::Nothing;
        self.operations.iter().all(|one| match &one.node {
            // What a template calls shows when it is rendered.
            Op::Form(Form::TemplateFile | Form::TemplateString, _) => false,
            Op::Call(call) | Op::Form(_, call) | Op::TypeForm { call, .. } => is_plain(call),
            Op::Provided(provided) => is_plain(&provided.call),
            _ => true,
        })
    }

    /// The functions that the code was lowered with.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The whole expression, relative to its own start.
    pub fn span(&self) -> Span {
        self.spans_of(self.root)
    }

    pub(crate) fn node(&self, id: OpId) -> &Op {
        &self.operations[id.0 as usize].node
    }

    /// The literal steps of a reference.
    #[inline]
    pub(crate) fn hops_of(&self, reference: &Reference) -> &[Hop] {
        let (from, to) = reference.hops;
        self.hops.get(from as usize..to as usize).unwrap_or(&[])
    }

    pub(crate) fn spans_of(&self, id: OpId) -> Span {
        self.operations[id.0 as usize].span
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Code of {} operations", self.operations.len())
    }
}

/// Code at a place: what is evaluated.
#[derive(Clone, Debug)]
pub struct Located {
    /// The code.
    pub code: Arc<Code>,
    /// The file it stands in.
    pub file: FileId,
    /// The offset of the expression in that file; spans of the code start here.
    pub base: u32,
}

impl Located {
    /// The absolute place of a span of the code.
    pub fn place(&self, span: Span) -> Place {
        Place::new(self.file, span.shift(self.base))
    }
}

/// A use of a root name, as far as its steps are written out.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The root's name, exactly as written: names of roots are not normalised.
    pub root: Arc<str>,
    /// What follows it.
    pub steps: Box<[Step]>,
    /// From the root to the last literal step, relative to the expression.
    pub span: Span,
    /// Which of the code's literal steps are its own: from the first up to, not including, the second.
    pub(crate) hops: (u32, u32),
    /// Where a list of names has the root, or what the first step names.
    pub(crate) hint: Hint,
}

impl Reference {
    /// Where among things with names the one is that the first step names: where it was found last, or where `search`
    /// finds it. `name_at` gives the name at a position.
    #[inline]
    pub fn position<'n>(
        &self,
        name_at: impl Fn(usize) -> Option<&'n str>,
        search: impl FnOnce(&str) -> Option<usize>,
    ) -> Option<usize> {
        let Some(Step::Attribute(name)) = self.steps.first() else { return None };
        let is_it = |at: usize| name_at(at).is_some_and(|own| is_same(own, name));
        self.hint.find(is_it, || search(name))
    }
}

/// One step of a reference.
#[derive(Clone, Debug)]
pub enum Step {
    /// `.name`
    Attribute(Str),
    /// `["key"]`, `[0]` or `.0`
    Index(Value),
    /// `[*]` or `.*`
    Splat,
    /// `[any other expression]`
    Unknown,
}

/// Every reference of the code; the same as [`Code::references`].
pub fn references(code: &Code) -> &[Reference] {
    code.references()
}

/// The number of an operation in its arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OpId(pub(crate) u32);

/// A literal step and its place.
pub(crate) struct Hop {
    pub(crate) step: HopStep,
    /// `.name` or `[key]`, whole.
    pub(crate) span: Span,
}

/// What a literal step asks for.
pub(crate) enum HopStep {
    /// A name, and where objects have it.
    Attribute(Str, Hint),
    Index(Value),
}

/// What is done, and where that is written.
pub(crate) struct Operation {
    pub(crate) node: Op,
    pub(crate) span: Span,
}

/// One operation. Names of `for` are slots, functions are resolved, constants are values.
pub(crate) enum Op {
    /// A constant.
    Value(Value),
    /// A name bound by a `for`, or the item of a splat.
    Local(u32),
    /// A root name and its literal steps.
    Reference(u32),
    /// Literal steps into another operation's value.
    Traverse { source: OpId, hops: Box<[Hop]> },
    /// `source[key]`
    Index { source: OpId, key: OpId, brackets: Span },
    /// `source[*]…`; `each` reads the item from the slot.
    Splat { source: OpId, each: OpId, slot: u32 },
    /// `!operand`
    Not(OpId),
    /// `-operand`
    Negate(OpId),
    /// `left op right`
    Binary { op: BinaryOp, left: OpId, right: OpId },
    /// `condition ? then : otherwise`; also the directive `%{ if }`.
    Conditional { condition: OpId, then: OpId, otherwise: OpId },
    /// `[…]`
    Tuple(Box<[OpId]>),
    /// `{…}`
    Object(Box<ObjectNode>),
    /// `[for …]`, `{for …}`
    For(Box<ForNode>),
    /// Text with parts.
    Template(Box<[OpId]>),
    /// The directive `%{ for }`.
    TemplateFor(Box<ForNode>),
    /// A call of a function of values.
    Call(Box<CallNode>),
    /// A call of a provider's function.
    Provided(Box<ProvidedNode>),
    /// A call that the evaluator does itself.
    Form(Form, Box<CallNode>),
    /// `convert(value, TYPE)` and `unknown(TYPE)`.
    TypeForm { value: Option<OpId>, wanted: Box<Wanted>, call: Box<CallNode> },
    /// Something wrong that matters only if it is evaluated.
    Fault(Box<Fault>),
    /// A hole that the parser has reported.
    Missing,
}

/// `{ key = value … }`
pub(crate) struct ObjectNode {
    /// Keys and values in source order.
    pub(crate) items: Box<[(OpId, OpId)]>,
    /// Where every key is constant: the names, and for each item the position of its name.
    pub(crate) shared: Option<(Arc<AttributeNames>, Box<[u32]>)>,
}

/// A `for` of either form, or the directive.
pub(crate) struct ForNode {
    pub(crate) key_slot: Option<u32>,
    pub(crate) value_slot: u32,
    pub(crate) collection: OpId,
    /// Of the object form.
    pub(crate) key: Option<OpId>,
    pub(crate) value: OpId,
    pub(crate) condition: Option<OpId>,
    pub(crate) group: bool,
}

/// The type that a value is converted to.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) ty: Type,
    /// What absent optional attributes are worth.
    pub(crate) defaults: Option<Defaults>,
    /// Whether a mark of a part goes to the whole result.
    pub(crate) hides_whole: bool,
}

/// A call and its places.
pub(crate) struct CallNode {
    pub(crate) function: &'static Function,
    pub(crate) args: Box<[Argument]>,
    /// The last argument ends with `...`.
    pub(crate) expand: bool,
    /// The closing parenthesis.
    pub(crate) close: Span,
    /// The name up to the opening parenthesis.
    pub(crate) head: Span,
}

/// A call of a provider's function.
pub(crate) struct ProvidedNode {
    /// What the module calls the provider.
    pub(crate) provider: Arc<str>,
    /// The whole name as written.
    pub(crate) name: Str,
    pub(crate) name_span: Span,
    pub(crate) provided: Provided,
    /// Its function is what the built-in provider has under that name, if anything.
    pub(crate) call: CallNode,
}

/// An argument of a call.
pub(crate) struct Argument {
    pub(crate) node: OpId,
    /// Where the argument starts: its first token, or all of a reference.
    pub(crate) head: Span,
}
