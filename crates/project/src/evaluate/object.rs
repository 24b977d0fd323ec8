//! An instance of a resource. Without a schema only what is written is known, and what is recorded: asking for it gives
//! that value, asking for anything else an unknown, never an error and never a guess. As a whole it is an open object.

use std::sync::{Arc, Mutex, OnceLock};

use groma_eval::Step;
use groma_value::{Causes, ElementOrder, Fingerprint, Marks, Refinement, Str, Type, Value};

/// An instance of a resource.
#[derive(Clone, Debug)]
pub(crate) enum InstanceObject {
    /// All its attributes are accounted for.
    Whole(Value),
    /// Only this much is known.
    Written(Box<PartlyKnown>),
}

/// An instance of which only a part is known.
#[derive(Clone, Default, Debug)]
pub(crate) struct PartlyKnown {
    written: WrittenBody,
    /// The same as one object, made on first use: it is asked for often, and every question gets the same one.
    shown: OnceLock<Value>,
    /// The same for references to it.
    open: OnceLock<Value>,
}

impl PartlyKnown {
    /// Returns what is written.
    pub(crate) fn written(&self) -> &WrittenBody {
        &self.written
    }

    /// Returns what is written as one object, for views: a null leaves the value to others.
    fn shown(&self) -> Value {
        self.shown.get_or_init(|| self.written.shown()).clone()
    }

    fn open(&self) -> Value {
        self.open.get_or_init(|| self.written.open()).clone()
    }
}

/// An instance of a resource as it was made, for the sake of what others share with it.
pub(crate) type Model = Mutex<Option<Arc<groma_value::Object>>>;

/// A body as it is written.
#[derive(Clone, Default, Debug)]
pub(crate) struct WrittenBody {
    /// In source order.
    pub(crate) arguments: Vec<(Str, Value)>,
    /// Nested blocks by kind, in source order; none where their number is not known.
    pub(crate) blocks: Vec<(Str, Option<Vec<WrittenBody>>)>,
    /// The reason why the rest is unknown.
    pub(crate) causes: Causes,
    /// The marks of every value of the object.
    pub(crate) marks: Marks,
    /// The fingerprint of what is not written.
    pub(crate) rest: Option<Fingerprint>,
    /// Those of the blocks whose number is not known, by kind.
    pub(crate) uncounted: Vec<(Str, Option<Fingerprint>)>,
}

impl InstanceObject {
    /// One of which only this much is known.
    pub(crate) fn of(written: WrittenBody) -> InstanceObject {
        InstanceObject::Written(Box::new(PartlyKnown { written, ..PartlyKnown::default() }))
    }

    /// One of which nothing is known.
    pub(crate) fn blank() -> InstanceObject {
        InstanceObject::of(WrittenBody::default())
    }

    /// The value that the literal `steps` lead to, and how many of them it took.
    pub(crate) fn follow(&self, steps: &[Step]) -> (Value, usize) {
        match self {
            InstanceObject::Whole(value) => (value.clone(), 0),
            InstanceObject::Written(known) => known.written.follow(steps),
        }
    }

    /// The same with other attributes. Of what only little is known, they stand beside what is written.
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

    /// The object as seen by a reader of one attribute only.
    pub(crate) fn project(&self, name: &Str) -> Value {
        match self {
            InstanceObject::Whole(value) => value.clone(),
            InstanceObject::Written(known) => {
                Value::object([(name.clone(), known.written.named(name).0)])
            }
        }
    }

    /// Returns what is known of it, for views.
    pub(crate) fn shown(&self) -> Value {
        match self {
            InstanceObject::Whole(value) => value.clone(),
            InstanceObject::Written(known) => known.shown(),
        }
    }

    /// The whole as one value.
    pub(crate) fn value(&self) -> Value {
        match self {
            InstanceObject::Whole(value) => value.clone(),
            InstanceObject::Written(known) => known.open(),
        }
    }
}

/// The one kind of block that every resource of the older kit may have, and always as an object: it is walked by what it
/// holds, as no list of blocks is.
const TIMEOUTS: &str = "timeouts";

impl WrittenBody {
    /// An unknown in place of something that is not written.
    fn unknown(&self, name: &str, not_null: bool) -> Value {
        let refinement = Refinement { not_null, ..Refinement::default() };
        let value = Value::refined(Type::Dynamic, refinement, self.causes.clone());
        self.traced(value, name).mark(&self.marks)
    }

    /// Something that is not written, with its fingerprint.
    fn traced(&self, value: Value, name: &str) -> Value {
        let own = self.uncounted.iter().find(|(kind, _)| **kind == *name);
        match own.map_or(self.rest, |(_, own)| *own) {
            Some(rest) => value.traced(rest.with(name)),
            None => value,
        }
    }

    /// Gives what is not written a fingerprint, inner blocks included.
    pub(crate) fn trace(&mut self, rest: Fingerprint, uncounted: Vec<(Str, Option<Fingerprint>)>) {
        self.rest = Some(rest);
        self.uncounted = uncounted;
        for (kind, blocks) in &mut self.blocks {
            for (at, block) in blocks.iter_mut().flatten().enumerate() {
                block.trace(rest.with((&**kind, at)), Vec::new());
            }
        }
    }

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

    fn named(&self, name: &str) -> (Value, usize) {
        if let Some((_, value)) = self.arguments.iter().find(|(known, _)| **known == *name) {
            // A null leaves it to the provider what the value will be.
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

    /// The blocks of one kind: whether they are a list or a set, and what else they hold, only a schema could say. Where
    /// there is none, the provider may still make some.
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

    /// Returns what is written as one object of which the rest is unknown. A null leaves the value to others.
    fn open(&self) -> Value {
        let arguments = self.arguments.iter().filter(|(_, value)| !value.is_null()).cloned();
        let blocks = self.blocks.iter();
        let blocks = blocks.map(|(kind, all)| (kind.clone(), self.blocks(kind, all.as_deref())));
        let whole = Value::open_object(arguments.chain(blocks), self.causes.clone());
        self.traced(whole, "").mark(&self.marks)
    }

    /// Says anew why the rest is unknown, inner blocks included.
    pub(crate) fn wait_for(&mut self, causes: &Causes) {
        self.causes = causes.clone();
        let blocks = self.blocks.iter_mut().filter_map(|(_, blocks)| blocks.as_mut());
        blocks.flatten().for_each(|block| block.wait_for(causes));
    }

    /// Returns what is written as one object, for views: a null leaves the value to others.
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

    /// Returns what is written as one object, for facts that know the rest.
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
