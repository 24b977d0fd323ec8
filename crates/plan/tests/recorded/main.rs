//! Recorded module cases, planned in process: as the reference programs have it, and the same
//! whatever the order of files and blocks, on however many threads.

#![allow(clippy::unwrap_used)]

mod configuration;
mod facts;
mod newer;
mod order;
mod scene;
mod state;
mod threads;
