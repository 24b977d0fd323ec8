//! The tree of modules, what is given to it, and its values. Nothing is evaluated before it is asked for;
//! what cannot be known is unknown, never made up.
#![forbid(unsafe_code)]

mod built_in;
pub mod codes;
mod evaluate;
mod facts;
mod graph;
mod load;
mod options;
mod project;
mod provider;
mod store;
mod tree;
mod validate;

pub use evaluate::{
    Cancel, DeferredResource, Evaluation, Happening, Instances, Invocation, Listed, ModuleInstance,
    Named, Occasion, Outcome, OutputValue, Reading, ResourceInstance, Standpoint, Subject, Traced,
    Verdict, without_ephemeral,
};
pub use facts::{Fact, Facts, NoFacts, Planned, PriorObject, RecordedObject, Request, TriggeredBy};
pub use groma_decode::Giver;
pub use load::{AbsentSource, Kept};
pub use options::{Inputs, LoadOptions, Mapping, Options, RunOptions, Threads, TraceOptions};
pub use project::{ModuleNode, Project};
pub use provider::ProviderUse;
pub use store::{PlannedStore, STORE};
pub use tree::manifest::{InstalledModule, RemoteCall};
pub use tree::mapping::MappingUse;
pub use tree::source::{SourceParts, address as source_address, is_in_registry};
pub use validate::{sample, validate};
