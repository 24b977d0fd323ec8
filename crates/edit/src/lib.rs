//! Edits by path: texts in, texts out. Only what an edit means changes: comments stay, and so does every token that is no
//! part of it, which is checked of each result. The layout of what is written new is that of the formatter; where the
//! file as a whole had that layout it has it again, for which blanks around the edit may move.
//!
//! Nothing here knows what a block means. How many labels the blocks of a kind have is for the caller to say.
#![forbid(unsafe_code)]

mod change;
mod insert;
mod look;
mod order;
mod path;
mod remove;
mod text;

pub use change::{Changed, Splice, apply, rewrite};
pub use insert::behind;
pub use look::{Got, get};
pub use order::{Edit, Op, read_edits};
pub use path::{CodePath, CodeStep};

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

/// How many labels a block of a kind has at the top of a file, where that is known.
pub type Labels<'l> = &'l dyn Fn(&str) -> Option<usize>;

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
