//! Findings of the rules: a place, and what to do. They are sorted by file and line, independent of the order of rules.

use std::fmt;

/// A violation of a rule of `cargo xtask tidy`: file, line and a sentence.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    file: String,
    line: usize,
    says: String,
}

impl Finding {
    /// Creates the violation at a line of a file, with a sentence that describes it.
    pub(super) fn new(file: &str, line: usize, says: impl Into<String>) -> Finding {
        Finding { file: file.to_string(), line, says: says.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.file, self.line, self.says)
    }
}
