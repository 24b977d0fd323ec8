//! Files to declarations to a module tree to values. Loading reports and goes on: whatever could
//! be read is evaluated, and what could not is unknown, never made up.
#![forbid(unsafe_code)]

mod built_in;
mod declare;
mod dialect;
mod evaluate;
mod facts;
mod graph;
mod link;
mod load;
mod mismatch;
mod nearest;
mod options;
mod values;
mod version;

pub use declare::{Mode, Module};
pub use evaluate::{Evaluation, Named, Output};
pub use facts::{Fact, Facts, NoFacts, Request};
pub use link::Project;
pub use options::{Assignment, Options};
