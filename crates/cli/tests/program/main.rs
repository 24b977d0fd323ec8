//! Tests of the command, mostly in this process. They are one program, since each program contains the whole engine and must be
//! linked.
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
