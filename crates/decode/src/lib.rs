//! Where declarations meet values: a body as its schema reads it, a value from outside as its variable takes it, and the
//! marks of what is deprecated. Who evaluates an expression is somebody else: it is asked for through a trait.
#![forbid(unsafe_code)]

mod advised;
mod body;
pub mod codes;
pub mod deprecation;
mod given;

pub use advised::Advised;
pub use body::{Decoded, Elements, Evaluator, Filling, Owner, decode, elements, unknown_object};
pub use given::{
    Collector, Given, Giver, UNREADABLE, Values, accept, broken, handed_over, is_of_a_file,
    is_unreadable, read_message, read_text, rule_message,
};
