//! From an evaluated configuration to what carrying it out would change, against a state that is
//! empty. The form for other programs is the one that the ecosystem's tools read.
#![forbid(unsafe_code)]

mod action;
mod change;
mod facts;
mod find;
mod import;
mod infinite;
mod json;
mod lifecycle;
mod moved;
mod plan;
mod provider;
mod state;
mod statement;

pub use action::Invoked;
pub use change::{Action, Change};
pub use facts::PlanFacts;
pub use plan::Plan;
pub use state::{State, StateError};
pub use statement::check_statements;
