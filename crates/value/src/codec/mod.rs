//! Values and types as JSON, and the listing of what JSON cannot express of a value: which parts are unknown or marked.

pub mod json;
pub mod json_type;
mod report;
pub mod schema;

pub use report::{PathListing, listing, path_text};
