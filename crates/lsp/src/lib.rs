//! The language server without a process: a [`Server`] takes messages and gives messages. It reads nothing but what its
//! [`ServerHost`] lets it read, starts no thread and writes no file; whoever runs it brings the stream, and carries jobs out on a
//! thread of their own where there are threads.
//!
//! ```
//! use std::sync::Arc;
//!
//! use groma::MemoryHost;
//! use groma_lsp::{PlainHost, Server, ServerOutput};
//!
//! let mut server = Server::new(Arc::new(PlainHost::new(Arc::new(MemoryHost::new()))));
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
mod places;
mod points;
mod requests;
mod root;
mod server;
mod settings;
mod surroundings;
mod uri;

pub use frame::{FrameContent, FrameReader, framed};
pub use job::{JobOutcome, ServerJob};
pub use server::{Server, ServerOutput};
pub use settings::{ClientSettings, HintSetting};
pub use surroundings::{PlainHost, RootSetup, ServerHost};
