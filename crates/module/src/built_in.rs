//! Resources of what every program has built in: `terraform_data` and `terraform_remote_state`. Their shapes
//! are known without a schema, so what they do not take is an error.

use std::sync::{Arc, LazyLock};

use groma_eval::news;
use groma_folder::row::{block, optional, text};
use groma_folder::{BlockRow, Mode, did_you_mean};
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::schema::BlockSchema;

use crate::codes;
use crate::declare::Resource;
use crate::schema::{BUILT_IN, Schemas};

/// The address of the provider that every program has built in.
pub const SOURCE: &str = BUILT_IN;

const DATA: BlockRow = block("terraform_data", "A value that is kept.").arguments(&[
    text("id").computed(),
    optional("input"),
    optional("output").computed(),
    optional("triggers_replace"),
]);
/// What is read of the state of another root.
pub const REMOTE_STATE: BlockRow = block("terraform_remote_state", "What another root has given.")
    .arguments(&[
        text("backend"),
        optional("config"),
        optional("defaults"),
        optional("outputs").computed(),
        text("workspace"),
    ]);

/// The attributes of `terraform_data`.
pub fn data_schema() -> Arc<BlockSchema> {
    static SCHEMA: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| DATA.schema().into());
    SCHEMA.clone()
}

/// The attributes of `terraform_remote_state`.
pub(crate) fn remote_state_schema() -> Arc<BlockSchema> {
    static SCHEMA: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| REMOTE_STATE.schema().into());
    SCHEMA.clone()
}

/// Whether a resource is the built-in provider's: by its own name, whoever is asked for it, or by the provider's.
fn is_built_in(resource: &Resource) -> bool {
    matches!(&*resource.kind, "terraform_data" | "terraform_remote_state")
        || resource.provider_name() == "terraform"
}

/// The attributes of a resource of the built-in provider.
pub fn schema(resource: &Resource) -> Option<Arc<BlockSchema>> {
    is_built_in(resource).then(|| schema_of(resource.mode, &resource.kind))?
}

/// The attributes of a type of the built-in provider.
fn schema_of(mode: Mode, kind: &str) -> Option<Arc<BlockSchema>> {
    match (mode, kind) {
        (Mode::Managed, "terraform_data") => Some(data_schema()),
        (Mode::Data, "terraform_remote_state") => Some(remote_state_schema()),
        _ => None,
    }
}

/// What the body of a type may hold, by its provider's source: of the built-in provider that is always known.
pub fn shape_of(
    schemas: &Schemas,
    source: &str,
    mode: Mode,
    kind: &str,
) -> Option<Arc<BlockSchema>> {
    match source == SOURCE {
        true => schema_of(mode, kind),
        false => schemas.of_type(source, mode, kind).map(|schema| schema.block.clone()),
    }
}

/// Where the body of a resource of the built-in provider has something that its type does not know.
pub(crate) fn stranger(resource: &Resource) -> Option<Place> {
    let block = schema(resource)?;
    let arguments = resource.content.arguments.iter();
    let mut arguments = arguments.filter(|one| block.attribute(&one.name).is_none());
    let is_known = |kind: &str| block.block(kind).is_some() || block.attribute(kind).is_some();
    let mut blocks = resource.content.blocks.iter().filter(|one| !is_known(&one.kind));
    arguments.next().map(|one| one.name_place).or_else(|| blocks.next().map(|one| one.place))
}

/// That the built-in provider has no resource of this type.
pub fn check_type(resource: &Resource, edition: Edition, out: &mut Diagnostics) {
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
        out.push(news::refuse(&codes::RESOURCE_TYPE, detail, edition).at(resource.place));
    }
}

/// Checks what is written about a resource of the built-in provider.
pub fn check(resource: &Resource, edition: Edition, out: &mut Diagnostics) {
    if !is_built_in(resource) {
        return;
    }
    let row = match (resource.mode, &*resource.kind) {
        (Mode::Managed, "terraform_data") => &DATA,
        (Mode::Data, "terraform_remote_state") => &REMOTE_STATE,
        // Whether the provider has such a type is asked once nothing else is wrong.
        _ => return,
    };
    let known = || row.arguments.iter().filter(|row| !row.is_computed).map(|row| row.name);
    let kind = row.kind;
    for argument in &resource.content.arguments {
        let name = &*argument.name;
        let detail = match row.arguments.iter().find(|row| row.name == name) {
            Some(row) if !row.is_computed => continue,
            // A null sets nothing.
            Some(_) if argument.value.constant().is_some_and(|value| value.is_null()) => continue,
            // What is read takes the place of what is written.
            Some(_) if resource.mode == Mode::Data => continue,
            Some(_) => {
                format!("\"{name}\" of {kind} is worked out when it is applied and cannot be set.")
            }
            None => {
                let hint = did_you_mean(name, known());
                let detail = format!("{kind} has no argument \"{name}\".{hint}");
                let code = &codes::RESOURCE_ARGUMENT;
                out.push(news::refuse(code, detail, edition).at(argument.name_place));
                continue;
            }
        };
        out.push(Diagnostic::error(&codes::RESOURCE_ARGUMENT, detail).at(argument.name_place));
    }
    for block in &resource.content.blocks {
        let name = &*block.kind;
        let found = match known().any(|known| known == name) {
            true => Diagnostic::error(
                &codes::RESOURCE_ARGUMENT,
                format!(
                    "\"{name}\" is an argument of {kind}, not a block: write {name} = … instead."
                ),
            ),
            false => {
                let detail = format!("{kind} has no blocks of type \"{name}\".");
                news::refuse(&codes::RESOURCE_ARGUMENT, detail, edition)
            }
        };
        out.push(found.at(block.place));
    }
    let has_backend = resource.content.arguments.iter().any(|a| &*a.name == "backend");
    if resource.mode == Mode::Data && !has_backend {
        let detail = "terraform_remote_state needs the argument \"backend\", and it is not set.";
        out.push(Diagnostic::error(&codes::MISSING_ARGUMENT, detail).at(resource.content.edge));
    }
}
