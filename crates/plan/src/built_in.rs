//! Planning of `terraform_data` against its recorded value. All of it is exact, because every program has the resource built in.
//! `triggers_replace` forces replacement, and `output` follows `input`.

use groma_module::dialect::Conventions;
use groma_project::{PlannedStore, ResourceRequest, STORE};
use groma_value::schema::BlockSchema;
use groma_value::{Path, PathStep, Str, Type, Value, ops};

/// Returns an object of a schema with these attributes; all others are null.
pub(crate) fn object_of(shape: &BlockSchema, parts: &[(&str, Value)]) -> Value {
    let nothing = shape.empty_object();
    let Value::Object(all) = &nothing else { return nothing };
    Value::object(all.iter().map(|(name, value)| {
        let own = parts.iter().find(|(known, _)| *known == &**name);
        (name.clone(), own.map_or(value, |(_, value)| value).clone())
    }))
}

/// Returns the `terraform_data` object that `was`, an object moved from a `null_resource`, becomes; `None` if it is null or
/// unknown.
pub(crate) fn from_null_resource(was: &Value, shape: &BlockSchema) -> Option<Value> {
    let (bare, marks) = was.unmark();
    let Value::Object(was) = &bare else { return None };
    let get = |name: &str| was.get(name).cloned().unwrap_or(Value::NULL);
    let parts = [("id", get("id")), ("triggers_replace", get("triggers"))];
    Some(object_of(shape, &parts).mark(&marks))
}

/// Returns the planned `terraform_data` object `kept` with the output of the recorded one, `held`, if both have the same input.
pub(crate) fn with_output(kept: Value, held: &Value) -> Value {
    let (Value::Object(object), Value::Object(before)) = (&kept, held) else { return kept };
    let both = object.get("input").zip(before.get("input"));
    let is_kept = both.is_some_and(|(now, was)| {
        now.has_fingerprint_of(was)
            || now.is_wholly_known() && was.is_wholly_known() && ops::same(now, was)
    });
    let Some(output) = before.get("output").filter(|_| is_kept) else { return kept };
    with(&kept, "output", output)
}

/// Returns an object with one attribute replaced.
fn with(object: &Value, name: &str, value: &Value) -> Value {
    let Value::Object(all) = object else { return object.clone() };
    Value::object(all.iter().map(|(known, own)| {
        let value = if **known == *name { value } else { own };
        (known.clone(), value.clone())
    }))
}

/// Returns true if every configured attribute equals its prior value: a fast path for the most common case.
pub(crate) fn is_plainly_the_same(before: &Value, config: &Value) -> bool {
    let (Value::Object(prior), Value::Object(written)) = (before, config) else { return false };
    let alike = |name: &str| {
        let now = written.get(name).unwrap_or(&Value::NULL);
        prior.get(name).is_some_and(|was| ops::same(was, now))
    };
    let has_store =
        || [prior, written].iter().any(|one| one.get(STORE).is_some_and(|one| !one.is_null()));
    !before.has_marks()
        && !config.has_marks()
        && config.is_wholly_known()
        && alike("input")
        && alike("triggers_replace")
        && !has_store()
}

/// Returns the proposed `terraform_data` object with the planned result of its `store` block, and true if that forces
/// replacement. No value has marks.
pub(crate) fn with_store(
    request: &ResourceRequest<'_>,
    block: &BlockSchema,
    before: &Value,
    config: &Value,
    proposed: Value,
) -> (Value, bool) {
    let (Some(shape), Value::Object(written)) = (block.block(STORE), config) else {
        return (proposed, false);
    };
    let Some(written) = written.get(STORE) else { return (proposed, false) };
    let was = match before {
        Value::Object(before) => before.get(STORE),
        _ => None,
    };
    let was = Some(was.unwrap_or(&Value::NULL));
    let planned = PlannedStore::of(&shape.block, written, was, request.computed);
    (with(&proposed, STORE, &planned.value), planned.replaces)
}

/// Returns the planned value of an existing `terraform_data`, and the paths that force replacement; `replaces` is true if its
/// `store` block forces it.
pub(crate) fn changed(
    request: &ResourceRequest<'_>,
    before: &Value,
    proposed: Value,
    replaces: bool,
) -> (Value, Vec<Path>) {
    let (Value::Object(prior), Value::Object(object)) = (before, &proposed) else {
        return (proposed, Vec::new());
    };
    let differs = |name: &str| match (prior.get(name), object.get(name)) {
        (Some(before), Some(now)) => !ops::same(before, now),
        _ => false,
    };
    let path = |names: &[&str]| {
        Path(names.iter().map(|name| PathStep::Attribute(Str::from(*name))).collect())
    };
    let mut paths = Vec::new();
    if differs("triggers_replace") {
        paths.push(path(&["triggers_replace"]));
    }
    if replaces {
        paths.push(path(&[STORE, "input"]));
    }
    if !paths.is_empty() || !differs("input") {
        return (proposed, paths);
    }
    let input = object.get("input");
    let settles = Conventions::of(request.node.edition()).null_input_settles;
    let output = match input {
        Some(input @ Value::Null(_)) if settles => input.clone(),
        _ => {
            let ty = input.map_or(Type::Dynamic, Value::ty);
            Value::unknown_because(ty, request.computed.clone())
        }
    };
    (with(&proposed, "output", &output), paths)
}
