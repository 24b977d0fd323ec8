//! The value of a resource instance. Without a schema only configured and recorded attributes are known: any other attribute is
//! unknown, never an error and never a guess. The value as a whole is an open object.

use std::sync::{Arc, Mutex, OnceLock};

use groma_eval::Step;
use groma_value::{
    CauseChanges, Causes, ElementOrder, Fingerprint, Marks, Refinement, Str, Type, Value,
    ValueMeasure, interchangeable,
};

/// The object of a resource instance, known wholly or as far as it is configured.
#[derive(Clone, Debug)]
pub(crate) enum InstanceObject {
    /// A value with all attributes.
    Whole(Value),
    /// A partly known value.
    Written(Box<PartlyKnown>),
}

/// The object of a resource instance of which only the configured part is known.
#[derive(Clone, Default, Debug)]
pub(crate) struct PartlyKnown {
    written: WrittenBody,
    /// The value for views, on first use.
    shown: OnceLock<Value>,
    /// The value for references, on first use.
    open: OnceLock<Value>,
}

impl PartlyKnown {
    /// Returns the configured arguments and blocks, with their values.
    pub(crate) fn written(&self) -> &WrittenBody {
        &self.written
    }

    /// Returns the configured body as an object for display, in which null arguments are unknown.
    fn shown(&self) -> Value {
        self.shown.get_or_init(|| self.written.shown()).clone()
    }

    /// Returns the body as an object, built once, in which the configured arguments and blocks have their values and all other
    /// attributes are unknown.
    fn open(&self) -> Value {
        self.open.get_or_init(|| self.written.open()).clone()
    }
}

/// A lock around the most recent object of a resource, whose equal parts the next instances share.
pub(crate) type Model = Mutex<Option<Arc<groma_value::Object>>>;

/// A body as configured: the values of its arguments and blocks.
#[derive(Clone, Default, Debug)]
pub(crate) struct WrittenBody {
    /// In source order.
    pub(crate) arguments: Vec<(Str, Value)>,
    /// Nested blocks by type, in source order; `None` if their number is unknown.
    pub(crate) blocks: Vec<(Str, Option<Vec<WrittenBody>>)>,
    /// The causes of unknown attributes.
    pub(crate) causes: Causes,
    /// The marks of the whole object.
    pub(crate) marks: Marks,
    /// The fingerprint of the attributes that are not configured.
    pub(crate) rest: Option<Fingerprint>,
    /// The fingerprints of blocks whose number is unknown, by type.
    pub(crate) uncounted: Vec<(Str, Option<Fingerprint>)>,
}

impl InstanceObject {
    /// Returns the object of a resource instance of which only the configured body is known.
    pub(crate) fn of(written: WrittenBody) -> InstanceObject {
        InstanceObject::Written(Box::new(PartlyKnown { written, ..PartlyKnown::default() }))
    }

    /// Returns the object of a resource instance of which nothing is known.
    pub(crate) fn blank() -> InstanceObject {
        InstanceObject::of(WrittenBody::default())
    }

    /// Returns the total depth and size of the values in the object; of a partly known one, of the configured arguments.
    pub(crate) fn measured(&self) -> ValueMeasure {
        let mut all = ValueMeasure::PARENT;
        match self {
            InstanceObject::Whole(value) => all.add(value.measure()),
            InstanceObject::Written(known) => {
                known.written.arguments.iter().for_each(|(_, value)| all.add(value.measure()));
            }
        }
        all
    }

    /// Returns the part of the object that the first of `steps` select, and the number of steps followed. A wholly known object
    /// is returned as it is, with 0.
    pub(crate) fn follow(&self, steps: &[Step]) -> (Value, usize) {
        match self {
            InstanceObject::Whole(value) => (value.clone(), 0),
            InstanceObject::Written(known) => known.written.follow(steps),
        }
    }

    /// Returns the object with the attributes named in `parts` replaced by the values there. In a partly known one, attributes
    /// that are not configured are added.
    pub(crate) fn with(self, parts: Vec<(Str, Value)>) -> InstanceObject {
        if parts.is_empty() {
            return self;
        }
        match self {
            InstanceObject::Whole(value) => {
                let (bare, marks) = value.unmark();
                let Value::Object(object) = &bare else { return InstanceObject::Whole(value) };
                let own = object.iter().map(|(name, value)| {
                    let other = parts.iter().find(|(known, _)| known == name);
                    (name.clone(), other.map_or(value, |(_, value)| value).clone())
                });
                InstanceObject::Whole(Value::object(own.collect::<Vec<_>>()).mark(&marks))
            }
            InstanceObject::Written(known) => {
                let mut written = known.written;
                let is_new = |name: &Str| parts.iter().all(|(known, _)| known != name);
                written.arguments.retain(|(name, _)| is_new(name));
                written.blocks.retain(|(kind, _)| is_new(kind));
                written.arguments.extend(parts);
                InstanceObject::of(written)
            }
        }
    }

    /// Returns an object value with only the attribute `name`; a wholly known object is returned as it is, which costs nothing.
    pub(crate) fn project(&self, name: &Str) -> Value {
        match self {
            InstanceObject::Whole(value) => value.clone(),
            InstanceObject::Written(known) => {
                Value::object([(name.clone(), known.written.named(name).0)])
            }
        }
    }

    /// Returns the known part of the object, for display.
    pub(crate) fn shown(&self) -> Value {
        match self {
            InstanceObject::Whole(value) => value.clone(),
            InstanceObject::Written(known) => known.shown(),
        }
    }

    /// Returns true if the objects of two instances are [interchangeable] as values; `changed` are the causes that do not mean
    /// the same in both evaluations, because their place or number has changed.
    pub(crate) fn interchangeable(&self, other: &InstanceObject, changed: &CauseChanges) -> bool {
        match (self, other) {
            (InstanceObject::Whole(one), InstanceObject::Whole(other)) => {
                interchangeable(one, other, changed)
            }
            (InstanceObject::Written(one), InstanceObject::Written(other)) => {
                one.written.interchangeable(&other.written, changed)
            }
            _ => false,
        }
    }

    /// Returns the object as a value, in which attributes that are not configured may be unknown.
    pub(crate) fn value(&self) -> Value {
        match self {
            InstanceObject::Whole(value) => value.clone(),
            InstanceObject::Written(known) => known.open(),
        }
    }
}

/// The name of the `timeouts` block, which any resource of the older provider SDK may have: its value is a single object, never a
/// list of blocks.
const TIMEOUTS: &str = "timeouts";

impl WrittenBody {
    /// Returns true if two bodies have interchangeable values in the same order; `changed` are causes that do not mean the same
    /// in both evaluations.
    fn interchangeable(&self, other: &WrittenBody, changed: &CauseChanges) -> bool {
        let all = |one: &[WrittenBody], other: &[WrittenBody]| {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| one.interchangeable(other, changed))
        };
        let mut arguments = self.arguments.iter().zip(&other.arguments);
        let mut blocks = self.blocks.iter().zip(&other.blocks);
        (self.arguments.len(), self.blocks.len()) == (other.arguments.len(), other.blocks.len())
            && (self.rest, &self.uncounted) == (other.rest, &other.uncounted)
            && self.causes.interchangeable(&other.causes, changed)
            && self.marks.interchangeable(&other.marks, changed)
            && arguments.all(|((a, x), (b, y))| a == b && interchangeable(x, y, changed))
            && blocks.all(|((a, one), (b, other))| {
                a == b
                    && match (one, other) {
                        (Some(one), Some(other)) => all(one, other),
                        (None, None) => true,
                        _ => false,
                    }
            })
    }

    /// Returns the unknown value of the attribute `name`, which is not configured, refined to be not null if `not_null`.
    fn unknown(&self, name: &str, not_null: bool) -> Value {
        let refinement = Refinement { not_null, ..Refinement::default() };
        let value = Value::refined(Type::Dynamic, refinement, self.causes.clone());
        self.traced(value, name).mark(&self.marks)
    }

    /// Returns `value`, the unknown value of the attribute `name` that is not configured, with its fingerprint, if that is
    /// computed.
    fn traced(&self, value: Value, name: &str) -> Value {
        let own = self.uncounted.iter().find(|(kind, _)| **kind == *name);
        match own.map_or(self.rest, |(_, own)| *own) {
            Some(rest) => value.traced(rest.with(name)),
            None => value,
        }
    }

    /// Sets the fingerprints of what is not known of the body: blocks of unknown number get those that `uncounted` holds by block
    /// type; attributes that are not configured, also those of nested blocks, get fingerprints made from `rest`.
    pub(crate) fn trace(&mut self, rest: Fingerprint, uncounted: Vec<(Str, Option<Fingerprint>)>) {
        self.rest = Some(rest);
        self.uncounted = uncounted;
        for (kind, blocks) in &mut self.blocks {
            for (at, block) in blocks.iter_mut().flatten().enumerate() {
                block.trace(rest.with((&**kind, at)), Vec::new());
            }
        }
    }

    /// Returns the value that the first of `steps` select in the body, and the number of steps followed.
    fn follow(&self, steps: &[Step]) -> (Value, usize) {
        let Some(Step::Attribute(name)) = steps.first() else {
            let key = match steps.first() {
                Some(Step::Index(key)) => groma_module::resolve::key_text(key),
                _ => None,
            };
            return match key {
                Some(key) => self.named(&key),
                None => (self.open(), 0),
            };
        };
        self.named(name)
    }

    /// Returns the value of the argument or of all blocks with this name, unknown if there are none, and the number of reference
    /// steps that it took, always 1.
    fn named(&self, name: &str) -> (Value, usize) {
        if let Some((_, value)) = self.arguments.iter().find(|(known, _)| **known == *name) {
            // A null lets the provider choose the value.
            return match value.is_null() {
                true => (self.unknown(name, false), 1),
                false => (value.mark(&self.marks), 1),
            };
        }
        let Some((_, blocks)) = self.blocks.iter().find(|(kind, _)| **kind == *name) else {
            return (self.unknown(name, false), 1);
        };
        (self.blocks(name, blocks.as_deref()), 1)
    }

    /// Returns the value of all `blocks` of one type in the body (`None`: an unknown number), of which only a schema shows if it
    /// is a list or set and which attributes it has. If there are no blocks, the provider may still create some.
    fn blocks(&self, kind: &str, blocks: Option<&[WrittenBody]>) -> Value {
        match blocks {
            Some(blocks) if !blocks.is_empty() && kind != TIMEOUTS => {
                let all = blocks.iter().map(WrittenBody::open).collect();
                let all = Value::open_elements(all, ElementOrder::Given, self.causes.clone());
                self.traced(all, kind).mark(&self.marks)
            }
            _ => self.unknown(kind, true),
        }
    }

    /// Returns the body as an object in which the configured arguments and blocks have their values, and all other attributes and
    /// null arguments are unknown.
    fn open(&self) -> Value {
        let arguments = self.arguments.iter().filter(|(_, value)| !value.is_null()).cloned();
        let blocks = self.blocks.iter();
        let blocks = blocks.map(|(kind, all)| (kind.clone(), self.blocks(kind, all.as_deref())));
        let whole = Value::open_object(arguments.chain(blocks), self.causes.clone());
        self.traced(whole, "").mark(&self.marks)
    }

    /// Replaces the causes of a data source's unknown attributes, including those of nested blocks, by the reasons why it is
    /// read only during apply.
    pub(crate) fn wait_for(&mut self, causes: &Causes) {
        self.causes = causes.clone();
        let blocks = self.blocks.iter_mut().filter_map(|(_, blocks)| blocks.as_mut());
        blocks.flatten().for_each(|block| block.wait_for(causes));
    }

    /// Returns the configured body as an object for display, in which null arguments are unknown.
    fn shown(&self) -> Value {
        let arguments = self.arguments.iter().filter(|(_, value)| !value.is_null()).cloned();
        let blocks = self.blocks.iter().map(|(kind, blocks)| {
            let value = match blocks {
                Some(blocks) => Value::tuple(blocks.iter().map(WrittenBody::shown).collect()),
                None => self.unknown(kind, true),
            };
            (kind.clone(), value)
        });
        Value::object(arguments.chain(blocks)).mark(&self.marks)
    }

    /// Returns the body as an object of exactly the configured arguments and blocks.
    pub(crate) fn config(&self) -> Value {
        let blocks = self.blocks.iter().map(|(kind, blocks)| {
            let value = match blocks {
                Some(blocks) => Value::tuple(blocks.iter().map(WrittenBody::config).collect()),
                None => self.unknown(kind, true),
            };
            (kind.clone(), value)
        });
        Value::object(self.arguments.iter().cloned().chain(blocks))
    }
}
