//! Equality of prior and planned values, and of their sensitive paths. An unknown equals null here.

use std::collections::BTreeSet;

use groma_eval::Step as Written;
use groma_value::codec::path_text;
use groma_value::schema::{AttributeSchema, AttributeShape, BlockSchema, NestingMode};
use groma_value::{Mark, Marks, Path, PathStep, Str, Value, ops};

/// Returns the part of a value at a path; `None` if there is none.
pub(crate) fn part(value: &Value, path: &[Written]) -> Option<Value> {
    let mut at = value.bare().clone();
    for step in path {
        let next = match (step, at.bare()) {
            (Written::Attribute(name), Value::Object(object)) => object.get(name).cloned(),
            (Written::Attribute(name), Value::Map(map)) => map.get(name).cloned(),
            (Written::Index(key), other) => item(other, key),
            _ => None,
        };
        at = next?;
    }
    Some(at)
}

/// Returns those marked paths that lead to a part of `value`, without ephemeral marks.
pub(crate) fn leading(paths: &[(Path, Marks)], value: &Value) -> Vec<(Path, Marks)> {
    let paths = paths.iter().filter(|(path, _)| ops::at(value, path).is_some());
    let kept =
        |marks: &Marks| marks.iter().filter(|mark| **mark != Mark::Ephemeral).cloned().collect();
    paths.map(|(path, marks)| (path.clone(), kept(marks))).collect()
}

/// Returns the attribute or element at a key of a value, if there is one.
fn item(value: &Value, key: &Value) -> Option<Value> {
    match (value, key.bare()) {
        (Value::Object(object), Value::String(name)) => object.get(name).cloned(),
        (Value::Map(map), Value::String(name)) => map.get(name).cloned(),
        (Value::List(list), at) => list.items().get(at.as_position()?).cloned(),
        (Value::Tuple(all), at) => all.items().get(at.as_position()?).cloned(),
        _ => None,
    }
}

/// Returns the paths of the sensitive parts of a value, as text.
pub(crate) fn hidden(value: &Value) -> BTreeSet<String> {
    let (_, places) = value.unmark_deep_paths();
    let hidden = places.iter().filter(|(_, marks)| marks.contains(&Mark::Sensitive));
    hidden.map(|(path, _)| path_text(path)).collect()
}

/// Returns the value with every part marked sensitive that the schema declares so.
pub(crate) fn hide(value: &Value, shape: Option<&BlockSchema>) -> Value {
    let Some(block) = shape else { return value.clone() };
    let mut places = Vec::new();
    collect_in_block(value, block, &mut Vec::new(), &mut places);
    if places.is_empty() { value.clone() } else { value.mark_paths(&places) }
}

/// Collects the paths in a block that its schema declares sensitive; `way` is the path to the block.
fn collect_in_block(
    value: &Value,
    block: &BlockSchema,
    way: &mut Vec<PathStep>,
    found: &mut Vec<(Path, Marks)>,
) {
    let Value::Object(object) = value.bare() else { return };
    for attribute in block.attributes() {
        let Some(value) = object.get(&attribute.name) else { continue };
        way.push(PathStep::Attribute(attribute.name.clone()));
        collect_in_attribute(value, attribute, way, found);
        way.pop();
    }
    for nested in block.blocks() {
        let Some(value) = object.get(&nested.name) else { continue };
        way.push(PathStep::Attribute(nested.name.clone()));
        visit_objects(value, nested.nesting, way, &mut |value, way| {
            collect_in_block(value, &nested.block, way, found);
        });
        way.pop();
    }
}

/// Collects the paths in an attribute that its schema declares sensitive; `way` is the path to the attribute.
fn collect_in_attribute(
    value: &Value,
    attribute: &AttributeSchema,
    way: &mut Vec<PathStep>,
    found: &mut Vec<(Path, Marks)>,
) {
    if attribute.sensitive {
        found.push((Path(way.clone()), Marks::sensitive()));
        return;
    }
    let AttributeShape::Nested(nested) = &attribute.shape else { return };
    visit_objects(value, nested.nesting, way, &mut |value, way| {
        let Value::Object(object) = value.bare() else { return };
        for attribute in nested.attributes() {
            let Some(value) = object.get(&attribute.name) else { continue };
            way.push(PathStep::Attribute(attribute.name.clone()));
            collect_in_attribute(value, attribute, way, found);
            way.pop();
        }
    });
}

/// Calls `visit` with each object of a nested attribute or block and its path, which begins with `way`, the path to `value`;
/// elements of a set share the path of the set.
fn visit_objects(
    value: &Value,
    nesting: NestingMode,
    way: &mut Vec<PathStep>,
    visit: &mut dyn FnMut(&Value, &mut Vec<PathStep>),
) {
    let mut at = |step: Option<PathStep>, value: &Value| {
        let length = way.len();
        way.extend(step);
        visit(value, way);
        way.truncate(length);
    };
    match (nesting, value.bare()) {
        (NestingMode::Single | NestingMode::Group, one) => at(None, one),
        (_, Value::List(list)) => {
            numbered(list.items()).for_each(|(step, one)| at(Some(step), one));
        }
        (_, Value::Tuple(tuple)) => {
            numbered(tuple.items()).for_each(|(step, one)| at(Some(step), one));
        }
        (_, Value::Map(map)) => map.entries().iter().for_each(|(key, one)| {
            at(Some(PathStep::Index(Value::String(key.clone()))), one);
        }),
        (_, Value::Object(object)) => object.iter().for_each(|(key, one)| {
            at(Some(PathStep::Index(Value::String(Str::clone(key)))), one);
        }),
        // A mark inside a set applies to the whole set.
        (_, Value::Set(set)) => set.items().iter().for_each(|one| {
            at(Some(PathStep::Index(one.clone())), one);
        }),
        _ => {}
    }
}

/// Returns the elements of a list, each with the path step of its index.
fn numbered(items: &[Value]) -> impl Iterator<Item = (PathStep, &Value)> {
    items.iter().enumerate().map(|(at, one)| (PathStep::Index(Value::position(at)), one))
}
