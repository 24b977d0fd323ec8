//! What was found in one root or in many, as documents for other programs. What is told by whom is settled before any
//! form is written, so all forms hold the same.

mod absent;
mod checkstyle;
mod compact;
mod format;
mod gather;
mod github;
mod json;
mod junit;
mod sarif;

pub(crate) use absent::is_absent;
pub use format::Format;
pub(crate) use gather::is_of_syntax;
pub use gather::{Checked, Report};
