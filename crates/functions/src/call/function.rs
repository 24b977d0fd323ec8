//! Rows of functions: everything about a function but the code of its body. [`call`](crate::call) applies what a row says about
//! nulls, unknowns, marks and the result's type.

use groma_runtime::Availability;
use groma_value::{Type, Value};

use crate::call::flow::ResultFlow;
use crate::{CallArgs, Failure};

/// The row of a function of the language: its name, parameters, result type, rules and body.
#[derive(Clone, Copy)]
pub struct Function {
    /// The function's name.
    pub name: &'static str,
    /// The parameters that have one argument in every call.
    pub params: &'static [ParameterRow],
    /// The parameter for all further arguments, as in `max(numbers...)`.
    pub rest: Option<ParameterRow>,
    /// The type of the result.
    pub returns: ReturnType,
    /// Computes the result type from the types of the arguments, for results whose type the reference programs leave open.
    pub settles: fn(&[Type]) -> Option<Type>,
    /// The guarantee about an unknown result.
    pub promise: ResultPromise,
    /// The origin of the parts of the result in the arguments.
    pub flow: ResultFlow,
    /// The external inputs that it reads besides its arguments.
    pub reads: FunctionReads,
    /// The charge for every call before the body runs.
    pub cost: CallCost,
    /// The editions in which the name exists.
    pub dialects: Availability,
    /// The places from which the name may be called: everywhere, or only the console, givens or defaults.
    pub reach: NameReach,
    /// True if the function was removed: calls fail with a message that names the replacement.
    pub removed: bool,
    /// The documentation: one or two sentences.
    pub doc: &'static str,
    /// The implementation.
    pub body: FunctionBody,
    /// Computes the result for arguments of which only parts are known; `None` if the result is unknown.
    pub open: Option<fn(&CallArgs<'_>) -> Option<Value>>,
}

impl Function {
    /// The default values of a row: no parameters, unknown results not null, no external input, in all editions.
    pub const ROW: Function = Function {
        name: "",
        params: &[],
        rest: None,
        returns: ReturnType::Shape(RowType::Any),
        settles: |_| None,
        promise: ResultPromise::NotNull,
        flow: ResultFlow::Mixed,
        reads: FunctionReads::Nothing,
        cost: CallCost::InputAndResult,
        dialects: Availability::ALL,
        reach: NameReach::Everywhere,
        removed: false,
        doc: "",
        body: FunctionBody::Plain(default_body),
        open: None,
    };

    /// Returns the row of the parameter that receives the argument at `index`; `None` beyond the last parameter.
    pub fn param(&self, index: usize) -> Option<&ParameterRow> {
        self.params.get(index).or(self.rest.as_ref())
    }

    /// Returns true if an untyped null as the argument at `index` may leave the result unknown.
    pub fn waits_for_type(&self, index: usize) -> bool {
        self.param(index).is_some_and(|row| row.null != Availability::NEVER && !row.dynamic)
    }

    /// Returns the name without its namespace, such as `upper` for `core::upper`.
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

/// The body of the default row, which every function replaces: it returns null.
fn default_body(_: &CallArgs<'_>) -> Result<Value, Failure> {
    Ok(Value::NULL)
}

/// The type of a parameter or result, in a form that is allowed in a `const` row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowType {
    /// Any type; arguments are not converted.
    Any,
    /// A bool.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// A list.
    List(&'static RowType),
    /// A set.
    Set(&'static RowType),
    /// A map.
    Map(&'static RowType),
}

impl RowType {
    /// Returns the type that this constant form of a type denotes.
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

/// A parameter of a function: its name and type, and which special values (nulls, unknowns, marks) are passed to the function's
/// body. All others are handled before the body runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterRow {
    /// The parameter's name.
    pub name: &'static str,
    /// The type that arguments are converted to.
    pub shape: RowType,
    /// The editions in which nulls are passed to the body.
    pub null: Availability,
    /// True if unknowns are passed to the body.
    pub unknown: bool,
    /// True if unknowns of unknown type and untyped nulls are passed to the body.
    pub dynamic: bool,
    /// True if marks are passed to the body, which puts them on the result itself.
    pub marked: bool,
    /// The editions in which the argument's marks are not on a result that is unknown because of another argument. No value is
    /// shown in that case; once it is known, it has the marks.
    pub drops_pending_marks: Availability,
}

impl ParameterRow {
    /// Creates the row of a parameter whose nulls, unknowns and marks are handled before the call and never passed to the
    /// function's body.
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
    /// Returns the parameter row changed so that nulls are passed to the function's body, in all editions.
    pub const fn nullable(self) -> ParameterRow {
        self.nullable_in(Availability::ALL)
    }
    /// Returns the parameter row changed so that nulls are passed to the function's body in these editions.
    pub const fn nullable_in(self, null: Availability) -> ParameterRow {
        ParameterRow { null, ..self }
    }
    /// Returns the parameter row changed so that unknowns are passed to the function's body.
    pub const fn lazy(self) -> ParameterRow {
        ParameterRow { unknown: true, ..self }
    }
    /// Returns the parameter row changed so that values of unknown type are passed to the function's body.
    pub const fn dynamic(self) -> ParameterRow {
        ParameterRow { dynamic: true, ..self }
    }
    /// Returns the parameter row changed so that marks are passed to the function's body.
    pub const fn marked(self) -> ParameterRow {
        ParameterRow { marked: true, drops_pending_marks: Availability::ALL, ..self }
    }
    /// Returns the parameter row changed so that in these editions the marks of its argument do not pass to a result that is
    /// unknown because of another argument.
    pub const fn drops_pending_marks(self, drops_pending_marks: Availability) -> ParameterRow {
        ParameterRow { drops_pending_marks, ..self }
    }
}

/// The result type of a function: the same for all arguments, or computed from them.
#[derive(Clone, Copy)]
pub enum ReturnType {
    /// The same type for all arguments.
    Shape(RowType),
    /// A type computed from the arguments. Computed only if the body does not run because an argument is unknown, so the body
    /// checks its arguments itself; no argument is null or marked unless its parameter row passes that on.
    By(fn(&CallArgs<'_>) -> Result<Type, Failure>),
}

/// The guarantee about an unknown result: none, or that it is not null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultPromise {
    /// No guarantee.
    Nothing,
    /// An unknown result is not null.
    NotNull,
    /// An unknown result is not null in these editions; no guarantee in others.
    NotNullIn(Availability),
}

impl ResultPromise {
    /// The guarantee that an unknown result is not null, except in Packer.
    pub const NOT_NULL_BUT_IN_PACKER: ResultPromise =
        ResultPromise::NotNullIn(Availability::NOT_PACKER);
}

/// The charge for a call before its body runs, by the part of the arguments that it visits. A body itself charges for larger work
/// or results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallCost {
    /// All parts of the arguments are visited, and the result may be as large. The default of a row.
    InputAndResult,
    /// All parts of the arguments are visited, and the result is small.
    Input,
    /// The elements of the arguments are visited and passed on, but not their parts.
    Elements,
    /// The work does not depend on the size of the arguments.
    Constant,
}

/// The external input on which a function depends besides its arguments: files, clock, randomness and others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionReads {
    /// Nothing: the same arguments yield the same result.
    Nothing,
    /// Files.
    Files,
    /// The time when the configuration is applied: unknown in a plan.
    Clock,
    /// The time when a plan is made.
    PlanClock,
    /// Random numbers.
    Random,
    /// Environment variables.
    Environment,
    /// The network.
    Network,
}

/// The expressions in which a function may be called by a name: all, those of the console, those that declare the inputs (givens)
/// of a documentation page or of batch mode, or defaults of variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameReach {
    /// Every expression.
    Everywhere,
    /// The console only.
    Console,
    /// The declared inputs of batch evaluation only.
    Given,
    /// The default of an input variable only.
    VariableDefault,
}

/// The implementation of a function: a Rust function of argument values, or a special form of the evaluator.
#[derive(Clone, Copy)]
pub enum FunctionBody {
    /// A function of the arguments' values.
    Plain(fn(&CallArgs<'_>) -> Result<Value, Failure>),
    /// A special form: the evaluator handles it, because it needs unevaluated expressions or the parser.
    Form(SpecialForm),
}

/// A function that the evaluator implements, since it needs unevaluated expressions or the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialForm {
    /// `try`: the first argument without an error.
    Try,
    /// `can`: true if the argument has no error.
    Can,
    /// `type`: the type of the argument, as the console prints it.
    Type,
    /// `templatefile`: a template file, rendered.
    TemplateFile,
    /// `templatestring`: a template text, rendered.
    TemplateString,
    /// `decode_tfvars`: the variables in the text of a variables file.
    DecodeTfvars,
    /// `encode_expr`: the text of an expression for a value.
    EncodeExpression,
    /// `encode_tfvars`: the text of a variables file for an object.
    EncodeTfvars,
    /// `convert`: the first argument converted to the type in the second.
    Convert,
    /// `unknown`: an unknown of a type, in declared inputs of batch evaluation only.
    Unknown,
}
