//! What the files of one directory declare. A module knows names and expressions only; values,
//! instances and other modules come later. Declarations are sorted by name, never by file.

mod call;
mod check;
mod condition;
pub(crate) mod expression;
mod extra;
mod gather;
mod lifecycle;
pub(crate) mod merge;
mod output;
pub(crate) mod raw;
pub(crate) mod resolve;
mod resource;
mod settings;
mod variable;

use groma_syntax::{FileId, Place};
use groma_value::Str;

pub(crate) use call::{Call, Input};
pub(crate) use condition::Condition;
pub(crate) use expression::Expression;
pub(crate) use gather::{Gatherer, gather, uses_of};
pub(crate) use output::Output;
pub(crate) use raw::Raw;
pub(crate) use resolve::Target;
pub(crate) use resource::{Content, Nested, Repetition, Resource};
pub(crate) use settings::Settings;
pub(crate) use variable::Variable;

pub use resource::Mode;

/// What the files of a directory declare.
#[derive(Debug, Default)]
pub struct Module {
    /// The files it was read from, in the order of reading.
    pub(crate) files: Vec<FileId>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) locals: Vec<Local>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) calls: Vec<Call>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) settings: Settings,
    pub(crate) providers: Vec<check::Provider>,
    pub(crate) checks: Vec<check::Check>,
    /// Blocks that later stages read: moved, import, removed.
    pub(crate) others: Vec<Raw>,
    pub(crate) names: resolve::Names,
}

/// One local value.
#[derive(Debug)]
pub(crate) struct Local {
    pub(crate) name: Str,
    /// The whole argument.
    pub(crate) place: Place,
    pub(crate) value: Expression,
}

impl Module {
    /// The names of its input variables, sorted.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|variable| &*variable.name)
    }

    /// The names of its local values, sorted.
    pub fn local_names(&self) -> impl Iterator<Item = &str> {
        self.locals.iter().map(|local| &*local.name)
    }

    /// The names of its outputs, sorted.
    pub fn output_names(&self) -> impl Iterator<Item = &str> {
        self.outputs.iter().map(|output| &*output.name)
    }

    /// The names of its module calls, sorted.
    pub fn call_names(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().map(|call| &*call.name)
    }

    /// The addresses of its resources inside the module, sorted by mode, type and name.
    pub fn resource_addresses(&self) -> impl Iterator<Item = String> {
        self.resources.iter().map(Resource::address)
    }

    /// Every file it was read from.
    pub fn files(&self) -> &[FileId] {
        &self.files
    }
}
