//! How answers are told to programs: results, causes and findings as JSON, and the batch mode that answers one line at a
//! time. Nothing is evaluated here that was not asked for in a line; what text people read is made by who prints it.
#![forbid(unsafe_code)]

mod batch;
mod told;

pub use batch::{Batch, BatchOptions};
pub use told::{Stage, Telling, ToldCauses, place_text, write_diagnostic, write_result};
