//! Recorded module cases, planned in process: equal to the reference programs, and independent of the order of files and blocks
//! and of the number of threads.

#![allow(clippy::unwrap_used)]

mod configuration;
mod facts;
mod newer;
mod order;
mod scene;
mod state;
mod threads;
