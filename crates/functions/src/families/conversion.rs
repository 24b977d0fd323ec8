//! Conversions: `tostring` and the like. An unknown of a convertible type becomes an unknown of the target type without
//! refinements and element type.

use groma_runtime::Availability;
use groma_value::{Convertibility, Type, Value, convert, convertible};

use crate::families::open;
use crate::{CallArgs, Failure};
use crate::{Function, FunctionBody, ParameterRow, ResultFlow, ResultPromise, ReturnType, RowType};

/// The row of the parameter `value` of conversions: of any type, with nulls and marks passed to the function's body.
const VALUE: ParameterRow = ParameterRow::new("value", RowType::Any)
    .nullable()
    .dynamic()
    .marked()
    .drops_pending_marks(Availability::OPENTOFU);

/// The common values of the rows of the conversion functions, such as `tostring`.
const ROW: Function = Function {
    params: &[VALUE],
    promise: ResultPromise::Nothing,
    dialects: Availability::NOT_PACKER,
    ..Function::ROW
};

/// The rows of the conversion functions, such as `tolist`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "tobool",
        flow: ResultFlow::Same,
        returns: ReturnType::By(|args| wanted(args, Type::Bool)),
        doc: "Returns the value as a bool: the texts `true`, `false`, `1` and `0` convert.",
        body: FunctionBody::Plain(|args| to(args, &Type::Bool)),
        ..ROW
    },
    Function {
        name: "tolist",
        flow: ResultFlow::SameList,
        returns: ReturnType::By(|args| wanted(args, Type::list(Type::Dynamic))),
        settles: |types| element(types).map(Type::list),
        doc: "Returns the value as a list, its elements in one common type.",
        body: FunctionBody::Plain(|args| to(args, &Type::list(Type::Dynamic))),
        open: Some(open::list),
        ..ROW
    },
    Function {
        name: "tomap",
        flow: ResultFlow::Same,
        returns: ReturnType::By(|args| wanted(args, Type::map(Type::Dynamic))),
        settles: |types| element(types).map(Type::map),
        doc: "Returns the value as a map, its values in one common type.",
        body: FunctionBody::Plain(|args| to(args, &Type::map(Type::Dynamic))),
        ..ROW
    },
    Function {
        name: "tonumber",
        flow: ResultFlow::Same,
        returns: ReturnType::By(|args| wanted(args, Type::Number)),
        doc: "Returns the value as a number: a text must spell one.",
        body: FunctionBody::Plain(|args| to(args, &Type::Number)),
        ..ROW
    },
    Function {
        name: "toset",
        flow: ResultFlow::SameSet,
        returns: ReturnType::By(|args| wanted(args, Type::set(Type::Dynamic))),
        settles: |types| element(types).map(Type::set),
        doc: "Returns the value as a set: each element once, in one common type.",
        body: FunctionBody::Plain(|args| to(args, &Type::set(Type::Dynamic))),
        open: Some(open::set),
        ..ROW
    },
    Function {
        name: "tostring",
        flow: ResultFlow::Same,
        returns: ReturnType::By(|args| wanted(args, Type::String)),
        doc: "Returns the value as text: numbers and bools convert.",
        body: FunctionBody::Plain(|args| to(args, &Type::String)),
        ..ROW
    },
];

/// Returns the type that all elements of the first argument have, given the types of the arguments; `None` if they differ.
fn element(types: &[Type]) -> Option<Type> {
    let all: Vec<&Type> = match types.first()? {
        Type::List(element) | Type::Set(element) | Type::Map(element) => vec![element],
        Type::Tuple(tuple) => tuple.elements().iter().collect(),
        Type::Object(object) => object.attributes().iter().map(|one| &one.ty).collect(),
        _ => return None,
    };
    let (first, others) = all.split_first()?;
    others.iter().all(|one| one == first).then(|| (*first).clone())
}

/// Returns the result type `ty` of a conversion; fails if the argument's type never converts to it.
fn wanted(args: &CallArgs<'_>, ty: Type) -> Result<Type, Failure> {
    let from = args.value(0).ty();
    match convertible(&from, &ty) {
        Convertibility::Never => {
            Err(Failure::mismatch(0, "value", groma_value::mismatch(&from, &ty)))
        }
        _ => Ok(ty),
    }
}

/// Converts the argument to the type `ty`: the body of `tostring` and its like.
fn to(args: &CallArgs<'_>, ty: &Type) -> Result<Value, Failure> {
    let value = args.value(0);
    convert(value, ty).map_err(|why| {
        // For an argument that must not be shown, the message is that of converting a sensitive value.
        let hidden = args.is_hidden(0).then(|| convert(&value.sensitive(), ty).err()).flatten();
        match hidden {
            Some(why) => Failure::mismatch(0, "value", why).trusted(),
            None => Failure::mismatch(0, "value", why),
        }
    })
}
