//! The functions of the language: their rows in one table, and the code that calls them. A function's body sees neither nulls,
//! unknowns nor marks unless its row says so.
#![forbid(unsafe_code)]

mod call;
mod families;
mod library;
mod readings;

pub use call::{
    CallArgs, CallContext, CallCost, CauseSite, Failure, FailureKind, Function, FunctionBody,
    FunctionReads, NameReach, NoCauses, ParameterRow, ResultFlow, ResultPromise, ReturnType,
    RowType, SpecialForm, call, call_with, check_count,
};
pub use families::{FunctionFamily, TABLE, provider, read_file, read_moment};
pub use library::{FoundFunction, FunctionLibrary, ProvidedFunction, names_of_one_dialect};
pub use readings::ReadingCache;
