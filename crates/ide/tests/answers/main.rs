//! The questions of an editor through the public face, each on a small root. A text marks the places that are asked about by `¦`,
//! which is taken out before it is read.

#![allow(clippy::unwrap_used)]

mod actions;
mod bad_input;
mod changes;
mod json;
mod marks;
mod outline;
mod root;
mod secrets;
mod templates;
mod typing;
mod values;
mod ways;
