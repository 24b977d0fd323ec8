//! The entries of the stamp file next to a result: for each root the write times of everything that its line depends on. A stamp
//! can only prove that a line is still valid; otherwise the line's key decides.

use serde::{Deserialize, Serialize};

/// The digest of a root's result line, and the stamps of everything that the line depends on, by which a later run keeps it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct StampedRoot {
    /// The root's path, as the line contains it.
    pub root: String,
    /// The digest of the run's inputs and of the root, without files.
    pub given: String,
    /// The digest of the line.
    pub line: String,
    /// The code of the line's error; `None` without an error.
    pub error: Option<String>,
    /// The names of the environment variables that were read.
    pub variables: Vec<String>,
    /// The digest of their values.
    pub environment: String,
    /// The folder records that the line depends on, which are earlier lines of the stamp file: ranges of a first number and a
    /// count.
    pub looks: Vec<(usize, usize)>,
}

/// The folders that a search for roots has found, with the stamps of everything that the search depends on.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
pub struct StampedSearch {
    /// The options of the search, as text.
    pub search: String,
    /// The digest of the run's inputs, of the search and of the folders found.
    pub given: String,
    /// The folder below which was searched.
    pub top: String,
    /// The folder outside of which nothing is read.
    pub bound: Option<String>,
    /// The folders that were found, in order.
    pub dirs: Vec<String>,
    /// The names of the environment variables that were read.
    pub variables: Vec<String>,
    /// The digest of their values.
    pub environment: String,
    /// The folder records that the search depends on: ranges of a first number and a count.
    pub looks: Vec<(usize, usize)>,
}

/// The stamps of a result's own two files, by which a later run detects changes of them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct StampedResult {
    /// The stamp of the lines.
    pub lines: String,
    /// The stamp of their keys.
    pub keys: String,
    /// True if every later change of the files changes these stamps.
    pub settled: bool,
}

/// A JSON entry of a stamp file: a root, a search, or the result's own files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StampEntry {
    /// A root.
    Root(StampedRoot),
    /// A search for roots.
    Search(StampedSearch),
    /// The result itself.
    Result(StampedResult),
}

impl StampEntry {
    /// Parses an entry from a line of a stamp file; `None` for a line that is not JSON, such as the record of a folder.
    ///
    /// # Errors
    /// The line begins with `{` and is not a valid entry.
    pub fn read(line: &str) -> Result<Option<StampEntry>, serde_json::Error> {
        Ok(match line.as_bytes() {
            [b'{', b'"', b'r', ..] => Some(StampEntry::Root(serde_json::from_str(line)?)),
            [b'{', b'"', b's', ..] => Some(StampEntry::Search(serde_json::from_str(line)?)),
            [b'{', ..] => Some(StampEntry::Result(serde_json::from_str(line)?)),
            _ => None,
        })
    }

    /// Returns the entry as a line of JSON, line end included.
    pub fn text(&self) -> String {
        let text = match self {
            StampEntry::Root(root) => serde_json::to_string(root),
            StampEntry::Search(search) => serde_json::to_string(search),
            StampEntry::Result(result) => serde_json::to_string(result),
        };
        // An entry has only strings and numbers, which are always valid JSON.
        text.map(|text| text + "\n").unwrap_or_default()
    }
}
