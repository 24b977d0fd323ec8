//! Characters: what a reader takes for one, and which of them print. The Unicode versions are those of the reference
//! programs and not the newest, because lengths and columns must agree with theirs.
#![forbid(unsafe_code)]

mod generated;
pub mod grapheme;

pub use generated::printable::is_printable;
