//! Tests of the functions, in one program that is linked once.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used)]

mod call;
mod charges;
mod hostile;
mod pages;
mod readings;
mod table;
mod versions;
