//! Values and types as JSON.
pub mod json;
pub mod json_type;
mod report;

pub use report::{Listing, listing};
