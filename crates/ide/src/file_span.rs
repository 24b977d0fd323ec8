//! Bytes of named files, and changes of them: the two things that most answers consist of.

use std::sync::Arc;

use groma::edit::{RenamedFile, TextEdit, text_edits};
use groma_syntax::Span;

/// Bytes of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileSpan {
    /// The name of the file, as the root names it.
    pub file: Arc<str>,
    /// The bytes.
    pub span: Span,
}

/// Changes of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileEdits {
    /// The name of the file.
    pub file: String,
    /// The changes, by place; none touches another.
    pub edits: Vec<TextEdit>,
}

/// Changes of many files, to be made together or not at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangeSet {
    /// The new files with their texts, made before the rest.
    pub created: Vec<(String, String)>,
    /// The changed files, by name.
    pub files: Vec<FileEdits>,
    /// Remarks for the user about what could not be changed along.
    pub notes: Vec<String>,
}

impl ChangeSet {
    /// Changes that make new texts of old ones.
    pub(crate) fn of_texts(files: &[RenamedFile], notes: Vec<String>) -> ChangeSet {
        let edits = |one: &RenamedFile| FileEdits {
            file: one.path.clone(),
            edits: text_edits(&one.before, &one.after),
        };
        ChangeSet { files: files.iter().map(edits).collect(), notes, ..ChangeSet::default() }
    }
}

/// A replacement of bytes by a text.
pub(crate) fn replacement(span: Span, text: impl Into<String>) -> TextEdit {
    TextEdit { start: span.start as usize, end: span.end as usize, text: text.into() }
}
