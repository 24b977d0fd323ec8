//! What a plan is asked for, beside what the code says.

use std::sync::Arc;

use groma_folder::Target;
use groma_value::Value;
use rustc_hash::FxHashMap;

/// What a plan is to come to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Goal {
    /// What is declared.
    #[default]
    Change,
    /// Nothing: all that is recorded goes.
    Destroy,
    /// What there is now, without changing any of it.
    Refresh,
}

/// Where the state is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum StateFile {
    /// Where the configuration and the workspace say.
    #[default]
    Usual,
    /// In this file.
    At(String),
    /// In this text, so called in messages.
    Text(&'static str, Arc<[u8]>),
    /// Nowhere.
    Nowhere,
}

/// What a plan is asked for.
#[derive(Clone, Default, Debug)]
pub struct PlanOptions {
    /// What it is to come to.
    pub goal: Goal,
    /// Whether what there is would be looked at anew by the reference programs.
    pub refreshes: bool,
    /// The only things that are planned, with all that they need; empty for all.
    pub targets: Vec<Target>,
    /// What is not planned, and nothing that needs it.
    pub excludes: Vec<Target>,
    /// Instances that are replaced whatever changes.
    pub replaces: Vec<Target>,
    /// The action that is run and nothing besides, with the goal to refresh; `targets` are then who it counts as run by.
    pub invokes: Option<Target>,
    /// Where the state is.
    pub state: StateFile,
    /// Instances as another revision of the code has them, by address: what `ignore_changes` names stays as it is there.
    pub held: Arc<FxHashMap<String, Value>>,
}
