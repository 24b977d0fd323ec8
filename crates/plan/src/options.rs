//! The options of a plan, apart from the code.

use std::sync::Arc;

use groma_config::{AddressPattern, InstanceAddress};
use groma_value::Value;
use rustc_hash::FxHashMap;

/// The goal of a plan: changing, destroying or refreshing objects.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PlanGoal {
    /// To reach the declared configuration.
    #[default]
    Change,
    /// To destroy all recorded objects.
    Destroy,
    /// To update the recorded values without changing any object.
    Refresh,
}

/// The source of the prior state: the configured file, a given file or text, or none.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum StateFile {
    /// The file given by the configuration and the workspace.
    #[default]
    Usual,
    /// The file at this path.
    At(String),
    /// This content of a state file, preceded by its name in messages.
    Text(&'static str, Arc<[u8]>),
    /// No state.
    Nowhere,
}

/// The options of a plan: its goal, the addresses of `-target`, `-exclude` and `-replace`, and the source of the prior state.
#[derive(Clone, Default, Debug)]
pub struct PlanOptions {
    /// The goal.
    pub goal: PlanGoal,
    /// True if the reference programs would refresh recorded objects.
    pub refreshes: bool,
    /// The addresses that are planned, with their dependencies; empty for all.
    pub targets: Vec<AddressPattern>,
    /// The addresses that are not planned, with their dependents.
    pub excludes: Vec<AddressPattern>,
    /// The instances that are replaced unconditionally.
    pub replaces: Vec<AddressPattern>,
    /// The action that is invoked, and nothing else, with the goal to refresh; `targets` are then the resources that it counts
    /// as triggered by.
    pub invokes: Option<AddressPattern>,
    /// The source of the prior state.
    pub state: StateFile,
    /// The instances of another revision of the code, by address: attributes in `ignore_changes` keep their values from there.
    pub held: Arc<FxHashMap<InstanceAddress, Value>>,
}
