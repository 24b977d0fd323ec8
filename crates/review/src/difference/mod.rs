//! What differs between two values or two objects. Who shows it needs no more than the tree that comes out.

mod alike;
mod body;
mod compare;
mod compared;
mod parts;
mod sequence;
mod strings;
mod way;
mod yaml;

pub(crate) use body::Objects;
pub(crate) use compare::{difference, single};
pub(crate) use compared::{Body, Compared, Form, Nest, Sign, Veil};
pub(crate) use way::{Said, Way};
