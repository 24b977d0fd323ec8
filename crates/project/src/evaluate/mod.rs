//! What the declarations of a project are worth. Nothing is evaluated before it is asked for, and
//! nothing twice: every instance of a declaration has one memo cell.

mod action;
mod address;
mod cell;
mod condition;
mod crew;
mod driver;
mod end;
mod evaluation;
mod expand;
mod fill;
mod gap;
mod instance;
mod list;
mod need;
mod object;
mod older;
mod outcome;
mod output;
mod provider;
mod question;
mod reading;
mod resource;
mod scope;
mod standpoint;
mod trace;
mod tree;
mod trigger;
mod trouble;
mod variable;
mod wait;
mod walk;
mod world;

pub use action::Invocation;
pub use address::Standpoint;
pub use end::Cancel;
pub use evaluation::{Evaluation, Named, OutputValue};
pub(crate) use expand::spread;
pub use list::Listed;
pub(crate) use object::{Model, Written};
pub use outcome::{Outcome, Reading, Verdict};
pub(crate) use output::{check_marks, fit};
pub(crate) use scope::{no_output, unkeyed};
pub use standpoint::Instances;
pub use trace::Traced;
pub use tree::{ModuleInstance, ResourceInstance, Subject};
