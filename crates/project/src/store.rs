//! The `store` block of a `terraform_data`: a write-only value kept by the provider. The input is not recorded with the
//! resource, so a change shows in its version or, without one, in the kept value.

use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::schema::BlockSchema;
use groma_value::{Causes, Mark, Marks, Path, PathStep, Value, ops};

use groma_module::declare::Resource;

use crate::codes;

/// The name of the `store` block of a `terraform_data`.
pub const STORE: &str = "store";

/// The planned value of the `store` block of a `terraform_data`, and whether an existing resource is replaced because of it.
#[derive(Clone, Debug)]
pub struct PlannedStore {
    /// The block's value, without marks.
    pub value: Value,
    /// True if an existing resource is replaced because of it.
    pub replaces: bool,
}

impl PlannedStore {
    /// Computes the planned `store` block from the configured one, `written`, and the prior one of an existing resource,
    /// `before`; `computed` are the causes of unknown computed attributes. No value has marks.
    pub fn of(
        block: &BlockSchema,
        written: &Value,
        before: Option<&Value>,
        computed: &Causes,
    ) -> PlannedStore {
        let Value::Object(now) = written else {
            return PlannedStore { value: written.clone(), replaces: false };
        };
        let get = |name: &str| now.get(name).cloned().unwrap_or(Value::NULL);
        let was = |name: &str| match before {
            Some(Value::Object(before)) => before.get(name).cloned().unwrap_or(Value::NULL),
            _ => Value::NULL,
        };
        let first = |one: Value, other: Value| if one.is_null() { other } else { one };
        // The configured value is shown in place of a computed one for the moment, as if it were kept.
        let open = first(get("output"), was("output"));
        let kept = first(first(get("sensitive_output"), was("sensitive_output")), open);
        let (input, version) = (get("input"), get("version"));
        let (told, known) = match version.is_null() {
            true => (&input, kept.clone()),
            false => (&version, was("version")),
        };
        let is_same = told.is_wholly_known() && ops::same(told, &known);
        let is_nothing = input.is_null() && kept.is_null();
        let is_other = !is_same && !is_nothing;
        let result = match is_other {
            false => kept,
            true if before.is_some() && !told.is_wholly_known() => {
                Value::unknown_because(input.ty(), told.deep_causes())
            }
            true => Value::unknown_because(input.ty(), computed.clone()),
        };
        let flag = get("sensitive");
        let values = block.attributes().iter().map(|attribute| match (&*attribute.name, &flag) {
            ("input", _) => Value::null(attribute.ty()),
            ("output" | "sensitive_output", Value::Unknown(open)) => {
                Value::unknown_because(result.ty(), open.causes.clone())
            }
            ("output", Value::Bool(true)) => Value::null(attribute.ty()),
            ("output", _) | ("sensitive_output", Value::Bool(true)) => result.clone(),
            ("sensitive_output", _) => Value::null(attribute.ty()),
            (name, _) => get(name),
        });
        let replaces = is_other && matches!(get("replace"), Value::Bool(true));
        PlannedStore { value: block.object(values), replaces }
    }
}

/// Returns the planned `store` block of a new resource, with the marks of its configuration and computed attributes unknown
/// because of `computed`.
pub(crate) fn as_created(block: &BlockSchema, written: &Value, computed: &Causes) -> Value {
    if written.is_null() {
        return written.clone();
    }
    let (bare, marks) = written.unmark_deep_paths();
    let planned = PlannedStore::of(block, &bare, None, computed).value;
    let Value::Object(_) = planned else { return planned.mark_paths(&marks) };
    let own = marks.iter().filter(|(path, _)| match path.0.as_slice() {
        // Of the input only its being sensitive as a whole remains.
        [PathStep::Attribute(name), rest @ ..] if **name == *"input" => rest.is_empty(),
        _ => true,
    });
    let own = own.map(|(path, marks)| (path.clone(), kept(marks)));
    let hidden = block.attributes().iter().filter(|attribute| attribute.sensitive);
    let hidden = hidden.map(|attribute| {
        (Path(vec![PathStep::Attribute(attribute.name.clone())]), Marks::sensitive())
    });
    planned.mark_paths(&own.chain(hidden).collect::<Vec<_>>())
}

/// Returns the marks that a planned value of the `store` block keeps: all but that of ephemeral values.
fn kept(marks: &Marks) -> Marks {
    marks.iter().filter(|mark| **mark != Mark::Ephemeral).cloned().collect()
}

/// Reports arguments of the `store` block that must be known in a plan and are not; `is_pending` returns true if a value is
/// unknown until apply.
pub(crate) fn check(
    resource: &Resource,
    config: &Value,
    is_pending: &dyn Fn(&Value) -> bool,
    out: &mut Diagnostics,
) {
    let Value::Object(config) = config.bare() else { return };
    let Some(Value::Object(store)) = config.get(STORE).map(Value::bare) else { return };
    let open = ["sensitive", "replace"]
        .into_iter()
        .find(|name| store.get(name).is_some_and(|value| !value.is_known() && is_pending(value)));
    let Some(name) = open else { return };
    let written = resource.content.blocks_of(STORE).find_map(|one| one.content.argument(name));
    let detail = format!(
        "\"{name}\" of the store of {} affects the plan, but is not known before the apply. Work it out from what is known.",
        resource.address()
    );
    let place = written.map_or(resource.place, |input| input.value.place());
    out.push(Diagnostic::error(&codes::STORE_UNKNOWN, detail).at(place));
}
