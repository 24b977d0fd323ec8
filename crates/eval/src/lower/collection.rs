//! Tuples, objects and `for`. An object expression with constant keys shares one list of names between all objects that it
//! creates; a collection of constants becomes one constant.

use groma_syntax::Span;
use groma_syntax::ast::{ExprCase, ExprView, ForView, ObjectItem};
use groma_value::{Object, Str, Value};

use super::Lowering;
use super::constant;
use super::traversal::literal_key;
use crate::code::{CodeOperation, ForNode, ObjectNode, OpId, OpKind};
use crate::codes;

/// The lowered key of an object item: a constant name, which is not an operation yet, or an operation.
pub(super) enum ObjectKey {
    /// A constant name, and its absolute span.
    Name(Str, Span),
    /// The operation that computes the key.
    Operation(OpId),
}

impl Lowering<'_> {
    /// Lowers a tuple expression to an operation, or to a constant if all its items are constants.
    pub(super) fn tuple(&mut self, items: &[ExprView<'_>], span: Span) -> OpId {
        let each = items.iter().map(|item| (item.span(), *item));
        self.tuple_by(each, span, |lowering, item| lowering.expression(item))
    }

    /// Lowers a tuple whose items are lowered by `lower`, each with its span. The operations of constant items are removed at
    /// once, so that a long list takes no more memory than its value.
    pub(super) fn tuple_by<T: Copy>(
        &mut self,
        items: impl ExactSizeIterator<Item = (Span, T)> + Clone,
        span: Span,
        mut lower: impl FnMut(&mut Self, T) -> OpId,
    ) -> OpId {
        let mut constants = Vec::new();
        let mut rest = items.clone();
        let mut nodes: Vec<OpId> = Vec::new();
        for (_, item) in rest.by_ref() {
            let id = lower(self, item);
            match self.take_constant(id) {
                Some(value) => {
                    if constants.is_empty() {
                        constants.reserve_exact(items.len());
                    }
                    constants.push(value);
                }
                None => {
                    nodes.push(id);
                    break;
                }
            }
        }
        if nodes.is_empty() && constant::may_nest(&constants) {
            return self.add(OpKind::Value(Value::tuple(constants)), span);
        }
        let mut all: Vec<OpId> = Vec::with_capacity(items.len());
        let put_back = constants.into_iter().zip(items);
        all.extend(put_back.map(|(value, (span, _))| self.add(OpKind::Value(value), span)));
        all.append(&mut nodes);
        all.extend(rest.map(|(_, item)| lower(self, item)));
        self.add(OpKind::Tuple(all.into()), span)
    }

    /// Removes and returns the constant with this id if it is the operation added last; otherwise returns `None` without a
    /// change.
    fn take_constant(&mut self, id: OpId) -> Option<Value> {
        let operations = &mut self.room.operations;
        let is_last = id.0 as usize + 1 == operations.len();
        match operations.pop() {
            Some(CodeOperation { node: OpKind::Value(value), .. }) if is_last => Some(value),
            Some(other) => {
                operations.push(other);
                None
            }
            None => None,
        }
    }

    /// Lowers an object expression in native syntax to an operation, or to a constant if all its keys and values are constants.
    pub(super) fn object(&mut self, items: &[ObjectItem<'_>], span: Span) -> OpId {
        let mut pairs = Vec::with_capacity(items.len());
        for item in items {
            let key = self.object_key(item.key);
            pairs.push((key, self.expression(item.value)));
        }
        self.object_of(pairs, span)
    }

    /// Adds the operation of an object whose keys and values are lowered already, or a constant if all of them are constants.
    pub(super) fn object_of(&mut self, items: Vec<(ObjectKey, OpId)>, span: Span) -> OpId {
        let name = |(key, _): &(ObjectKey, OpId)| match key {
            ObjectKey::Name(name, _) => Some(name.clone()),
            ObjectKey::Operation(id) => constant::key(self.value(*id)?),
        };
        let names: Option<Vec<Str>> = items.iter().map(name).collect();
        let Some(names) = names else {
            let items = items.into_iter().map(|(key, value)| (self.operation_of(key), value));
            let object = ObjectNode::Computed(items.collect());
            return self.add(OpKind::Object(Box::new(object)), span);
        };
        let layout = self.room.layout(&names);
        let each = || items.iter().map(|(_, value)| *value);
        let constants: Option<Vec<Value>> = each().map(|id| self.value(id).cloned()).collect();
        let node = match constants {
            Some(constants) if constant::may_nest(&constants) => {
                let mut placed = vec![Value::NULL; layout.names.as_slice().len()];
                for (value, at) in constants.into_iter().zip(&layout.order) {
                    placed[*at as usize] = value;
                }
                self.forget(each());
                OpKind::Value(Value::Object(
                    Object::with_names(layout.names.clone(), placed).into(),
                ))
            }
            _ => OpKind::Object(Box::new(ObjectNode::Named { layout, values: each().collect() })),
        };
        self.add(node, span)
    }

    /// Returns the operation of an object key, adding a constant if the key is a name.
    fn operation_of(&mut self, key: ObjectKey) -> OpId {
        match key {
            ObjectKey::Name(name, span) => self.add(OpKind::Value(Value::String(name)), span),
            ObjectKey::Operation(id) => id,
        }
    }

    /// Removes the operations of constant values that have become parts of one constant, if they were added last.
    fn forget(&mut self, values: impl ExactSizeIterator<Item = OpId>) {
        let from = self.room.operations.len().saturating_sub(values.len());
        if values.zip(from..).all(|(id, at)| id.0 as usize == at) {
            self.room.operations.truncate(from);
        }
    }

    /// Lowers the key of an object item: a bare name is the key itself, and a longer reference is ambiguous and becomes a fault.
    fn object_key(&mut self, key: ExprView<'_>) -> ObjectKey {
        let span = key.span();
        match key.case() {
            ExprCase::Root(name) => ObjectKey::Name(name.into(), span),
            ExprCase::Template(template)
                if !template.is_lone_interpolation()
                    && let Some(text) = template.plain() =>
            {
                ObjectKey::Name((&*text).into(), span)
            }
            ExprCase::Attribute { .. } | ExprCase::Index { .. } | ExprCase::LegacyIndex { .. }
                if is_reference(key) =>
            {
                let text = key.text();
                let detail = format!(
                    "`{text}` could be a reference or a string. Write `({text})` for the value of the reference, or \
                     \"{text}\" for the string."
                );
                ObjectKey::Operation(self.fault(&codes::AMBIGUOUS_KEY, span, detail))
            }
            _ => ObjectKey::Operation(self.expression(key)),
        }
    }

    /// Lowers a `for` expression of either form to an operation, with a slot for each of its variables.
    pub(super) fn comprehension(&mut self, each: &ForView<'_>, span: Span) -> OpId {
        let collection = self.expression(each.collection);
        let (key_slot, value_slot) = self.bind(each.key_name, each.value_name);
        let key = each.key.map(|key| self.expression(key));
        let value = self.expression(each.value);
        let condition = each.condition.map(|condition| self.expression(condition));
        self.unbind(key_slot);
        let group = each.group;
        let node = ForNode { key_slot, value_slot, collection, key, value, condition, group };
        self.add(OpKind::For(Box::new(node)), span)
    }

    /// Assigns slots to the key and value variable of a `for` and returns them. Of two equal names the second hides the first.
    pub(super) fn bind(
        &mut self,
        key: Option<(&str, Span)>,
        value: (&str, Span),
    ) -> (Option<u32>, u32) {
        let key_slot = key.map(|(name, _)| {
            let slot = self.slot();
            self.locals.push((name.into(), slot));
            slot
        });
        let value_slot = self.slot();
        self.locals.push((value.0.into(), value_slot));
        (key_slot, value_slot)
    }

    /// Ends the scope of the innermost `for`, whose key variable has `key_slot` if there is one, and releases the slots of its
    /// variables.
    pub(super) fn unbind(&mut self, key_slot: Option<u32>) {
        let bound = 1 + u32::from(key_slot.is_some());
        self.locals.truncate(self.locals.len().saturating_sub(bound as usize));
        self.next_slot = self.next_slot.saturating_sub(bound);
    }
}

/// Returns true if an expression is a root name followed by attributes and constant keys only.
fn is_reference(expression: ExprView<'_>) -> bool {
    let mut current = expression;
    loop {
        current = match current.case() {
            ExprCase::Root(_) => return true,
            ExprCase::Attribute { object, .. } | ExprCase::LegacyIndex { object, .. } => object,
            ExprCase::Index { object, key, .. } if literal_key(key).is_some() => object,
            _ => return false,
        };
    }
}
