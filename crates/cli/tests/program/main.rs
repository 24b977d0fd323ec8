//! The command as its users run it, mostly in this process.
//! One program of all of these: each would hold the whole engine and be linked for itself.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used)]

mod ast;
mod canary;
#[path = "../command/mod.rs"]
mod command;
mod complete;
mod depth;
mod edit;
mod elsewhere;
mod examples;
mod fmt;
mod get;
mod get_safe;
mod links;
mod output;
mod recorded_plans;
mod schema;
mod terminal;
mod tree_bomb;
mod untrusted;
mod watch;
