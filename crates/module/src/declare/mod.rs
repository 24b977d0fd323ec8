//! Declarations in the files of one directory. A module contains names and expressions only; values, instances and other modules
//! come later. Declarations are sorted by name, never by file.

mod action;
mod call;
mod check;
mod condition;
pub(crate) mod configuration_name;
mod content;
pub mod expression;
mod extra;
mod import;
pub(crate) mod lifecycle;
mod module;
mod output;
mod provider;
pub(crate) mod provision;
mod reader;
mod referent;
mod repetition;
pub(crate) mod required;
mod resource;
mod settings;
mod variable;

pub use action::{ActionEvent, ActionTrigger, OnFailure, TriggeredAction};
pub use call::{ModuleCall, problem_of_version, unreadable_version};
pub use check::Check;
pub use condition::Condition;
pub use configuration_name::{PassedProvider, RequestedProvider, configuration_aliases};
pub use content::{DynamicBlock, InnerBlock, InputArgument, SchemaBody};
pub use expression::Expression;
pub use import::{Import, OpenKey};
pub use lifecycle::{IgnoredChanges, Lifecycle};
pub use module::{Local, Module};
pub use output::Output;
pub use provider::Provider;
pub use provision::ProvisionerBlock;
pub use reader::DeclarationReader;
pub use referent::{Referent, ReferentUse};
pub use repetition::Repetition;
pub use required::{RequiredPart, RequiredProvider};
pub use resource::{ProviderReference, Resource};
pub use settings::ModuleSettings;
pub use variable::Variable;
