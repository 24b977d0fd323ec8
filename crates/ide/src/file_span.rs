//! Spans and edits of named files, of which most answers consist.

use groma::edit::{RenamedFile, TextEdit, text_edits};
use groma_syntax::Span;

pub use groma::root::FileSpan;

/// The edits of one file: replaced spans with their new texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileEdits {
    /// The file's name.
    pub file: String,
    /// The edits, sorted by place and without overlap.
    pub edits: Vec<TextEdit>,
}

/// Edits of several files, to be applied together or not at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangeSet {
    /// New files with their texts, created first.
    pub created: Vec<(String, String)>,
    /// The edited files, sorted by name.
    pub files: Vec<FileEdits>,
    /// Notes for the user about what could not be changed.
    pub notes: Vec<String>,
}

impl ChangeSet {
    /// Returns the changes that turn the old text of each file into its new one, with notes for the user.
    pub(crate) fn of_texts(files: &[RenamedFile], notes: Vec<String>) -> ChangeSet {
        let edits = |one: &RenamedFile| FileEdits {
            file: one.path.clone(),
            edits: text_edits(&one.before, &one.after),
        };
        ChangeSet { files: files.iter().map(edits).collect(), notes, ..ChangeSet::default() }
    }
}

/// Returns an edit that replaces a span by a text.
pub(crate) fn replacement(span: Span, text: impl Into<String>) -> TextEdit {
    TextEdit { start: span.start as usize, end: span.end as usize, text: text.into() }
}
