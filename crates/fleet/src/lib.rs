//! Many roots, one question: a line of JSON for each root, in the order of the roots, and a result file that a later run can
//! resume. A line has no times or anything else that differs between runs over the same content.
//!
//! ```
//! use groma::{LoadOptions, MemoryHost, Workspace};
//! use groma_fleet::{FleetQuestion, RootAnswer};
//!
//! let workspace = Workspace::new(MemoryHost::new());
//! workspace.set("app/main.tf", "output \"n\" { value = 1 + 1 }");
//! let snapshot = workspace.root("app", &LoadOptions::default());
//! let answer = RootAnswer::of(&FleetQuestion::Eval("1 + 1".to_owned()), &snapshot, None, false);
//! let line = r#"{"root":"app","ok":true,"answer":{"type":"number","value":2,"console":"2"}}"#;
//! assert_eq!(answer.line("app"), line);
//! ```
#![forbid(unsafe_code)]

mod answer;
mod key;
mod stamp;
mod store;

pub use answer::{AnswerLine, FleetQuestion, RootAnswer};
pub use key::{GroupId, LineKey, ReadingCheck, StoredGroup};
pub use stamp::{StampEntry, StampedResult, StampedRoot, StampedSearch};
pub use store::{ResultFile, ResultPart, ResultStore, SeekableRead};
