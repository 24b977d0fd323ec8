//! Lowered code: one flat arena of small operations for an expression or a template. Spans are
//! relative to the start of the expression, so code survives edits elsewhere in its file; a
//! [`LocatedCode`] adds its current location.

use std::sync::Arc;

use groma_functions::{Function, FunctionLibrary, FunctionReads, ProvidedFunction, SpecialForm};
use groma_syntax::ast::BinaryOp;
use groma_syntax::{FileId, Place, Span};
use groma_value::{AttributeNames, Str, Type, Value};

use crate::defaults::TypeDefaults;
use crate::fault::Fault;
use crate::hint::{PositionHint, is_same};

/// An expression or a template in lowered form: lowered once for one edition, evaluated as often as needed.
pub struct Code {
    pub(crate) operations: Box<[CodeOperation]>,
    pub(crate) root: OpId,
    pub(crate) references: Box<[Reference]>,
    /// The places of the literal steps of all references.
    pub(crate) step_infos: Box<[StepInfo]>,
    /// Maximum number of names that it binds at once: two for each level of nesting, of which there are few.
    pub(crate) slots: u16,
    pub(crate) library: FunctionLibrary,
    /// The calls of provider functions.
    pub(crate) providers: Box<[CalledProvider]>,
    /// The sources of its value besides the names in it.
    pub(crate) sources: ValueSources,
}

/// The sources from which code reads values besides the names that it refers to: none, files and the environment, or any. Each
/// includes the previous one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ValueSources {
    /// No other source: the same names give the same value.
    Names,
    /// Files and the environment, and in a template any function.
    Files,
    /// A clock, random numbers or the network.
    Others,
}

/// Returns the sources from which lowered code reads values besides the names that it refers to: the widest of the sources that
/// its calls read. Computed once by lowering, because it is asked of every expression after every edit.
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

/// The provider that a call of a provider function names, such as `aws` in `provider::aws::arn_parse(…)`.
#[derive(Clone, Debug)]
pub struct CalledProvider {
    /// The provider's local name.
    pub provider: Arc<str>,
    /// The alias of the provider configuration, if the function's name contains one.
    pub alias: Option<Arc<str>>,
    /// The span of the function's name, relative to the expression.
    pub span: Span,
}

impl Code {
    /// Returns every reference to a root name not bound by the expression itself, in source order.
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// Returns the provider of each provider function call in the code.
    pub fn providers(&self) -> &[CalledProvider] {
        &self.providers
    }

    /// Returns the value of code that is a single constant; `None` for any other code.
    pub fn constant(&self) -> Option<&Value> {
        match self.node(self.root) {
            OpKind::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Returns true if the code depends only on the names that it refers to: it reads no file, clock, environment or randomness.
    pub fn is_pure(&self) -> bool {
        self.sources == ValueSources::Names
    }

    /// Returns the sources from which the code reads values besides the names that it refers to.
    pub fn sources(&self) -> ValueSources {
        self.sources
    }

    /// Returns the function library that the code was lowered with.
    pub fn library(&self) -> &FunctionLibrary {
        &self.library
    }

    /// Returns the span of the whole expression, which starts at 0.
    pub fn span(&self) -> Span {
        self.span_of(self.root)
    }

    /// Returns the kind of the operation with this id, with its operands.
    pub(crate) fn node(&self, id: OpId) -> &OpKind {
        &self.operations[id.0 as usize].node
    }

    /// Returns the leading steps of a reference that are attribute names or constant keys, each with its span and a
    /// [`PositionHint`] for finding its name in objects.
    #[inline]
    pub(crate) fn literal_steps<'c>(&'c self, reference: &'c Reference) -> StepRange<'c> {
        let (from, to) = reference.step_infos;
        let step_infos = self.step_infos.get(from as usize..to as usize).unwrap_or(&[]);
        StepRange { steps: &reference.steps, step_infos }
    }

    /// Returns the span of an operation, relative to the start of the expression.
    pub(crate) fn span_of(&self, id: OpId) -> Span {
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
    /// The lowered code.
    pub code: Arc<Code>,
    /// The file that contains the expression.
    pub file: FileId,
    /// The offset of the expression in that file; spans of the code start here.
    pub base: u32,
}

impl LocatedCode {
    /// Returns the place in the file of a span that is relative to the expression.
    pub fn place(&self, span: Span) -> Place {
        Place::new(self.file, span.shift(self.base))
    }

    /// Returns the place in the file of a reference's root with its first `steps` literal steps.
    pub fn place_of_first(&self, reference: &Reference, steps: usize) -> Place {
        let step_infos = self.code.literal_steps(reference).step_infos;
        let root = reference.span.start + reference.root.len() as u32;
        let last = steps.min(step_infos.len()).checked_sub(1).and_then(|last| step_infos.get(last));
        let end = last.map_or(root, |hop| hop.span.end).min(reference.span.end);
        self.place(Span::new(reference.span.start, end))
    }
}

/// A reference in an expression: a root name and the steps after it, with its span.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The root's name, exactly as written: names of roots are not normalised.
    pub root: Arc<str>,
    /// The steps after the root.
    pub steps: Box<[Step]>,
    /// From the root to the last literal step, relative to the expression.
    pub span: Span,
    /// The range, in the code's list of steps, of its leading literal steps: from the first up to, not including, the second.
    pub(crate) step_infos: (u32, u32),
    /// A hint of the position where scopes hold the root, or what the first step names.
    pub(crate) hint: PositionHint,
}

impl Reference {
    /// Returns the root and the attribute names that directly follow it, joined by dots: `caller.id` for `caller.id[0].x`.
    pub fn path(&self) -> String {
        let names = self.steps.iter().map_while(|step| match step {
            Step::Attribute(name) => Some(&**name),
            _ => None,
        });
        std::iter::once(&*self.root).chain(names).collect::<Vec<_>>().join(".")
    }

    /// Returns the number of leading steps that are attribute names or constant keys.
    #[inline]
    pub(crate) fn literal_count(&self) -> usize {
        (self.step_infos.1 - self.step_infos.0) as usize
    }

    /// Returns the position in a list of names at which the name of the reference's first step is: the one that the last call
    /// found, if `name_at` returns the name there, or else the result of `search`; `None` if that is none or the first step is
    /// not a name.
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

/// One step of a reference: an attribute, a constant key, a splat or a computed key.
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

/// Returns every reference to a root name not bound by the expression itself, as [`Code::references`] does.
pub fn references(code: &Code) -> &[Reference] {
    code.references()
}

/// The id of an operation: its index among the operations of its code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OpId(pub(crate) u32);

/// The span of a literal step, `.name` or `[key]`, and the position at which its name was found most recently in an object, where
/// the next search begins.
pub(crate) struct StepInfo {
    /// The span of `.name` or `[key]`, relative to the expression.
    pub(crate) span: Span,
    /// A hint of the position where objects hold the name.
    pub(crate) hint: PositionHint,
}

/// The literal steps (attribute names and constant keys) of a reference or traversal, all of them or from some step on, each with
/// its span and a [`PositionHint`] for finding its name in objects.
#[derive(Clone, Copy)]
pub(crate) struct StepRange<'c> {
    steps: &'c [Step],
    step_infos: &'c [StepInfo],
}

impl<'c> StepRange<'c> {
    /// Returns the number of steps in the range.
    pub(crate) fn len(self) -> usize {
        self.step_infos.len()
    }

    /// Returns the range without its first `used` steps, which have been followed already.
    #[inline]
    pub(crate) fn after(self, used: usize) -> StepRange<'c> {
        let steps = self.steps.get(used..).unwrap_or(&[]);
        StepRange { steps, step_infos: self.step_infos.get(used..).unwrap_or(&[]) }
    }

    /// Returns the step at an index of the range, with its span and a [`PositionHint`] for finding its name in objects; `None`
    /// beyond its end.
    pub(crate) fn get(self, at: usize) -> Option<(&'c Step, &'c StepInfo)> {
        Some((self.steps.get(at)?, self.step_infos.get(at)?))
    }

    /// Iterates over the steps of the range, each with its span and a [`PositionHint`] for finding its name in objects.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = (&'c Step, &'c StepInfo)> {
        self.steps.iter().zip(self.step_infos)
    }
}

/// An operation of lowered code: its kind, and its span relative to the expression.
pub(crate) struct CodeOperation {
    pub(crate) node: OpKind,
    pub(crate) span: Span,
}

/// The kind of an operation of lowered code, with the ids of its operands. Names bound by `for` are slots, functions are
/// resolved, constants are values.
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
    /// Text with interpolations: the parts whose texts are joined.
    Template(Box<[OpId]>),
    /// The directive `%{ for }`.
    TemplateFor(Box<ForNode>),
    /// A call of a function of the language.
    Call(Box<CallNode>),
    /// A call of a provider's function.
    Provided(Box<ProvidedNode>),
    /// A call that the evaluator handles itself, because its arguments may stay unevaluated.
    Form(SpecialForm, Box<CallNode>),
    /// `convert(value, TYPE)` and `unknown(TYPE)`.
    TypeForm(Box<TypeFormNode>),
    /// An error found by lowering, reported only if it is evaluated.
    Fault(Box<Fault>),
    /// A missing expression, which the parser has reported.
    Missing,
}

impl OpKind {
    /// Appends the ids of the operation's direct operands to `all`, including those of loop bodies.
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

// Code is kept as long as its source, and has an operation for every few bytes of text.
/// Compile-time check that operations stay small.
const _: () = assert!(size_of::<CodeOperation>() <= 32);

/// The operation of a traversal: literal steps, such as `.name`, applied to the value of another operation.
pub(crate) struct TraverseNode {
    pub(crate) source: OpId,
    steps: Box<[Step]>,
    step_infos: Box<[StepInfo]>,
}

impl TraverseNode {
    /// Creates a traversal from `source`; `steps` are its literal steps, and `step_infos` their spans and the hints for finding
    /// their names in objects.
    pub(crate) fn new(
        source: OpId,
        steps: Box<[Step]>,
        step_infos: Box<[StepInfo]>,
    ) -> TraverseNode {
        TraverseNode { source, steps, step_infos }
    }

    /// Returns all steps of the traversal, each with its span and a [`PositionHint`] for finding its name in objects.
    pub(crate) fn steps(&self) -> StepRange<'_> {
        StepRange { steps: &self.steps, step_infos: &self.step_infos }
    }
}

/// The operation of an object expression: with constant names, or with computed keys.
pub(crate) enum ObjectNode {
    /// All keys are constant: the values in source order.
    Named { layout: Arc<ObjectLayout>, values: Box<[OpId]> },
    /// Keys and values in source order.
    Computed(Box<[(OpId, OpId)]>),
}

/// The attribute names of an object expression with constant keys, sorted, with their source order; shared between objects with
/// the same keys.
pub(crate) struct ObjectLayout {
    pub(crate) names: Arc<AttributeNames>,
    /// For each item, in source order, the position of its name.
    pub(crate) order: Box<[u32]>,
}

impl ObjectLayout {
    /// Sorts the constant keys of an object expression, given in source order, and records where each of them is in the sorted
    /// list.
    pub(crate) fn of(keys: &[Str]) -> ObjectLayout {
        let names = AttributeNames::new(keys.iter().cloned());
        let position = |key: &Str| names.position(key).and_then(|at| u32::try_from(at).ok());
        let order = keys.iter().map(|key| position(key).unwrap_or(0)).collect();
        ObjectLayout { names, order }
    }

    /// Returns true if `keys` are the constant keys, in source order, for which this was created.
    pub(crate) fn has_keys(&self, keys: &[Str]) -> bool {
        let names = self.names.as_slice();
        let own = self.order.iter().map(|at| names.get(*at as usize));
        self.order.len() == keys.len() && own.eq(keys.iter().map(Some))
    }
}

/// The operation of a `for` expression of either form, or of a `%{ for }` directive: the slots of its variables, and the
/// operations of its collection, key, value and condition.
pub(crate) struct ForNode {
    pub(crate) key_slot: Option<u32>,
    pub(crate) value_slot: u32,
    pub(crate) collection: OpId,
    /// The key of the object form.
    pub(crate) key: Option<OpId>,
    pub(crate) value: OpId,
    pub(crate) condition: Option<OpId>,
    pub(crate) group: bool,
}

/// The target type of a conversion, with the defaults of its optional attributes.
#[derive(Clone, Debug)]
pub(crate) struct TargetType {
    pub(crate) ty: Type,
    /// The defaults of missing optional attributes.
    pub(crate) defaults: Option<TypeDefaults>,
    /// True if a mark of a part goes to the whole result.
    pub(crate) hides_whole: bool,
}

/// A call of `convert` or `unknown`, whose type argument is a type expression.
pub(crate) struct TypeFormNode {
    /// The value to convert; `None` for `unknown(TYPE)`.
    pub(crate) value: Option<OpId>,
    pub(crate) wanted: TargetType,
    pub(crate) call: CallNode,
}

/// A function call: the function, its arguments and their spans.
pub(crate) struct CallNode {
    pub(crate) function: &'static Function,
    pub(crate) args: Box<[CallArgument]>,
    /// The last argument ends with `...`.
    pub(crate) expand: bool,
    /// The span of the closing parenthesis.
    pub(crate) close: Span,
    /// The span from the name to the opening parenthesis.
    pub(crate) head: Span,
}

/// A call of a provider's function: the provider's local name, the function's full name and the arguments.
pub(crate) struct ProvidedNode {
    /// The provider's local name.
    pub(crate) provider: Arc<str>,
    /// The function's full name as written.
    pub(crate) name: Str,
    pub(crate) name_span: Span,
    pub(crate) provided: ProvidedFunction,
    /// The arguments; the function is that of the built-in provider with this name, if it has one.
    pub(crate) call: CallNode,
}

/// An argument of a call: its operation, and the span that diagnostics mark if the value does not fit.
pub(crate) struct CallArgument {
    pub(crate) node: OpId,
    /// The start of the argument, marked by diagnostics: its first token, or all of a reference.
    pub(crate) head: Span,
}
