//! Functions that take unevaluated expressions or need the parser. Only their rows are here; the
//! evaluator does them.

use groma_runtime::Availability;

use crate::{Form, Function, FunctionBody, Param, Promise, Reach, Returns, RowType};

const ANY: Param = Param::new("value", RowType::Any).nullable().lazy().dynamic().marked();

pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "can",
        params: &[Param { name: "expression", ..ANY }],
        returns: Returns::Shape(RowType::Bool),
        promise: Promise::Nothing,
        doc: "Returns whether the expression has a value, rather than an error.",
        body: FunctionBody::Form(Form::Can),
        ..Function::ROW
    },
    Function {
        name: "convert",
        params: &[ANY, Param { name: "type", ..ANY }],
        promise: Promise::Nothing,
        dialects: Availability::PACKER.terraform_since(15).opentofu_since(13),
        doc: "Returns the value converted to a type, which is written as in a variable's `type`.",
        body: FunctionBody::Form(Form::Convert),
        ..Function::ROW
    },
    Function {
        name: "templatefile",
        params: &[
            Param::new("path", RowType::String).forgotten(Availability::OPENTOFU),
            ANY.forgotten(Availability::NEVER),
        ],
        promise: Promise::Nothing,
        reads: crate::Reads::Files,
        doc: "Returns the template in a file, rendered with the attributes of an object as its names.",
        body: FunctionBody::Form(Form::TemplateFile),
        ..Function::ROW
    },
    Function {
        name: "templatestring",
        params: &[Param { name: "template", ..ANY }, ANY.forgotten(Availability::OPENTOFU)],
        promise: Promise::Nothing,
        dialects: Availability::NOT_PACKER.opentofu_since(7).terraform_since(9),
        doc: "Returns the template in a text, rendered with the attributes of an object as its names.",
        body: FunctionBody::Form(Form::TemplateString),
        ..Function::ROW
    },
    Function {
        name: "try",
        rest: Some(Param { name: "expressions", ..ANY }),
        promise: Promise::Nothing,
        doc: "Returns the value of the first expression that has one, rather than an error.",
        body: FunctionBody::Form(Form::Try),
        ..Function::ROW
    },
    Function {
        name: "type",
        params: &[ANY],
        promise: Promise::Nothing,
        dialects: Availability::NOT_PACKER,
        reach: Reach::Console,
        doc: "Returns the type of the value, for people at the console.",
        body: FunctionBody::Form(Form::Type),
        ..Function::ROW
    },
    Function {
        name: "unknown",
        params: &[Param { name: "type", ..ANY }],
        promise: Promise::Nothing,
        reach: Reach::Given,
        doc: "Returns a value of that type that is not known yet.",
        body: FunctionBody::Form(Form::Unknown),
        ..Function::ROW
    },
];
