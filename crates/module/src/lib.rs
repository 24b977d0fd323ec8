//! Files to declarations to a module tree to values. Loading reports and goes on: whatever could
//! be read is evaluated, and what could not is unknown, never made up.
#![forbid(unsafe_code)]

mod built_in;
mod declare;
mod decode;
mod deprecation;
pub mod dialect;
mod evaluate;
mod facts;
mod graph;
mod link;
mod load;
mod mismatch;
mod mock;
mod nearest;
mod options;
mod provisioner;
mod rules;
mod schema;
mod target;
mod validate;
mod values;
mod version;

/// What the files declare, as it is written.
pub mod declared {
    pub use crate::declare::{
        Argument, Call, Check, Condition, Content, Dynamic, Event, Expression, Ignored, Import,
        Input, Label, Local, Nested, OpenKey, Output, Passed, Provider, Provision, Raw, Repetition,
        Resource, Trigger, Triggered, Variable, keyword, literal_text,
    };
}

/// The stages that other kinds of folders share with modules: listing, reading, rows, sentences.
pub mod folder {
    pub use crate::declare::plain::ReadSetting;
    pub use crate::declare::raw::Reader;
    pub use crate::dialect::{ArgumentRow, BlockRow, Open};
    pub use crate::load::{Evidence, list, read_text};
    pub use crate::mismatch::sentence;
    pub use crate::nearest::did_you_mean;
    pub use crate::values::{Entered, Entry, Secrets, entries, scrub};
    pub use crate::version::{Constraints, Release};
}

pub use declare::{Mode, Module};
pub use evaluate::{
    Evaluation, Gaps, Invocation, Key, Listed, ModuleInstance, Named, Outcome, Output, Reading,
    ResourceInstance, Standpoint, Subject, Unasked, Undecided, UnreadModule, Verdict,
};
pub use facts::{Fact, Facts, NoFacts, Request, TriggeredBy};
pub use graph::{References, Vertex};
pub use link::{ModuleNode, Project};
pub use mock::read_mocks;
pub use options::{Assignment, Inputs, Mapping, Options, Threads};
pub use schema::{SchemaError, Schemas};
pub use target::{ResourceTarget, Target};
pub use validate::validate;
