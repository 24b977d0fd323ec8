//! The same text twice in a set that is written out. The text is not repeated in the finding: it may be a secret.

use groma_syntax::Diagnostic;
use groma_syntax::ast::Case;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::found::Found;
use crate::inner::{Inner, bare, plain};
use crate::subject::Subject;

pub(super) fn look(node: &Inner<'_>, _: &Subject<'_>, found: &mut Found) {
    let Case::Call(call) = node.case else { return };
    let ("toset", [list]) = (&*call.name, &call.args[..]) else { return };
    let Case::Tuple(items) = bare(*list).case() else { return };
    let mut known = FxHashSet::default();
    for item in items {
        if plain(item).is_some_and(|text| !known.insert(text.into_owned())) {
            let detail = "The same element stands further left, and a set holds it once.";
            let place = node.place(item);
            found.push(Diagnostic::warning(&codes::DUPLICATE_ELEMENT, detail).at(place));
        }
    }
}
