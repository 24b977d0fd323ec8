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
mod index;
mod insert;
mod json;
mod look;
mod order;
mod parts;
mod path;
mod remove;
mod script;
mod text;

pub use change::{Changed, apply, rewrite};
pub use insert::behind;
pub use look::{Got, get};
pub use order::{Edit, Op, read_edits};
pub use path::{CodePath, CodeStep};
pub use text::Splice;

use std::fmt;
use std::sync::Arc;

/// A text that may be edited.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// How it is called.
    pub name: String,
    /// What it says.
    pub text: Arc<str>,
}

/// What edits are told of the language.
#[derive(Clone, Copy)]
pub struct Language<'l> {
    /// How many labels a block of a kind has at the top of a file, where that is known.
    pub labels: &'l dyn Fn(&str) -> Option<usize>,
    /// How many labels a block of a kind has inside of others, where it is a block there: by the kinds of the blocks around
    /// it, the outermost first.
    pub inner_labels: &'l dyn Fn(&[&str], &str) -> Option<usize>,
    /// Whether an argument only names something or says it in a word, and is not worked out: by the kinds of the blocks
    /// around it, the outermost first, and its name. In JSON syntax that is a text without `${`.
    pub names: &'l dyn Fn(&[&str], &str) -> bool,
}

/// Why an edit is not made: a sentence or two for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

fn refused<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(why.into()))
}
