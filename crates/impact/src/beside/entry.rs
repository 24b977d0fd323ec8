//! What a module declares, as entries that are compared one by one: each is of a kind and at an address, and has one body
//! or several.

use std::collections::BTreeMap;

use groma_value::Str;

use super::body::{BodyComparison, BodyDifference, ComparedBody};
use super::change::BesideKind;

/// Something that is declared.
pub(super) struct DeclaredEntry {
    pub(super) kind: BesideKind,
    /// Its address within the module.
    pub(super) address: String,
    /// The objects that a change of it concerns.
    pub(super) aim: ChangeTarget,
    /// True if it counts only where both revisions have it: its coming and going is told elsewhere.
    pub(super) is_of_both: bool,
    pub(super) bodies: Vec<ComparedBody>,
    /// The bodies that run one after the other.
    pub(super) sequence: Vec<ComparedBody>,
}

impl DeclaredEntry {
    /// Returns an entry whose coming and going counts, too.
    pub(super) fn new(
        kind: BesideKind,
        address: String,
        aim: ChangeTarget,
        body: ComparedBody,
    ) -> DeclaredEntry {
        let (bodies, sequence) = (vec![body], Vec::new());
        DeclaredEntry { kind, address, aim, is_of_both: false, bodies, sequence }
    }

    /// Returns the same for what counts only where both revisions have it.
    pub(super) fn of_both(self) -> DeclaredEntry {
        DeclaredEntry { is_of_both: true, ..self }
    }
}

/// The objects that a change concerns.
#[derive(Clone, Debug)]
pub(super) enum ChangeTarget {
    /// Nothing with an address.
    Nothing,
    /// The modules that share the code.
    Modules,
    /// The resource of that address within the module.
    Resource(String),
    /// The users of a provider configuration that the module declares.
    Configuration(Str, Option<Str>),
    /// The resources of the module that are of the provider with that local name.
    Required(Str),
    /// The module that the call of that address within the module leads to.
    Call(String),
    /// The resources in the module that such a call leads to.
    Below(String),
}

/// Compares what two sides declare.
pub(super) fn compare(
    both: [Vec<DeclaredEntry>; 2],
    tell: &mut dyn FnMut(BodyDifference, &ChangeTarget),
) {
    let mut joint: BTreeMap<(BesideKind, String), [Option<DeclaredEntry>; 2]> = BTreeMap::new();
    for (side, entries) in both.into_iter().enumerate() {
        for entry in entries {
            let place = joint.entry((entry.kind, entry.address.clone())).or_default();
            match &mut place[side] {
                Some(known) => known.bodies.extend(entry.bodies),
                empty => *empty = Some(entry),
            }
        }
    }
    for ((kind, address), both) in joint {
        let Some(one) = both[1].as_ref().or(both[0].as_ref()) else { continue };
        if one.is_of_both && both.iter().any(Option::is_none) {
            continue;
        }
        let bodies = [0, 1].map(|side| {
            both[side].as_ref().map(|entry| entry.bodies.as_slice()).unwrap_or_default()
        });
        let comparing = BodyComparison { kind, address: &address };
        let mut is_same = true;
        comparing.lists(bodies, &mut |found| {
            is_same = false;
            tell(found, &one.aim);
        });
        if let ([Some(was), Some(is)], true) = (&both, is_same) {
            comparing.sequences([&was.sequence, &is.sequence], &mut |found| tell(found, &one.aim));
        }
    }
}
