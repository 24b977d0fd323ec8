//! The tree of modules, its inputs and its values. Values are computed on demand; what cannot be known is unknown, never
//! invented.
#![forbid(unsafe_code)]

mod built_in;
pub mod codes;
mod evaluate;
mod facts;
mod graph;
mod load;
mod load_findings;
mod options;
mod project;
mod provider;
mod store;
mod tree;
mod validate;

pub use evaluate::{
    ActionInvocation, ActionOccasion, CancelToken, ConditionOutcome, ConditionSubject,
    ConditionVerdict, DataReading, DeferredResource, Evaluation, ExpressionTrace, InstanceEvent,
    InstanceSet, ListedObject, ModuleInstance, NamedValue, OutputValue, RequestToken,
    ResourceInstance, ScopeRef, TracedPart, without_ephemeral,
};
pub use facts::{
    Facts, PlannedObject, PriorObject, PriorState, ProviderAnswers, RecordedObject, ResourceFact,
    ResourceRequest, TriggeredBy, ValueOverrides,
};
pub use groma_inputs::InputSource;
pub use load::{AbsentSource, LoadCache};
pub use options::{
    LoadOptions, LoadPurpose, ProjectOptions, RootInputs, RunOptions, SourceMapping, ThreadCount,
    TraceOptions,
};
pub use project::{ModuleNode, Project};
pub use provider::ProviderUse;
pub use store::{PlannedStore, STORE};
pub use tree::manifest::{InstalledModule, RemoteCall};
pub use tree::mapping::MappingUse;
pub use tree::source::{SourceParts, address as source_address, is_in_registry};
pub use validate::{
    OlderValidation, ValidationResults, sample, sample_again, validate, validate_again,
};
