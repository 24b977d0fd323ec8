//! The functions of the language: one table of rows, one way to call them, and the [`Host`] they
//! may ask. A body sees neither nulls, unknowns nor marks unless its row says so.
#![forbid(unsafe_code)]

mod address;
mod argument;
mod call;
mod charset;
mod choice;
mod context;
mod conversion;
mod digest;
mod edition;
mod encode;
mod failure;
mod file;
mod fingerprint;
mod float;
mod form;
mod function;
mod generated;
mod given;
mod host;
mod json;
mod key;
mod library;
mod limit;
mod map;
mod number;
mod packer;
mod pattern;
mod print;
mod semantics;
mod sensitivity;
mod sequence;
mod set;
mod show;
mod string;
mod time;
mod undelivered;
mod weight;
mod yaml;

pub use argument::Args;
pub use call::{call, check_count};
pub use context::{CallContext, Moment, NoSite, Site};
pub use edition::{Dialect, Edition, Version};
pub use failure::{Failure, FailureKind};
pub use file::read as read_file;
pub use function::{
    Availability, Body, Form, Function, Param, Place, Promise, Reads, Returns, Shape,
};
pub use host::{Entry, EntryKind, Host, HostError, MemoryHost};
pub use library::{Found, Library};
pub use limit::Limits;
pub use semantics::Semantics;

/// Every family of rows; each is sorted by name.
pub const TABLE: &[&[Function]] = &[
    address::FUNCTIONS,
    charset::FUNCTIONS,
    choice::FUNCTIONS,
    conversion::FUNCTIONS,
    digest::FUNCTIONS,
    encode::FUNCTIONS,
    file::FUNCTIONS,
    form::FUNCTIONS,
    given::FUNCTIONS,
    json::FUNCTIONS,
    key::FUNCTIONS,
    map::FUNCTIONS,
    number::FUNCTIONS,
    packer::FUNCTIONS,
    pattern::FUNCTIONS,
    print::FUNCTIONS,
    time::FUNCTIONS,
    yaml::FUNCTIONS,
    sensitivity::FUNCTIONS,
    sequence::FUNCTIONS,
    set::FUNCTIONS,
    string::FUNCTIONS,
];
