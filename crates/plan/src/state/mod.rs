//! A state file: what existed when it was written. It is only decoded, never evaluated, and none of its text appears in
//! messages, because states contain secrets.

mod address;
mod current;
mod model;
mod old;
mod read;
mod typed;

use std::sync::Arc;

use groma_runtime::{Edition, Host, HostError};
use groma_syntax::Source;
use groma_value::print::quoted;

pub use address::{read_action, read_target};
pub use model::State;
pub(crate) use model::{
    AttributeSource, RecordedInstance, RecordedOutput, ResourceEntry, StateProvider,
};
pub(crate) use typed::{AttributeMisfit, TypedReader};

/// Maximum size of a state file in bytes; a larger file cannot be read.
pub(crate) const SIZE_LIMIT: u64 = 1 << 30;

/// The reason why a state cannot be used: a whole sentence with the position in the file, without any of its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateError(pub String);

impl State {
    /// Loads the state in a file; `None` if the file is missing or empty.
    ///
    /// # Errors
    /// When it cannot be read or its format is not supported.
    pub fn load(
        host: &dyn Host,
        file: &str,
        edition: Edition,
    ) -> Result<Option<State>, StateError> {
        match host.read_within(file, SIZE_LIMIT) {
            Ok(bytes) => State::of(bytes, file, edition),
            Err(HostError::Absent) => Ok(None),
            Err(why) => {
                Err(StateError(format!("The state file {} cannot be read: {why}.", quoted(file))))
            }
        }
    }

    /// Returns true if the content is a state of a version later than all supported ones.
    pub(crate) fn is_later(bytes: &[u8]) -> bool {
        std::str::from_utf8(bytes).is_ok_and(read::is_later)
    }

    /// Decodes the content of the state file at the path `file`, which errors name; `None` if it is empty.
    ///
    /// # Errors
    /// When its format is not supported.
    pub fn of(bytes: Vec<u8>, file: &str, edition: Edition) -> Result<Option<State>, StateError> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => Arc::<str>::from(text),
            Err(why) => {
                let at = why.utf8_error().valid_up_to();
                let detail =
                    format!("The state file {} is not UTF-8 from byte {at} on.", quoted(file));
                return Err(StateError(detail));
            }
        };
        let state = read::read(&text, edition).map_err(|why| {
            let place = Source::new(file, &*text).position(why.offset as u32);
            StateError(format!(
                "The state file {} cannot be used: line {}, column {}: {}.",
                quoted(file),
                place.line,
                place.column,
                why.message
            ))
        })?;
        Ok(Some(State { text, file: file.to_owned(), ..state }))
    }
}
