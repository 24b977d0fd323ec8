//! The functions of the language: one table of rows, and one way to call them. A body sees neither nulls,
//! unknowns nor marks unless its row says so.
#![forbid(unsafe_code)]

mod call;
mod families;
mod library;
mod readings;

pub use call::{
    Args, CallContext, Cost, Failure, FailureKind, Form, Function, FunctionBody, NoSite, Param,
    Promise, Reach, Reads, Returns, RowType, Site, call, call_with, check_count,
};
pub use families::{Family, TABLE, provider, read_file, read_moment};
pub use library::{Found, Library, Provided, names_of_one_dialect};
pub use readings::Readings;
