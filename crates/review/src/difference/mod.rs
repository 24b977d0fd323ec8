//! Differences between two values or objects, as a tree that is all a renderer needs.

mod annotations;
mod body;
mod compare;
mod compared;
mod equivalence;
mod parts;
mod sequence;
mod text_diff;
mod yaml;

pub(crate) use annotations::{AnnotationCursor, Annotations};
pub(crate) use body::ObjectComparer;
pub(crate) use compare::{difference, single};
pub(crate) use compared::{
    ChangeSign, ComparedForm, ComparedObject, ComparedValue, NestedDifference, VisibilityChange,
};
