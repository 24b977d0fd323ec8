//! Characters: what a reader takes for one, which of them print, and how they stand between quotes. The Unicode versions
//! are those of the reference programs and not the newest, because lengths and columns must agree with theirs.
#![forbid(unsafe_code)]

mod generated;
pub mod grapheme;
mod quote;

pub use generated::printable::is_printable;
pub use quote::quoted_template;
