//! Declarations combined with values: bodies decoded by schema, given values converted to variables, and marks of deprecation.
//! Expressions are evaluated elsewhere, through a trait.
#![forbid(unsafe_code)]

mod advised;
mod body;
pub mod codes;
pub mod deprecation;
mod given;

pub use advised::AdvisedReference;
pub use body::{
    BodyEvaluator, BodyOwner, DecodedBody, DynamicElements, UnknownFilling, decode, elements,
    unknown_object,
};
pub use given::{
    GivenInput, InputCollector, InputSource, UNREADABLE, Values, accept, broken, handed_over,
    is_of_a_file, is_unreadable, read_message, read_text, rule_message,
};
