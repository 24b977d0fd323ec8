//! An instance of a resource. Without a schema only what is written is known: asking for it gives
//! the written value, asking for anything else an unknown, never an error and never a guess.

use std::sync::{Arc, Mutex, OnceLock};

use groma_eval::Step;
use groma_value::{Causes, Marks, Refinement, Str, Type, Value};

/// An instance of a resource.
#[derive(Clone, Debug)]
pub(crate) enum InstanceObject {
    /// All its attributes are accounted for.
    Whole(Value),
    /// Only this much is known.
    Written(Box<Known>),
}

/// What is known of an instance of which nobody knows all.
#[derive(Clone, Default, Debug)]
pub(crate) struct Known {
    written: Written,
    /// The same as one object, once somebody has asked for it: many ask, and all are shown the same one.
    shown: OnceLock<Value>,
}

impl Known {
    /// What is written as one object, for those who show it: a null leaves the value to others.
    fn shown(&self) -> Value {
        self.shown.get_or_init(|| self.written.shown()).clone()
    }
}

/// An instance of a resource as it was made, for the sake of what others share with it.
pub(crate) type Model = Mutex<Option<Arc<groma_value::Object>>>;

/// What is written in a body.
#[derive(Clone, Default, Debug)]
pub(crate) struct Written {
    /// In source order.
    pub(crate) arguments: Vec<(Str, Value)>,
    /// Nested blocks by kind, in source order; none where their number is not known.
    pub(crate) blocks: Vec<(Str, Option<Vec<Written>>)>,
    /// Why the rest is unknown.
    pub(crate) causes: Causes,
    /// What every value of the object carries.
    pub(crate) marks: Marks,
}

impl InstanceObject {
    /// One of which only this much is known.
    pub(crate) fn of(written: Written) -> InstanceObject {
        InstanceObject::Written(Box::new(Known { written, shown: OnceLock::new() }))
    }

    /// One of which nothing is known.
    pub(crate) fn blank() -> InstanceObject {
        InstanceObject::of(Written::default())
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
                written.arguments.extend(parts);
                InstanceObject::of(written)
            }
        }
    }

    /// The object as seen by somebody who will look at one attribute only.
    pub(crate) fn project(&self, name: &Str) -> Value {
        match self {
            InstanceObject::Whole(value) => value.clone(),
            InstanceObject::Written(known) => {
                Value::object([(name.clone(), known.written.named(name, &[]).0)])
            }
        }
    }

    /// What is known of it, for those who show it.
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
            InstanceObject::Written(known) => known.written.unknown(true),
        }
    }
}

impl Written {
    /// An unknown in place of something that is not written.
    fn unknown(&self, not_null: bool) -> Value {
        let refinement = Refinement { not_null, ..Refinement::default() };
        Value::refined(Type::Dynamic, refinement, self.causes.clone()).mark(&self.marks)
    }

    fn follow(&self, steps: &[Step]) -> (Value, usize) {
        let Some(Step::Attribute(name)) = steps.first() else {
            let key = match steps.first() {
                Some(Step::Index(key)) => groma_module::resolve::key_text(key),
                _ => None,
            };
            return match key {
                Some(key) => self.named(&key, steps),
                None => (self.unknown(true), 0),
            };
        };
        self.named(name, steps)
    }

    fn named(&self, name: &str, steps: &[Step]) -> (Value, usize) {
        if let Some((_, value)) = self.arguments.iter().find(|(known, _)| **known == *name) {
            // A null leaves it to the provider what the value will be.
            return match value.is_null() {
                true => (self.unknown(false), 1),
                false => (value.mark(&self.marks), 1),
            };
        }
        let Some((_, blocks)) = self.blocks.iter().find(|(kind, _)| **kind == *name) else {
            return (self.unknown(false), 1);
        };
        // Only a literal path leads into a block: whether blocks of this kind are a list, a set or
        // one object, and what else they hold, only a schema could say.
        if let (Some(blocks), Some(Step::Index(key))) = (blocks, steps.get(1))
            && let Some(at) = groma_module::resolve::key_text(key)
            && let Some(block) = at.parse::<usize>().ok().and_then(|at| blocks.get(at))
        {
            let (value, used) = block.follow(&steps[2..]);
            return (value, used + 2);
        }
        (self.unknown(true), 1)
    }

    /// Says anew why the rest is unknown, inner blocks included.
    pub(crate) fn wait_for(&mut self, causes: &Causes) {
        self.causes = causes.clone();
        let blocks = self.blocks.iter_mut().filter_map(|(_, blocks)| blocks.as_mut());
        blocks.flatten().for_each(|block| block.wait_for(causes));
    }

    /// What is written as one object, for those who show it: a null leaves the value to others.
    fn shown(&self) -> Value {
        let arguments = self.arguments.iter().filter(|(_, value)| !value.is_null()).cloned();
        let blocks = self.blocks.iter().map(|(kind, blocks)| {
            let value = match blocks {
                Some(blocks) => Value::tuple(blocks.iter().map(Written::shown).collect()),
                None => self.unknown(true),
            };
            (kind.clone(), value)
        });
        Value::object(arguments.chain(blocks)).mark(&self.marks)
    }

    /// What is written as one object, for those who know the rest.
    pub(crate) fn config(&self) -> Value {
        let blocks = self.blocks.iter().map(|(kind, blocks)| {
            let value = match blocks {
                Some(blocks) => Value::tuple(blocks.iter().map(Written::config).collect()),
                None => self.unknown(true),
            };
            (kind.clone(), value)
        });
        Value::object(self.arguments.iter().cloned().chain(blocks))
    }
}
