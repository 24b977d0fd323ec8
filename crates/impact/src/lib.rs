//! Impact of a code change: the comparison of two plans of one root. Certain and possible changes are kept apart: a value that
//! neither plan knows counts as equal only if both compute it the same way.
#![forbid(unsafe_code)]

mod broken;
mod changed_lines;
mod compared_address;
mod comparison;
mod differences;
mod document;
mod errors;
mod matching;
mod missing;
mod origins;
mod outside;
mod renames;
mod unread;

pub use compared_address::ComparedAddress;
pub use comparison::{Comparison, DifferingPart, PossibleChange, SecondPlan};
pub use differences::ValueDifferences;
pub use document::ChangeCounts;
pub use errors::ErrorChanges;
pub use missing::ImpactNote;
pub use origins::ChangeCause;
pub use outside::{AffectedObjects, OutsideChange, OutsideKind, OutsideValue};
pub use renames::{MovedBlock, RenameHint};
