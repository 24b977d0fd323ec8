//! What a rule finds: where, and what to do. Findings are sorted by file and line, whichever rule comes first.

use std::fmt;

/// One thing that breaks the law.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    file: String,
    line: usize,
    says: String,
}

impl Finding {
    pub(super) fn new(file: &str, line: usize, says: impl Into<String>) -> Finding {
        Finding { file: file.to_string(), line, says: says.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.file, self.line, self.says)
    }
}
