//! What the files of one directory declare. A module knows names and expressions only; values,
//! instances and other modules come later. Declarations are sorted by name, never by file.

mod action;
mod call;
mod check;
mod condition;
mod content;
pub mod expression;
mod extra;
mod gatherer;
mod import;
pub(crate) mod lifecycle;
mod module;
mod output;
mod provider;
pub(crate) mod provision;
mod referent;
mod repetition;
pub(crate) mod required;
mod resource;
mod settings;
mod variable;

pub use action::{Event, OnFailure, Trigger, Triggered};
pub use call::{ModuleCall, problem_of_version, unreadable_version};
pub use check::Check;
pub use condition::Condition;
pub use content::{Content, Dynamic, InnerBlock, Input};
pub use expression::Expression;
pub use gatherer::Gatherer;
pub use import::{Import, OpenKey};
pub use lifecycle::{Ignored, Lifecycle};
pub use module::{Local, Module};
pub use output::Output;
pub use provider::Provider;
pub use provision::Provision;
pub use referent::{Referent, Use};
pub use repetition::Repetition;
pub use required::{RequiredPart, RequiredProvider};
pub use resource::{AskedProvider, Resource};
pub use settings::Settings;
pub use variable::Variable;

pub use crate::check::Passed;
