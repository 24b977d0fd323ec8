//! Where a value comes from: a tree of what its expression took, step by step, down to what was given, read or written
//! out. A part of a value is followed through what the expressions show; where one does not show which of its names a
//! part came from, all of them count. Nothing is guessed, and what is not to be shown is in no text.
#![forbid(unsafe_code)]

mod address;
mod at;
mod body;
mod drawing;
mod in_json;
mod json;
mod kept;
mod lead;
mod looped;
mod names;
mod node;
mod origin;
mod path;
mod reach;
mod render;
mod settle;
mod short;
mod subject;
mod took;
mod trace;
mod why;
mod written;

pub use address::NoSuch;
pub use at::ASKED;
pub use drawing::{WhyRow, dot, rows};
pub use json::{ValueRoom, veil, write_json, write_worth};
pub use names::given_names;
pub use node::{DEEPEST, WhyKind, WhyNode, WhyTree, WhyVisit};
pub use path::WhyStep;
pub use reach::{Told, ToldBelow};
pub use render::{LineOrigin, Piece, PieceKind, Rendered, TemplateCall, render};
pub use settle::{Remedy, remedies};
pub use short::short;
pub use trace::trace;
pub use why::Why;
