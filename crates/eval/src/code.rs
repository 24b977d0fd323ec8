//! Lowered code: one flat arena of small operations for an expression or a template. Spans are
//! relative to the start of the expression, so code survives edits elsewhere in its file; a
//! [`LocatedCode`] adds where it stands now.

use std::sync::Arc;

use groma_functions::{Function, FunctionLibrary, FunctionReads, ProvidedFunction, SpecialForm};
use groma_syntax::ast::BinaryOp;
use groma_syntax::{FileId, Place, Span};
use groma_value::{AttributeNames, Str, Type, Value};

use crate::defaults::TypeDefaults;
use crate::fault::Fault;
use crate::hint::{PositionHint, is_same};

/// An expression or a template, lowered once for one edition, evaluated as often as needed.
pub struct Code {
    pub(crate) operations: Box<[CodeOperation]>,
    pub(crate) root: OpId,
    pub(crate) references: Box<[Reference]>,
    /// The places of the literal steps of all references.
    pub(crate) hops: Box<[StepInfo]>,
    /// How many names it binds at most at once: two for each level of nesting, of which there are few.
    pub(crate) slots: u16,
    pub(crate) library: FunctionLibrary,
    /// The functions of providers that are called.
    pub(crate) providers: Box<[ProviderCall]>,
    /// The sources of its value besides its names.
    pub(crate) sources: ValueSources,
}

/// The sources of a value besides the names in its code. Each includes the previous one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ValueSources {
    /// None: the same names give the same value.
    Names,
    /// Files and the environment, and in a template any function.
    Files,
    /// A clock, chance or the network.
    Others,
}

/// Returns the sources of a value besides its names. It is asked of every expression after every edit, and so it is worked out once.
pub(crate) fn sources_of(operations: &[CodeOperation]) -> ValueSources {
    let of_call = |call: &CallNode| match call.function.reads {
        FunctionReads::Nothing => ValueSources::Names,
        FunctionReads::Files | FunctionReads::Environment => ValueSources::Files,
        _ => ValueSources::Others,
    };
    let sources = operations.iter().map(|one| match &one.node {
        // The functions that a template calls are known when it is rendered.
        OpKind::Form(SpecialForm::TemplateFile | SpecialForm::TemplateString, _) => {
            ValueSources::Files
        }
        OpKind::Call(call) | OpKind::Form(_, call) => of_call(call),
        OpKind::TypeForm(form) => of_call(&form.call),
        OpKind::Provided(provided) => of_call(&provided.call),
        _ => ValueSources::Names,
    });
    sources.max().unwrap_or(ValueSources::Names)
}

/// A reference from code to a provider function's provider.
#[derive(Clone, Debug)]
pub struct ProviderCall {
    /// The module's name of the provider.
    pub provider: Arc<str>,
    /// The alias of the configuration, where the name says so.
    pub alias: Option<Arc<str>>,
    /// The place where the name of the function stands, relative to the expression.
    pub span: Span,
}

impl Code {
    /// Returns every reference to a root name not bound by the expression itself, in source order.
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// Returns the provider function calls in the code.
    pub fn providers(&self) -> &[ProviderCall] {
        &self.providers
    }

    /// Returns the value of a constant expression.
    pub fn constant(&self) -> Option<&Value> {
        match self.node(self.root) {
            OpKind::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Returns true if the code depends on its names only: it reads no file, clock, environment or randomness.
    pub fn is_pure(&self) -> bool {
        self.sources == ValueSources::Names
    }

    /// Returns the sources of its value besides its names.
    pub fn sources(&self) -> ValueSources {
        self.sources
    }

    /// Returns the function library that the code was lowered with.
    pub fn library(&self) -> &FunctionLibrary {
        &self.library
    }

    /// Returns the span of the whole expression, relative to its own start.
    pub fn span(&self) -> Span {
        self.spans_of(self.root)
    }

    /// Returns what an operation does.
    pub(crate) fn node(&self, id: OpId) -> &OpKind {
        &self.operations[id.0 as usize].node
    }

    /// Returns the leading literal steps of a reference.
    #[inline]
    pub(crate) fn literal_steps<'c>(&'c self, reference: &'c Reference) -> StepRange<'c> {
        let (from, to) = reference.hops;
        let hops = self.hops.get(from as usize..to as usize).unwrap_or(&[]);
        StepRange { steps: &reference.steps, hops }
    }

    /// Returns the span of an operation, from the start of the expression.
    pub(crate) fn spans_of(&self, id: OpId) -> Span {
        self.operations[id.0 as usize].span
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Code of {} operations", self.operations.len())
    }
}

/// Lowered code with its location in a file, ready for evaluation.
#[derive(Clone, Debug)]
pub struct LocatedCode {
    /// The code.
    pub code: Arc<Code>,
    /// The file it stands in.
    pub file: FileId,
    /// The offset of the expression in that file; spans of the code start here.
    pub base: u32,
}

impl LocatedCode {
    /// Returns the absolute place of a span of the code.
    pub fn place(&self, span: Span) -> Place {
        Place::new(self.file, span.shift(self.base))
    }

    /// Returns the absolute place of a reference up to its first `steps` literal steps.
    pub fn place_of_first(&self, reference: &Reference, steps: usize) -> Place {
        let hops = self.code.literal_steps(reference).hops;
        let root = reference.span.start + reference.root.len() as u32;
        let last = steps.min(hops.len()).checked_sub(1).and_then(|last| hops.get(last));
        let end = last.map_or(root, |hop| hop.span.end).min(reference.span.end);
        self.place(Span::new(reference.span.start, end))
    }
}

/// A reference to a root name with its literal steps.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The root's name, exactly as written: names of roots are not normalised.
    pub root: Arc<str>,
    /// The steps after the root.
    pub steps: Box<[Step]>,
    /// From the root to the last literal step, relative to the expression.
    pub span: Span,
    /// The range of the code's hops that are those of its literal steps: from the first up to, not including, the
    /// second.
    pub(crate) hops: (u32, u32),
    /// The place where a list of names has the root, or what the first step names.
    pub(crate) hint: PositionHint,
}

impl Reference {
    /// Returns the root and the attribute names after it, up to the first step that is not one: `caller.id`.
    pub fn path(&self) -> String {
        let names = self.steps.iter().map_while(|step| match step {
            Step::Attribute(name) => Some(&**name),
            _ => None,
        });
        std::iter::once(&*self.root).chain(names).collect::<Vec<_>>().join(".")
    }

    /// Returns the number of leading literal steps.
    #[inline]
    pub(crate) fn literal_count(&self) -> usize {
        (self.hops.1 - self.hops.0) as usize
    }

    /// Returns the position of the item named by the first step: the one found last, or the result of `search`. `name_at`
    /// returns the name at a position.
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

/// Returns every reference of the code, like [`Code::references`].
pub fn references(code: &Code) -> &[Reference] {
    code.references()
}

/// The number of an operation in its arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OpId(pub(crate) u32);

/// The span and lookup hint of a literal step, computed by lowering.
pub(crate) struct StepInfo {
    /// `.name` or `[key]`, whole.
    pub(crate) span: Span,
    /// The place where objects have the name.
    pub(crate) hint: PositionHint,
}

/// A range of literal steps to follow, with their spans and hints.
#[derive(Clone, Copy)]
pub(crate) struct StepRange<'c> {
    steps: &'c [Step],
    hops: &'c [StepInfo],
}

impl<'c> StepRange<'c> {
    /// Returns the number of steps.
    pub(crate) fn len(self) -> usize {
        self.hops.len()
    }

    /// Returns the steps after the first `used`.
    #[inline]
    pub(crate) fn after(self, used: usize) -> StepRange<'c> {
        let steps = self.steps.get(used..).unwrap_or(&[]);
        StepRange { steps, hops: self.hops.get(used..).unwrap_or(&[]) }
    }

    /// Returns a step and what is stored with it.
    pub(crate) fn get(self, at: usize) -> Option<(&'c Step, &'c StepInfo)> {
        Some((self.steps.get(at)?, self.hops.get(at)?))
    }

    /// Iterates over the steps and what is stored with each.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = (&'c Step, &'c StepInfo)> {
        self.steps.iter().zip(self.hops)
    }
}

/// An operation of lowered code, with its span.
pub(crate) struct CodeOperation {
    pub(crate) node: OpKind,
    pub(crate) span: Span,
}

/// The kind of an operation. Names bound by `for` are slots, functions are resolved, constants are values.
pub(crate) enum OpKind {
    /// A constant.
    Value(Value),
    /// A name bound by a `for`, or the item of a splat.
    Local(u32),
    /// A root name and its literal steps.
    Reference(u32),
    /// Literal steps into another operation's value.
    Traverse(Box<TraverseNode>),
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
    Form(SpecialForm, Box<CallNode>),
    /// `convert(value, TYPE)` and `unknown(TYPE)`.
    TypeForm(Box<TypeFormNode>),
    /// Something wrong that matters only if it is evaluated.
    Fault(Box<Fault>),
    /// A hole that the parser has reported.
    Missing,
}

impl OpKind {
    /// Appends the operand ids of the operation, including loop bodies.
    pub(crate) fn push_operands(&self, all: &mut Vec<OpId>) {
        match self {
            OpKind::Value(_) | OpKind::Local(_) | OpKind::Reference(_) => {}
            OpKind::Fault(_) | OpKind::Missing => {}
            OpKind::Traverse(node) => all.push(node.source),
            OpKind::Index { source, key, .. } => all.extend([*source, *key]),
            OpKind::Splat { source, each, .. } => all.extend([*source, *each]),
            OpKind::Not(operand) | OpKind::Negate(operand) => all.push(*operand),
            OpKind::Binary { left, right, .. } => all.extend([*left, *right]),
            OpKind::Conditional { condition, then, otherwise } => {
                all.extend([*condition, *then, *otherwise]);
            }
            OpKind::Tuple(items) | OpKind::Template(items) => all.extend(items.iter().copied()),
            OpKind::Object(object) => match &**object {
                ObjectNode::Named { values, .. } => all.extend(values.iter().copied()),
                ObjectNode::Computed(items) => {
                    all.extend(items.iter().flat_map(|(key, value)| [*key, *value]));
                }
            },
            OpKind::For(each) | OpKind::TemplateFor(each) => {
                let body = [Some(each.collection), each.key, each.condition, Some(each.value)];
                all.extend(body.into_iter().flatten());
            }
            OpKind::Call(call) | OpKind::Form(_, call) => {
                all.extend(call.args.iter().map(|argument| argument.node));
            }
            OpKind::Provided(node) => {
                all.extend(node.call.args.iter().map(|argument| argument.node));
            }
            OpKind::TypeForm(form) => all.extend(form.value),
        }
    }
}

// Code is kept for as long as what it was lowered from, and there is an operation for every few bytes of a text.
const _: () = assert!(size_of::<CodeOperation>() <= 32);

/// A traversal: literal steps into the value of another operation.
pub(crate) struct TraverseNode {
    pub(crate) source: OpId,
    steps: Box<[Step]>,
    hops: Box<[StepInfo]>,
}

impl TraverseNode {
    /// Creates a traversal; `steps` and `hops` have equal length.
    pub(crate) fn new(source: OpId, steps: Box<[Step]>, hops: Box<[StepInfo]>) -> TraverseNode {
        TraverseNode { source, steps, hops }
    }

    /// Returns all steps of the reference.
    pub(crate) fn steps(&self) -> StepRange<'_> {
        StepRange { steps: &self.steps, hops: &self.hops }
    }
}

/// An object expression: with constant names, or with computed keys.
pub(crate) enum ObjectNode {
    /// All keys are constant: the values in source order.
    Named { layout: Arc<ObjectLayout>, values: Box<[OpId]> },
    /// Keys and values in source order.
    Computed(Box<[(OpId, OpId)]>),
}

/// The constant attribute names of an object expression, shared between objects with the same keys.
pub(crate) struct ObjectLayout {
    pub(crate) names: Arc<AttributeNames>,
    /// For each item, in source order, the position of its name.
    pub(crate) order: Box<[u32]>,
}

impl ObjectLayout {
    /// Creates the layout of an object with these keys.
    pub(crate) fn of(keys: &[Str]) -> ObjectLayout {
        let names = AttributeNames::new(keys.iter().cloned());
        let position = |key: &Str| names.position(key).and_then(|at| u32::try_from(at).ok());
        let order = keys.iter().map(|key| position(key).unwrap_or(0)).collect();
        ObjectLayout { names, order }
    }

    /// Returns true if an object with these keys has this layout.
    pub(crate) fn is_of(&self, keys: &[Str]) -> bool {
        let names = self.names.as_slice();
        let own = self.order.iter().map(|at| names.get(*at as usize));
        self.order.len() == keys.len() && own.eq(keys.iter().map(Some))
    }
}

/// A `for` expression of either form, or a `%{ for }` directive.
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

/// The target type of a conversion, with its defaults.
#[derive(Clone, Debug)]
pub(crate) struct TargetType {
    pub(crate) ty: Type,
    /// The defaults of absent optional attributes.
    pub(crate) defaults: Option<TypeDefaults>,
    /// True if a mark of a part goes to the whole result.
    pub(crate) hides_whole: bool,
}

/// A conversion call whose type argument is a type expression.
pub(crate) struct TypeFormNode {
    /// The value to convert; `None` for `unknown(TYPE)`.
    pub(crate) value: Option<OpId>,
    pub(crate) wanted: TargetType,
    pub(crate) call: CallNode,
}

/// A function call, with its arguments and spans.
pub(crate) struct CallNode {
    pub(crate) function: &'static Function,
    pub(crate) args: Box<[CallArgument]>,
    /// The last argument ends with `...`.
    pub(crate) expand: bool,
    /// The closing parenthesis.
    pub(crate) close: Span,
    /// The name up to the opening parenthesis.
    pub(crate) head: Span,
}

/// A call of a provider's function.
pub(crate) struct ProvidedNode {
    /// The module's name of the provider.
    pub(crate) provider: Arc<str>,
    /// The whole name as written.
    pub(crate) name: Str,
    pub(crate) name_span: Span,
    pub(crate) provided: ProvidedFunction,
    /// Its function is what the built-in provider has under that name, if anything.
    pub(crate) call: CallNode,
}

/// An argument of a call, with the span blamed if it does not fit.
pub(crate) struct CallArgument {
    pub(crate) node: OpId,
    /// The place where the argument starts: its first token, or all of a reference.
    pub(crate) head: Span,
}
