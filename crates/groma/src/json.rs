//! JSON: reading and writing of values, diagnostics, and writers for other documents. What JSON cannot express (types, unknown
//! parts, marks) is written next to the value in the form of `groma eval --full`; plain JSON is read as the console's
//! `jsondecode` reads it.

use std::collections::HashSet;
use std::fmt;

use groma_syntax::Diagnostics;
use groma_value::codec::path_text;
use groma_value::{Path, PathStep, Str, Type, Value, convert, json, json_type};

pub use groma_protocol::{
    ErrorStage, ReportedCauses, ResultContext, place_text, write_diagnostic, write_result,
};
pub use groma_value::codec::listing;
pub use groma_value::json::{
    JsonLayout, JsonObject, JsonText, JsonToken, JsonTokens, array, plain, string, texts,
    write_plain,
};

/// Returns a value with its type, unknown parts and marks, and the diagnostics `found`, as JSON in the form of
/// `groma eval --full`; `around` has the source texts and the causes to which both refer.
pub fn full(value: &Value, found: &Diagnostics, around: &ResultContext<'_>) -> String {
    let mut out = JsonText::new(JsonLayout::Compact);
    write_result(value, found, ErrorStage::Eval, around, &mut out);
    out.into_string()
}

/// The error that a text cannot be read as a value: the reason, as a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreadableJson(String);

impl fmt::Display for UnreadableJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnreadableJson {}

/// Returns the error `UnreadableJson` with the message `why`.
fn unreadable<T>(why: impl Into<String>) -> Result<T, UnreadableJson> {
    Err(UnreadableJson(why.into()))
}

/// Reads a value from plain JSON: objects become objects, arrays become tuples.
///
/// # Errors
/// If the text is not JSON.
pub fn read_plain(text: &str) -> Result<Value, UnreadableJson> {
    json::decode(text)
        .or_else(|why| unreadable(format!("This is not JSON at byte {}.", why.offset)))
}

/// Reads a value in the form of [`crate::Snapshot::value_json`] with its type, unknown parts and marks. The causes of unknown
/// parts are not read.
///
/// # Errors
/// If the text is not of that form.
pub fn read_value(text: &str) -> Result<Value, UnreadableJson> {
    let read = read_plain(text)?;
    let Value::Object(form) = &read else {
        return unreadable("A value with its type is an object.");
    };
    let (Some(ty), Some(value)) = (form.get("type"), form.get("value")) else {
        return unreadable("A value with its type has \"type\" and \"value\".");
    };
    let ty = json::encode(ty).ok().and_then(|ty| json_type::read(&ty).ok());
    let Some(ty) = ty else { return unreadable("\"type\" is not a type.") };
    let paths = |name: &str| -> Result<HashSet<String>, UnreadableJson> {
        let Some(listed) = form.get(name) else { return Ok(HashSet::new()) };
        let Value::Tuple(listed) = listed else {
            return unreadable(format!("\"{name}\" is not a list of paths."));
        };
        let text = |path: &Value| match path {
            Value::String(path) => Ok(path.to_string()),
            _ => unreadable(format!("\"{name}\" is not a list of paths.")),
        };
        listed.items().iter().map(text).collect()
    };
    let form = PathMarks {
        unknown: paths("unknown")?,
        sensitive: paths("sensitive")?,
        ephemeral: paths("ephemeral")?,
    };
    form.value(value, &ty, &Path::default())
}

/// The paths of the unknown, sensitive and ephemeral parts of a value that is read from JSON.
struct PathMarks {
    unknown: HashSet<String>,
    sensitive: HashSet<String>,
    ephemeral: HashSet<String>,
}

impl PathMarks {
    /// Converts the JSON value `read` at the path `path` of the whole value to a value of the type `ty`, which is unknown or
    /// marked if the lists of unknown, sensitive or ephemeral paths contain `path`.
    fn value(&self, read: &Value, ty: &Type, path: &Path) -> Result<Value, UnreadableJson> {
        let at = path_text(path);
        let mut value = match self.unknown.contains(&at) {
            true => Value::unknown(ty.clone()),
            false => self.known_value(read, ty, path, &at)?,
        };
        if self.sensitive.contains(&at) {
            value = value.sensitive();
        }
        if self.ephemeral.contains(&at) {
            value = value.mark(&groma_value::Marks::one(groma_value::Mark::Ephemeral));
        }
        Ok(value)
    }

    /// Converts the JSON value `read` to a known value of the type `ty`, with unknown and marked parts inside; `at` is the text
    /// of `path`.
    fn known_value(
        &self,
        read: &Value,
        ty: &Type,
        path: &Path,
        at: &str,
    ) -> Result<Value, UnreadableJson> {
        let wrong = || {
            let place = if at.is_empty() { "The value" } else { at };
            unreadable(format!("{place} is not of the type that is given for it."))
        };
        let below = |step: PathStep, read: &Value, ty: &Type| {
            let mut path = path.clone();
            path.0.push(step);
            self.value(read, ty, &path)
        };
        let index = |at: usize| PathStep::Index(Value::position(at));
        let key = |name: &Str| PathStep::Index(Value::String(name.clone()));
        match (ty, read) {
            (_, Value::Null(_)) => Ok(Value::null(ty.clone())),
            (Type::List(element), Value::Tuple(items)) => {
                let items = items.items().iter().enumerate();
                let items = items.map(|(at, item)| below(index(at), item, element));
                Ok(Value::list((**element).clone(), items.collect::<Result<_, _>>()?))
            }
            (Type::Set(element), Value::Tuple(items)) => {
                // The path of a set's element does not identify it; an element that contains a null counts as unknown in part.
                let has_unknown = self.unknown.contains(&format!("{at}[?]"));
                let mut inner = path.clone();
                inner.0.push(PathStep::Index(Value::NULL));
                let items = items.items().iter().map(|item| match has_unknown && has_null(item) {
                    true => Ok(Value::unknown((**element).clone())),
                    false => self.known_value(item, element, &inner, &path_text(&inner)),
                });
                Ok(Value::set((**element).clone(), items.collect::<Result<_, _>>()?))
            }
            (Type::Tuple(types), Value::Tuple(items)) => {
                if types.elements().len() != items.items().len() {
                    return wrong();
                }
                let items = items.items().iter().zip(types.elements()).enumerate();
                let items = items.map(|(at, (item, ty))| below(index(at), item, ty));
                Ok(Value::tuple(items.collect::<Result<_, _>>()?))
            }
            (Type::Map(element), Value::Object(entries)) => {
                let entries = entries
                    .iter()
                    .map(|(name, item)| Ok((name.clone(), below(key(name), item, element)?)));
                Ok(Value::map((**element).clone(), entries.collect::<Result<Vec<_>, _>>()?))
            }
            (Type::Object(types), Value::Object(attributes)) => {
                let made = types.attributes().iter().map(|one| {
                    let Some(item) = attributes.get(&one.name) else {
                        return wrong().map(|never: Value| (one.name.clone(), never));
                    };
                    let step = PathStep::Attribute(one.name.clone());
                    Ok((one.name.clone(), below(step, item, &one.ty)?))
                });
                Ok(Value::object(made.collect::<Result<Vec<_>, _>>()?))
            }
            (
                Type::Bool | Type::Number | Type::String,
                Value::Bool(_) | Value::Decimal(_) | Value::Real(_) | Value::String(_),
            ) => convert(read, ty).or_else(|_| wrong()),
            _ => wrong(),
        }
    }
}

/// Returns true if a value or any part of it is null.
fn has_null(read: &Value) -> bool {
    match read {
        Value::Tuple(items) => items.items().iter().any(has_null),
        Value::Object(attributes) => attributes.iter().any(|(_, item)| has_null(item)),
        other => other.is_null(),
    }
}
