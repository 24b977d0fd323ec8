//! Expressions, from their text to their value.
//! One program of all of these, which is linked once.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used)]

mod budget;
mod findings;
mod growth;
mod hostile;
mod json_syntax;
mod literals;
mod lowering;
mod plain;
mod types;
