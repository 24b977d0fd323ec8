//! JSON syntax: strings are templates, the rest is what it says.

use groma_syntax::json;

use super::Lowering;
use crate::code::{Node, NodeId};

impl Lowering<'_> {
    pub(super) fn json(&mut self, value: json::Value<'_>) -> NodeId {
        self.add(Node::Missing, value.span())
    }
}
