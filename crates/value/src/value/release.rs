//! Dropping of deep values. A deep node moves its children to one list that a loop works off, so the stack does not grow with
//! the depth.

use std::sync::Arc;

use super::Value;
use super::node::{List, Map, Object, Set, Tuple};

/// The nesting depth up to which a value is dropped by plain recursion.
const DEEP: u32 = 128;

/// Drops values and all their descendants in a loop.
fn release(mut waiting: Vec<Value>) {
    while let Some(value) = waiting.pop() {
        // Only the last owner of a node takes it apart.
        match value {
            Value::List(node) => take(Arc::into_inner(node), List::take_items, &mut waiting),
            Value::Set(node) => take(Arc::into_inner(node), Set::take_items, &mut waiting),
            Value::Tuple(node) => take(Arc::into_inner(node), Tuple::take_items, &mut waiting),
            Value::Object(node) => take(Arc::into_inner(node), Object::take_items, &mut waiting),
            Value::Map(node) => take(Arc::into_inner(node), Map::take_items, &mut waiting),
            Value::Marked(node) => {
                waiting.extend(Arc::into_inner(node).map(super::Marked::into_value))
            }
            _ => {}
        }
    }
}

/// Moves the parts of `node`, a collection, tuple or object, to `waiting`, the list of values to drop: those that `items`
/// takes out of it; nothing if `node` is `None`, a shared one.
fn take<N>(node: Option<N>, items: impl Fn(&mut N) -> Vec<Value>, waiting: &mut Vec<Value>) {
    if let Some(mut node) = node {
        waiting.append(&mut items(&mut node));
    }
}

macro_rules! released {
    ($($node:ident),*) => {$(
        impl Drop for $node {
            fn drop(&mut self) {
                if self.summary().measure.depth > DEEP {
                    release(self.take_items());
                }
            }
        }
    )*};
}
released!(List, Set, Tuple, Object, Map);
