//! Edits by path: texts in, texts out. Only what an edit means changes: comments stay, and so does every token that is no
//! part of it, which is checked of each result. The layout of what is written new is that of the formatter; where the
//! file as a whole had that layout it has it again, for which blanks around the edit may move.
//!
//! Nothing here knows what a block means. How many labels the blocks of a kind have, and which arguments only name
//! something, is for the caller to say.
#![forbid(unsafe_code)]

mod bulk;
mod change;
mod excerpt;
mod find_path;
mod index;
mod insert;
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

/// A text that may be edited.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The name.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
}

/// The knowledge of the language that edits depend on.
#[derive(Clone, Copy)]
pub struct EditLanguage<'l> {
    /// The number of labels of a block kind at the top of a file, where that is known.
    pub labels: &'l dyn Fn(&str) -> Option<usize>,
    /// The number of labels of a block kind inside of other blocks, where it is a block there: by the kinds of the
    /// blocks around it, the outermost first.
    pub inner_labels: &'l dyn Fn(&[&str], &str) -> Option<usize>,
    /// A test for arguments that only name something and are not evaluated: by the kinds of the blocks
    /// around it, the outermost first, and its name. In JSON syntax that is a text without `${`.
    pub names: &'l dyn Fn(&[&str], &str) -> bool,
}

/// The reason why an edit is not made: a sentence or two for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditRefusal(pub String);

impl fmt::Display for EditRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EditRefusal {}

fn refused<T>(why: impl Into<String>) -> Result<T, EditRefusal> {
    Err(EditRefusal(why.into()))
}
