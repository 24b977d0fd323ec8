//! Expressions and templates to values: lowering to [`Code`], evaluation in a [`Context`], and type
//! expressions. Nothing here fails: errors are reported and yield an unknown value.
#![forbid(unsafe_code)]

mod cause;
mod cause_address;
mod code;
pub mod codes;
mod context;
mod defaults;
mod evaluate;
mod fault;
mod hint;
mod limit;
mod lower;
mod mock;
pub mod news;
mod other_files;
mod possible_causes;
mod possible_names;
mod scope;
pub mod type_of;

pub use cause::{Cause, CauseClass, CauseTable};
pub use cause_address::CauseAddress;
pub use code::{CalledProvider, Code, LocatedCode, Reference, Step, ValueSources, references};
pub use context::{Context, EvaluationBasis, Tracer};
pub use defaults::TypeDefaults;
pub use evaluate::{evaluate, evaluate_to_keep, fingerprint, operands};
pub use limit::ended;
pub use lower::{LiteralSetting, lower, lower_template, lower_view, settings};
pub use mock::{FunctionMock, FunctionMocks};
pub use other_files::{ChangedFile, ChangedFiles, OtherFiles};
pub use scope::{
    LayeredScope, LookupResult, NamedValues, ProvidedSignature, ProviderName, Scope, UndefinedName,
};
