//! From an evaluated configuration to what carrying it out would change, against a state that is
//! empty. The form for other programs is the one that the ecosystem's tools read.
#![forbid(unsafe_code)]

mod action;
mod asked;
mod built_in;
mod change;
pub mod codes;
mod compare;
mod configured;
mod cycle;
mod decide;
mod facts;
mod find;
mod gone;
mod import;
mod infinite;
mod inventory;
mod json;
mod known;
mod letting;
mod lifecycle;
mod locate;
mod make;
mod moved;
mod moves;
mod options;
mod order;
mod output;
mod plan;
mod precedence;
mod prior;
mod propose;
mod protect;
mod remote;
mod removed;
mod state;
mod statement;
mod targets;
mod told;
mod uncounted;

pub use action::Invoked;
pub use change::{Action, Change, Circumstances, Common, ImportId};
pub use facts::PlanFacts;
pub use inventory::{Inventory, StateObject, state_at, state_text_at, workspaces};
pub use json::{Compared, EventLines, FORMAT as PLAN_FORMAT, write_change_values};
pub use moves::{followed, has_moves};
pub use options::{Goal, PlanOptions, StateFile};
pub use output::OutputChange;
pub use plan::Plan;
pub use prior::recorded;
pub use remote::RemoteFacts;
pub use state::{State, StateError, read_action, read_target};
pub use statement::check_statements;
