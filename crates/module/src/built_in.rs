//! Resource types of the provider that every program has built in: `terraform_data` and `terraform_remote_state`. Their schemas
//! are known without a schema file, so unsupported arguments are errors.

use std::sync::{Arc, LazyLock};

use groma_config::row::{block, optional, text, truth};
use groma_config::{BlockRow, ResourceMode, did_you_mean};
use groma_eval::news;
use groma_runtime::{Availability, Edition};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::schema::{BlockSchema, Schema};

use crate::codes;
use crate::declare::{Resource, SchemaBody};
use crate::schema::{BUILT_IN, ProviderSchemas};

/// The source address of the provider that is built into every program: `terraform.io/builtin/terraform`.
pub const SOURCE: &str = BUILT_IN;

/// A resource or data source type of the provider that the programs have built in (`terraform.io/builtin/terraform`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuiltInType {
    /// `terraform_data`, which keeps a value.
    Data,
    /// `terraform_remote_state`, which reads another root's state.
    RemoteState,
}

impl BuiltInType {
    /// Returns the built-in type with this name, such as `terraform_data`; `None` for other names.
    pub fn of(kind: &str) -> Option<BuiltInType> {
        /// Every resource and data source type of the built-in provider.
        const ALL: [BuiltInType; 2] = [BuiltInType::Data, BuiltInType::RemoteState];
        ALL.into_iter().find(|one| one.kind() == kind)
    }

    /// Returns the name of the type, such as `terraform_data`.
    pub const fn kind(self) -> &'static str {
        match self {
            BuiltInType::Data => DATA.kind,
            BuiltInType::RemoteState => REMOTE_STATE.kind,
        }
    }

    /// Returns the mode in which the type is declared: managed resource or data source.
    pub const fn mode(self) -> ResourceMode {
        match self {
            BuiltInType::Data => ResourceMode::Managed,
            BuiltInType::RemoteState => ResourceMode::Data,
        }
    }

    /// Returns the argument whose value becomes that of the computed attribute `attribute` on apply, if any: `input` for
    /// `output`.
    pub fn mirrored(self, attribute: &str) -> Option<&'static str> {
        match (self, attribute) {
            (BuiltInType::Data, "output") => Some("input"),
            _ => None,
        }
    }
}

/// The row of the resource type `terraform_data`: its arguments and blocks.
const DATA: BlockRow = block("terraform_data", "A value that is kept.")
    .arguments(&[
        text("id").computed(),
        optional("input"),
        optional("output").computed(),
        optional("triggers_replace"),
    ])
    .blocks(&[STORE]);
/// The row of the block `store` in `terraform_data`, which only Terraform supports: a value that may be write-only or sensitive.
const STORE: BlockRow =
    block("store", "A value that is kept by a version, and may be ephemeral or not to be shown.")
        .arguments(&[
            optional("input").write_only(),
            optional("output").computed(),
            truth("replace"),
            truth("sensitive"),
            optional("sensitive_output").computed().sensitive(),
            optional("version"),
        ])
        .single()
        .only(Availability::TERRAFORM.terraform_since(16));

/// The row of the data source `terraform_remote_state`, which reads the outputs of another root's state.
pub const REMOTE_STATE: BlockRow = block("terraform_remote_state", "What another root has given.")
    .arguments(&[
        text("backend"),
        optional("config"),
        optional("defaults"),
        optional("outputs").computed(),
        text("workspace"),
    ]);

/// Returns the schema of `terraform_data` in an edition. Editions with equal schemas share one.
pub fn data_schema(edition: Edition) -> Arc<Schema> {
    /// The schemas of `terraform_data` without and with `store`.
    static SHAPES: LazyLock<[Arc<Schema>; 2]> = LazyLock::new(|| {
        [false, true].map(|has| {
            let block = DATA.schema_with(&|_| has).into();
            Arc::new(Schema { version: 0, block })
        })
    });
    SHAPES[usize::from(STORE.editions.includes(edition))].clone()
}

/// Returns the shared schema of the data source `terraform_remote_state`.
pub(crate) fn remote_state_schema() -> Arc<BlockSchema> {
    /// The schema of `terraform_remote_state`, built on first use.
    static SCHEMA: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| REMOTE_STATE.schema().into());
    SCHEMA.clone()
}

/// Returns true if a resource's mode and type are those of `terraform_data`.
pub fn is_data(mode: ResourceMode, kind: &str) -> bool {
    (mode, kind) == (BuiltInType::Data.mode(), BuiltInType::Data.kind())
}

/// Returns true if a resource's mode and type are those of the data source `terraform_remote_state`.
pub fn is_remote_state(mode: ResourceMode, kind: &str) -> bool {
    (mode, kind) == (BuiltInType::RemoteState.mode(), BuiltInType::RemoteState.kind())
}

/// Returns true if a resource type belongs to the built-in provider: by its own name, or because its provider's local name is
/// `terraform`.
pub(crate) fn is_built_in(kind: &str, provider: &str) -> bool {
    BuiltInType::of(kind).is_some() || provider == "terraform"
}

/// Returns the schema of `terraform_data` if this is its mode and type, otherwise `None`; `provider` is the local name of the
/// resource's provider.
pub(crate) fn schema_of(
    mode: ResourceMode,
    kind: &str,
    provider: &str,
    edition: Edition,
) -> Option<Arc<Schema>> {
    let is_data = is_built_in(kind, provider) && is_data(mode, kind);
    is_data.then(|| data_schema(edition))
}

/// Returns the schema of a `terraform_remote_state` data source; `None` for any other resource.
pub fn block_of(resource: &Resource) -> Option<Arc<BlockSchema>> {
    is_remote_state(resource.mode, &resource.kind).then(remote_state_schema)
}

/// Returns the schema of a resource type of the provider with this source: built-in, or from `schemas`; `None` if unknown.
pub fn shape_of(
    schemas: &ProviderSchemas,
    source: &str,
    mode: ResourceMode,
    kind: &str,
    edition: Edition,
) -> Option<Arc<BlockSchema>> {
    if source != SOURCE {
        return schemas.of_type(source, mode, kind).map(|schema| schema.block.clone());
    }
    match BuiltInType::of(kind).filter(|one| one.mode() == mode)? {
        BuiltInType::Data => Some(data_schema(edition).block.clone()),
        BuiltInType::RemoteState => Some(remote_state_schema()),
    }
}

/// Reports arguments and blocks of a `terraform_data` that only other editions support, or that an edition newer than the known
/// ones may support, and returns the body without them.
pub(crate) fn without_unsupported(
    content: &SchemaBody,
    shape: &BlockSchema,
    edition: Edition,
    out: &mut Diagnostics,
) -> SchemaBody {
    let kind = DATA.kind;
    let mut left = content.clone();
    left.arguments.retain(|argument| {
        let name = &*argument.name;
        if shape.has_name(name) || !news::is_news(&codes::UNSUPPORTED_ARGUMENT, edition) {
            return true;
        }
        let detail = format!("{kind} has no argument \"{name}\".");
        let found = news::refuse(&codes::UNSUPPORTED_ARGUMENT, detail, edition);
        out.push(found.at(argument.name_place));
        false
    });
    left.blocks.retain(|block| {
        let name = &*block.kind;
        let place = block.dynamic.as_ref().map_or(block.place, |dynamic| dynamic.kind_place);
        let code = &codes::UNSUPPORTED_BLOCK;
        let row = DATA.blocks.iter().find(|row| row.kind == name);
        let detail = match row {
            _ if shape.has_name(name) => return true,
            Some(row) => format!(
                "The block \"{name}\" of {kind} exists in {}; this is {edition}.",
                row.editions.editions_text()
            ),
            None if news::is_news(code, edition) => {
                format!("{kind} has no blocks of type \"{name}\".")
            }
            None => return true,
        };
        out.push(news::refuse(code, detail, edition).at(place));
        false
    });
    left
}

/// Returns the place of the first argument or block that a resource of the built-in provider does not support; `None` if there is
/// none, and for resources of other providers.
pub(crate) fn first_unsupported_place(resource: &Resource) -> Option<Place> {
    if !is_built_in(&resource.kind, resource.provider_name()) {
        return None;
    }
    let block = resource.block()?;
    let arguments = resource.content.arguments.iter();
    let mut arguments = arguments.filter(|one| block.attribute(&one.name).is_none());
    let is_known = |kind: &str| block.block(kind).is_some() || block.attribute(kind).is_some();
    let mut blocks = resource.content.blocks.iter().filter(|one| !is_known(&one.kind));
    arguments.next().map(|one| one.name_place).or_else(|| blocks.next().map(|one| one.place))
}

/// Reports a resource of the built-in provider whose type that provider does not have.
pub fn check_type(resource: &Resource, edition: Edition, out: &mut Diagnostics) {
    let is_known = BuiltInType::of(&resource.kind).is_some_and(|one| one.mode() == resource.mode);
    if is_built_in(&resource.kind, resource.provider_name()) && !is_known {
        let detail = format!(
            "The built-in provider has only the resource type terraform_data and the data source terraform_remote_state, and no {}{}.",
            resource.mode.prefix(),
            &*resource.kind
        );
        out.push(news::refuse(&codes::RESOURCE_TYPE, detail, edition).at(resource.place));
    }
}

/// Reports unsupported arguments and blocks of a `terraform_remote_state`, and a missing `backend`; ignores other resources.
pub fn check(resource: &Resource, edition: Edition, out: &mut Diagnostics) {
    // A missing resource type is reported only if nothing else is wrong.
    if !is_remote_state(resource.mode, &resource.kind) {
        return;
    }
    let row = &REMOTE_STATE;
    let known = || row.arguments.iter().filter(|row| !row.is_computed).map(|row| row.name);
    let kind = row.kind;
    for argument in &resource.content.arguments {
        let name = &*argument.name;
        // The result of the read replaces the configuration.
        if row.arguments.iter().any(|row| row.name == name) {
            continue;
        }
        let detail = format!("{kind} has no argument \"{name}\".{}", did_you_mean(name, known()));
        let found = news::refuse(&codes::RESOURCE_ARGUMENT, detail, edition);
        out.push(found.at(argument.name_place));
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
    if !has_backend {
        let detail = "terraform_remote_state needs the argument \"backend\", and it is not set.";
        out.push(Diagnostic::error(&codes::MISSING_ARGUMENT, detail).at(resource.content.edge));
    }
}
