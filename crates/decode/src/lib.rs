//! Where declarations meet values: a body as its schema reads it, a value from outside as its variable takes it, and the
//! marks of what is deprecated. The evaluator of an expression stands elsewhere: it is asked for through a trait.
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
