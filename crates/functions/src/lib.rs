//! The functions of the language: one table of rows, one way to call them, and the [`Host`] they
//! may ask. A body sees neither nulls, unknowns nor marks unless its row says so.
#![forbid(unsafe_code)]

mod address;
mod argument;
mod call;
mod context;
mod digest;
mod edition;
mod encode;
mod failure;
mod file;
mod form;
mod function;
mod host;
mod library;
mod limit;
mod pattern;
mod print;
mod semantics;
mod show;
mod undelivered;

pub use argument::Args;
pub use call::{call, check_count};
pub use context::{CallContext, Moment, NoSite, Site};
pub use edition::{Dialect, Edition, Version};
pub use failure::{Failure, FailureKind};
pub use function::{
    Availability, Body, Form, Function, Param, Place, Promise, Reads, Returns, Shape,
};
pub use host::{Entry, EntryKind, Host, HostError, MemoryHost};
pub use library::{Found, Library};
pub use limit::Limits;
pub use semantics::Semantics;

/// Every family of rows, in order of their names.
pub const TABLE: &[&[Function]] = &[
    address::FUNCTIONS,
    form::FUNCTIONS,
    digest::FUNCTIONS,
    encode::FUNCTIONS,
    file::FUNCTIONS,
    pattern::FUNCTIONS,
    print::FUNCTIONS,
];
