//! Traversal of whole values: removing and adding marks at any depth, collecting causes. Parts without marks or unknowns are
//! shared, not copied: the summaries exclude them.

use crate::value::RebuildMode;
use crate::{Causes, Marks, Path, PathStep, Value};

impl Value {
    /// Returns the value without any marks at any depth, and the union of these marks.
    pub fn unmark_deep(&self) -> (Value, Marks) {
        let mut all = Marks::NONE;
        let value = strip(self, &mut |marks| all = all.union(marks));
        (value, all)
    }

    /// Returns the value without marks at any depth, and the path of each part that had marks of its own, outermost first, with
    /// those marks.
    pub fn unmark_deep_paths(&self) -> (Value, Vec<(Path, Marks)>) {
        let mut found = Vec::new();
        let value = strip_paths(self, &mut Vec::new(), &mut found);
        (value, found)
    }

    /// Returns the value with the marks of each pair in `places` added to the part at its path; if the path does not exist or
    /// leads into a set, to the nearest existing container.
    pub fn mark_paths(&self, places: &[(Path, Marks)]) -> Value {
        let targets: Vec<Target<'_>> = places.iter().map(|(p, m)| (p.0.as_slice(), m)).collect();
        mark_at(self, &targets)
    }

    /// Returns the union of all marks in the value, at any depth.
    pub fn deep_marks(&self) -> Marks {
        let mut all = Marks::NONE;
        self.visit(&mut |value| {
            if let Value::Marked(m) = value {
                all = all.union(m.marks());
            }
            value.has_marks()
        });
        all
    }

    /// Returns the causes of all unknowns at any depth.
    pub fn deep_causes(&self) -> Causes {
        let mut all = Causes::NONE;
        if self.is_wholly_known() {
            return all;
        }
        self.visit(&mut |value| {
            if let Value::Unknown(unknown) = value {
                all.add(&unknown.causes);
            }
            !value.is_wholly_known()
        });
        all
    }

    /// Calls `visit` for the value and everything inside it, outermost first; if it returns false, the inside of that value is
    /// skipped. A `Marked` value is passed first, and then its content.
    pub fn visit<'v>(&'v self, visit: &mut dyn FnMut(&'v Value) -> bool) {
        let mut waiting = vec![self];
        while let Some(value) = waiting.pop() {
            if !visit(value) {
                continue;
            }
            match value {
                Value::List(l) => waiting.extend(l.items().iter().rev()),
                Value::Set(s) => waiting.extend(s.items().iter().rev()),
                Value::Tuple(t) => waiting.extend(t.items().iter().rev()),
                Value::Map(m) => waiting.extend(m.entries().iter().rev().map(|(_, v)| v)),
                Value::Object(o) => waiting.extend(o.values().iter().rev()),
                Value::Marked(m) => waiting.push(m.value()),
                _ => {}
            }
        }
    }

    /// Returns the value with every part replaced by the result of `change`, innermost first; a marked part is passed without
    /// its marks and then with them. The elements of a list, set or map must keep a common type, from which the element type is
    /// derived.
    pub fn transform(&self, change: &mut dyn FnMut(&Value) -> Value) -> Value {
        let inner = match self {
            Value::Marked(m) => m.value().transform(change).mark(m.marks()),
            Value::List(_) | Value::Set(_) | Value::Map(_) | Value::Tuple(_) | Value::Object(_) => {
                self.rebuild(RebuildMode::NewTypes, &mut |_, child| child.transform(change))
            }
            leaf => leaf.clone(),
        };
        change(&inner)
    }
}

/// Returns a value without any marks, passing each removed set of marks to `seen`.
fn strip(value: &Value, seen: &mut dyn FnMut(&Marks)) -> Value {
    if !value.has_marks() {
        return value.clone();
    }
    if let Value::Marked(m) = value {
        seen(m.marks());
        return strip(m.value(), seen);
    }
    value.rebuild(RebuildMode::SameTypes, &mut |_, child| strip(child, seen))
}

/// Returns a value without any marks, adding each removed set of marks with its path to `found`; `at` is the path of the value.
fn strip_paths(value: &Value, at: &mut Vec<PathStep>, found: &mut Vec<(Path, Marks)>) -> Value {
    if !value.has_marks() {
        return value.clone();
    }
    match value {
        Value::Marked(m) => {
            found.push((Path(at.clone()), m.marks().clone()));
            strip_paths(m.value(), at, found)
        }
        other => other.rebuild(RebuildMode::SameTypes, &mut |step, child| {
            if !child.has_marks() {
                return child.clone();
            }
            at.push(step());
            let bare = strip_paths(child, at, found);
            at.pop();
            bare
        }),
    }
}

/// The path from a value to a part of it to which [`mark_at`] adds marks, and these marks.
type Target<'p> = (&'p [PathStep], &'p Marks);

/// Returns a value with marks added to the parts at several paths; if a path does not exist, to the nearest container.
fn mark_at(value: &Value, targets: &[Target<'_>]) -> Value {
    let mut own = Marks::NONE;
    let mut below: Vec<(usize, Target<'_>)> = Vec::new();
    let bare = value.bare();
    for (path, marks) in targets {
        match path.split_first().and_then(|(step, rest)| Some((position(bare, step)?, rest))) {
            Some((at, rest)) => below.push((at, (rest, marks))),
            None => own = own.union(marks),
        }
    }
    if below.is_empty() {
        return value.mark(&own);
    }
    below.sort_by_key(|(at, _)| *at);
    let mut left = below.as_slice();
    let mut at = 0;
    let inner = bare.rebuild(RebuildMode::SameTypes, &mut |_, child| {
        let count = left.iter().take_while(|(position, _)| *position == at).count();
        let (here, rest) = left.split_at(count);
        left = rest;
        at += 1;
        if here.is_empty() {
            return child.clone();
        }
        let here: Vec<Target<'_>> = here.iter().map(|(_, target)| *target).collect();
        mark_at(child, &here)
    });
    inner.mark(&value.marks()).mark(&own)
}

/// Returns the position among the children of `value` to which a path step leads; `None` if it does not exist, or in a set, whose
/// elements have no marks.
fn position(value: &Value, step: &PathStep) -> Option<usize> {
    match (value, step) {
        (Value::Object(o), PathStep::Attribute(name)) => o.names().position(name),
        (Value::Map(m), PathStep::Index(Value::String(key))) => {
            m.entries().binary_search_by(|(k, _)| k.cmp(key)).ok()
        }
        (Value::List(l), PathStep::Index(key)) => {
            key.as_position().filter(|at| *at < l.items().len())
        }
        (Value::Tuple(t), PathStep::Index(key)) => {
            key.as_position().filter(|at| *at < t.items().len())
        }
        _ => None,
    }
}
