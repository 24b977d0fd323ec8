//! Expressions and templates to values: lowering to [`Code`], evaluation in a [`Context`], and type
//! expressions. Nothing here fails: what is wrong is reported and the value is unknown.
#![forbid(unsafe_code)]

mod cause;
mod code;
pub mod codes;
mod context;
mod defaults;
mod evaluate;
mod fault;
mod foresee;
mod hint;
mod limit;
mod lower;
mod mock;
pub mod news;
mod other_files;
mod scope;
pub mod type_of;

pub use cause::{Cause, CauseTable, Class};
pub use code::{Code, Located, ProviderCall, Reference, Step, references};
pub use context::{Basis, Context, Tracer};
pub use defaults::Defaults;
pub use evaluate::{evaluate, evaluate_to_keep, fingerprint, operands};
pub use limit::ended;
pub use lower::{LiteralSetting, lower, lower_template, lower_view, settings};
pub use mock::{Mock, Mocks};
pub use other_files::OtherFiles;
pub use scope::{Described, Lookup, NamedValues, Overlay, ProviderName, Scope, Undefined};
