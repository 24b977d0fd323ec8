//! Reader of states of versions 1 to 3, which programs before 0.12 wrote. Outputs are read; of resources only their existence
//! is, since their flat attributes can only be decoded by a provider.

use std::sync::Arc;

use groma_config::{InstanceKey, ResourceMode};
use groma_syntax::Expr;
use groma_value::json::{JsonCursor, JsonError};
use groma_value::{Str, Type, Value};

use super::address;
use super::current::{implied, typed};
use super::model::{AttributeSource, RecordedInstance, RecordedOutput, ResourceEntry, State};
use super::read::{flag, list_or_null, object_or_null, text_or_null};

/// Parses the text of a state of version 1 to 3.
pub(super) fn read(text: &str, version: u64) -> Result<State, JsonError> {
    let mut state = State::default();
    JsonCursor::new(text).object(&mut |name, cursor| match &*name.to_ascii_lowercase() {
        "modules" => list_or_null(cursor, &mut |cursor| module(cursor, version, &mut state)),
        _ => cursor.skip_checked().map(drop),
    })?;
    state.outputs.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(state)
}

/// Reads one module of a state in a format before version 4, and adds its objects, and the root module's outputs, to `state`.
fn module(cursor: &mut JsonCursor<'_>, version: u64, state: &mut State) -> Result<(), JsonError> {
    let mut path = Vec::new();
    let mut outputs = Vec::new();
    let mut objects: Vec<(usize, String, OldStateDraft)> = Vec::new();
    object_or_null(cursor, &mut |name, cursor| match &*name.to_ascii_lowercase() {
        "path" => list_or_null(cursor, &mut |cursor| {
            path.push((Str::from(cursor.text()?), InstanceKey::None));
            Ok(())
        }),
        "outputs" => object_or_null(cursor, &mut |name, cursor| {
            outputs.push((Str::from(name), output(cursor, version)?));
            Ok(())
        }),
        "resources" => object_or_null(cursor, &mut |name, cursor| {
            let offset = cursor.offset();
            objects.push((offset, name.to_owned(), resource(cursor)?));
            Ok(())
        }),
        _ => cursor.skip_checked().map(drop),
    })?;
    if path.first().is_some_and(|(name, _)| &**name == "root") {
        path.remove(0);
    }
    if path.is_empty() {
        state.outputs = outputs;
    }
    for (offset, address, draft) in objects {
        let one = record(&path, &address, draft).ok_or_else(|| JsonError {
            offset,
            message: "this is not a valid name of a resource".to_owned(),
        })?;
        state.objects.extend(one);
    }
    Ok(())
}

/// Reads one output of a state in a format before version 4.
fn output(cursor: &mut JsonCursor<'_>, version: u64) -> Result<RecordedOutput, JsonError> {
    if version == 1 && cursor.is_text() {
        let value = Value::text(cursor.text()?);
        return Ok(RecordedOutput { value, ty: Type::String, sensitive: false });
    }
    let (mut value, mut kind, mut sensitive) = (Value::NULL, String::new(), false);
    object_or_null(cursor, &mut |name, cursor| {
        match &*name.to_ascii_lowercase() {
            "value" => value = cursor.value()?,
            "type" => kind = text_or_null(cursor)?.unwrap_or_default(),
            "sensitive" => sensitive = flag(cursor)?,
            _ => return cursor.skip_checked().map(drop),
        }
        Ok(())
    })?;
    // Lists and maps may contain any type.
    let ty = if kind == "string" { Type::String } else { value.ty() };
    let value = typed(&value, &ty).unwrap_or(value);
    Ok(RecordedOutput { ty: value.ty(), value, sensitive })
}

/// A resource of a state in a format before version 4 while it is being read: its properties may be in any order.
#[derive(Default)]
struct OldStateDraft {
    kind: String,
    provider: String,
    primary: Option<bool>,
    deposed: Vec<bool>,
}

/// Reads the type, provider and `tainted` flags of one resource of a state in a format before version 4.
fn resource(cursor: &mut JsonCursor<'_>) -> Result<OldStateDraft, JsonError> {
    let mut draft = OldStateDraft::default();
    object_or_null(cursor, &mut |name, cursor| {
        match &*name.to_ascii_lowercase() {
            "type" => draft.kind = text_or_null(cursor)?.unwrap_or_default(),
            "provider" => draft.provider = text_or_null(cursor)?.unwrap_or_default(),
            "primary" => {
                draft.primary = match cursor.null() {
                    true => None,
                    false => Some(is_tainted(cursor)?),
                };
            }
            "deposed" => {
                return list_or_null(cursor, &mut |cursor| {
                    draft.deposed.push(is_tainted(cursor)?);
                    Ok(())
                });
            }
            _ => return cursor.skip_checked().map(drop),
        }
        Ok(())
    })?;
    Ok(draft)
}

/// Reads a recorded object and returns its `tainted` flag, false if there is none.
fn is_tainted(cursor: &mut JsonCursor<'_>) -> Result<bool, JsonError> {
    let mut tainted = false;
    object_or_null(cursor, &mut |name, cursor| {
        match &*name.to_ascii_lowercase() {
            "tainted" => tainted = flag(cursor)?,
            _ => return cursor.skip_checked().map(drop),
        }
        Ok(())
    })?;
    Ok(tainted)
}

/// Returns the recorded objects of one resource of a state in a format before version 4; `None` unless `address`, its key
/// there, is like `aws_instance.web.0` or `data.aws_ami.base`.
fn record(
    path: &[(Str, InstanceKey)],
    address: &str,
    draft: OldStateDraft,
) -> Option<Vec<RecordedInstance>> {
    let (mode, rest) = match address.strip_prefix("data.") {
        Some(rest) => (ResourceMode::Data, rest),
        None => (ResourceMode::Managed, address),
    };
    let mut parts = rest.split('.');
    let (kind, name, key) = (parts.next()?, parts.next()?, parts.next());
    let key = match key {
        None => InstanceKey::None,
        Some(key) => InstanceKey::Number(key.parse().ok()?),
    };
    let provider = match address::read_text(&draft.provider) {
        Some(Expr::Native(native)) => {
            address::names(native.view()).and_then(|names| address::legacy(&names))
        }
        _ => None,
    };
    let kind = if draft.kind.is_empty() { kind } else { &draft.kind };
    let entry = Arc::new(ResourceEntry {
        modules: path.to_vec().into(),
        mode,
        kind: Str::from(kind),
        name: Str::from(name),
        provider: provider.unwrap_or_else(|| implied(kind)),
    });
    let one = |deposed: Option<Str>, tainted| RecordedInstance {
        entry: entry.clone(),
        key: key.clone(),
        deposed,
        tainted,
        is_kept: false,
        is_made_first: false,
        schema_version: 0,
        attributes: AttributeSource::Flat,
        private: None,
        sensitive: Arc::default(),
        dependencies: Arc::default(),
    };
    let current = draft.primary.map(|tainted| one(None, tainted));
    let deposed = draft.deposed.iter().enumerate();
    let deposed =
        deposed.map(|(at, tainted)| one(Some(format!("{:08x}", at + 1).into()), *tainted));
    Some(current.into_iter().chain(deposed).collect())
}
