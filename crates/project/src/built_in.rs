//! Values of the built-in resources `terraform_data` and `terraform_remote_state`. Attributes known only after apply stay
//! unknown. States are read by the plan's facts, never here.

use std::sync::{Arc, MutexGuard, PoisonError};

use groma_config::did_you_mean;
use groma_module::backend::{backend, kinds};
use groma_module::built_in::REMOTE_STATE;
use groma_module::check::backend::refusal;
use groma_module::declare::Resource;
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::schema::BlockSchema;
use groma_value::sentence::brief;
use groma_value::{Causes, Object, Refinement, Str, Type, Value};

use crate::codes;
use crate::evaluate::{Model, WrittenBody};
use crate::store;

/// Returns the value that an evaluated body gives to the argument `name`; null if the body does not set it.
fn argument(written: &WrittenBody, name: &str) -> Value {
    let found = written.arguments.iter().find(|(known, _)| **known == *name);
    found.map_or(Value::NULL, |(_, value)| value.clone())
}

/// Returns the value, of the schema `shape`, of a new `terraform_data` with the given configuration, with `id` and `output`
/// unknown because of `causes` until applied. `model` keeps the object of another instance of the resource, whose equal parts are
/// shared.
pub(crate) fn data(config: &Value, shape: &BlockSchema, causes: &Causes, model: &Model) -> Value {
    let get = |name: &str| match config.bare() {
        Value::Object(config) => config.get(name).cloned().unwrap_or(Value::NULL),
        _ => Value::NULL,
    };
    let input = get("input");
    let (bare, _) = input.unmark_deep();
    let known = lock(model).clone();
    let output = match (&bare, known.as_ref().and_then(|known| known.get("output"))) {
        (Value::Null(ty), _) => Value::Null(ty.clone()),
        // Most instances of a resource are alike and share their common part.
        (bare, Some(Value::Unknown(alike)))
            if bare.is_of(&alike.ty) && alike.causes.ids() == causes.ids() =>
        {
            Value::Unknown(alike.clone())
        }
        (other, _) => Value::unknown_because(other.ty(), causes.clone()),
    };
    let id = match known.as_ref().and_then(|known| known.get("id")) {
        Some(Value::Unknown(id)) if id.causes.ids() == causes.ids() => Value::Unknown(id.clone()),
        _ => Value::refined(Type::String, Refinement::not_null(), causes.clone()),
    };
    let attributes = shape.attributes().iter().map(|attribute| match &*attribute.name {
        "id" => id.clone(),
        "output" => output.clone(),
        "input" => input.clone(),
        name => get(name),
    });
    let blocks = shape.blocks().iter();
    let blocks = blocks.map(|nested| store::as_created(&nested.block, &get(&nested.name), causes));
    let made = shape.object(attributes.chain(blocks));
    if let Value::Object(made) = &made
        && known.is_none_or(|known| known.get("output").is_none_or(Value::is_known))
    {
        *lock(model) = Some(made.clone());
    }
    made
}

/// Locks the object of an earlier instance of a `terraform_data` resource, whose equal parts the resource's other instances
/// share; a panic of another holder is ignored.
fn lock(model: &Model) -> MutexGuard<'_, Option<Arc<Object>>> {
    model.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the value of a `terraform_remote_state` data source whose state is not read: its outputs are unknown.
pub(crate) fn remote_state(written: &WrittenBody) -> Value {
    let outputs = Value::refined(Type::Dynamic, Refinement::not_null(), written.causes.clone());
    let known = REMOTE_STATE.arguments.iter().map(|row| match row.is_computed {
        true => (Str::from(row.name), outputs.clone()),
        false => (Str::from(row.name), argument(written, row.name)),
    });
    Value::object(known)
}

/// Converts the arguments `backend` and `workspace` of a `terraform_remote_state` to strings; reports those that do not convert.
pub(crate) fn fit_remote_state(
    resource: &Resource,
    written: &mut WrittenBody,
    out: &mut Diagnostics,
) {
    for (name, value) in &mut written.arguments {
        if !matches!(&**name, "backend" | "workspace") {
            continue;
        }
        match groma_value::convert(value, &Type::String) {
            Ok(text) => *value = text,
            Err(_) => {
                let declared = resource.content.arguments.iter().find(|one| one.name == *name);
                let place = declared.map_or(resource.place, |one| one.value.place());
                let detail = format!("\"{}\" of {} is text.", &**name, resource.address());
                out.push(Diagnostic::error(&codes::RESOURCE_ARGUMENT, detail).at(place));
            }
        }
    }
}

/// Reports invalid values among the known arguments of a `terraform_remote_state` data source.
pub(crate) fn check_remote_state(
    resource: &Resource,
    written: &WrittenBody,
    edition: Edition,
    out: &mut Diagnostics,
) {
    // A backend is validated together with its configuration.
    let is_given = argument(written, "config").is_wholly_known();
    let mut is_fine = true;
    for declared in &resource.content.arguments {
        let value = argument(written, &declared.name);
        let (bare, marks) = value.unmark_deep();
        let is_object = matches!(bare.ty(), Type::Object(_) | Type::Map(_) | Type::Dynamic);
        let detail = match (&*declared.name, &bare) {
            (_, Value::Null(_)) => continue,
            ("backend", Value::String(kind)) if is_given && backend(kind, edition).is_none() => {
                let hint = match marks.hide() {
                    true => String::new(),
                    false => did_you_mean(kind, kinds(edition)),
                };
                format!("There is no such backend: {}.{hint}", brief(&value))
            }
            ("config" | "defaults", _) if !is_object => {
                format!("\"{}\" of {} is an object.", &*declared.name, resource.address())
            }
            _ => continue,
        };
        out.push(Diagnostic::error(&codes::RESOURCE_ARGUMENT, detail).at(declared.value.place()));
        is_fine = false;
    }
    if is_fine {
        check_config(resource, written, edition, out);
    }
}

/// Validates the `config` argument of a `terraform_remote_state` against the arguments of its backend, if all of it is known.
fn check_config(
    resource: &Resource,
    written: &WrittenBody,
    edition: Edition,
    out: &mut Diagnostics,
) {
    let (kind, kind_marks) = argument(written, "backend").unmark_deep();
    let Value::String(kind) = kind else { return };
    let Some(row) = backend(&kind, edition) else { return };
    let config = argument(written, "config");
    if !config.is_wholly_known() {
        return;
    }
    let is_hidden = config.marks().hide() || kind_marks.hide();
    let Some(detail) = refusal(row, &config, edition) else { return };
    let detail = match is_hidden {
        true => "The backend does not take one of these arguments (they are sensitive).".to_owned(),
        false => detail,
    };
    let declared = resource.content.arguments.iter().find(|one| &*one.name == "config");
    let place = declared.map_or(resource.content.edge, |one| one.value.place());
    out.push(Diagnostic::error(&codes::RESOURCE_ARGUMENT, detail).at(place));
}
