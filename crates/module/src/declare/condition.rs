//! A condition with the message for when it does not hold.

use groma_functions::Library;

use super::Expression;
use super::raw::Raw;

/// `condition` and `error_message` of a validation, precondition, postcondition or assertion.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) condition: Expression,
    pub(crate) message: Expression,
}

impl Condition {
    /// Reads the block; nothing if an argument is missing, which is reported already.
    pub(crate) fn read(raw: &Raw, library: &Library) -> Option<Condition> {
        Some(Condition {
            condition: Expression::new(&raw.argument("condition")?.expr, library),
            message: Expression::new(&raw.argument("error_message")?.expr, library),
        })
    }

    /// Both expressions.
    pub(crate) fn expressions_mut(&mut self) -> [&mut Expression; 2] {
        [&mut self.condition, &mut self.message]
    }

    /// Both expressions.
    pub(crate) fn expressions(&self) -> [&Expression; 2] {
        [&self.condition, &self.message]
    }
}
