//! Properties of characters: grapheme clusters, printability, case, categories and scripts. The Unicode versions are those of
//! the reference programs and not the newest, because lengths and columns must agree with theirs. Of a newer version only the
//! differences are stored.
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
