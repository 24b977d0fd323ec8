//! JSON of values. Numbers are never read or written through a float.

mod cursor;
mod read;
mod text;
mod tokens;
mod write;

pub use cursor::{JsonCursor, Visit};
pub(crate) use read::JsonReader;
pub use read::{decode, decode_loose};
pub use text::{JsonLayout, JsonObject, JsonText, array, string, texts};
pub use tokens::{JsonToken, JsonTokens};
pub use write::{encode, plain, write_plain};

/// The reason why a text is not JSON, or cannot be represented as a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError {
    /// Byte offset in the text.
    pub offset: usize,
    /// The reason, as a sentence that begins in lower case.
    pub message: String,
}
