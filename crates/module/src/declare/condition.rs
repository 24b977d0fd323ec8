//! A condition with its error message.

use groma_config::RawBlock;
use groma_functions::FunctionLibrary;
use groma_syntax::{Diagnostic, Diagnostics};

use crate::codes;
use crate::declare::Expression;

/// The `condition` and `error_message` of a validation, precondition, postcondition or assertion.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The condition.
    pub condition: Expression,
    /// The message if the condition is false.
    pub message: Expression,
}

impl Condition {
    /// Reads the condition and message of a block such as `validation`; `None` if either is missing, which has been reported.
    pub fn read(raw: &RawBlock, library: &FunctionLibrary) -> Option<Condition> {
        Some(Condition {
            condition: Expression::new(&raw.argument("condition")?.expr, library),
            message: Expression::new(&raw.argument("error_message")?.expr, library),
        })
    }

    /// Reads the condition and message of a block; `None` if either is missing, or if the condition refers to nothing, which is
    /// reported.
    pub(crate) fn about_something(
        raw: &RawBlock,
        library: &FunctionLibrary,
        out: &mut Diagnostics,
    ) -> Option<Condition> {
        let condition = Expression::new(&raw.argument("condition")?.expr, library);
        if !condition.located.code.references().is_empty() {
            return Condition::read(raw, library);
        }
        let detail = "The condition refers to nothing, so its result is always the same. Refer to the value that it should check.";
        out.push(Diagnostic::error(&codes::CONSTANT_CONDITION, detail).at(condition.place()));
        None
    }
}
