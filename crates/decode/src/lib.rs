//! Declarations combined with values: bodies decoded by schema, given values converted to variables, and marks of deprecation.
//! Expressions are evaluated elsewhere, through a trait.
#![forbid(unsafe_code)]

mod accept;
mod advised;
mod body;
pub mod codes;
pub mod deprecation;
mod message;

pub use accept::{accept, broken, call_input};
pub use advised::AdvisedReference;
pub use body::{
    BodyEvaluator, BodyOwner, DecodedBody, DynamicElements, UnknownFilling, decode, elements,
    unknown_object,
};
pub use message::{UNREADABLE_MESSAGE, read_message, read_text, rule_message};
