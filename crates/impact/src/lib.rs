//! What a change of the code means: two plans of one root, compared. What is certain and what is only possible are kept
//! apart: a value that neither plan knows is the same only where both compute it in the same way from the same things.
#![forbid(unsafe_code)]

mod beside;
mod broken;
mod changed_lines;
mod comparison;
mod differences;
mod document;
mod errors;
mod matching;
mod missing;
mod origins;
mod renames;
mod unread;

pub use beside::{AffectedObjects, BesideChange, BesideKind, BesideValue};
pub use comparison::{Comparison, DifferingPart, PlannedAgain, PossibleChange};
pub use differences::ValueDifferences;
pub use document::ChangeCounts;
pub use errors::ErrorChanges;
pub use missing::ImpactNote;
pub use origins::ChangeCause;
pub use renames::{MovedBlock, RenameHint};
