//! References, attributes and elements. A root is looked up with all its literal steps; steps that the scope did not follow are
//! followed here without copying any object.

use groma_value::{Str, Type, Value, ops};

use super::machine::{CodeMachine, OperandSpine, sentence, unknown_dynamic};
use super::plain::position;
use crate::code::{Code, OpId, OpKind, Step, StepInfo, StepRange};
use crate::codes;
use crate::{LookupResult, Reference, UndefinedName};

impl CodeMachine<'_, '_> {
    /// Evaluates the reference at an index of the code's references; `id` is the operation.
    pub(super) fn reference(&mut self, id: OpId, index: usize) -> Value {
        let (code, context) = (self.code, self.context);
        let Some(reference) = code.references.get(index) else { return unknown_dynamic() };
        let value = match context.scope.borrowed(reference) {
            Some((lent, used)) if used >= reference.literal_count() => lent.clone(),
            Some((lent, used)) => self.walk(lent, code.literal_steps(reference).after(used)),
            None => self.look_up(reference, code.literal_steps(reference)),
        };
        if self.admits(id, &value) { value } else { unknown_dynamic() }
    }

    /// Looks up a reference in the scope and follows the literal steps that the scope has not followed.
    #[inline(never)]
    fn look_up(&mut self, reference: &Reference, steps: StepRange<'_>) -> Value {
        match self.context.scope.lookup(reference) {
            LookupResult::Found { value, used } if used >= steps.len() => value,
            LookupResult::Found { value, used } => self.walk(&value, steps.after(used)),
            LookupResult::Undefined(undefined) => {
                self.undefined(reference, steps, undefined);
                match &self.context.trace {
                    Some(_) => unknown_dynamic().traced(self.by_name(reference)),
                    None => unknown_dynamic(),
                }
            }
        }
    }

    /// Reports that a root, or a name in it, is not defined, and suggests a similar name.
    fn undefined(&mut self, reference: &Reference, steps: StepRange<'_>, undefined: UndefinedName) {
        if undefined.reported {
            return;
        }
        let root = &*reference.root;
        let mut span = reference.span;
        let last = undefined.steps.min(steps.len()).checked_sub(1);
        span.end = match last.and_then(|last| steps.get(last)) {
            Some((_, hop)) => hop.span.end,
            None => span.start + root.len() as u32,
        };
        let detail = undefined.detail.unwrap_or_else(|| {
            let names = self.context.scope.root_names();
            let nearest = groma_value::nearest(root, names.iter().map(|name| &**name));
            let composed = Str::from(root);
            match (nearest, names.is_empty()) {
                (Some(near), _) if *near == *composed => format!(
                    "There is no `{root}` here. There is a `{near}`, which looks the same but has other Unicode \
                     characters."
                ),
                (Some(near), _) => format!("There is no `{root}` here. Did you mean `{near}`?"),
                (None, _) if root.contains('-') => format!(
                    "There is no `{root}` here. A `-` without spaces around it is part of the name; for a \
                     subtraction write `{}`.",
                    root.replace('-', " - ")
                ),
                (None, true) => format!("There is no `{root}` here; nothing is defined."),
                (None, false) => format!(
                    "There is no `{root}` here. If a string is meant, put it in quotes: \"{root}\"."
                ),
            }
        });
        self.fail(&codes::UNDEFINED_NAME, span, detail);
    }

    /// Returns the value at the end of literal steps; only that value is cloned.
    fn walk(&mut self, value: &Value, steps: StepRange<'_>) -> Value {
        let (mut lent, mut rest) = (value, steps.iter().peekable());
        while let Some((Step::Attribute(name), hop)) = rest.peek()
            && let Value::Object(object) = lent
            && let Some(at) = position(object, name, &hop.hint)
        {
            lent = &object.values()[at];
            rest.next();
        }
        let mut current = lent.clone();
        for (step, hop) in rest {
            match self.hop(&current, step, hop) {
                Some(next) => current = next,
                None => return unknown_dynamic(),
            }
        }
        current
    }

    /// Returns the value that one literal step leads to; `None` after an error, which is reported.
    fn hop(&mut self, value: &Value, step: &Step, hop: &StepInfo) -> Option<Value> {
        let (found, row) = match step {
            Step::Attribute(name) => {
                if let Value::Object(object) = value
                    && let Some(at) = position(object, name, &hop.hint)
                {
                    return Some(object.values()[at].clone());
                }
                (ops::attribute(value, name), &codes::NO_ATTRIBUTE)
            }
            Step::Index(key) => (self.index(value, key), &codes::NO_ELEMENT),
            // No literal steps.
            Step::Splat | Step::Unknown => return None,
        };
        match found {
            Ok(found) => Some(found),
            Err(why) => {
                self.fail(row, hop.span, sentence(&why.message));
                None
            }
        }
    }

    /// Returns the element of a collection or object at a key, by the rules of the edition.
    fn index(&self, value: &Value, key: &Value) -> Result<Value, ops::IndexError> {
        if self.context.semantics.typed_index {
            ops::index_typed(value, key)
        } else {
            ops::index(value, key)
        }
    }

    /// Evaluates a chain of indices, attributes and splats applied to an operation. They nest to the left without bound, so a
    /// loop evaluates them.
    #[inline(never)]
    pub(super) fn postfix(&mut self, id: OpId) -> Value {
        let code = self.code;
        let mut pending = OperandSpine::new();
        let mut at = id;
        let mut source = source_of(code, at);
        while let Some(inner) = source
            && source_of(code, inner).is_some()
        {
            pending.push(at);
            at = inner;
            source = source_of(code, at);
        }
        let Some(source) = source else { return unknown_dynamic() };
        let errors = self.errors();
        let mut value = self.eval(source);
        value = self.step(at, value, errors);
        while let Some(at) = pending.pop() {
            value = self.step(at, value, errors);
        }
        value
    }

    /// Applies the index, traversal or splat `at` to the `value` of its source; `errors` is the number of errors reported
    /// before the source was evaluated: if there are more by now, the source has failed.
    fn step(&mut self, at: OpId, value: Value, errors: usize) -> Value {
        let failed = self.errors() > errors;
        match self.code.node(at) {
            OpKind::Traverse(node) if failed => {
                // After a failure the value is unknown, but its type may determine the type of the part.
                let start = self.run.out.len();
                let part = self.walk(&value, node.steps());
                self.run.out.split_off(start);
                part
            }
            OpKind::Traverse(node) => self.walk(&value, node.steps()),
            OpKind::Splat { source, each, slot } if !failed => {
                let span = self.code.span_of(*source);
                self.splat(value, *each, *slot, span)
            }
            OpKind::Index { key, brackets, .. } => {
                let key = self.eval(*key);
                let failed = self.errors() > errors;
                match self.index(&value, &key) {
                    Ok(found) => found,
                    Err(_) if failed => unknown_dynamic(),
                    Err(why) => {
                        self.fail(&codes::NO_ELEMENT, *brackets, sentence(&why.message));
                        unknown_dynamic()
                    }
                }
            }
            _ => unknown_dynamic(),
        }
    }
}

/// Returns the operation that an index, traversal or splat is applied to; `None` for other operations.
fn source_of(code: &Code, id: OpId) -> Option<OpId> {
    match code.node(id) {
        OpKind::Traverse(node) => Some(node.source),
        OpKind::Index { source, .. } | OpKind::Splat { source, .. } => Some(*source),
        _ => None,
    }
}

/// Returns the element type for a list of these values: the first type that is known, or dynamic.
pub(super) fn element_type(values: &[Value]) -> Type {
    let known = |value: &&Value| match value.bare() {
        Value::Unknown(unknown) => unknown.ty != Type::Dynamic,
        Value::Null(ty) => !ty.is_bare(),
        _ => true,
    };
    values.iter().find(known).map_or(Type::Dynamic, Value::ty)
}
