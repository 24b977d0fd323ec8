//! The server as its clients see it: messages in, messages out, without a process. Every answer is read by types that were made from
//! the protocol's own description, and has to be the same when they write it again.

mod actions;
mod bad_input;
mod client;
mod diagnostics;
mod drawn;
mod files;
mod formatting;
mod forms;
mod inputs;
mod lifecycle;
mod progress;
mod random_edits;
mod settings;
mod typing;
mod values;
mod ways;
