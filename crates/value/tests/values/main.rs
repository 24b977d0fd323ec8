//! Values, their types and what is computed from them.
//! One program of all of these, which is linked once.
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
