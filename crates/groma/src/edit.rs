//! Edits of code by path, for whoever holds texts: an editor, a script, the command.

use groma_module::dialect::{MODULE, QUERY};

pub use groma_edit::{
    Changed, CodePath, CodeStep, Edit, Got, Op, Refusal, SourceText, apply, get, read_edits,
};

/// How many labels a block of a kind has at the top of a file.
pub fn labels(kind: &str) -> Option<usize> {
    let mut rows = MODULE.iter().chain(QUERY);
    let of_module = rows.find(|row| row.kind == kind).map(|row| row.labels.len());
    of_module.or_else(|| groma_packer::labels(kind))
}
