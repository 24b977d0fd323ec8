//! Existence of referenced attributes in an object with a known schema. Checked before evaluation, so conditional branches and
//! `try` make no difference.

use groma_config::did_you_mean;
use groma_eval::Step;
use groma_value::schema::{BlockSchema, NestedBlock, NestingMode};
use groma_value::{Type, Value};

/// Checks that the steps of a reference exist in an object of this schema; `whose` is its address in messages.
///
/// # Errors
/// A sentence about the first step that does not exist.
pub(crate) fn reach(block: &BlockSchema, whose: &str, steps: &[Step]) -> Result<(), String> {
    let name = match steps.first() {
        Some(Step::Attribute(name)) => name,
        Some(Step::Index(key)) => {
            let hint = match key.bare() {
                Value::String(name) => format!(": write {whose}.{}", &**name),
                _ => String::new(),
            };
            return Err(format!("Attributes of {whose} are accessed with a dot{hint}."));
        }
        _ => return Ok(()),
    };
    let rest = &steps[1..];
    if let Some(attribute) = block.attribute(name) {
        return typed(&attribute.ty(), &format!("{whose}.{}", &**name), rest);
    }
    if let Some(nested) = block.block(name) {
        return nested_block(nested, &format!("{whose}.{}", &**name), rest);
    }
    let attributes = block.attributes().iter().map(|attribute| &*attribute.name);
    let known = attributes.chain(block.blocks().iter().map(|nested| &*nested.name));
    let hint = did_you_mean(name, known);
    Err(format!("There is no attribute \"{}\" in {whose}.{hint}", &**name))
}

/// Returns an error sentence if the steps of a reference do not exist in nested blocks of one type; `whose` is the text of
/// the reference so far, which the sentence quotes.
fn nested_block(nested: &NestedBlock, whose: &str, steps: &[Step]) -> Result<(), String> {
    if matches!(nested.nesting, NestingMode::Single | NestingMode::Group) {
        return reach(&nested.block, whose, steps);
    }
    match (nested.nesting, steps) {
        (_, [] | [Step::Splat | Step::Unknown, ..]) => Ok(()),
        (NestingMode::Set, _) => Err(format!(
            "The blocks {whose} are a set, whose elements have no keys: select with a for expression and an if."
        )),
        (_, [Step::Index(_), rest @ ..]) => reach(&nested.block, whose, rest),
        (NestingMode::Map, _) => Err(format!(
            "The blocks {whose} are identified by their labels: choose one, as in {whose}[\"label\"]."
        )),
        _ => Err(format!(
            "The blocks {whose} are a list: choose one by its index, as in {whose}[0]."
        )),
    }
}

/// Returns an error sentence if the steps of a reference cannot exist in a value of a type; `whose` is the text of the
/// reference so far, which the sentence quotes.
fn typed(ty: &Type, whose: &str, steps: &[Step]) -> Result<(), String> {
    let (inner, rest) = match (ty, steps) {
        (Type::Dynamic, _) | (_, [] | [Step::Splat | Step::Unknown, ..]) => return Ok(()),
        (Type::Object(object), [Step::Attribute(name), rest @ ..]) => match object.get(name) {
            Some(attribute) => (&attribute.ty, rest),
            None => {
                let known = object.attributes().iter().map(|attribute| &*attribute.name);
                let hint = did_you_mean(name, known);
                return Err(format!("There is no attribute \"{}\" in {whose}.{hint}", &**name));
            }
        },
        (Type::Map(element), [_, rest @ ..]) => (&**element, rest),
        (Type::List(element), [Step::Index(key), rest @ ..]) => {
            if groma_value::convert(key, &Type::Number).is_err() {
                return Err(format!("{whose} is a list, and its elements are counted from 0."));
            }
            (&**element, rest)
        }
        (Type::List(_) | Type::Tuple(_), [Step::Attribute(name), ..]) => {
            return Err(format!(
                "{whose} is a list and has no attributes: choose an element first, as in {whose}[0].{}.",
                &**name
            ));
        }
        (Type::Set(_), _) => {
            return Err(format!(
                "{whose} is a set, whose elements have no keys: select with a for expression and an if."
            ));
        }
        (Type::Bool | Type::Number | Type::String, _) => {
            let kind = match ty {
                Type::Bool => "true or false",
                Type::Number => "a number",
                _ => "text",
            };
            return Err(format!("{whose} is {kind} and has no attributes or elements."));
        }
        // Tuple elements and computed object keys are checked during evaluation.
        _ => return Ok(()),
    };
    typed(inner, whose, rest)
}
