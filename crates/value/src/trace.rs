//! Fingerprints of values: the hash of a value's content, and the fingerprints of unknowns inside of it. An unknown that an
//! operation only passes on keeps its own.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::value::RebuildMode;
use crate::{Fingerprint, KnownParts, PathStep, Type, Unknown, Value};

impl Value {
    /// Returns the hash that identifies how the value is computed; `None` if an unknown inside has none. Known parts count by
    /// content and type; marks do not count.
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        if !self.is_traced() {
            return None;
        }
        let mut state = DefaultHasher::new();
        hash(self, &mut state);
        Some(Fingerprint::of(state.finish()))
    }

    /// Returns true if the value and `other` have equal fingerprints, so that they are the same once they are known; false if one
    /// of them has none.
    pub fn has_fingerprint_of(&self, other: &Value) -> bool {
        if let (Value::Unknown(one), Value::Unknown(other)) = (self.bare(), other.bare()) {
            // Both hashes contain the unknown's own fingerprint, so most pairs are decided without making them.
            if one.fingerprint.is_none() || one.fingerprint != other.fingerprint {
                return false;
            }
            if one.parts.is_none()
                && other.parts.is_none()
                && (&one.ty, &one.refinement) == (&other.ty, &other.refinement)
            {
                return true;
            }
        }
        self.fingerprint().is_some_and(|own| other.fingerprint() == Some(own))
    }

    /// Returns true if every unknown inside the value has a fingerprint.
    #[inline]
    pub fn is_traced(&self) -> bool {
        !self.summary().untraced
    }

    /// Returns the value with a fingerprint for every unknown without one, derived from `basis` and the path to it.
    #[must_use]
    pub fn traced(&self, basis: Fingerprint) -> Value {
        if self.is_traced() {
            return self.clone();
        }
        match self {
            Value::Marked(marked) => marked.value().traced(basis).mark(marked.marks()),
            Value::Unknown(unknown) => traced_unknown(unknown, basis),
            _ => self.rebuild(RebuildMode::SameTypes, &mut |step, child| match child.is_traced() {
                true => child.clone(),
                false => child.traced(basis.with(step_hash(&step()))),
            }),
        }
    }

    /// Returns this unknown as a copy of `source`, to which it will be equal once known: it stores `source`, and its fingerprint
    /// is derived from that of `source`. Other values are returned unchanged.
    #[must_use]
    pub fn mirroring(&self, source: &Value) -> Value {
        let (Value::Unknown(unknown), Some(own)) = (self, source.fingerprint()) else {
            return self.clone();
        };
        let (fingerprint, mirrored) = (Some(own.with("mirrored")), Some(without_mirrors(source)));
        Value::Unknown(Arc::new(Unknown { fingerprint, mirrored, ..(**unknown).clone() }))
    }

    /// Returns the value with a fingerprint for every unknown without one, derived from that of the input, `from`, and the
    /// operation `how`; unchanged if the input has none.
    #[must_use]
    pub(crate) fn derived(self, from: Option<Fingerprint>, how: impl Hash) -> Value {
        match from {
            Some(from) if !self.is_traced() => self.traced(from.with(how)),
            _ => self,
        }
    }
}

/// Returns the value without the values stored by [`Value::mirroring`] in its unknowns, since chains of them would nest without
/// bound.
fn without_mirrors(value: &Value) -> Value {
    if value.is_wholly_known() {
        return value.clone();
    }
    value.transform(&mut |part| match part {
        Value::Unknown(unknown) if unknown.mirrored.is_some() => {
            Value::Unknown(Arc::new(Unknown { mirrored: None, ..(**unknown).clone() }))
        }
        other => other.clone(),
    })
}

/// Returns an unknown with a fingerprint derived from `basis`, and so for the unknowns in its known parts.
fn traced_unknown(unknown: &Unknown, basis: Fingerprint) -> Value {
    let parts = unknown.parts.as_ref().map(|parts| match parts {
        KnownParts::Attributes(whole) => KnownParts::Attributes(whole.traced(basis)),
        KnownParts::Elements(whole, order) => KnownParts::Elements(whole.traced(basis), *order),
    });
    let fingerprint = Some(unknown.fingerprint.unwrap_or_else(|| basis.with("whole")));
    Value::Unknown(Arc::new(Unknown { parts, fingerprint, ..unknown.clone() }))
}

/// Returns the hash of a path step, by which the fingerprints of parts differ.
fn step_hash(step: &PathStep) -> u64 {
    let mut state = DefaultHasher::new();
    match step {
        PathStep::Attribute(name) => (0_u8, &**name).hash(&mut state),
        PathStep::Index(key) => {
            1_u8.hash(&mut state);
            hash(key, &mut state);
        }
    }
    state.finish()
}

/// Adds the content of a value to a hash; unknowns are added by their fingerprint, type, refinement and known parts. Recursion is
/// bounded by the evaluator's depth limit.
fn hash(value: &Value, state: &mut DefaultHasher) {
    let bare = value.bare();
    std::mem::discriminant(bare).hash(state);
    match bare {
        Value::Null(ty) => (ty.is_bare(), bare.ty()).hash(state),
        Value::Unknown(unknown) => {
            (unknown.fingerprint, &unknown.ty, &unknown.refinement).hash(state);
            match &unknown.parts {
                Some(KnownParts::Attributes(whole)) => hash(whole, state),
                Some(KnownParts::Elements(whole, order)) => {
                    (*order as u8).hash(state);
                    hash(whole, state);
                }
                None => {}
            }
        }
        Value::Bool(flag) => flag.hash(state),
        Value::Decimal(_) | Value::Real(_) => {
            bare.as_number().map(|number| number.to_text()).hash(state);
        }
        Value::String(text) => text.hash(state),
        Value::List(list) => hash_all(list.element(), list.items(), state),
        Value::Set(set) => hash_all(set.element(), set.items(), state),
        Value::Tuple(tuple) => hash_all(&Type::Dynamic, tuple.items(), state),
        Value::Map(map) => {
            (map.element(), map.entries().len()).hash(state);
            for (key, value) in map.entries() {
                key.hash(state);
                hash(value, state);
            }
        }
        Value::Object(object) => {
            object.len().hash(state);
            for (name, value) in object.iter() {
                name.hash(state);
                hash(value, state);
            }
        }
        // The marks were removed above.
        Value::Marked(_) => {}
    }
}

/// Adds the element type, the length and the items of a collection to a hash.
fn hash_all(element: &Type, items: &[Value], state: &mut DefaultHasher) {
    (element, items.len()).hash(state);
    items.iter().for_each(|item| hash(item, state));
}
