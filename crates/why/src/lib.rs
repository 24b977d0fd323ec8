//! Provenance of values: the tree of references, arguments and files that a value is computed from, down to literals, inputs and
//! what is read from outside. A part of a value is followed through the expressions that build it; where an expression does not
//! show which reference a part came from, all its references count. Nothing is guessed, and hidden values never appear in a text.
#![forbid(unsafe_code)]

mod address;
mod argument_flow;
mod block_value;
mod body;
mod cache;
mod declared;
mod drawing;
mod instance_origin;
mod json;
mod json_expr;
mod loop_bindings;
mod node;
mod origin;
mod path;
mod remarks;
mod remedy;
mod render;
mod site;
mod slice;
mod slice_task;
mod source_text;
mod subject;
mod summary;
mod trace;
mod why;

pub use address::AddressError;
pub use declared::{
    DeclaredArgument, DeclaredName, DeclaredNames, DeclaredPart, DeclaredRepetition, DeclaredSite,
    why_address, why_block, why_declared,
};
pub use drawing::{WhyRow, dot, rows};
pub use groma_inputs::given_names;
pub use json::{ValueRoom, veil, write_json, write_value_properties};
pub use node::{MAX_DEPTH, WhyKind, WhyNode, WhyTree, WhyVisit};
pub use path::WhyStep;
pub use remarks::{DependencyRemark, RemarkCache};
pub use remedy::{CauseRemedy, remedies};
pub use render::{LineOrigin, PieceKind, RenderedPiece, RenderedTemplate, TemplateCall, render};
pub use site::QUERY_FILE;
pub use summary::short;
pub use trace::trace;
pub use why::Why;
