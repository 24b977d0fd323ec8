//! Characters: what a reader takes for one, which of them print, their case, and of which category and script they are.
//! The Unicode versions are those of the reference programs and not the newest, because lengths and columns must agree
//! with theirs. Of a newer version only that is held which is not as before.
#![forbid(unsafe_code)]

mod boundary;
mod case;
mod generated;
pub mod grapheme;
pub mod property;
mod quote;
mod version;

pub use case::{equivalents, simple_lower, simple_title, simple_upper};
pub use generated::printable::is_printable;
pub use quote::quoted_template;
pub use version::UnicodeVersion;
