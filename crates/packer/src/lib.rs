//! Packer templates: files, declarations, values and builds. Components of plugins are never validated: only those built into
//! Packer are known here.
#![forbid(unsafe_code)]

mod build;
pub mod codes;
mod component;
mod content;
mod declare;
mod evaluate;
mod hint;
mod load;
mod options;
mod row;
mod template_inputs;

pub use build::{Build, BuildPlan, Chain, ComponentUse};
pub use declare::{DataBlock, Local, Plugin, SourceBlock, Template, Variable};
pub use evaluate::{
    DeclarationOrigin, OriginKind, OriginPart, StatedValue, TemplateEvaluation, WrittenArgument,
    WrittenRepetition, WrittenSite,
};
pub use load::is_template;
pub use options::TemplateOptions;
pub use row::{labels, rows};
