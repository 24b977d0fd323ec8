//! Resources of what every program has built in: `terraform_data` and `terraform_remote_state`. Their shapes
//! are known without a schema, so what they do not take is an error.

use std::sync::Arc;

use groma_folder::{Mode, did_you_mean};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::schema::BlockSchema;

use crate::codes;
use crate::declare::Resource;
use crate::schema::built_in::{data_block, remote_state_block};

const DATA: [&str; 2] = ["input", "triggers_replace"];
/// The arguments of `terraform_remote_state`.
pub const REMOTE_STATE: [&str; 4] = ["backend", "config", "defaults", "workspace"];

/// Whether a resource is the built-in provider's by its name. Another provider may be asked for it.
fn is_built_in(resource: &Resource) -> bool {
    resource.asked.is_none() && resource.kind.split('_').next() == Some("terraform")
}

/// The attributes of a resource of the built-in provider.
pub fn block(resource: &Resource) -> Option<Arc<BlockSchema>> {
    match (is_built_in(resource), resource.mode, &*resource.kind) {
        (true, Mode::Managed, "terraform_data") => Some(data_block()),
        (true, Mode::Data, "terraform_remote_state") => Some(remote_state_block()),
        _ => None,
    }
}

/// That the built-in provider has no resource of this type.
pub fn check_type(resource: &Resource, out: &mut Diagnostics) {
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
        out.push(Diagnostic::error(&codes::RESOURCE_TYPE, detail).at(resource.place));
    }
}

/// Checks what is written about a resource of the built-in provider.
pub fn check(resource: &Resource, out: &mut Diagnostics) {
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
        out.push(Diagnostic::error(&codes::RESOURCE_ARGUMENT, detail).at(argument.name_place));
    }
    for block in &resource.content.blocks {
        let name = &*block.kind;
        let detail = match known.contains(&name) {
            true => format!(
                "\"{name}\" is an argument of {kind}, not a block: write {name} = … instead."
            ),
            false => format!("{kind} has no blocks of type \"{name}\"."),
        };
        out.push(Diagnostic::error(&codes::RESOURCE_ARGUMENT, detail).at(block.place));
    }
    let has_backend = resource.content.arguments.iter().any(|a| &*a.name == "backend");
    if resource.mode == Mode::Data && !has_backend {
        let detail = "terraform_remote_state needs the argument \"backend\", and it is not set.";
        out.push(Diagnostic::error(&codes::MISSING_ARGUMENT, detail).at(resource.place));
    }
}
