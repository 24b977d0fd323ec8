//! Tests of values, types and operations on them, in one program that is linked once.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used)]

mod calculation;
mod codec;
mod conversion;
mod interchangeable;
mod invariants;
mod operations;
mod recorded;
mod sets;
mod walks;
