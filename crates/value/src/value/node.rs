//! The shared nodes of collections. Each caches a [`ValueSummary`], so that no code traverses a deep value to learn if it
//! contains an unknown or a mark, or how deep it is.

use std::sync::Arc;

use crate::{Marks, Str, Type, Value, ValueMeasure};

/// The properties of a value's content at any depth: flags for unknowns and marks, its nesting depth and its size.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ValueSummary {
    /// True if it contains an unknown.
    pub unknown: bool,
    /// True if it contains an unknown without a fingerprint.
    pub untraced: bool,
    /// True if it contains a mark.
    pub marked: bool,
    /// True if it contains a mark that names a mock.
    pub mocked: bool,
    /// The depth and size. The evaluator refuses values beyond its limits, so that recursion over values is safe.
    pub measure: ValueMeasure,
}

impl ValueSummary {
    /// Returns the summary of a value that has these values as its parts.
    fn of_parts<'v>(values: impl IntoIterator<Item = &'v Value>) -> ValueSummary {
        let mut all = ValueSummary { measure: ValueMeasure::PARENT, ..ValueSummary::default() };
        for value in values {
            let one = value.summary();
            all.unknown |= one.unknown;
            all.untraced |= one.untraced;
            all.marked |= one.marked;
            all.mocked |= one.mocked;
            all.measure.add(one.measure);
        }
        all
    }

    /// Returns the summary of a list, set or map with these elements. The element type counts, too: that of an empty collection
    /// may be large.
    fn of_elements<'v>(
        element: &Type,
        values: impl IntoIterator<Item = &'v Value>,
    ) -> ValueSummary {
        let mut all = ValueSummary::of_parts(values);
        all.measure.add(element.measure());
        all
    }

    /// Returns the summary of an object or map with the sizes of its names added.
    fn with_names<'n>(mut self, names: impl IntoIterator<Item = &'n Str>) -> ValueSummary {
        for name in names {
            self.measure.add_name(name);
        }
        self
    }
}

/// The summary of a list, set, tuple, map or object, packed into eight bytes that are stored beside its elements. Sizes from 4
/// GiB and depths from 2^28 saturate, since they exceed all limits.
#[derive(Clone, Copy, Debug)]
struct PackedSummary {
    weight: u32,
    /// The depth in the lower 28 bits, and the four flags.
    depth: u32,
}

impl PackedSummary {
    /// The flag of a packed summary that is set if a part of the value is unknown.
    const UNKNOWN: u32 = 1 << 31;
    /// The flag of a packed summary that is set if a part of the value is marked.
    const MARKED: u32 = 1 << 30;
    /// The flag of a packed summary that is set if a part of the value has a mark that names a mock.
    const MOCKED: u32 = 1 << 29;
    /// The flag of a packed summary that is set if an unknown part of the value has no fingerprint.
    const UNTRACED: u32 = 1 << 28;
    /// The mask of the bits of a packed summary's `depth` that hold the nesting depth; the others are flags.
    const DEPTH: u32 = PackedSummary::UNTRACED - 1;

    /// Packs the summary of a value into eight bytes.
    fn of(summary: ValueSummary) -> PackedSummary {
        let ValueSummary {
            unknown,
            untraced,
            marked,
            mocked,
            measure: ValueMeasure { depth, weight },
        } = summary;
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        let flags = flag(unknown, PackedSummary::UNKNOWN)
            | flag(marked, PackedSummary::MARKED)
            | flag(mocked, PackedSummary::MOCKED)
            | flag(untraced, PackedSummary::UNTRACED);
        PackedSummary {
            weight: u32::try_from(weight).unwrap_or(u32::MAX),
            depth: depth.min(PackedSummary::DEPTH) | flags,
        }
    }

    /// Returns the summary of a value unpacked from its eight bytes.
    #[inline]
    fn unpacked(self) -> ValueSummary {
        let is_set = |flag: u32| self.depth & flag != 0;
        ValueSummary {
            unknown: is_set(PackedSummary::UNKNOWN),
            untraced: is_set(PackedSummary::UNTRACED),
            marked: is_set(PackedSummary::MARKED),
            mocked: is_set(PackedSummary::MOCKED),
            measure: ValueMeasure {
                depth: self.depth & PackedSummary::DEPTH,
                weight: u64::from(self.weight),
            },
        }
    }
}

/// Compile-time check that the heap allocations of tuples and objects stay small.
const _: () = assert!(size_of::<Tuple>() <= 32 && size_of::<Object>() <= 40);

/// A list value: the type of its elements, and the elements.
#[derive(Debug)]
pub struct List {
    element: Arc<Type>,
    items: Vec<Value>,
    summary: PackedSummary,
}

impl List {
    /// Creates a list of items that all have the type `element` already.
    pub fn new(element: Type, items: Vec<Value>) -> List {
        let summary = PackedSummary::of(ValueSummary::of_elements(&element, &items));
        List { element: Arc::new(element), items, summary }
    }
    /// Returns the elements of the list in order.
    pub fn items(&self) -> &[Value] {
        &self.items
    }
    /// Returns the element type of the list.
    pub fn element(&self) -> &Type {
        &self.element
    }
    /// Returns the element type of the list as a shared pointer.
    pub(crate) fn element_arc(&self) -> &Arc<Type> {
        &self.element
    }
    /// Takes out the list's elements, so that they can be dropped without recursion.
    pub(super) fn take_items(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.items)
    }
    /// Returns the cached summary of the list's content: unknowns, marks, depth and size.
    pub(crate) fn summary(&self) -> ValueSummary {
        self.summary.unpacked()
    }
}

/// The elements of a tuple or object, or its attribute names: a single one is stored inline.
#[derive(PartialEq, Eq, Hash, Debug)]
enum NodeItems<T> {
    One([T; 1]),
    Many(Box<[T]>),
}

impl<T> NodeItems<T> {
    /// Creates the storage of a tuple's or object's items, with a single one stored inline.
    fn of(items: Vec<T>) -> NodeItems<T> {
        match <[T; 1]>::try_from(items) {
            Ok(one) => NodeItems::One(one),
            Err(many) => NodeItems::Many(many.into()),
        }
    }

    /// Returns the items as a slice.
    #[inline]
    fn as_slice(&self) -> &[T] {
        match self {
            NodeItems::One(one) => one,
            NodeItems::Many(many) => many,
        }
    }

    /// Takes the items out and leaves an empty list.
    fn take(&mut self) -> Vec<T> {
        match std::mem::replace(self, NodeItems::Many(Box::default())) {
            NodeItems::One(one) => one.into(),
            NodeItems::Many(many) => many.into_vec(),
        }
    }
}

/// A tuple value: elements of any types.
#[derive(Debug)]
pub struct Tuple {
    items: NodeItems<Value>,
    summary: PackedSummary,
}

impl Tuple {
    /// Creates a tuple of items of any types.
    pub fn new(items: Vec<Value>) -> Tuple {
        let summary = PackedSummary::of(ValueSummary::of_parts(&items));
        Tuple { items: NodeItems::of(items), summary }
    }
    /// Takes the elements out of the tuple, without copying them.
    pub(crate) fn into_items(mut self) -> Vec<Value> {
        self.take_items()
    }
    /// Returns the elements of the tuple in order.
    #[inline]
    pub fn items(&self) -> &[Value] {
        self.items.as_slice()
    }
    /// Takes out the tuple's elements, so that they can be dropped without recursion.
    pub(super) fn take_items(&mut self) -> Vec<Value> {
        self.items.take()
    }
    /// Returns the cached summary of the tuple's content: unknowns, marks, depth and size.
    pub(crate) fn summary(&self) -> ValueSummary {
        self.summary.unpacked()
    }
}

/// A set value: distinct elements without marks, in the reference programs' order.
#[derive(Debug)]
pub struct Set {
    element: Arc<Type>,
    items: Vec<Value>,
    summary: PackedSummary,
}

impl Set {
    /// Creates a set value: orders and deduplicates `items` and moves their marks to the set.
    pub(crate) fn value(element: Type, items: Vec<Value>) -> Value {
        let mut marks = Marks::NONE;
        let mut bare = Vec::with_capacity(items.len());
        for item in items {
            let (item, own) = item.unmark_deep();
            marks = marks.union(&own);
            bare.push(item);
        }
        let items = crate::set::arrange(&element, bare);
        let summary = PackedSummary::of(ValueSummary::of_elements(&element, &items));
        Value::Set(Arc::new(Set { element: Arc::new(element), items, summary })).mark(&marks)
    }
    /// Returns the elements of the set in iteration order.
    pub fn items(&self) -> &[Value] {
        &self.items
    }
    /// Returns the element type of the set.
    pub fn element(&self) -> &Type {
        &self.element
    }
    /// Returns the element type of the set as a shared pointer.
    pub(crate) fn element_arc(&self) -> &Arc<Type> {
        &self.element
    }
    /// Takes out the set's elements, so that they can be dropped without recursion.
    pub(super) fn take_items(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.items)
    }
    /// Returns the cached summary of the set's content: unknowns, marks, depth and size.
    pub(crate) fn summary(&self) -> ValueSummary {
        self.summary.unpacked()
    }
}

/// A map value: entries with values of one type, sorted by key.
#[derive(Debug)]
pub struct Map {
    element: Arc<Type>,
    entries: Vec<(Str, Value)>,
    summary: PackedSummary,
}

impl Map {
    /// Creates a map from entries in any order; the last of equal keys wins.
    pub fn new(element: Type, entries: impl IntoIterator<Item = (Str, Value)>) -> Map {
        let entries = sorted(entries);
        let summary = ValueSummary::of_elements(&element, entries.iter().map(|(_, value)| value))
            .with_names(entries.iter().map(|(name, _)| name));
        let summary = PackedSummary::of(summary);
        Map { element: Arc::new(element), entries, summary }
    }
    /// Returns the entries of the map, sorted by key.
    pub fn entries(&self) -> &[(Str, Value)] {
        &self.entries
    }
    /// Returns the value at a key in Normal Form C; `None` if the map does not have it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let at = self.entries.binary_search_by(|(k, _)| k.as_ref().cmp(key)).ok()?;
        Some(&self.entries[at].1)
    }
    /// Returns the type of the map's values.
    pub fn element(&self) -> &Type {
        &self.element
    }
    /// Returns the type of the map's values as a shared pointer.
    pub(crate) fn element_arc(&self) -> &Arc<Type> {
        &self.element
    }
    /// Takes out the map's values, so that they can be dropped without recursion.
    pub(super) fn take_items(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.entries).into_iter().map(|(_, value)| value).collect()
    }
    /// Returns the cached summary of the map's content: unknowns, marks, depth and size.
    pub(crate) fn summary(&self) -> ValueSummary {
        self.summary.unpacked()
    }
}

/// The sorted attribute names of an object, shared by all objects that one expression yields.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct AttributeNames(NodeItems<Str>);

impl AttributeNames {
    /// Creates the list of an object's attribute names, sorted and without duplicates.
    pub fn new(names: impl IntoIterator<Item = Str>) -> Arc<AttributeNames> {
        let mut names: Vec<Str> = names.into_iter().collect();
        names.sort();
        names.dedup();
        Arc::new(AttributeNames(NodeItems::of(names)))
    }
    /// Returns the attribute names as a sorted slice.
    #[inline]
    pub fn as_slice(&self) -> &[Str] {
        self.0.as_slice()
    }
    /// Returns the position of a name in Normal Form C; `None` if it is not among the names.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.as_slice().binary_search_by(|n| n.as_ref().cmp(name)).ok()
    }
}

/// An object value: shared attribute names and one value for each.
#[derive(Debug)]
pub struct Object {
    names: Arc<AttributeNames>,
    values: NodeItems<Value>,
    summary: PackedSummary,
}

impl Object {
    /// Creates an object from attributes in any order; the last of equal names wins.
    pub fn new(attributes: impl IntoIterator<Item = (Str, Value)>) -> Object {
        let all = sorted(attributes);
        // Exact capacity, since a vector with more is copied when it becomes a node.
        let (mut names, mut values) =
            (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
        for (name, value) in all {
            names.push(name);
            values.push(value);
        }
        Object::with_names(Arc::new(AttributeNames(NodeItems::of(names))), values)
    }
    /// Creates the object whose attribute `names[i]` is `values[i]`, without sorting if the names are in order and distinct.
    pub fn sorted(names: Vec<Str>, values: Vec<Value>) -> Object {
        if names.len() == values.len() && names.windows(2).all(|pair| pair[0] < pair[1]) {
            return Object::with_names(Arc::new(AttributeNames(NodeItems::of(names))), values);
        }
        Object::new(names.into_iter().zip(values))
    }
    /// Creates the object whose attribute `names[i]` is `values[i]`; both have the same length.
    pub fn with_names(names: Arc<AttributeNames>, mut values: Vec<Value>) -> Object {
        values.resize(names.as_slice().len(), Value::NULL);
        let summary =
            PackedSummary::of(ValueSummary::of_parts(&values).with_names(names.as_slice()));
        Object { names, values: NodeItems::of(values), summary }
    }
    /// Returns the object's sorted attribute names, shared with other objects.
    pub fn names(&self) -> &Arc<AttributeNames> {
        &self.names
    }
    /// Returns the object's attribute values, in the order of the names.
    #[inline]
    pub fn values(&self) -> &[Value] {
        self.values.as_slice()
    }
    /// Returns the value of an attribute by its name in Normal Form C; `None` if the object does not have it.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.names.position(name).map(|at| &self.values()[at])
    }
    /// Iterates over the object's attribute names and values, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Str, &Value)> {
        self.names.as_slice().iter().zip(self.values())
    }
    /// Returns the number of the object's attributes.
    pub fn len(&self) -> usize {
        self.values().len()
    }
    /// Returns true if the object has no attributes.
    pub fn is_empty(&self) -> bool {
        self.values().is_empty()
    }
    /// Takes out the object's values, so that they can be dropped without recursion.
    pub(super) fn take_items(&mut self) -> Vec<Value> {
        self.values.take()
    }
    /// Returns the cached summary of the object's content: unknowns, marks, depth and size.
    pub(crate) fn summary(&self) -> ValueSummary {
        self.summary.unpacked()
    }
}

/// A value together with its own marks.
#[derive(Debug)]
pub struct Marked {
    value: Value,
    marks: Marks,
}

impl Marked {
    /// Creates a marked value. `value` must have no marks of its own and `marks` must not be empty; [`Value::mark`] ensures
    /// both.
    pub(crate) fn new(value: Value, marks: Marks) -> Marked {
        Marked { value, marks }
    }
    /// Returns the owned content: the value without its own marks.
    pub(super) fn into_value(self) -> Value {
        self.value
    }
    /// Returns the content: the value without its own marks.
    pub fn value(&self) -> &Value {
        &self.value
    }
    /// Returns the marks of the value itself.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }
}

/// Sorts entries by name and keeps the last of equal names.
fn sorted(entries: impl IntoIterator<Item = (Str, Value)>) -> Vec<(Str, Value)> {
    let mut entries: Vec<(Str, Value)> = entries.into_iter().collect();
    if entries.windows(2).all(|pair| pair[0].0 < pair[1].0) {
        return entries;
    }
    entries.reverse();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    entries.dedup_by(|later, kept| later.0 == kept.0);
    entries
}
