//! A JSON API over lines: one request per line, one answer per line, about roots that stay open between requests. It is the
//! library's interface for programs in other languages; an answer is what the command of the same name prints with `--json`.
//!
//! Requests about one root are answered in order. Requests about several roots run in parallel if the caller uses several
//! threads, so an answer may overtake another: its `id` tells which request it belongs to.
//!
//! ```
//! use groma_door::{JsonDoor, NoFolders};
//!
//! let door = JsonDoor::new(NoFolders);
//! let opened = door.answer(r#"{"id":1,"call":"open","files":{"main.tf":"locals { n = 2 }"}}"#);
//! assert_eq!(opened, r#"{"id":1,"answer":{"handle":1}}"#);
//! let answer = door.answer(r#"{"id":2,"call":"ask","handle":1,"question":"eval","expression":"local.n + 1"}"#);
//! assert_eq!(answer, r#"{"id":2,"answer":{"type":"number","value":3,"console":"3"}}"#);
//! ```
#![forbid(unsafe_code)]

mod door;
mod folders;
#[cfg(feature = "schemas")]
pub mod forms;
mod open_root;
mod question;
mod request;

pub use door::JsonDoor;
pub use folders::{FolderHosts, NoFolders};
pub use open_root::OpenRoot;
pub use request::{DoorError, RequestLine, RequestOrder};
