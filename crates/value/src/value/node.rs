//! The shared nodes behind collections. Each caches a [`ValueSummary`], so that no code walks a deep
//! value to learn whether it holds an unknown or a mark, or how deep it is.

use std::sync::Arc;

use crate::{Marks, Str, Type, Value, ValueMeasure};

/// What a value holds anywhere inside.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ValueSummary {
    /// An unknown.
    pub unknown: bool,
    /// An unknown without a fingerprint.
    pub untraced: bool,
    /// A mark.
    pub marked: bool,
    /// Something that rests on a mock.
    pub mocked: bool,
    /// How deep and how large it is. The evaluator refuses values beyond its limits, which is what makes recursion
    /// over values safe.
    pub measure: ValueMeasure,
}

impl ValueSummary {
    fn over<'v>(values: impl IntoIterator<Item = &'v Value>) -> ValueSummary {
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

    /// An element type counts too: that of an empty collection may be large.
    fn of_elements<'v>(
        element: &Type,
        values: impl IntoIterator<Item = &'v Value>,
    ) -> ValueSummary {
        let mut all = ValueSummary::over(values);
        all.measure.add(element.measure());
        all
    }

    fn with_names<'n>(mut self, names: impl IntoIterator<Item = &'n Str>) -> ValueSummary {
        for name in names {
            self.measure.add_name(name);
        }
        self
    }
}

/// A summary as a node keeps it, in one word. What weighs 4 GiB or more, or nests 2^28 levels, is beyond all bounds anyway.
#[derive(Clone, Copy, Debug)]
struct PackedSummary {
    weight: u32,
    /// The depth, and above it four flags.
    depth: u32,
}

impl PackedSummary {
    const UNKNOWN: u32 = 1 << 31;
    const MARKED: u32 = 1 << 30;
    const MOCKED: u32 = 1 << 29;
    const UNTRACED: u32 = 1 << 28;
    const DEPTH: u32 = PackedSummary::UNTRACED - 1;

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

const _: () = assert!(size_of::<Tuple>() <= 32 && size_of::<Object>() <= 40);

/// A list's elements and their one type.
#[derive(Debug)]
pub struct List {
    element: Arc<Type>,
    items: Vec<Value>,
    summary: PackedSummary,
}

impl List {
    /// The list of `items`, all of type `element`.
    pub fn new(element: Type, items: Vec<Value>) -> List {
        let summary = PackedSummary::of(ValueSummary::of_elements(&element, &items));
        List { element: Arc::new(element), items, summary }
    }
    /// The elements in order.
    pub fn items(&self) -> &[Value] {
        &self.items
    }
    /// The element type.
    pub fn element(&self) -> &Type {
        &self.element
    }
    pub(crate) fn element_arc(&self) -> &Arc<Type> {
        &self.element
    }
    /// Takes the children out, for a drop that does not recurse.
    pub(super) fn take_items(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.items)
    }
    pub(crate) fn summary(&self) -> ValueSummary {
        self.summary.unpacked()
    }
}

/// The elements of a tuple, the attributes of an object or their names: for one alone the node itself has the room.
#[derive(PartialEq, Eq, Hash, Debug)]
enum NodeItems<T> {
    One([T; 1]),
    Many(Box<[T]>),
}

impl<T> NodeItems<T> {
    fn of(items: Vec<T>) -> NodeItems<T> {
        match <[T; 1]>::try_from(items) {
            Ok(one) => NodeItems::One(one),
            Err(many) => NodeItems::Many(many.into()),
        }
    }

    #[inline]
    fn as_slice(&self) -> &[T] {
        match self {
            NodeItems::One(one) => one,
            NodeItems::Many(many) => many,
        }
    }

    fn take(&mut self) -> Vec<T> {
        match std::mem::replace(self, NodeItems::Many(Box::default())) {
            NodeItems::One(one) => one.into(),
            NodeItems::Many(many) => many.into_vec(),
        }
    }
}

/// A tuple's elements.
#[derive(Debug)]
pub struct Tuple {
    items: NodeItems<Value>,
    summary: PackedSummary,
}

impl Tuple {
    /// The tuple of `items`.
    pub fn new(items: Vec<Value>) -> Tuple {
        let summary = PackedSummary::of(ValueSummary::over(&items));
        Tuple { items: NodeItems::of(items), summary }
    }
    /// The elements, taken out of a tuple that has no other owner.
    pub(crate) fn into_items(mut self) -> Vec<Value> {
        self.take_items()
    }
    /// The elements in order.
    #[inline]
    pub fn items(&self) -> &[Value] {
        self.items.as_slice()
    }
    /// Takes the children out, for a drop that does not recurse.
    pub(super) fn take_items(&mut self) -> Vec<Value> {
        self.items.take()
    }
    pub(crate) fn summary(&self) -> ValueSummary {
        self.summary.unpacked()
    }
}

/// A set's elements: distinct, in the references' order, without marks.
#[derive(Debug)]
pub struct Set {
    element: Arc<Type>,
    items: Vec<Value>,
    summary: PackedSummary,
}

impl Set {
    /// Orders and thins `items`; their marks move to the set as a whole.
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
    /// The elements in iteration order.
    pub fn items(&self) -> &[Value] {
        &self.items
    }
    /// The element type.
    pub fn element(&self) -> &Type {
        &self.element
    }
    pub(crate) fn element_arc(&self) -> &Arc<Type> {
        &self.element
    }
    /// Takes the children out, for a drop that does not recurse.
    pub(super) fn take_items(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.items)
    }
    pub(crate) fn summary(&self) -> ValueSummary {
        self.summary.unpacked()
    }
}

/// A map's entries, sorted by key.
#[derive(Debug)]
pub struct Map {
    element: Arc<Type>,
    entries: Vec<(Str, Value)>,
    summary: PackedSummary,
}

impl Map {
    /// The map of `entries`, in any order; of equal keys the last wins.
    pub fn new(element: Type, entries: impl IntoIterator<Item = (Str, Value)>) -> Map {
        let entries = sorted(entries);
        let summary = ValueSummary::of_elements(&element, entries.iter().map(|(_, value)| value))
            .with_names(entries.iter().map(|(name, _)| name));
        let summary = PackedSummary::of(summary);
        Map { element: Arc::new(element), entries, summary }
    }
    /// The entries, sorted by key.
    pub fn entries(&self) -> &[(Str, Value)] {
        &self.entries
    }
    /// The value of a key (NFC).
    pub fn get(&self, key: &str) -> Option<&Value> {
        let at = self.entries.binary_search_by(|(k, _)| k.as_ref().cmp(key)).ok()?;
        Some(&self.entries[at].1)
    }
    /// The element type.
    pub fn element(&self) -> &Type {
        &self.element
    }
    pub(crate) fn element_arc(&self) -> &Arc<Type> {
        &self.element
    }
    /// Takes the children out, for a drop that does not recurse.
    pub(super) fn take_items(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.entries).into_iter().map(|(_, value)| value).collect()
    }
    pub(crate) fn summary(&self) -> ValueSummary {
        self.summary.unpacked()
    }
}

/// The attribute names of an object, sorted; objects made by one expression share them.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct AttributeNames(NodeItems<Str>);

impl AttributeNames {
    /// The names, sorted, each once.
    pub fn new(names: impl IntoIterator<Item = Str>) -> Arc<AttributeNames> {
        let mut names: Vec<Str> = names.into_iter().collect();
        names.sort();
        names.dedup();
        Arc::new(AttributeNames(NodeItems::of(names)))
    }
    /// The names in order.
    #[inline]
    pub fn as_slice(&self) -> &[Str] {
        self.0.as_slice()
    }
    /// The position of a name (NFC).
    pub fn position(&self, name: &str) -> Option<usize> {
        self.as_slice().binary_search_by(|n| n.as_ref().cmp(name)).ok()
    }
}

/// An object's attributes: shared names and one value each.
#[derive(Debug)]
pub struct Object {
    names: Arc<AttributeNames>,
    values: NodeItems<Value>,
    summary: PackedSummary,
}

impl Object {
    /// The object of these attributes, in any order; of equal names the last wins.
    pub fn new(attributes: impl IntoIterator<Item = (Str, Value)>) -> Object {
        let all = sorted(attributes);
        // With the room that is needed: what has more is moved when it becomes a node.
        let (mut names, mut values) =
            (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
        for (name, value) in all {
            names.push(name);
            values.push(value);
        }
        Object::with_names(Arc::new(AttributeNames(NodeItems::of(names))), values)
    }
    /// The object whose attribute `names[i]` is `values[i]`; mostly the names are in order already, each once.
    pub fn sorted(names: Vec<Str>, values: Vec<Value>) -> Object {
        if names.len() == values.len() && names.windows(2).all(|pair| pair[0] < pair[1]) {
            return Object::with_names(Arc::new(AttributeNames(NodeItems::of(names))), values);
        }
        Object::new(names.into_iter().zip(values))
    }
    /// The object whose attribute `names[i]` is `values[i]`. Both have the same length.
    pub fn with_names(names: Arc<AttributeNames>, mut values: Vec<Value>) -> Object {
        values.resize(names.as_slice().len(), Value::NULL);
        let summary = PackedSummary::of(ValueSummary::over(&values).with_names(names.as_slice()));
        Object { names, values: NodeItems::of(values), summary }
    }
    /// The shared names.
    pub fn names(&self) -> &Arc<AttributeNames> {
        &self.names
    }
    /// The values, in the order of the names.
    #[inline]
    pub fn values(&self) -> &[Value] {
        self.values.as_slice()
    }
    /// The value of an attribute (name in NFC).
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.names.position(name).map(|at| &self.values()[at])
    }
    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Str, &Value)> {
        self.names.as_slice().iter().zip(self.values())
    }
    /// Returns how many attributes.
    pub fn len(&self) -> usize {
        self.values().len()
    }
    /// Returns true if there is no attribute.
    pub fn is_empty(&self) -> bool {
        self.values().is_empty()
    }
    /// Takes the children out, for a drop that does not recurse.
    pub(super) fn take_items(&mut self) -> Vec<Value> {
        self.values.take()
    }
    pub(crate) fn summary(&self) -> ValueSummary {
        self.summary.unpacked()
    }
}

/// A value and the marks it carries itself.
#[derive(Debug)]
pub struct Marked {
    value: Value,
    marks: Marks,
}

impl Marked {
    /// `value` is bare and `marks` is not empty; [`Value::mark`] sees to both.
    pub(crate) fn new(value: Value, marks: Marks) -> Marked {
        Marked { value, marks }
    }
    pub(super) fn into_value(self) -> Value {
        self.value
    }
    /// The value below the marks.
    pub fn value(&self) -> &Value {
        &self.value
    }
    /// The marks.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }
}

/// Sorts by name and keeps the last of equal names.
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
