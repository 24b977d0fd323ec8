//! The library as its callers use it.
//! One program of all of these: each would hold the whole engine and be linked for itself.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used)]

mod changed_paths;
mod comment;
mod differences;
mod disk;
mod document;
mod documents;
mod face;
mod facts;
mod fresh_causes;
mod fresh_findings;
mod hostile;
mod memory;
mod open;
mod places;
mod rename;
mod roots;
mod stamped_answers;
mod why;
mod why_template;
