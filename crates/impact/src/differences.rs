//! Differences between two values that may contain unknowns. Parts that cannot turn out equal differ for certain; an unknown part
//! may differ unless both sides have the same fingerprint for it.

use std::cmp::Ordering;

use groma_value::{Path, PathStep, Str, Unknown, Value, identical, ops};

/// The paths at which two values differ: for certain, or possibly.
#[derive(Default)]
pub struct ValueDifferences {
    /// The outermost parts that cannot turn out equal.
    pub certain: Vec<Path>,
    /// The parts that may or may not turn out equal.
    pub open: Vec<Path>,
}

impl ValueDifferences {
    /// Returns the differences between two values.
    pub fn of(before: &Value, after: &Value) -> ValueDifferences {
        let mut found = ValueDifferences::default();
        found.compare(before, after, &mut Vec::new());
        found
    }

    /// Returns true if the values are equal for certain.
    pub fn is_empty(&self) -> bool {
        self.certain.is_empty() && self.open.is_empty()
    }

    /// Records the differences between the parts of two values at the path `way`.
    fn compare(&mut self, before: &Value, after: &Value, way: &mut Vec<PathStep>) {
        if before.marks() != after.marks() {
            self.certain.push(Path(way.clone()));
            return;
        }
        if before.marks().hide() {
            // The names of parts may be secrets too, so the value is one difference.
            let (before, after) = (before.unmark().0, after.unmark().0);
            let mut inner = ValueDifferences::default();
            inner.compare(&before, &after, &mut Vec::new());
            self.record_whole(&inner, way);
            return;
        }
        let (before, after) = (before.bare(), after.bare());
        if before.is_wholly_known() && after.is_wholly_known() {
            self.compare_known(before, after, way);
            return;
        }
        match (before, after) {
            (Value::Unknown(was), Value::Unknown(is)) => match before.has_fingerprint_of(after) {
                true => {}
                false if have_different_prefixes(was, is) => self.certain.push(Path(way.clone())),
                false => self.open.push(Path(way.clone())),
            },
            (Value::Unknown(_), _) | (_, Value::Unknown(_)) => {
                self.compare_unknown(before, after, way)
            }
            _ => self.compare_parts(before, after, way),
        }
    }

    /// Records the difference between two values at the path `way`, one of which is unknown: its type and refinements may rule
    /// out that they are equal.
    fn compare_unknown(&mut self, before: &Value, after: &Value, way: &[PathStep]) {
        // The provider may decide the final type of a number or a string.
        let is_settled = match (before.ty(), after.ty()) {
            (was, is) if was.is_primitive() && is.is_primitive() => was == is,
            _ => true,
        };
        let list = match ops::equal(before, after).unmark().0 {
            Value::Bool(false) if is_settled => &mut self.certain,
            _ => &mut self.open,
        };
        list.push(Path(way.to_vec()));
    }

    /// Records the differences between two wholly known values at the path `way`.
    fn compare_known(&mut self, before: &Value, after: &Value, way: &mut Vec<PathStep>) {
        if identical(before, after) && ops::same(before, after) {
            return;
        }
        match (before, after) {
            // Two values of one kind are compared part by part.
            (Value::Object(_), Value::Object(_))
            | (Value::Map(_), Value::Map(_))
            | (Value::List(_), Value::List(_))
            | (Value::Tuple(_), Value::Tuple(_)) => self.compare_parts(before, after, way),
            // A null is compatible with any type.
            (Value::Null(_), Value::Null(_)) => {}
            _ => self.certain.push(Path(way.clone())),
        }
    }

    /// Records the differences between two values of one kind at the path `way`, part by part.
    fn compare_parts(&mut self, before: &Value, after: &Value, way: &mut Vec<PathStep>) {
        let here = |way: &Vec<PathStep>| Path(way.clone());
        match (before, after) {
            (Value::Object(was), Value::Object(is)) => {
                both(was.iter(), is.iter(), |name, was, is| {
                    way.push(PathStep::Attribute(name.clone()));
                    self.compare_attributes(was, is, way);
                    way.pop();
                });
            }
            (Value::Map(was), Value::Map(is)) => {
                let was = was.entries().iter().map(|(key, value)| (key, value));
                let is = is.entries().iter().map(|(key, value)| (key, value));
                both(was, is, |key, was, is| {
                    way.push(PathStep::Index(Value::String(key.clone())));
                    match (was, is) {
                        (Some(was), Some(is)) => self.compare(was, is, way),
                        // An added or removed key counts whatever its value is.
                        _ => self.certain.push(here(way)),
                    }
                    way.pop();
                });
            }
            (Value::List(was), Value::List(is)) => {
                self.compare_items(was.items(), is.items(), way);
            }
            (Value::Tuple(was), Value::Tuple(is)) => {
                self.compare_items(was.items(), is.items(), way);
            }
            (Value::Set(was), Value::Set(is)) => {
                // Elements of a set have no path: the whole set differs. Their order depends on unknowns.
                let is_same = was.items().len() == is.items().len()
                    && was
                        .items()
                        .iter()
                        .zip(is.items())
                        .all(|(was, is)| ValueDifferences::of(was, is).is_empty());
                if !is_same {
                    self.compare_unknown(before, after, way);
                }
            }
            (Value::List(list), Value::Tuple(tuple)) | (Value::Tuple(tuple), Value::List(list)) => {
                // The provider decides between a list and a tuple with the same elements.
                let (list, tuple) = (list.items(), tuple.items());
                let is_list = matches!(before, Value::List(_));
                let (was, is) = if is_list { (list, tuple) } else { (tuple, list) };
                let known = self.certain.len() + self.open.len();
                self.compare_items(was, is, way);
                if self.certain.len() + self.open.len() == known {
                    self.open.push(here(way));
                }
            }
            _ => self.certain.push(here(way)),
        }
    }

    /// Records the differences inside of the value at the path `way`, found as `inner`, as one difference of the whole value.
    fn record_whole(&mut self, inner: &ValueDifferences, way: &[PathStep]) {
        if !inner.certain.is_empty() {
            self.certain.push(Path(way.to_vec()));
        } else if !inner.open.is_empty() {
            self.open.push(Path(way.to_vec()));
        }
    }

    /// Records the differences between the elements of two lists at the path `way`; if their lengths differ, the whole differs.
    fn compare_items(&mut self, was: &[Value], is: &[Value], way: &mut Vec<PathStep>) {
        if was.len() != is.len() {
            self.certain.push(Path(way.clone()));
            return;
        }
        for (at, (was, is)) in was.iter().zip(is).enumerate() {
            way.push(PathStep::Index(Value::position(at)));
            self.compare(was, is, way);
            way.pop();
        }
    }

    /// Records the differences between two attributes at the path `way`, of which a missing one equals null.
    fn compare_attributes(
        &mut self,
        was: Option<&Value>,
        is: Option<&Value>,
        way: &mut Vec<PathStep>,
    ) {
        match (was, is) {
            (Some(was), Some(is)) => self.compare(was, is, way),
            // A provider does not distinguish an omitted attribute from null.
            (Some(one), None) | (None, Some(one)) if one.is_null() => {}
            (Some(one), None) => self.compare(one, &Value::null(one.ty()), way),
            (None, Some(one)) => self.compare(&Value::null(one.ty()), one, way),
            (None, None) => {}
        }
    }
}

/// Returns true if two unknown strings must differ: at least one is not null, and neither known prefix begins with the other.
fn have_different_prefixes(one: &Unknown, other: &Unknown) -> bool {
    let (one, other) = (&one.refinement, &other.refinement);
    let goes_on = one.prefix.starts_with(&*other.prefix) || other.prefix.starts_with(&*one.prefix);
    (one.not_null || other.not_null) && !goes_on
}

/// Merges two lists sorted by name and calls `take` with the values of each name.
fn both<'v>(
    was: impl Iterator<Item = (&'v Str, &'v Value)>,
    is: impl Iterator<Item = (&'v Str, &'v Value)>,
    mut take: impl FnMut(&Str, Option<&'v Value>, Option<&'v Value>),
) {
    let (mut was, mut is) = (was.peekable(), is.peekable());
    loop {
        let order = match (was.peek(), is.peek()) {
            (Some((one, _)), Some((other, _))) => one.cmp(other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        let one = if order.is_le() { was.next() } else { None };
        let other = if order.is_ge() { is.next() } else { None };
        if let Some((name, _)) = one.or(other) {
            take(name, one.map(|(_, value)| value), other.map(|(_, value)| value));
        }
    }
}
