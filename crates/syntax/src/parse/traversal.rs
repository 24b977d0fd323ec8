//! Check that a text is a traversal with literal keys, such as `a.b[0].c`.

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::kind::NodeKind;
use crate::span::{FileId, Place};
use crate::tree::Tree;

/// Returns the error if a tree is not that of a traversal with literal keys, such as `a.b[0].c`; `None` if it is.
pub(super) fn check(tree: &Tree, file: FileId) -> Option<Diagnostic> {
    let mut id = tree.only_child(tree.root())?;
    loop {
        let problem = match tree.kind(id) {
            NodeKind::Traversal => return None,
            NodeKind::Attribute | NodeKind::LegacyIndex => {
                id = tree.only_child(id)?;
                continue;
            }
            NodeKind::Index => {
                let [object, key] = tree.last_children(id);
                if matches!(tree.kind(key), NodeKind::Number | NodeKind::String) {
                    id = object;
                    continue;
                }
                (key, "The key must be a number or a text in quotes, not an expression.")
            }
            NodeKind::SplatFull | NodeKind::SplatAttribute => {
                (id, "A splat names several things; here exactly one must be named.")
            }
            _ => (
                id,
                "Write a name with its steps, as in `a.b[0].c`; other expressions are not read here.",
            ),
        };
        let place = Place::new(file, tree.span(problem.0));
        return Some(Diagnostic::error(&codes::NOT_A_TRAVERSAL, problem.1).at(place));
    }
}
