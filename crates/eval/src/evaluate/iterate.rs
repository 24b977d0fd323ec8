//! `for` in both forms. The condition is evaluated once before the first element, so that a faulty one is reported once, and
//! also for an empty collection; after an unknown condition or key the rest is evaluated for its errors only.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use groma_value::{
    Causes, ElementOrder, Marks, Object, Sentence, Str, Type, Value, ValueMeasure, print,
};

use super::machine::{CodeMachine, room, sentence, to_primitive, unknown_dynamic};
use crate::code::{ForNode, OpId};
use crate::codes;

/// The elements of the collection that a `for` iterates over, by kind of collection.
pub(super) enum LoopElements<'v> {
    Sequence(&'v [Value]),
    Set(&'v [Value]),
    Map(&'v [(Str, Value)]),
    Object(&'v Object),
    /// The elements of a list or a set, in an order that is not known.
    Open(&'v [Value]),
}

impl<'v> LoopElements<'v> {
    /// Returns the elements of an unmarked value for iteration; `None` if the value is not a collection.
    pub(super) fn of(value: &'v Value) -> Option<LoopElements<'v>> {
        Some(match value {
            Value::List(list) => LoopElements::Sequence(list.items()),
            Value::Tuple(tuple) => LoopElements::Sequence(tuple.items()),
            Value::Set(set) => LoopElements::Set(set.items()),
            Value::Map(map) => LoopElements::Map(map.entries()),
            Value::Object(object) => LoopElements::Object(object),
            open => LoopElements::Open(open.open_items()?),
        })
    }

    /// Returns the number of elements of the collection.
    pub(super) fn len(&self) -> usize {
        match self {
            LoopElements::Sequence(items)
            | LoopElements::Set(items)
            | LoopElements::Open(items) => items.len(),
            LoopElements::Map(entries) => entries.len(),
            LoopElements::Object(object) => object.len(),
        }
    }

    /// Returns the value of the collection's element at an index.
    fn value(&self, at: usize) -> Value {
        match self {
            LoopElements::Sequence(items)
            | LoopElements::Set(items)
            | LoopElements::Open(items) => items[at].clone(),
            LoopElements::Map(entries) => entries[at].1.clone(),
            LoopElements::Object(object) => object.values()[at].clone(),
        }
    }

    /// Returns the key of the element at an index: its position, its name, in a set the element itself; unknown for elements in
    /// unknown order.
    fn key(&self, at: usize) -> Value {
        match self {
            LoopElements::Sequence(_) => Value::int(at as i64),
            LoopElements::Set(items) => items[at].clone(),
            // A position, or the element itself.
            LoopElements::Open(_) => unknown_dynamic(),
            LoopElements::Map(entries) => Value::String(entries[at].0.clone()),
            LoopElements::Object(object) => Value::String(object.names().as_slice()[at].clone()),
        }
    }
}

/// The evaluated collection of a loop: known, unknown, or an error that is reported.
pub(super) enum LoopCollection {
    /// A value that can be iterated, without its own marks, and those marks.
    Known(Value, Marks),
    /// A collection that is unknown, with its type as far as that is known.
    Unknown { causes: Causes, marks: Marks, ty: Type },
    /// An error, which was reported.
    Failed,
}

/// The result of the condition or the key of a `for` for one element: the element is taken, skipped, or makes the whole result
/// unknown.
enum ElementVerdict<T> {
    Take(T),
    Skip,
    /// The condition or key is unknown, so that the whole result is unknown.
    Unknown,
}

/// The entries of an object under construction, without duplicates: a list while names arrive in sorted order, a tree after the
/// first one that does not.
enum ObjectEntries {
    Ordered(Vec<(Str, Value)>),
    Tree(BTreeMap<Str, Value>),
}

impl ObjectEntries {
    /// Creates an object without entries, with room for `count` of them.
    fn with_capacity(count: usize) -> ObjectEntries {
        ObjectEntries::Ordered(Vec::with_capacity(count))
    }

    /// Adds an entry to the object; if the name exists already, keeps the old entry and returns the name as the error.
    fn insert(&mut self, name: Str, value: Value) -> Result<(), Str> {
        if let ObjectEntries::Ordered(list) = self {
            if list.last().is_none_or(|(last, _)| *last < name) {
                list.push((name, value));
                return Ok(());
            }
            *self = ObjectEntries::Tree(std::mem::take(list).into_iter().collect());
        }
        let ObjectEntries::Tree(tree) = self else { return Ok(()) };
        match tree.entry(name) {
            Entry::Vacant(place) => {
                place.insert(value);
                Ok(())
            }
            Entry::Occupied(place) => Err(place.key().clone()),
        }
    }

    /// Returns the object with all entries added so far.
    fn into_object(self) -> Value {
        match self {
            ObjectEntries::Ordered(list) => Value::object(list),
            ObjectEntries::Tree(tree) => Value::object(tree),
        }
    }
}

/// The state of the evaluation of a loop: `known` becomes false at an unknown condition or key, and `marks` and `causes` are
/// those of the loop's result.
struct LoopProgress {
    known: bool,
    marks: Marks,
    causes: Causes,
}

impl CodeMachine<'_, '_> {
    /// Evaluates the collection of a `for`, and reports a value that cannot be iterated.
    pub(super) fn collection(&mut self, id: OpId) -> LoopCollection {
        let errors = self.errors();
        let value = self.eval(id);
        if self.errors() > errors {
            return LoopCollection::Failed;
        }
        let span = self.code.span_of(id);
        let (bare, marks) = value.unmark();
        let walkable = match &bare {
            Value::Null(_) => {
                let detail = "This is null, so there is nothing to iterate over. Use an empty \
                              collection where there may be none.";
                self.fail(&codes::NOT_ITERABLE, span, detail);
                return LoopCollection::Failed;
            }
            Value::Unknown(unknown) => match &unknown.ty {
                Type::Dynamic | Type::Tuple(_) | Type::Object(_) => true,
                ty => ty.is_collection(),
            },
            known => LoopElements::of(known).is_some(),
        };
        if !walkable || super::machine::is_type_text(&value) {
            let ty = print::with_article(&bare.ty());
            let detail =
                sentence(&format!("{ty} has no elements; a list, set, map, tuple or object does"));
            self.fail(&codes::NOT_ITERABLE, span, detail);
            return LoopCollection::Failed;
        }
        match bare {
            open @ Value::Unknown(_) if open.open_items().is_some() => {
                LoopCollection::Known(open, marks)
            }
            Value::Unknown(unknown) => {
                // A value of unknown type is not inspected, and its marks are dropped.
                let marks = if unknown.ty == Type::Dynamic { Marks::NONE } else { marks };
                LoopCollection::Unknown {
                    causes: unknown.causes.clone(),
                    marks,
                    ty: unknown.ty.clone(),
                }
            }
            known => LoopCollection::Known(known, marks),
        }
    }

    /// Sets the variables of a `for` to the key and value of the collection's element at an index.
    pub(super) fn bind_element(&mut self, each: &ForNode, elements: &LoopElements<'_>, at: usize) {
        if let Some(slot) = each.key_slot {
            self.bind(slot, elements.key(at));
        }
        self.bind(each.value_slot, elements.value(at));
    }

    /// Evaluates a `for` expression of either form to a tuple or an object, or to an unknown.
    #[inline(never)]
    pub(super) fn iterate(&mut self, each: &ForNode) -> Value {
        let mut of_any = false;
        let (collection, unknown, marks) = match self.collection(each.collection) {
            LoopCollection::Known(value, marks) => (value, None, marks),
            LoopCollection::Unknown { causes, marks, ty } if self.context.samples => {
                return self.with_marks(&marks, |one| one.sampled(each, &ty, &causes)).mark(&marks);
            }
            LoopCollection::Unknown { causes, marks, ty } => {
                of_any = ty == Type::Dynamic;
                (Value::NULL, Some(causes), marks)
            }
            LoopCollection::Failed => return unknown_dynamic(),
        };
        let mut progress = LoopProgress { known: true, marks, causes: Causes::NONE };
        if let Some(condition) = each.condition.filter(|_| !of_any) {
            match self.probe(each, condition) {
                Some(own) if unknown.is_some() => progress.marks = progress.marks.union(&own),
                Some(_) => {}
                None => return unknown_dynamic(),
            }
        }
        if let Some(causes) = unknown {
            return Value::unknown_because(Type::Dynamic, causes).mark(&progress.marks);
        }
        let Some(elements) = LoopElements::of(&collection) else { return unknown_dynamic() };
        if let LoopElements::Open(_) = elements {
            progress.causes = collection.deep_causes();
        }
        // The key of an entry is a text of its own.
        let parts = elements.len() * if each.key.is_some() { 4 } else { 1 };
        if !self.hold(room(parts), each.value) {
            return unknown_dynamic();
        }
        // The marks of the collection go to the result; its elements are walked without them.
        let own = progress.marks.clone();
        let made = self.with_marks(&own, |machine| match each.key {
            Some(key) => machine.iterate_object(each, key, &elements, &mut progress),
            None => machine.iterate_tuple(each, &elements, &mut progress),
        });
        self.bind(each.value_slot, Value::NULL);
        if progress.known {
            let made = match (&elements, made) {
                // Their order is not known.
                (LoopElements::Open(_), Value::Tuple(tuple)) if tuple.items().len() > 1 => {
                    let items = tuple.items().to_vec();
                    Value::open_elements(items, ElementOrder::Unknown, progress.causes.clone())
                }
                (_, made) => made,
            };
            return made.marked(&progress.marks);
        }
        Value::unknown_because(Type::Dynamic, progress.causes).mark(&progress.marks)
    }

    /// Evaluates the condition of a `for` with unknown loop variables, to report its errors once; returns the marks of its
    /// value, or `None` if it has errors.
    fn probe(&mut self, each: &ForNode, condition: OpId) -> Option<Marks> {
        if let Some(slot) = each.key_slot {
            self.bind(slot, unknown_dynamic());
        }
        self.bind(each.value_slot, unknown_dynamic());
        let errors = self.errors();
        let value = self.eval(condition);
        if self.errors() > errors {
            return None;
        }
        let marks = value.marks();
        self.flag(value, condition, true)?;
        Some(marks)
    }

    /// Converts the value of a condition to a bool; `None` if that is not possible, which is reported if `report` is set.
    pub(super) fn flag(&mut self, value: Value, condition: OpId, report: bool) -> Option<Value> {
        let detail = if value.is_null() {
            "The condition is null; it must be true or false for every element.".to_owned()
        } else {
            match to_primitive(value, &Type::Bool) {
                Ok(flag) => return Some(flag),
                Err(why) => sentence(&why.message),
            }
        };
        if report {
            let span = self.code.span_of(condition);
            self.fail(&codes::CONDITION, span, detail);
        }
        None
    }

    /// Evaluates the condition of a `for` for the current element; without a condition every element is taken.
    fn condition(&mut self, each: &ForNode, progress: &mut LoopProgress) -> ElementVerdict<()> {
        let Some(condition) = each.condition else { return ElementVerdict::Take(()) };
        let errors = self.errors();
        let value = self.eval(condition);
        if self.errors() > errors {
            return ElementVerdict::Unknown;
        }
        if let Value::Bool(flag) = value {
            return if flag { ElementVerdict::Take(()) } else { ElementVerdict::Skip };
        }
        if let Value::Unknown(unknown) = value.bare() {
            // For an object the unknown must be convertible to bool; for a tuple that is checked once it is known.
            if each.key.is_some() && self.flag(value.clone(), condition, progress.known).is_none() {
                return ElementVerdict::Unknown;
            }
            progress.causes.add(&unknown.causes);
            progress.marks = progress.marks.union(&value.marks());
            return ElementVerdict::Unknown;
        }
        let Some(flag) = self.flag(value, condition, progress.known) else {
            return ElementVerdict::Unknown;
        };
        progress.marks = progress.marks.union(&flag.marks());
        match flag.bare() {
            Value::Bool(true) => ElementVerdict::Take(()),
            _ => ElementVerdict::Skip,
        }
    }

    /// Evaluates a `for` over known elements to a tuple of its values.
    fn iterate_tuple(
        &mut self,
        each: &ForNode,
        elements: &LoopElements<'_>,
        progress: &mut LoopProgress,
    ) -> Value {
        let mut items = Vec::with_capacity(elements.len());
        let mut whole = ValueMeasure::PARENT;
        for at in 0..elements.len() {
            if !self.advance(each.value) {
                break;
            }
            self.bind_element(each, elements, at);
            match self.condition(each, progress) {
                ElementVerdict::Take(()) => {}
                ElementVerdict::Skip => continue,
                ElementVerdict::Unknown => {
                    progress.known = false;
                    continue;
                }
            }
            let value = self.eval(each.value);
            if !self.take_in(&mut whole, &value, each.value) {
                break;
            }
            items.push(value);
        }
        Value::tuple(items)
    }

    /// Evaluates a `for` over known elements to an object, of tuples if it groups; reports duplicate keys.
    fn iterate_object(
        &mut self,
        each: &ForNode,
        key: OpId,
        elements: &LoopElements<'_>,
        progress: &mut LoopProgress,
    ) -> Value {
        let mut single = ObjectEntries::with_capacity(elements.len());
        let mut groups: BTreeMap<Str, Vec<Value>> = BTreeMap::new();
        let is_open = matches!(elements, LoopElements::Open(_));
        let mut whole = ValueMeasure::PARENT;
        for at in 0..elements.len() {
            if !self.advance(each.value) {
                break;
            }
            self.bind_element(each, elements, at);
            let verdict = match self.condition(each, progress) {
                ElementVerdict::Take(()) => self.name(key, progress),
                ElementVerdict::Skip => ElementVerdict::Skip,
                ElementVerdict::Unknown => ElementVerdict::Unknown,
            };
            let name = match verdict {
                ElementVerdict::Take(name) => name,
                ElementVerdict::Skip => continue,
                ElementVerdict::Unknown => {
                    progress.known = false;
                    continue;
                }
            };
            let value = self.eval(each.value);
            if !self.take_in(&mut whole, &value, each.value) {
                break;
            }
            if each.group {
                groups.entry(name).or_default().push(value);
                continue;
            }
            match single.insert(name, value) {
                Ok(()) => {}
                // In a set that may be one element.
                Err(_) if is_open => progress.known = false,
                Err(name) => self.duplicate(key, &name, progress),
            }
        }
        // The order within a group is unknown, too.
        if is_open && groups.values().any(|group| group.len() > 1) {
            progress.known = false;
        }
        if each.group {
            return Value::object(
                groups.into_iter().map(|(name, items)| (name, Value::tuple(items))),
            );
        }
        single.into_object()
    }

    /// Evaluates the key expression of a `for` for the current element, which must convert to a string.
    fn name(&mut self, key: OpId, progress: &mut LoopProgress) -> ElementVerdict<Str> {
        let errors = self.errors();
        let value = self.eval(key);
        if self.errors() > errors {
            return ElementVerdict::Unknown;
        }
        if let Value::String(name) = value {
            return ElementVerdict::Take(name);
        }
        let (value, marks) = value.unmark();
        progress.marks = progress.marks.union(&marks);
        let detail = match value {
            Value::Null(_) => {
                "The key is null for this element; a key must be a string.".to_owned()
            }
            Value::Unknown(unknown) => {
                progress.causes.add(&unknown.causes);
                return ElementVerdict::Unknown;
            }
            known => match to_primitive(known, &Type::String) {
                Ok(Value::String(name)) => return ElementVerdict::Take(name),
                Ok(_) => return ElementVerdict::Unknown,
                Err(why) => sentence(&why.message),
            },
        };
        if progress.known {
            let span = self.code.span_of(key);
            self.fail(&codes::OBJECT_KEY, span, detail);
        }
        ElementVerdict::Unknown
    }

    /// Reports an object key that two elements of a `for` have; the message omits the key if the marks in `progress` hide it.
    fn duplicate(&mut self, key: OpId, name: &Str, progress: &LoopProgress) {
        let span = self.code.span_of(key);
        let hidden = progress.marks.hide();
        let which = match hidden || self.hidden {
            true => "Two elements yield the same (sensitive) key".to_owned(),
            false => format!("Two elements yield the key \"{}\"", name.escape_debug()),
        };
        let detail = format!("{which}. To group the values by key, add `...` after the value.");
        self.fail(&codes::DUPLICATE_KEY, span, Sentence::trusted(detail));
    }
}
