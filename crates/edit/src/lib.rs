//! Edits of code by path, from texts to texts. Only the addressed code changes: comments and all other tokens are kept, which is
//! verified for each result. New code has the formatter's layout; if the whole file had that layout, it has it again, for which
//! whitespace around the edit may change.
//!
//! The meaning of blocks is unknown here. The caller supplies the number of labels of each block type, and the arguments that
//! are not evaluated.
#![forbid(unsafe_code)]

mod bulk;
mod change;
mod excerpt;
mod find_path;
mod index;
mod insert;
mod inserted_item;
mod json;
mod matching;
mod parts;
mod path;
mod remove;
mod requests;
mod script;
mod sets;
mod step;
mod text;
mod window;

pub use change::{ChangedText, apply, rewrite};
pub use find_path::{CodeAtPath, get, get_each};
pub use insert::behind;
pub use path::{CodePath, CodeStep, EachForm};
pub use requests::{Edit, EditOp, read_edits};
pub use text::Splice;

use std::fmt;
use std::sync::Arc;

/// A text to which edits are applied, with its file name.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The file name, from which the syntax follows.
    pub name: String,
    /// The content.
    pub text: Arc<str>,
}

/// The rules of the language on which edits depend: labels of block types, and arguments that are not evaluated.
#[derive(Clone, Copy)]
pub struct EditLanguage<'l> {
    /// Returns the number of labels of a top-level block type, if known.
    pub labels: &'l dyn Fn(&str) -> Option<usize>,
    /// Returns the number of labels of a nested block type, if it is a block there, given the enclosing block types, outermost
    /// first.
    pub inner_labels: &'l dyn Fn(&[&str], &str) -> Option<usize>,
    /// Returns true for an argument that only names something and is not evaluated, given the enclosing block types, outermost
    /// first, and its name. In JSON syntax it is a string without `${`.
    pub names: &'l dyn Fn(&[&str], &str) -> bool,
}

/// The reason why an edit is refused: one or two sentences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditRefusal(pub String);

impl fmt::Display for EditRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EditRefusal {}

/// Returns the refusal of an edit with the given reason as an error.
fn refused<T>(why: impl Into<String>) -> Result<T, EditRefusal> {
    Err(EditRefusal(why.into()))
}
