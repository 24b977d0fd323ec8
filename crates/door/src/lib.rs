//! The JSON door: one request a line, one answer a line, about roots that stay open between requests. It is the library's public
//! face for programs in other languages; what it answers is what the command of the same name prints with `--json`.
//!
//! Requests about one root are answered in their order. Requests about several roots run beside each other where the caller asks
//! from several threads, so an answer may overtake another: its `id` says whose it is.
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
#[cfg(feature = "schemas")]
pub mod forms;
mod open_root;
mod question;
mod request;

pub use door::{FolderHosts, JsonDoor, NoFolders};
pub use open_root::OpenRoot;
pub use request::{DoorError, RequestLine, RequestOrder};
