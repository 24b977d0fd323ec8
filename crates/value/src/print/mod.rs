//! Values and types as text for users. The console's texts are those of the reference programs, down to the escapes; the names
//! of types are used in every message.

mod console;
mod quote;
mod type_text;

pub use console::{console, plain};
pub use quote::quoted;
pub use type_text::{print_type, type_constraint, type_name, with_article};

use crate::Number;

/// Returns a number as text in the language: plain decimal, the shortest that is exact at the number's precision; `+Inf` and
/// `-Inf`.
pub fn number(number: &Number) -> String {
    number.to_text()
}
