//! The functions through their table.
//! One program of all of these, which is linked once.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used)]

mod call;
mod charges;
mod hostile;
mod pages;
mod readings;
mod table;
mod versions;
