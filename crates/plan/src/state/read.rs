//! Detection of a state file's format, and readers that all formats share. Property names are case-insensitive and the last of
//! duplicates wins, as in the programs that write states.

use groma_runtime::{Availability, Edition};
use groma_value::json::{JsonCursor, JsonError};

use super::model::State;
use super::{current, old};

/// The editions that refuse states of a version before 4.
const REFUSES_OLD: Availability = Availability::NEVER.opentofu_since(13);

/// The latest version of the state format that can be read.
const LATEST: u64 = 4;

/// Returns true if a state's version is later than [`LATEST`].
pub(super) fn is_later(text: &str) -> bool {
    let version = head(text).ok().and_then(|head| head.version);
    version.is_some_and(|(_, version)| version > LATEST)
}

/// Reads the header of a state: its version, the program that wrote it, and if it is encrypted.
fn head(text: &str) -> Result<StateHead, JsonError> {
    let mut cursor = JsonCursor::new(text);
    if cursor.first() != Some(b'{') {
        return cursor.fail("a state must be a JSON object");
    }
    let mut head = StateHead::default();
    cursor.object(&mut |name, cursor| {
        let at = cursor.offset();
        match &*name.to_ascii_lowercase() {
            "version" => {
                head.version = Some((at, integer(cursor, "the version of a state")?));
                Ok(())
            }
            "terraform_version" => {
                head.program = text_or_null(cursor)?.map(|program| (at, program));
                Ok(())
            }
            "encrypted_data" => {
                head.is_encrypted = true;
                cursor.skip().map(drop)
            }
            // Read in detail by the reader of the format.
            _ => cursor.skip().map(drop),
        }
    })?;
    // Nothing may follow the JSON value.
    cursor.end()?;
    Ok(head)
}

/// Parses the text of a state of any supported version of the format.
pub(super) fn read(text: &str, edition: Edition) -> Result<State, JsonError> {
    let head = head(text)?;
    let fail = |offset, message: &str| Err(JsonError { offset, message: message.to_owned() });
    if head.is_encrypted {
        return fail(
            0,
            "it is encrypted, and Groma cannot decrypt states. Plan with --no-state, or give an unencrypted copy with --state",
        );
    }
    let Some((at, version)) = head.version else {
        return fail(0, "it has no version, so it is not a state");
    };
    if let Some((at, program)) = &head.program
        && !program.is_empty()
        && !is_version(program)
    {
        return fail(
            *at,
            "\"terraform_version\" must be the version of the program that wrote the state",
        );
    }
    match version {
        1..=3 if REFUSES_OLD.includes(edition) => Err(JsonError {
            offset: at,
            message: format!(
                "it has version {version}, and {edition} reads version 4 only: run an older version once, which writes the state in the newer format"
            ),
        }),
        1..=3 => old::read(text, version),
        LATEST => current::read(text, edition),
        0 => fail(at, "there is no state of version 0"),
        _ => Err(JsonError {
            offset: at,
            message: format!(
                "it has version {version}, but only versions up to {LATEST} can be read: a newer version has written it"
            ),
        }),
    }
}

/// The header of a state: its version and program, each with its byte offset, and if it is encrypted.
#[derive(Default)]
struct StateHead {
    version: Option<(usize, u64)>,
    program: Option<(usize, String)>,
    is_encrypted: bool,
}

/// Returns true if a text is a version such as `1.2.3`, with or without a suffix.
fn is_version(text: &str) -> bool {
    let text = text.strip_prefix('v').unwrap_or(text);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let parts = text[..end].split('.');
    parts.clone().count() <= 4
        && parts
            .into_iter()
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

/// Reads a non-negative integer; `what` names it in the error.
fn integer(cursor: &mut JsonCursor<'_>, what: &str) -> Result<u64, JsonError> {
    let offset = cursor.offset();
    let value = cursor.value()?;
    match value.bare().as_position() {
        Some(number) => Ok(number as u64),
        None => Err(JsonError {
            offset,
            message: format!("{what} must be a whole number of 0 or more"),
        }),
    }
}

/// Reads a non-negative integer, or null as 0; `what` names it in the error.
pub(super) fn integer_or_null(cursor: &mut JsonCursor<'_>, what: &str) -> Result<u64, JsonError> {
    if cursor.null() { Ok(0) } else { integer(cursor, what) }
}

/// Reads a string; null is `None`.
pub(super) fn text_or_null(cursor: &mut JsonCursor<'_>) -> Result<Option<String>, JsonError> {
    if cursor.null() { Ok(None) } else { cursor.text().map(Some) }
}

/// Reads the items of a list; null is an empty list.
pub(super) fn list_or_null<'t>(
    cursor: &mut JsonCursor<'t>,
    visit: &mut dyn FnMut(&mut JsonCursor<'t>) -> Result<(), JsonError>,
) -> Result<(), JsonError> {
    if cursor.null() { Ok(()) } else { cursor.array(visit) }
}

/// Reads the properties of an object; null is an empty object.
pub(super) fn object_or_null<'t>(
    cursor: &mut JsonCursor<'t>,
    visit: groma_value::json::Visit<'_, 't>,
) -> Result<(), JsonError> {
    if cursor.null() { Ok(()) } else { cursor.object(visit) }
}

/// Reads a boolean; null is false.
pub(super) fn flag(cursor: &mut JsonCursor<'_>) -> Result<bool, JsonError> {
    if cursor.null() {
        return Ok(false);
    }
    match cursor.first() {
        Some(b't' | b'f') => Ok(matches!(cursor.value()?, groma_value::Value::Bool(true))),
        _ => cursor.fail("true or false is required here"),
    }
}
