//! Object expressions. Keys are converted to strings; an unknown key makes the whole object unknown, and marks of keys go to the
//! whole object.

use std::collections::BTreeMap;

use groma_value::{Causes, Marks, Object, Str, Type, Value, ValueMeasure};

use super::machine::{CodeMachine, causes_of, room, sentence, to_primitive, unknown_dynamic};
use crate::code::{ObjectNode, OpId};
use crate::codes;

impl CodeMachine<'_, '_> {
    /// Evaluates the items of an object expression to an object.
    #[inline(never)]
    pub(super) fn object(&mut self, node: &ObjectNode, id: OpId) -> Value {
        let count = match node {
            ObjectNode::Named { values, .. } => values.len(),
            ObjectNode::Computed(items) => items.len(),
        };
        if !self.hold(room(count), id) {
            return unknown_dynamic();
        }
        let (layout, nodes) = match node {
            ObjectNode::Named { layout, values } => (layout, values),
            ObjectNode::Computed(items) => return self.computed(items),
        };
        let mut values = vec![Value::NULL; layout.names.as_slice().len()];
        let mut whole = ValueMeasure::PARENT;
        for (node, at) in nodes.iter().zip(&layout.order) {
            let value = self.eval(*node);
            if !self.take_in(&mut whole, &value, *node) {
                return unknown_dynamic();
            }
            if let Some(place) = values.get_mut(*at as usize) {
                *place = value;
            }
        }
        Value::Object(Object::with_names(layout.names.clone(), values).into())
    }

    /// Evaluates an object expression with computed keys to an object, or to an unknown if a key is unknown; `items` are the
    /// operations of each key and its value.
    fn computed(&mut self, items: &[(OpId, OpId)]) -> Value {
        let mut attributes: BTreeMap<Str, Value> = BTreeMap::new();
        let mut marks = Marks::NONE;
        let mut causes = Causes::NONE;
        let mut known = true;
        let mut whole = ValueMeasure::PARENT;
        for (key_node, value_node) in items {
            let errors = self.errors();
            let key = self.eval(*key_node);
            let failed = self.errors() > errors;
            let value = self.eval(*value_node);
            if !self.take_in(&mut whole, &value, *value_node) {
                return unknown_dynamic();
            }
            if failed {
                known = false;
                continue;
            }
            if key.is_null() {
                // The reader looks for the item, and the recorded facts point to its value.
                let span = self.code.span_of(*value_node);
                let context = self.code.span_of(*key_node).join(span);
                let detail = "The key of this value is null; a key must be a string.".to_owned();
                self.fail_within(&codes::OBJECT_KEY, span, context, detail);
                known = false;
                continue;
            }
            let (key, own) = key.unmark();
            marks = marks.union(&own);
            match to_primitive(key, &Type::String) {
                Ok(Value::String(name)) => {
                    attributes.insert(name, value);
                }
                Ok(unknown) => {
                    causes.add(&causes_of(&unknown));
                    known = false;
                }
                Err(why) => {
                    let span = self.code.span_of(*key_node);
                    self.fail(&codes::OBJECT_KEY, span, sentence(&why.message));
                    known = false;
                }
            }
        }
        if known {
            return Value::object(attributes).marked(&marks);
        }
        if causes.is_empty() {
            return unknown_dynamic().mark(&marks);
        }
        // Marks of keys go to the object that has them, and there is none yet.
        Value::unknown_because(Type::Dynamic, causes)
    }
}
