//! Reader of states of version 4, which every program since 0.12 writes.

use std::sync::Arc;

use groma_config::{InstanceKey, ResourceMode, implied_provider};
use groma_module::dialect::Conventions;
use groma_runtime::Edition;
use groma_value::json::{JsonCursor, JsonError};
use groma_value::{Path, PathStep, Str, Type, Value, convert, json_type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::address;
use super::model::{
    AttributeSource, RecordedInstance, RecordedOutput, ResourceEntry, State, StateProvider,
};
use super::read::{flag, integer_or_null, list_or_null, object_or_null, text_or_null};

/// Parses the text of a state of version 4.
pub(super) fn read(text: &str, edition: Edition) -> Result<State, JsonError> {
    let checks_providers = Conventions::of(edition).state_providers_checked;
    let mut reader =
        StateReader { state: State::default(), checks_providers, seen: FxHashMap::default() };
    JsonCursor::new(text).object(&mut |name, cursor| match &*name.to_ascii_lowercase() {
        "outputs" => {
            reader.state.outputs.clear();
            object_or_null(cursor, &mut |name, cursor| reader.output(name, cursor))
        }
        "resources" => {
            reader.state.objects.clear();
            reader.seen.clear();
            list_or_null(cursor, &mut |cursor| reader.resource(cursor))
        }
        "serial" => integer_or_null(cursor, "the serial of a state").map(drop),
        "lineage" => text_or_null(cursor).map(drop),
        // Check results are computed anew, whatever is recorded.
        _ => cursor.skip_checked().map(drop),
    })?;
    let mut state = reader.state;
    state.outputs.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(state)
}

/// The state read so far, and the instances already seen in it.
struct StateReader {
    state: State,
    /// True if an invalid provider address is an error.
    checks_providers: bool,
    /// The instances seen, by resource address.
    seen: FxHashMap<String, FxHashSet<(InstanceKey, Option<Str>)>>,
}

/// A resource entry of a state while it is being read: its properties may be in any order.
#[derive(Default)]
struct ResourceDraft {
    mode: String,
    kind: String,
    name: String,
    module: String,
    provider: String,
    instances: Vec<(usize, InstanceDraft)>,
}

/// An instance of a resource entry while it is being read: its properties may be in any order.
struct InstanceDraft {
    key: InstanceKey,
    deposed: Option<Str>,
    tainted: bool,
    is_kept: bool,
    is_made_first: bool,
    schema_version: u64,
    attributes: AttributeSource,
    private: Option<(u32, u32)>,
    sensitive: Arc<[Path]>,
    dependencies: Arc<[Str]>,
}

impl StateReader {
    /// Reads one recorded output into the state.
    fn output(&mut self, name: &str, cursor: &mut JsonCursor<'_>) -> Result<(), JsonError> {
        let (mut value, mut ty, mut sensitive) = (Value::NULL, None, false);
        let offset = cursor.offset();
        object_or_null(cursor, &mut |property, cursor| {
            match &*property.to_ascii_lowercase() {
                "value" => value = cursor.value()?,
                "type" => {
                    let at = cursor.offset();
                    let written = cursor.value()?;
                    ty = Some(type_of(&written).ok_or_else(|| JsonError {
                        offset: at,
                        message: "this is not a type".to_owned(),
                    })?);
                }
                "sensitive" => sensitive = flag(cursor)?,
                _ => return cursor.skip_checked().map(drop),
            }
            Ok(())
        })?;
        let Some(ty) = ty else {
            let message = "the type of this output is missing".to_owned();
            return Err(JsonError { offset, message });
        };
        let value = typed(&value, &ty).ok_or_else(|| JsonError {
            offset,
            message: "the value of this output does not have its type".to_owned(),
        })?;
        self.state.outputs.retain(|(known, _)| **known != *name);
        self.state.outputs.push((Str::from(name), RecordedOutput { value, ty, sensitive }));
        Ok(())
    }

    /// Reads one resource entry with its instances into the state.
    fn resource(&mut self, cursor: &mut JsonCursor<'_>) -> Result<(), JsonError> {
        let offset = cursor.offset();
        let mut draft = ResourceDraft::default();
        object_or_null(cursor, &mut |name, cursor| {
            let mut text = || text_or_null(cursor).map(Option::unwrap_or_default);
            match &*name.to_ascii_lowercase() {
                "mode" => draft.mode = text()?,
                "type" => draft.kind = text()?,
                "name" => draft.name = text()?,
                "module" => draft.module = text()?,
                "provider" => draft.provider = text()?,
                "instances" => {
                    draft.instances.clear();
                    list_or_null(cursor, &mut |cursor| {
                        let at = cursor.offset();
                        draft.instances.push((at, instance(cursor)?));
                        Ok(())
                    })?;
                }
                _ => return cursor.skip_checked().map(drop),
            }
            Ok(())
        })?;
        self.take(draft, offset)
    }

    /// Adds the objects of a complete resource entry to the state; `offset` is its byte position in the text.
    fn take(&mut self, draft: ResourceDraft, offset: usize) -> Result<(), JsonError> {
        let fail = |message: &str| Err(JsonError { offset, message: message.to_owned() });
        let mode = match &*draft.mode {
            "managed" => ResourceMode::Managed,
            "data" => ResourceMode::Data,
            _ => return fail("the mode of this resource is neither \"managed\" nor \"data\""),
        };
        let Some(modules) = address::module(&draft.module) else {
            return fail("the module of this resource is not the address of a module");
        };
        let Some(provider) = address::provider(&draft.provider) else {
            if self.checks_providers {
                return fail("the provider of this resource is not the address of a provider");
            }
            self.state.skipped.push(format!(
                "The state's {}{}.{} is ignored, because its provider is not the address of a provider.",
                mode.prefix(),
                draft.kind,
                draft.name
            ));
            return Ok(());
        };
        let (kind, name) = (Str::from(draft.kind.as_str()), Str::from(draft.name.as_str()));
        let entry = Arc::new(ResourceEntry { modules, mode, kind, name, provider });
        let address = format!("{}.{}{}.{}", draft.module, mode.prefix(), draft.kind, draft.name);
        let seen = self.seen.entry(address).or_default();
        for (offset, one) in draft.instances {
            let one = RecordedInstance {
                entry: entry.clone(),
                key: one.key,
                deposed: one.deposed,
                tainted: one.tainted,
                is_kept: one.is_kept,
                is_made_first: one.is_made_first,
                schema_version: one.schema_version,
                attributes: one.attributes,
                private: one.private,
                sensitive: one.sensitive,
                dependencies: one.dependencies,
            };
            if !seen.insert((one.key.clone(), one.deposed.clone())) {
                let message = "this instance is recorded twice".to_owned();
                return Err(JsonError { offset, message });
            }
            self.state.objects.push(one);
        }
        Ok(())
    }
}

/// Reads one instance of a resource entry: an object with its key and properties.
fn instance(cursor: &mut JsonCursor<'_>) -> Result<InstanceDraft, JsonError> {
    let mut one = InstanceDraft {
        key: InstanceKey::None,
        deposed: None,
        tainted: false,
        is_kept: false,
        is_made_first: false,
        schema_version: 0,
        attributes: AttributeSource::Missing,
        private: None,
        sensitive: Arc::default(),
        dependencies: Arc::default(),
    };
    object_or_null(cursor, &mut |name, cursor| {
        match &*name.to_ascii_lowercase() {
            "index_key" => one.key = key(cursor)?,
            "status" => match text_or_null(cursor)?.as_deref() {
                None | Some("") => one.tainted = false,
                Some("tainted") => one.tainted = true,
                Some(_) => {
                    return cursor.fail("the status of an object must be \"tainted\" or missing");
                }
            },
            "deposed" => {
                one.deposed = text_or_null(cursor)?.filter(|key| !key.is_empty()).map(Str::from);
            }
            "create_before_destroy" => one.is_made_first = flag(cursor)?,
            "skip_destroy" => one.is_kept = flag(cursor)?,
            "schema_version" => {
                one.schema_version = integer_or_null(cursor, "the version of a schema")?;
            }
            "attributes" if cursor.null() => one.attributes = AttributeSource::Missing,
            "attributes" => one.attributes = AttributeSource::Json(cursor.skip_checked()?),
            "attributes_flat" => {
                if !cursor.null() {
                    cursor.skip_checked()?;
                    if one.attributes == AttributeSource::Missing {
                        one.attributes = AttributeSource::Flat;
                    }
                }
            }
            "sensitive_attributes" => {
                let mut paths = Vec::new();
                list_or_null(cursor, &mut |cursor| {
                    paths.push(path(cursor)?);
                    Ok(())
                })?;
                one.sensitive = paths.into();
            }
            "dependencies" => {
                let mut all = Vec::new();
                list_or_null(cursor, &mut |cursor| {
                    all.push(Str::from(cursor.text()?));
                    Ok(())
                })?;
                one.dependencies = all.into();
            }
            "private" => {
                let at = cursor.offset();
                let text = text_or_null(cursor)?.unwrap_or_default();
                if !is_base64(&text) {
                    let message = "the private data of the provider is not base64".to_owned();
                    return Err(JsonError { offset: at, message });
                }
                let place = |at: usize| u32::try_from(at).ok();
                let text = Some(text).filter(|text| !text.is_empty());
                one.private = text.and(place(at).zip(place(cursor.offset())));
            }
            _ => return cursor.skip_checked().map(drop),
        }
        Ok(())
    })?;
    Ok(one)
}

/// Reads an instance key: a number, a string, or null for none.
fn key(cursor: &mut JsonCursor<'_>) -> Result<InstanceKey, JsonError> {
    if cursor.null() {
        return Ok(InstanceKey::None);
    }
    if cursor.is_text() {
        return Ok(InstanceKey::Text(Str::from(cursor.text()?)));
    }
    let offset = cursor.offset();
    let number = cursor.value()?.bare().as_number().and_then(|number| {
        // Fractions are truncated.
        let text = number.to_text();
        let end = text.find('.').unwrap_or(text.len());
        text[..end].parse().ok()
    });
    match number {
        Some(number) => Ok(InstanceKey::Number(number)),
        None => Err(JsonError {
            offset,
            message: "the key of an instance must be a string or a number".to_owned(),
        }),
    }
}

/// Reads a path of steps, as states record the paths of sensitive values.
fn path(cursor: &mut JsonCursor<'_>) -> Result<Path, JsonError> {
    let mut steps = Vec::new();
    cursor.array(&mut |cursor| {
        let offset = cursor.offset();
        let (mut kind, mut value) = (String::new(), Value::NULL);
        cursor.object(&mut |name, cursor| {
            match &*name.to_ascii_lowercase() {
                "type" => kind = cursor.text()?,
                "value" => value = cursor.value()?,
                _ => return cursor.skip_checked().map(drop),
            }
            Ok(())
        })?;
        let step = match (&*kind, value.bare()) {
            ("get_attr", Value::String(name)) => Some(PathStep::Attribute(name.clone())),
            ("index", Value::Object(index)) => {
                let ty = index.get("type").and_then(type_of).unwrap_or(Type::Dynamic);
                index.get("value").and_then(|value| typed(value, &ty)).map(PathStep::Index)
            }
            _ => None,
        };
        match step {
            Some(step) => steps.push(step),
            None => {
                let message = "this is not a step of a path to a sensitive value".to_owned();
                return Err(JsonError { offset, message });
            }
        }
        Ok(())
    })?;
    Ok(Path(steps))
}

/// Returns the type that a JSON type constraint describes; `None` if it is not valid.
pub(crate) fn type_of(written: &Value) -> Option<Type> {
    json_type::read(&groma_value::json::encode(written).ok()?).ok()
}

/// Converts the value of an output, as decoded from JSON, to its recorded type; `None` if it does not fit.
pub(crate) fn typed(value: &Value, ty: &Type) -> Option<Value> {
    // The mismatch is not reported, so that no text of a state is.
    convert(value, ty).ok()
}

/// Returns true if a text is valid Base64, as states record private data.
fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len() - body.len() <= 2
        && body.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'))
}

/// Returns the provider configuration that is implied by a resource type: the default one of the provider with the type's first
/// word as name.
pub(super) fn implied(kind: &str) -> StateProvider {
    let name = implied_provider(kind).to_owned();
    address::legacy(&["provider".to_owned(), name]).unwrap_or_default()
}
