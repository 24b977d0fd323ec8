//! The plan: from an evaluated configuration and a recorded state, if there is one, to what carrying the configuration out
//! would change. The form for other programs is the one that the ecosystem's tools read.
#![forbid(unsafe_code)]

mod action;
mod apply_moves;
mod build;
mod built_in;
mod change;
mod check_moves;
pub mod codes;
mod compare;
mod configured;
mod cycle;
mod decide;
mod diagnostics;
mod facts;
mod find;
mod forget;
mod import;
mod infinite;
mod inventory;
mod invocation;
mod json;
mod known;
mod lifecycle;
mod locate;
mod options;
mod order;
mod orphans;
mod output;
mod plan;
mod precedence;
mod prior;
mod propose;
mod protect;
mod provider_answers;
mod reason;
mod remote;
mod removed;
mod state;
mod statement;
mod targets;
mod uncounted;

pub use apply_moves::{followed, has_moves};
pub use change::{Action, Change, ChangeContext, ContextCache, ImportId};
pub use facts::PlanFacts;
pub use inventory::{StateInventory, StateObject, state_at, state_text_at, workspaces};
pub use invocation::InvokedAction;
pub use json::{ComparedPlans, EventLines, FORMAT as PLAN_FORMAT, write_change_values};
pub use options::{PlanGoal, PlanOptions, StateFile};
pub use output::OutputChange;
pub use plan::Plan;
pub use prior::recorded;
pub use reason::ChangeReason;
pub use remote::RemoteFacts;
pub use state::{State, StateError, read_action, read_target};
pub use statement::check_statements;
