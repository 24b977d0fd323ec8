//! The options of a plan, beside the code.

use std::sync::Arc;

use groma_config::AddressPattern;
use groma_value::Value;
use rustc_hash::FxHashMap;

/// The goal of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PlanGoal {
    /// The declared configuration.
    #[default]
    Change,
    /// Nothing: all that is recorded goes.
    Destroy,
    /// The present objects, without a change to any of them.
    Refresh,
}

/// The place where the state is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum StateFile {
    /// The place where the configuration and the workspace say.
    #[default]
    Usual,
    /// In this file.
    At(String),
    /// In this text, so called in messages.
    Text(&'static str, Arc<[u8]>),
    /// Nowhere.
    Nowhere,
}

/// The options of a plan.
#[derive(Clone, Default, Debug)]
pub struct PlanOptions {
    /// The goal.
    pub goal: PlanGoal,
    /// True if what there is would be looked at anew by the reference programs.
    pub refreshes: bool,
    /// The only things that are planned, with all that they need; empty for all.
    pub targets: Vec<AddressPattern>,
    /// The addresses that are not planned, with everything that needs them.
    pub excludes: Vec<AddressPattern>,
    /// Instances that are replaced whatever changes.
    pub replaces: Vec<AddressPattern>,
    /// The action that is run and nothing besides, with the goal to refresh; `targets` are then the callers that it
    /// counts as run by.
    pub invokes: Option<AddressPattern>,
    /// The place where the state is.
    pub state: StateFile,
    /// Instances as another revision of the code has them, by address: what `ignore_changes` names stays as it is there.
    pub held: Arc<FxHashMap<String, Value>>,
}
