//! Rows of the functions that take unevaluated expressions or need the parser. The evaluator implements them.

use groma_runtime::Availability;

use crate::{
    Function, FunctionBody, NameReach, ParameterRow, ResultFlow, ResultPromise, ReturnType,
    RowType, SpecialForm,
};

/// The row of a parameter that accepts any value, since the evaluator handles the expression itself.
const ANY: ParameterRow =
    ParameterRow::new("value", RowType::Any).nullable().lazy().dynamic().marked();

/// The rows of the functions that the evaluator implements, such as `try` and `templatefile`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "can",
        params: &[ParameterRow { name: "expression", ..ANY }],
        returns: ReturnType::Shape(RowType::Bool),
        promise: ResultPromise::Nothing,
        doc: "Returns whether the expression has a value, rather than an error.",
        body: FunctionBody::Form(SpecialForm::Can),
        ..Function::ROW
    },
    Function {
        name: "convert",
        flow: ResultFlow::Same,
        params: &[ANY, ParameterRow { name: "type", ..ANY }],
        promise: ResultPromise::Nothing,
        dialects: Availability::PACKER.terraform_since(15).opentofu_since(13),
        doc: "Returns the value converted to a type, which is written as in a variable's `type`.",
        body: FunctionBody::Form(SpecialForm::Convert),
        ..Function::ROW
    },
    Function {
        name: "templatefile",
        params: &[
            ParameterRow::new("path", RowType::String).drops_pending_marks(Availability::OPENTOFU),
            ANY.drops_pending_marks(Availability::NEVER),
        ],
        promise: ResultPromise::Nothing,
        reads: crate::FunctionReads::Files,
        doc: "Returns the template in a file, rendered with the attributes of an object as its names.",
        body: FunctionBody::Form(SpecialForm::TemplateFile),
        ..Function::ROW
    },
    Function {
        name: "templatestring",
        params: &[
            ParameterRow { name: "template", ..ANY },
            ANY.drops_pending_marks(Availability::OPENTOFU),
        ],
        promise: ResultPromise::Nothing,
        dialects: Availability::NOT_PACKER.opentofu_since(7).terraform_since(9),
        doc: "Returns the template in a text, rendered with the attributes of an object as its names.",
        body: FunctionBody::Form(SpecialForm::TemplateString),
        ..Function::ROW
    },
    Function {
        name: "try",
        rest: Some(ParameterRow { name: "expressions", ..ANY }),
        promise: ResultPromise::Nothing,
        doc: "Returns the value of the first expression that has one, rather than an error.",
        body: FunctionBody::Form(SpecialForm::Try),
        ..Function::ROW
    },
    Function {
        name: "type",
        params: &[ANY],
        promise: ResultPromise::Nothing,
        dialects: Availability::NOT_PACKER,
        reach: NameReach::Console,
        doc: "Returns the type of the value, for people at the console.",
        body: FunctionBody::Form(SpecialForm::Type),
        ..Function::ROW
    },
    Function {
        name: "unknown",
        params: &[ParameterRow { name: "type", ..ANY }],
        promise: ResultPromise::Nothing,
        reach: NameReach::Given,
        doc: "Returns a value of that type that is not known yet.",
        body: FunctionBody::Form(SpecialForm::Unknown),
        ..Function::ROW
    },
];
