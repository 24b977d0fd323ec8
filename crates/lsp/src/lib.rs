//! The language server without a process: a [`LanguageServer`] takes messages and returns messages. It reads only what its
//! [`ServerHost`] allows, starts no threads and writes no files; the surrounding program provides the streams and runs jobs, on
//! another thread if possible.
//!
//! ```
//! use std::sync::Arc;
//!
//! use groma::MemoryHost;
//! use groma_lsp::{LanguageServer, PlainHost, ServerOutput};
//!
//! let mut server = LanguageServer::new(Arc::new(PlainHost::new(Arc::new(MemoryHost::new()))));
//! server.receive(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
//! loop {
//!     while server.step() {}
//!     match server.next_job() {
//!         Some(job) => server.finish(job.run()),
//!         None => break,
//!     }
//! }
//! let Some(ServerOutput::Message(answer)) = server.next_output() else { panic!() };
//! assert!(answer.contains(r#""name":"groma""#));
//! ```
#![forbid(unsafe_code)]

mod client;
mod document;
mod finding;
mod frame;
mod job;
mod message;
mod panics;
mod places;
mod points;
mod project_settings;
mod requests;
mod root;
mod router;
mod server;
mod settings;
mod state;
mod surroundings;
mod survey;
mod uri;

pub use frame::{FrameContent, FrameReader, framed};
pub use job::{JobOutcome, ServerJob};
pub use server::LanguageServer;
pub use settings::{ClientSettings, HintSetting};
pub use state::ServerOutput;
pub use surroundings::{PlainHost, RootSetup, RunClock, ServerHost};
