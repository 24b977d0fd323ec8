//! Placeholder of the crate root.
#![forbid(unsafe_code)]
