//! Conditions: validations, preconditions, postconditions and assertions. They count by their code: what they come to is
//! another matter.

use groma_module::declare::Condition;

use super::body::Body;
use super::expression::Here;

/// Adds conditions of a kind to a body.
pub(super) fn push(here: &Here<'_>, kind: &str, all: &[Condition], body: &mut Body) {
    for condition in all {
        let mut block = Body::empty(condition.condition.place());
        block.set("condition", here.coded(&condition.condition));
        block.set("error_message", here.coded(&condition.message));
        body.push(kind, block);
    }
}
