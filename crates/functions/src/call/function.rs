//! The row of a function: everything about it but the code of its body. What a row says once
//! (null, unknown, marks, the type of the result), [`crate::call`] does for every function.

use groma_runtime::Availability;
use groma_value::{Type, Value};

use crate::call::flow::ResultFlow;
use crate::{CallArgs, Failure};

/// The row of a function of the language.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The parameters that every call fills.
    pub params: &'static [ParameterRow],
    /// The parameter of all further arguments.
    pub rest: Option<ParameterRow>,
    /// The type of the result.
    pub returns: ReturnType,
    /// The type of the result as the types of the arguments settle it, where the programs leave more of it open.
    pub settles: fn(&[Type]) -> Option<Type>,
    /// The properties of a result that is not known.
    pub promise: ResultPromise,
    /// The relation of the parts of the result to the arguments.
    pub flow: ResultFlow,
    /// The things it reads besides its arguments.
    pub reads: FunctionReads,
    /// The charge for every call before its body runs.
    pub cost: CallCost,
    /// The place where the name exists.
    pub dialects: Availability,
    /// The place where else the name is limited to.
    pub reach: NameReach,
    /// True if it is known only to say what to write instead.
    pub removed: bool,
    /// One or two sentences for people.
    pub doc: &'static str,
    /// The body.
    pub body: FunctionBody,
    /// The result for arguments that are open; `None` where it has no answer of its own.
    pub open: Option<fn(&CallArgs<'_>) -> Option<Value>>,
}

impl Function {
    /// The usual row: no rest, never null, reads nothing, everywhere. Rows start from it.
    pub const ROW: Function = Function {
        name: "",
        params: &[],
        rest: None,
        returns: ReturnType::Shape(RowType::Any),
        settles: |_| None,
        promise: ResultPromise::NotNull,
        flow: ResultFlow::Mixed,
        reads: FunctionReads::Nothing,
        cost: CallCost::Makes,
        dialects: Availability::ALL,
        reach: NameReach::Everywhere,
        removed: false,
        doc: "",
        body: FunctionBody::Plain(nothing),
        open: None,
    };

    /// Returns the parameter for the argument at `index`.
    pub fn param(&self, index: usize) -> Option<&ParameterRow> {
        self.params.get(index).or(self.rest.as_ref())
    }

    /// Returns true if a null without a type as the argument at `index` may leave the result undecided.
    pub fn waits_for_type(&self, index: usize) -> bool {
        self.param(index).is_some_and(|row| row.null != Availability::NEVER && !row.dynamic)
    }

    /// Returns the name without its namespace.
    pub fn own_name(&self) -> &'static str {
        self.name.rsplit_once("::").map_or(self.name, |(_, name)| name)
    }

    /// Returns the signature for display: `split(separator, string)`, `max(numbers...)`.
    pub fn signature(&self) -> String {
        let fixed = self.params.iter().map(|p| p.name.to_owned());
        let rest = self.rest.iter().map(|p| format!("{}...", p.name));
        format!("{}({})", self.name, fixed.chain(rest).collect::<Vec<_>>().join(", "))
    }
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.signature())
    }
}

/// The body of the default row, which no function keeps.
fn nothing(_: &CallArgs<'_>) -> Result<Value, Failure> {
    Ok(Value::NULL)
}

/// The type of a parameter or result, in a form allowed in a `const` row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowType {
    /// Anything; arguments are not converted.
    Any,
    /// A bool.
    Bool,
    /// A number.
    Number,
    /// Text.
    String,
    /// A list.
    List(&'static RowType),
    /// A set.
    Set(&'static RowType),
    /// A map.
    Map(&'static RowType),
}

impl RowType {
    /// Returns the type that the row denotes.
    pub fn to_type(self) -> Type {
        match self {
            RowType::Any => Type::Dynamic,
            RowType::Bool => Type::Bool,
            RowType::Number => Type::Number,
            RowType::String => Type::String,
            RowType::List(element) => Type::list(element.to_type()),
            RowType::Set(element) => Type::set(element.to_type()),
            RowType::Map(element) => Type::map(element.to_type()),
        }
    }
}

/// A parameter row, with the special values that it passes to the body; all others are handled by the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterRow {
    /// Its name, for people.
    pub name: &'static str,
    /// The type that arguments are converted to.
    pub shape: RowType,
    /// In which editions the body sees nulls.
    pub null: Availability,
    /// The body sees unknowns.
    pub unknown: bool,
    /// The body sees values whose type is not known, and untyped nulls.
    pub dynamic: bool,
    /// The body sees marks and puts them on the result itself.
    pub marked: bool,
    /// In which editions the marks of the argument are not on the result while that waits for an
    /// unknown argument. No value is told by then; the mark is there with the value.
    pub drops_pending_marks: Availability,
}

impl ParameterRow {
    /// Creates a parameter without special values.
    pub const fn new(name: &'static str, shape: RowType) -> ParameterRow {
        let never = Availability::NEVER;
        let (null, drops_pending_marks) = (never, never);
        ParameterRow {
            name,
            shape,
            null,
            unknown: false,
            dynamic: false,
            marked: false,
            drops_pending_marks,
        }
    }
    /// Returns the parameter row that passes nulls to the body.
    pub const fn nullable(self) -> ParameterRow {
        self.nullable_in(Availability::ALL)
    }
    /// Returns the parameter row that passes nulls to the body in these editions.
    pub const fn nullable_in(self, null: Availability) -> ParameterRow {
        ParameterRow { null, ..self }
    }
    /// Returns the parameter row that passes unknowns to the body.
    pub const fn lazy(self) -> ParameterRow {
        ParameterRow { unknown: true, ..self }
    }
    /// Returns the parameter row that passes values of unknown type to the body.
    pub const fn dynamic(self) -> ParameterRow {
        ParameterRow { dynamic: true, ..self }
    }
    /// Returns the parameter row that passes marks to the body.
    pub const fn marked(self) -> ParameterRow {
        ParameterRow { marked: true, drops_pending_marks: Availability::ALL, ..self }
    }
    /// Returns the parameter row whose marks are dropped from unknown results in these editions.
    pub const fn drops_pending_marks(self, drops_pending_marks: Availability) -> ParameterRow {
        ParameterRow { drops_pending_marks, ..self }
    }
}

/// The result type of a function: fixed, or computed from the arguments.
#[derive(Clone, Copy)]
pub enum ReturnType {
    /// Always the same.
    Shape(RowType),
    /// It depends on the arguments. Asked only when the body is not (an argument is unknown), so
    /// the body makes its own checks; no argument is null or marked unless its parameter lets it.
    By(fn(&CallArgs<'_>) -> Result<Type, Failure>),
}

/// The guarantee about an unknown result, such as not being null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultPromise {
    /// Nothing.
    Nothing,
    /// It is not null.
    NotNull,
    /// It is not null in these editions; the others say nothing.
    NotNullIn(Availability),
}

impl ResultPromise {
    /// The promise that a result is not null, which Packer does not make.
    pub const NOT_NULL_BUT_IN_PACKER: ResultPromise =
        ResultPromise::NotNullIn(Availability::NOT_PACKER);
}

/// The charge for a call's arguments before its body runs. The body charges for larger work or results itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallCost {
    /// All of its arguments is walked, and what comes of it may be as large. A row that says nothing says this.
    Makes,
    /// All of its arguments is walked, and what comes of it is small.
    Looks,
    /// The elements of its arguments are walked and handed on, not what is inside of them.
    Elements,
    /// However large the arguments, it takes no longer.
    Constant,
}

/// The external input of a function: files, clock, randomness and the like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionReads {
    /// Nothing: the same arguments give the same result.
    Nothing,
    /// Files.
    Files,
    /// The clock when the configuration is applied: unknown to a plan.
    Clock,
    /// The clock when a plan is made.
    PlanClock,
    /// Chance.
    Random,
    /// The environment.
    Environment,
    /// The network.
    Network,
}

/// The contexts in which a function name may be called, besides dialects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameReach {
    /// Nowhere: any expression may call it.
    Everywhere,
    /// The console, for what people type.
    Console,
    /// The givens of batch evaluation.
    Given,
    /// The default of an input variable.
    VariableDefault,
}

/// The implementation of a function: a plain body, or a special form.
#[derive(Clone, Copy)]
pub enum FunctionBody {
    /// Computes from values.
    Plain(fn(&CallArgs<'_>) -> Result<Value, Failure>),
    /// Needs unevaluated expressions or the parser: done by the evaluator.
    Form(SpecialForm),
}

/// A special form: a function implemented by the evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialForm {
    /// The first argument without an error.
    Try,
    /// True if the argument has no error.
    Can,
    /// The type of the argument, as text of the console.
    Type,
    /// A template file rendered.
    TemplateFile,
    /// A template text rendered.
    TemplateString,
    /// A text of variables read.
    DecodeTfvars,
    /// A value as the text of an expression.
    EncodeExpression,
    /// An object as a text of variables.
    EncodeTfvars,
    /// The first argument converted to the type expression that is the second.
    Convert,
    /// An unknown of the type expression: only in the givens of batch evaluation.
    Unknown,
}
