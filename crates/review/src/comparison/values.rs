//! What differs between two values of which both may hold unknowns. Two unknowns for the same causes are the same as
//! far as values tell; whether their code gives the same is asked of whoever knows the code.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use groma_eval::CauseTable;
use groma_value::{CauseId, Causes, Path, PathStep, Str, Value, identical, ops};
use rustc_hash::FxHashMap;

/// What makes the causes of two evaluations comparable.
pub(crate) struct Causal<'c> {
    pub(crate) before: &'c CauseTable,
    pub(crate) after: &'c CauseTable,
    /// Where what the code speaks of has moved, by its address before.
    pub(crate) moved: &'c FxHashMap<String, String>,
    /// What was found out of single causes.
    pub(crate) known: RefCell<FxHashMap<(CauseId, CauseId), bool>>,
}

impl Causal<'_> {
    /// Whether both are unknown for the same reasons, wherever these are written.
    fn are_alike(&self, before: &Causes, after: &Causes) -> bool {
        if before.has_more() != after.has_more() {
            return false;
        }
        // The instances of a resource have one cause, and there may be many.
        match (before.ids(), after.ids()) {
            ([], []) => true,
            ([was], [is]) => {
                let known = self.known.borrow().get(&(*was, *is)).copied();
                known.unwrap_or_else(|| {
                    let is_alike = self.are_told_alike(before, after);
                    self.known.borrow_mut().insert((*was, *is), is_alike);
                    is_alike
                })
            }
            _ => self.are_told_alike(before, after),
        }
    }

    fn are_told_alike(&self, before: &Causes, after: &Causes) -> bool {
        let tell =
            |causes: &Causes, table: &CauseTable, moved: Option<&FxHashMap<String, String>>| {
                let all = causes.ids().iter().filter_map(|id| table.get(*id));
                let told = all.map(|cause| {
                    let to = moved.and_then(|moved| moved.get(&*cause.address));
                    let address = to.map_or_else(|| cause.address.to_string(), Clone::clone);
                    (cause.class, cause.kind, address)
                });
                told.collect::<BTreeSet<_>>()
            };
        tell(before, self.before, Some(self.moved)) == tell(after, self.after, None)
    }
}

/// What was found out about two values.
#[derive(Default)]
pub(crate) struct Differences {
    /// The parts that differ for certain: the outermost of which that can be said.
    pub(crate) certain: Vec<Path>,
    /// The parts that are unknown on both sides, for the same reasons.
    pub(crate) open: Vec<Path>,
}

impl Differences {
    /// Compares two values.
    pub(crate) fn of(before: &Value, after: &Value, causal: &Causal<'_>) -> Differences {
        let mut found = Differences::default();
        found.compare(before, after, causal, &mut Vec::new());
        found
    }

    fn compare(
        &mut self,
        before: &Value,
        after: &Value,
        causal: &Causal<'_>,
        way: &mut Vec<PathStep>,
    ) {
        if before.marks() != after.marks() {
            self.certain.push(Path(way.clone()));
            return;
        }
        if before.marks().hide() {
            // The names of parts may be secrets, too: it is told as one.
            let (before, after) = (before.unmark().0, after.unmark().0);
            let mut inner = Differences::default();
            inner.compare(&before, &after, causal, &mut Vec::new());
            self.whole(&inner, way);
            return;
        }
        let (before, after) = (before.bare(), after.bare());
        if before.is_wholly_known() && after.is_wholly_known() {
            self.known(before, after, causal, way);
            return;
        }
        match (before, after) {
            (Value::Unknown(was), Value::Unknown(is)) => {
                let is_same =
                    before.fingerprint().is_some_and(|one| after.fingerprint() == Some(one));
                if is_same {
                    return;
                }
                let is_alike = was.ty == is.ty
                    && was.refinement == is.refinement
                    && causal.are_alike(&was.causes, &is.causes);
                let list = if is_alike { &mut self.open } else { &mut self.certain };
                list.push(Path(way.clone()));
            }
            _ => self.parts(before, after, causal, way),
        }
    }

    /// Values that are wholly known: most are the same at a glance.
    fn known(
        &mut self,
        before: &Value,
        after: &Value,
        causal: &Causal<'_>,
        way: &mut Vec<PathStep>,
    ) {
        if identical(before, after) && ops::same(before, after) {
            return;
        }
        match (before, after) {
            // Of the same kind, the part that differs is told.
            (Value::Object(_), Value::Object(_))
            | (Value::Map(_), Value::Map(_))
            | (Value::List(_), Value::List(_))
            | (Value::Tuple(_), Value::Tuple(_)) => self.parts(before, after, causal, way),
            // A null is one of whatever type.
            (Value::Null(_), Value::Null(_)) => {}
            _ => self.certain.push(Path(way.clone())),
        }
    }

    fn parts(
        &mut self,
        before: &Value,
        after: &Value,
        causal: &Causal<'_>,
        way: &mut Vec<PathStep>,
    ) {
        let here = |way: &Vec<PathStep>| Path(way.clone());
        match (before, after) {
            (Value::Object(was), Value::Object(is)) => {
                both(was.iter(), is.iter(), |name, was, is| {
                    way.push(PathStep::Attribute(name.clone()));
                    self.either(was, is, causal, way);
                    way.pop();
                });
            }
            (Value::Map(was), Value::Map(is)) => {
                let was = was.entries().iter().map(|(key, value)| (key, value));
                let is = is.entries().iter().map(|(key, value)| (key, value));
                both(was, is, |key, was, is| {
                    way.push(PathStep::Index(Value::String(key.clone())));
                    match (was, is) {
                        (Some(was), Some(is)) => self.compare(was, is, causal, way),
                        // A key counts, whatever it has.
                        _ => self.certain.push(here(way)),
                    }
                    way.pop();
                });
            }
            (Value::List(was), Value::List(is)) => {
                self.items(was.items(), is.items(), causal, way);
            }
            (Value::Tuple(was), Value::Tuple(is)) => {
                self.items(was.items(), is.items(), causal, way);
            }
            (Value::Set(was), Value::Set(is)) if was.items().len() == is.items().len() => {
                // Elements have no way to them of their own: what differs is the set.
                let mut inner = Differences::default();
                for (was, is) in was.items().iter().zip(is.items()) {
                    inner.compare(was, is, causal, &mut Vec::new());
                }
                self.whole(&inner, way);
            }
            _ => self.certain.push(here(way)),
        }
    }

    /// Takes what differs inside of something as a difference of the whole.
    fn whole(&mut self, inner: &Differences, way: &[PathStep]) {
        if !inner.certain.is_empty() {
            self.certain.push(Path(way.to_vec()));
        } else if !inner.open.is_empty() {
            self.open.push(Path(way.to_vec()));
        }
    }

    fn items(&mut self, was: &[Value], is: &[Value], causal: &Causal<'_>, way: &mut Vec<PathStep>) {
        if was.len() != is.len() {
            self.certain.push(Path(way.clone()));
            return;
        }
        for (at, (was, is)) in was.iter().zip(is).enumerate() {
            way.push(PathStep::Index(Value::position(at)));
            self.compare(was, is, causal, way);
            way.pop();
        }
    }

    fn either(
        &mut self,
        was: Option<&Value>,
        is: Option<&Value>,
        causal: &Causal<'_>,
        way: &mut Vec<PathStep>,
    ) {
        match (was, is) {
            (Some(was), Some(is)) => self.compare(was, is, causal, way),
            // What is left out and what is null are the same to a provider.
            (Some(one), None) | (None, Some(one)) if one.is_null() => {}
            (None, None) => {}
            _ => self.certain.push(Path(way.clone())),
        }
    }
}

/// Takes what two sorted lists have under each name, by name.
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
