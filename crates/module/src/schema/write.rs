//! Output of the loaded schemas in the form in which they are read: a provider's sections are copied from the file. The schemas
//! of the built-in provider come from our own rows.

use std::collections::BTreeSet;
use std::sync::Arc;

use groma_config::ResourceMode;
use groma_runtime::Edition;
use groma_value::json::{JsonObject, JsonText};
use groma_value::json_type;
use groma_value::schema::{AttributeShape, BlockSchema};

use super::{ProviderSchemas, SchemaError};
use crate::built_in::{self, BuiltInType};

/// The version of the JSON format in which provider schemas are written.
const FORMAT: &str = "1.0";
/// The names of the sections of a provider's schemas in the JSON format, in the order of `ProviderIndex::sections`.
const SECTIONS: [&str; 7] = [
    "resource_schemas",
    "data_source_schemas",
    "ephemeral_resource_schemas",
    "action_schemas",
    "list_resource_schemas",
    "resource_identity_schemas",
    "functions",
];

impl ProviderSchemas {
    /// Writes the schemas of these providers, by their sources; returns the sources without known schemas.
    ///
    /// # Errors
    /// When a schema cannot be read.
    pub fn write_json(
        &self,
        sources: &BTreeSet<String>,
        edition: Edition,
        out: &mut JsonText<'_>,
    ) -> Result<Vec<String>, SchemaError> {
        let mut missing = Vec::new();
        let mut top = JsonObject::open(out);
        top.text("format_version", FORMAT);
        let mut all = top.object("provider_schemas");
        for source in sources {
            if source == built_in::SOURCE {
                write_built_in(edition, all.object(source));
                continue;
            }
            let known =
                self.inner.as_deref().and_then(|inner| Some((inner, inner.provider(source)?)));
            let Some((inner, provider)) = known else {
                missing.push(source.clone());
                continue;
            };
            let mut one = all.object(&provider.address);
            if let Some(range) = provider.config() {
                one.raw("provider", inner.texts.at(range)?.trim_end());
            }
            for (name, list) in SECTIONS.iter().zip(provider.sections()) {
                if list.is_empty() {
                    continue;
                }
                let mut section = one.object(name);
                for (kind, range) in list {
                    section.raw(kind, inner.texts.at(range.clone())?.trim_end());
                }
                section.close();
            }
            one.close();
        }
        all.close();
        top.close();
        Ok(missing)
    }
}

impl ProviderSchemas {
    /// Writes the schema of one resource type of every provider that has it, in the form of [`ProviderSchemas::write_json`],
    /// and returns the number of these providers.
    ///
    /// # Errors
    /// When a schema cannot be read.
    pub fn write_type(
        &self,
        mode: ResourceMode,
        kind: &str,
        edition: Edition,
        out: &mut JsonText<'_>,
    ) -> Result<usize, SchemaError> {
        let mut top = JsonObject::open(out);
        top.text("format_version", FORMAT);
        let mut all = top.object("provider_schemas");
        let mut count = 0;
        for provider in self.inner.iter().flat_map(|inner| inner.index.providers()) {
            let Some(range) = provider.find(super::of(mode), kind) else { continue };
            let Some(inner) = self.inner.as_deref() else { continue };
            let mut one = all.object(&provider.address);
            let mut section = one.object(section(mode));
            section.raw(kind, inner.texts.at(range)?.trim_end());
            section.close();
            one.close();
            count += 1;
        }
        for (own, name, block) in built_in_schemas(edition) {
            if (own, name) == (mode, kind) {
                let mut one = all.object(built_in::SOURCE);
                write_built_in_type(own, name, &block, &mut one);
                one.close();
                count += 1;
            }
        }
        all.close();
        top.close();
        Ok(count)
    }
}

/// Returns the name of the section that holds the schemas of a resource mode, such as `resource_schemas`.
fn section(mode: ResourceMode) -> &'static str {
    match mode {
        ResourceMode::Managed => SECTIONS[0],
        ResourceMode::Data => SECTIONS[1],
        ResourceMode::Ephemeral => SECTIONS[2],
        ResourceMode::Action => SECTIONS[3],
        ResourceMode::List => SECTIONS[4],
    }
}

/// Returns the mode, the name and the schema of each type of the built-in provider.
fn built_in_schemas(edition: Edition) -> [(ResourceMode, &'static str, Arc<BlockSchema>); 2] {
    let data = built_in::data_schema(edition).block.clone();
    let state = built_in::remote_state_schema();
    [
        (ResourceMode::Managed, BuiltInType::Data.kind(), data),
        (ResourceMode::Data, BuiltInType::RemoteState.kind(), state),
    ]
}

/// Writes a section with the schema of one type of the built-in provider.
fn write_built_in_type(
    mode: ResourceMode,
    kind: &str,
    block: &BlockSchema,
    one: &mut JsonObject<'_, '_>,
) {
    let mut section = one.object(section(mode));
    let mut schema = section.object(kind);
    schema.number("version", 0);
    write_block(block, schema.key("block"));
    schema.close();
    section.close();
}

/// Writes the configuration schema of the built-in provider and those of all its types into its JSON object, and closes that.
fn write_built_in(edition: Edition, mut one: JsonObject<'_, '_>) {
    one.raw("provider", r#"{"version":0}"#);
    for (mode, kind, block) in built_in_schemas(edition) {
        write_built_in_type(mode, kind, &block, &mut one);
    }
    one.close();
}

/// Writes the schema of a block as JSON: its attributes and nested block types.
fn write_block(block: &BlockSchema, out: &mut JsonText<'_>) {
    let mut body = JsonObject::open(out);
    let mut attributes = body.object("attributes");
    for attribute in block.attributes() {
        let mut one = attributes.object(&attribute.name);
        if let AttributeShape::Type(ty) = &attribute.shape {
            json_type::write_into(ty, one.key("type"));
        }
        one.text("description_kind", "plain");
        // Its absence is reported at the declaration, so the row does not require it.
        let is_required = attribute.required || &*attribute.name == "backend";
        for (name, is_so) in [
            ("required", is_required),
            ("optional", attribute.optional && !is_required),
            ("computed", attribute.computed),
            ("sensitive", attribute.sensitive),
            ("write_only", attribute.write_only),
        ] {
            if is_so {
                one.flag(name, true);
            }
        }
        one.close();
    }
    attributes.close();
    if !block.blocks().is_empty() {
        let mut kinds = body.object("block_types");
        for nested in block.blocks() {
            let mut one = kinds.object(&nested.name);
            one.text("nesting_mode", nested.nesting.name());
            write_block(&nested.block, one.key("block"));
            one.close();
        }
        kinds.close();
    }
    body.text("description_kind", "plain");
    body.close();
}
