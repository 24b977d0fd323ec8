//! What was found in one root or in many, as documents for other programs. The root that reports a finding is settled
//! before any form is written, so all forms hold the same.

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
pub use format::ReportFormat;
pub(crate) use gather::is_of_syntax;
pub use gather::{Report, RootFindings};
