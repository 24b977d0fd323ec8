//! The proposed new object, which a provider would be asked to accept: the configuration, and the prior value of every computed
//! attribute that is not configured. Blocks are matched by position, by label, or, in a set, by their configured content.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use groma_eval::Step;
use groma_module::declare::IgnoredChanges;
use groma_value::schema::{
    AttributeSchema, AttributeShape, BlockSchema, NestedBlock, NestedObjects, NestingMode,
};
use groma_value::{Object, Str, Value, ops};
use rustc_hash::{FxHashMap, FxHasher};

/// Returns the object proposed to a provider: configured values, and prior ones of computed attributes. Neither input has marks.
pub(crate) fn propose(block: &BlockSchema, prior: &Value, config: &Value) -> Value {
    let (Value::Object(before), Value::Object(now)) = (prior, config) else {
        return config.clone();
    };
    let attributes = block.attributes().iter().map(|attribute| {
        let name = &attribute.name;
        propose_attribute(attribute, before.get(name), now.get(name))
    });
    let blocks = block
        .blocks()
        .iter()
        .map(|nested| propose_blocks(nested, before.get(&nested.name), now.get(&nested.name)));
    block.object(attributes.chain(blocks))
}

/// Returns the value of an attribute that is proposed to the provider, from its prior and its configured value.
fn propose_attribute(
    attribute: &AttributeSchema,
    prior: Option<&Value>,
    now: Option<&Value>,
) -> Value {
    let nothing = Value::null(attribute.ty());
    let (prior, now) = (prior.unwrap_or(&nothing), now.unwrap_or(&nothing));
    if attribute.write_only {
        return nothing;
    }
    match &attribute.shape {
        _ if now.is_null() && attribute.computed => prior.clone(),
        AttributeShape::Nested(nested) => propose_nested(nested, prior, now),
        AttributeShape::Type(_) => now.clone(),
    }
}

/// Returns the proposed value of an attribute with nested objects, from its prior and its configured value.
fn propose_nested(nested: &NestedObjects, prior: &Value, now: &Value) -> Value {
    let one = |prior: &Value, now: &Value| {
        let (Value::Object(before), Value::Object(written)) = (prior, now) else {
            return now.clone();
        };
        Value::object(nested.attributes().iter().map(|attribute| {
            let name = &attribute.name;
            let value = propose_attribute(attribute, before.get(name), written.get(name));
            (name.clone(), value)
        }))
    };
    let settable = |name: &str| nested.attribute(name).is_none_or(|one| !is_worked_out(one));
    matched(nested.nesting, prior, now, &one, &settable)
}

/// Returns the proposed value of all nested blocks of one type, from their prior and their configured value.
fn propose_blocks(nested: &NestedBlock, prior: Option<&Value>, now: Option<&Value>) -> Value {
    let nothing = nested.nesting.none(&nested.block);
    let (prior, now) = (prior.unwrap_or(&nothing), now.unwrap_or(&nothing));
    let one = |prior: &Value, now: &Value| propose(&nested.block, prior, now);
    let settable = |name: &str| nested.block.attribute(name).is_none_or(|one| !is_worked_out(one));
    matched(nested.nesting, prior, now, &one, &settable)
}

/// Returns true if the provider may compute the attribute.
fn is_worked_out(attribute: &AttributeSchema) -> bool {
    attribute.computed
}

/// Returns a configured collection in which each element is combined by `one` with the prior element that matches it;
/// `settable` tells which attributes can be configured.
fn matched(
    nesting: NestingMode,
    prior: &Value,
    now: &Value,
    one: &dyn Fn(&Value, &Value) -> Value,
    settable: &dyn Fn(&str) -> bool,
) -> Value {
    let beside = |prior: Option<&Value>, now: &Value| match prior {
        Some(prior) => one(prior, now),
        None => now.clone(),
    };
    match (nesting, prior, now) {
        (NestingMode::Single | NestingMode::Group, Value::Object(_), Value::Object(_)) => {
            one(prior, now)
        }
        (_, Value::List(before), Value::List(list)) => {
            let items = list.items().iter().enumerate();
            let items = items.map(|(at, now)| beside(before.items().get(at), now));
            Value::list(list.element().clone(), items.collect())
        }
        (_, Value::Tuple(before), Value::Tuple(tuple)) => {
            let items = tuple.items().iter().enumerate();
            Value::tuple(items.map(|(at, now)| beside(before.items().get(at), now)).collect())
        }
        (_, Value::Map(before), Value::Map(map)) => {
            let entries = map.entries().iter();
            let entries = entries.map(|(key, now)| (key.clone(), beside(before.get(key), now)));
            Value::map(map.element().clone(), entries.collect::<Vec<_>>())
        }
        (_, Value::Object(before), Value::Object(object)) => Value::object(
            object.iter().map(|(key, now)| (key.clone(), beside(before.get(key), now))),
        ),
        (_, Value::Set(before), Value::Set(set)) => {
            let mut rest = PriorElements::of(before.items(), set.items().first(), settable);
            let items = set.items().iter();
            let items =
                items.map(|now| rest.take(now).map_or_else(|| now.clone(), |was| one(was, now)));
            Value::set(set.element().clone(), items.collect())
        }
        _ => now.clone(),
    }
}

/// The prior elements of a set, indexed by the part of their content that a matching element must equal.
struct PriorElements<'v> {
    settable: &'v dyn Fn(&str) -> bool,
    /// The attributes that are compared; none if the elements are not objects.
    names: Vec<Str>,
    by_hash: FxHashMap<u64, VecDeque<&'v Value>>,
}

impl<'v> PriorElements<'v> {
    /// Returns an index of `all`, the prior elements of a set, by their values of the attributes that `model`, a configured
    /// element, has and `settable` accepts; by the whole elements if these are not objects.
    fn of(
        all: &'v [Value],
        model: Option<&Value>,
        settable: &'v dyn Fn(&str) -> bool,
    ) -> PriorElements<'v> {
        let names = match model {
            Some(Value::Object(object)) => {
                object.names().as_slice().iter().filter(|name| settable(name)).cloned().collect()
            }
            _ => Vec::new(),
        };
        let mut elements = PriorElements { settable, names, by_hash: FxHashMap::default() };
        for one in all {
            elements.by_hash.entry(elements.hash_of(one)).or_default().push_back(one);
        }
        elements
    }

    /// Removes and returns the first prior element that the configured element matches, if any.
    fn take(&mut self, now: &Value) -> Option<&'v Value> {
        let hash = self.hash_of(now);
        let alike = self.by_hash.get_mut(&hash)?;
        let at = alike.iter().position(|prior| matches_prior(prior, now, self.settable))?;
        alike.remove(at)
    }

    /// Returns a hash of the part of an element's content that matching elements have in common.
    fn hash_of(&self, value: &Value) -> u64 {
        let mut state = FxHasher::default();
        match value {
            Value::Object(object) => {
                let parts = self.names.iter().filter_map(|name| object.get(name));
                parts.for_each(|part| add_to_hash(part, &mut state));
            }
            other => add_to_hash(other, &mut state),
        }
        state.finish()
    }
}

/// Adds an attribute of an element, by which elements of two sets are matched, to the element's hash; objects inside of it are
/// left out, since they may have computed attributes.
fn add_to_hash(value: &Value, state: &mut FxHasher) {
    let mut all = |items: &[Value]| {
        items.len().hash(state);
        items.iter().for_each(|one| add_to_hash(one, state));
    };
    match value {
        Value::Object(_) => {}
        Value::List(list) => all(list.items()),
        Value::Set(set) => all(set.items()),
        Value::Tuple(tuple) => all(tuple.items()),
        Value::Map(map) => map.entries().iter().for_each(|(key, one)| {
            key.hash(state);
            add_to_hash(one, state);
        }),
        Value::String(text) => text.hash(state),
        Value::Bool(flag) => flag.hash(state),
        // Numbers are equal regardless of precision.
        number if number.is_number() => number.as_position().hash(state),
        other => other.is_null().hash(state),
    }
}

/// Returns true if a configured element of a set matches a prior one: `settable` is true for attributes that can be configured.
fn matches_prior(prior: &Value, now: &Value, settable: &dyn Fn(&str) -> bool) -> bool {
    let (Value::Object(before), Value::Object(written)) = (prior, now) else {
        return ops::same(prior, now);
    };
    written.iter().all(|(name, now)| {
        let Some(before) = before.get(name) else { return false };
        (now.is_null() && !settable(name)) || ops::same(before, now) || fits(before, now)
    })
}

/// Returns true if a prior value contains the configured one, possibly with computed additions.
fn fits(prior: &Value, now: &Value) -> bool {
    match (prior, now) {
        (Value::Object(before), Value::Object(written)) => written.iter().all(|(name, now)| {
            now.is_null() || before.get(name).is_some_and(|before| fits(before, now))
        }),
        (Value::List(before), Value::List(list)) => {
            before.items().len() == list.items().len()
                && before.items().iter().zip(list.items()).all(|(before, now)| fits(before, now))
        }
        _ => ops::same(prior, now),
    }
}

/// Returns the configuration with prior values for everything in `ignore_changes`. Both sides may have marks, which are kept
/// with their values.
pub(crate) fn without_ignored(ignored: &IgnoredChanges, prior: &Value, config: &Value) -> Value {
    match ignored {
        IgnoredChanges::Nothing => config.clone(),
        IgnoredChanges::All => prior.clone(),
        IgnoredChanges::Paths(paths) => {
            paths.iter().fold(config.clone(), |config, path| with_prior_part(prior, &config, path))
        }
    }
}

/// Returns `now` with the part at a path replaced by that of `prior`.
fn with_prior_part(prior: &Value, now: &Value, path: &[Step]) -> Value {
    let Some((step, rest)) = path.split_first() else { return prior.clone() };
    let (bare, marks) = now.unmark();
    let changed = match (step, prior.bare(), &bare) {
        (Step::Attribute(name), Value::Object(before), Value::Object(object)) => {
            in_object(name, before, object, rest)
        }
        (Step::Index(key), before, _) => match key.bare() {
            Value::String(name) => in_keyed(name, before, &bare, rest),
            key => in_numbered(key, before, &bare, rest),
        },
        _ => None,
    };
    changed.map_or_else(|| now.clone(), |value| value.mark(&marks))
}

/// Returns the object `now` with the part at the attribute `name` and the path `rest` below it replaced by that of `prior`;
/// `None` if either has no such attribute.
fn in_object(name: &Str, prior: &Object, now: &Object, rest: &[Step]) -> Option<Value> {
    let (before, _) = (prior.get(name)?, now.get(name)?);
    Some(Value::object(now.iter().map(|(key, now)| {
        let value = if key == name { with_prior_part(before, now, rest) } else { now.clone() };
        (key.clone(), value)
    })))
}

/// Returns the map or object `now` with the part at the key `name` and the path `rest` below it replaced by that of `prior`;
/// `None` if there is nothing to replace.
fn in_keyed(name: &Str, prior: &Value, now: &Value, rest: &[Step]) -> Option<Value> {
    match (prior, now) {
        // An added or removed element of a map is ignored, too.
        (Value::Map(_) | Value::Null(_), Value::Map(map)) => {
            let before = match prior {
                Value::Map(before) => before.get(name),
                _ => None,
            };
            let mut entries = map.entries().to_vec();
            let at = entries.iter().position(|(key, _)| key == name);
            match (before, at) {
                (Some(before), Some(at)) => {
                    entries[at].1 = with_prior_part(before, &entries[at].1, rest)
                }
                (Some(before), None) if rest.is_empty() => {
                    entries.push((name.clone(), before.clone()));
                }
                (None, Some(at)) if rest.is_empty() => drop(entries.remove(at)),
                _ => return None,
            }
            Some(Value::map(map.element().clone(), entries))
        }
        (Value::Map(before), Value::Null(_)) if rest.is_empty() => {
            let kept = before.get(name)?;
            Some(Value::map(before.element().clone(), [(name.clone(), kept.clone())]))
        }
        // Only elements of a map can be ignored one by one: with any other key the whole value is meant.
        _ if rest.is_empty() => Some(prior.clone()),
        _ => None,
    }
}

/// Returns the list or tuple `now` with the part at the index `at` and the path `rest` below it replaced by that of `prior`;
/// `None` if there is nothing to replace.
fn in_numbered(at: &Value, prior: &Value, now: &Value, rest: &[Step]) -> Option<Value> {
    let at = at.as_position()?;
    let change = |before: &[Value], items: &[Value]| {
        let mut items = items.to_vec();
        *items.get_mut(at)? = with_prior_part(before.get(at)?, items.get(at)?, rest);
        Some(items)
    };
    match (prior, now) {
        (Value::List(before), Value::List(list)) => {
            Some(Value::list(list.element().clone(), change(before.items(), list.items())?))
        }
        (Value::Tuple(before), Value::Tuple(tuple)) => {
            Some(Value::tuple(change(before.items(), tuple.items())?))
        }
        _ => None,
    }
}
