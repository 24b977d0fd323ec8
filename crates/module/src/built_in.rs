//! The provider that every program has built in: `terraform_data` and `terraform_remote_state`. Their
//! shape is known without a schema, so what they do not take is an error.

use std::sync::{Arc, LazyLock};

use groma_syntax::{Code, Diagnostic, Diagnostics};
use groma_value::schema::{Attribute, Block, Shape};
use groma_value::sentence::brief;
use groma_value::{Mark, Refinement, Str, Type, Value};

use crate::declare::{Content, Mode, Resource};
use crate::evaluate::Written;
use crate::nearest::did_you_mean;
use crate::rules::backend;

static ARGUMENT: Code = Code { slug: "resource-argument", summary: "Resource does not take this" };
static MISSING: Code = Code { slug: "missing-argument", summary: "Missing required argument" };
static UNKNOWN_TYPE: Code = Code { slug: "resource-type", summary: "Unknown resource type" };
static EPHEMERAL: Code =
    Code { slug: "ephemeral-argument", summary: "Ephemeral value in a resource" };

const DATA: [&str; 2] = ["input", "triggers_replace"];
const REMOTE_STATE: [&str; 4] = ["backend", "config", "defaults", "workspace"];

/// Whether a resource is the built-in provider's by its name. Another provider may be asked for it.
fn is_built_in(resource: &Resource) -> bool {
    !resource.has_provider && resource.kind.split('_').next() == Some("terraform")
}

/// The attributes of `terraform_data`.
pub(crate) fn data_block() -> Arc<Block> {
    static DATA_BLOCK: LazyLock<Arc<Block>> = LazyLock::new(|| {
        shape(&["input", "output", "triggers_replace"], &["id"], &["id", "output"])
    });
    DATA_BLOCK.clone()
}

/// The attributes of a resource of the built-in provider.
pub(crate) fn block(resource: &Resource) -> Option<Arc<Block>> {
    static REMOTE_STATE_BLOCK: LazyLock<Arc<Block>> = LazyLock::new(|| {
        shape(&["config", "defaults", "outputs"], &["backend", "workspace"], &["outputs"])
    });
    match (is_built_in(resource), resource.mode, &*resource.kind) {
        (true, Mode::Managed, "terraform_data") => Some(data_block()),
        (true, Mode::Data, "terraform_remote_state") => Some(REMOTE_STATE_BLOCK.clone()),
        _ => None,
    }
}

/// A body of attributes that may be of any type, and of those that are text; some are worked out.
fn shape(open: &[&str], texts: &[&str], worked_out: &[&str]) -> Arc<Block> {
    let of = |name: &&str, ty: Type| Attribute {
        name: Str::from(*name),
        shape: Shape::Type(ty),
        required: false,
        optional: !worked_out.contains(name),
        computed: worked_out.contains(name),
        sensitive: false,
        write_only: false,
        deprecated: false,
    };
    let open = open.iter().map(|name| of(name, Type::Dynamic));
    let all = open.chain(texts.iter().map(|name| of(name, Type::String))).collect();
    Arc::new(Block::new(all, Vec::new()))
}

/// That the built-in provider has no resource of this type.
pub(crate) fn check_type(resource: &Resource, out: &mut Diagnostics) {
    let is_known = matches!(
        (resource.mode, &*resource.kind),
        (Mode::Managed, "terraform_data") | (Mode::Data, "terraform_remote_state")
    );
    if is_built_in(resource) && !is_known {
        let detail = format!(
            "The built-in provider has only the resource type terraform_data and the data source terraform_remote_state, and no {}{}.",
            resource.mode.prefix(),
            &*resource.kind
        );
        out.push(Diagnostic::error(&UNKNOWN_TYPE, detail).at(resource.place));
    }
}

/// Checks what is written about a resource of the built-in provider.
pub(crate) fn check(resource: &Resource, out: &mut Diagnostics) {
    if !is_built_in(resource) {
        return;
    }
    let known: &[&str] = match (resource.mode, &*resource.kind) {
        (Mode::Managed, "terraform_data") => &DATA,
        (Mode::Data, "terraform_remote_state") => &REMOTE_STATE,
        // Whether the provider has such a type is asked once nothing else is wrong.
        _ => return,
    };
    let kind = &*resource.kind;
    for argument in &resource.content.arguments {
        let name = &*argument.name;
        let detail = match name {
            _ if known.contains(&name) => continue,
            "id" | "output" if resource.mode == Mode::Managed => {
                format!("\"{name}\" of {kind} is worked out when it is applied and cannot be set.")
            }
            "outputs" if resource.mode == Mode::Data => {
                format!("\"{name}\" of {kind} is what is read and cannot be set.")
            }
            _ => format!(
                "{kind} has no argument \"{name}\".{}",
                did_you_mean(name, known.iter().copied())
            ),
        };
        out.push(Diagnostic::error(&ARGUMENT, detail).at(argument.name_place));
    }
    for block in &resource.content.blocks {
        let name = &*block.kind;
        let detail = match known.contains(&name) {
            true => format!(
                "\"{name}\" is an argument of {kind}, not a block: write {name} = … instead."
            ),
            false => format!("{kind} has no blocks of type \"{name}\"."),
        };
        out.push(Diagnostic::error(&ARGUMENT, detail).at(block.place));
    }
    let has_backend = resource.content.arguments.iter().any(|a| &*a.name == "backend");
    if resource.mode == Mode::Data && !has_backend {
        let detail = "terraform_remote_state needs the argument \"backend\", and it is not set.";
        out.push(Diagnostic::error(&MISSING, detail).at(resource.place));
    }
}

/// The value of an argument, null if it is not written.
fn argument(written: &Written, name: &str) -> Value {
    let found = written.arguments.iter().find(|(known, _)| **known == *name);
    found.map_or(Value::NULL, |(_, value)| value.clone())
}

/// An instance of `terraform_data`: its output is its input, once it is applied.
pub(crate) fn data(
    content: &Content,
    written: &Written,
    address: &str,
    out: &mut Diagnostics,
) -> Value {
    for declared in &content.arguments {
        if argument(written, &declared.name).deep_marks().contains(&Mark::Ephemeral) {
            let detail = format!(
                "\"{}\" of {address} is kept, and an ephemeral value cannot be. Use ephemeralasnull(…) if null will do.",
                &*declared.name
            );
            out.push(Diagnostic::error(&EPHEMERAL, detail).at(declared.value.place()));
        }
    }
    let input = argument(written, "input");
    let (bare, _) = input.unmark_deep();
    let output = match &bare {
        Value::Null(ty) => Value::Null(ty.clone()),
        other => Value::unknown_because(other.ty(), written.causes.clone()),
    };
    let id = Value::refined(Type::String, Refinement::not_null(), written.causes.clone());
    Value::object([
        (Str::from("id"), id),
        (Str::from("input"), input),
        (Str::from("output"), output),
        (Str::from("triggers_replace"), argument(written, "triggers_replace")),
    ])
}

/// An instance of `terraform_remote_state`: its shape is known and its outputs are not read.
pub(crate) fn remote_state(written: &Written) -> Value {
    let outputs = Value::refined(Type::Dynamic, Refinement::not_null(), written.causes.clone());
    let known = REMOTE_STATE.map(|name| (Str::from(name), argument(written, name)));
    Value::object(known.into_iter().chain([(Str::from("outputs"), outputs)]))
}

/// What is wrong with the arguments of `terraform_remote_state`, as far as they are known.
pub(crate) fn check_remote_state(resource: &Resource, written: &Written, out: &mut Diagnostics) {
    for declared in &resource.content.arguments {
        let value = argument(written, &declared.name);
        let (bare, marks) = value.unmark_deep();
        let is_object = matches!(bare.ty(), Type::Object(_) | Type::Map(_) | Type::Dynamic);
        let detail = match (&*declared.name, &bare) {
            (_, Value::Null(_)) => continue,
            ("backend", Value::String(kind)) if !backend::KINDS.contains(&&**kind) => {
                let hint = match marks.hide() {
                    true => String::new(),
                    false => did_you_mean(kind, backend::KINDS),
                };
                format!("There is no such backend: {}.{hint}", brief(&value))
            }
            ("backend" | "workspace", other)
                if groma_value::convert(other, &Type::String).is_err() =>
            {
                format!("\"{}\" of {} is text.", &*declared.name, resource.address())
            }
            ("config" | "defaults", _) if !is_object => {
                format!("\"{}\" of {} is an object.", &*declared.name, resource.address())
            }
            ("config", Value::Object(config)) if is_local(written) => {
                let stray = config.iter().find(|(name, _)| !backend::LOCAL.contains(&&***name));
                let Some((name, _)) = stray else { continue };
                if value.marks().hide() {
                    "The backend \"local\" does not take one of these arguments (they are sensitive).".to_owned()
                } else {
                    let hint = did_you_mean(name, backend::LOCAL);
                    format!("The backend \"local\" has no argument \"{}\".{hint}", &**name)
                }
            }
            _ => continue,
        };
        out.push(Diagnostic::error(&ARGUMENT, detail).at(declared.value.place()));
    }
}

fn is_local(written: &Written) -> bool {
    matches!(argument(written, "backend").bare(), Value::String(kind) if &**kind == "local")
}
