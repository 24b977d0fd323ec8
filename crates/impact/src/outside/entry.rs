//! The declarations of a module as entries to compare: each has a kind, an address, and one or more bodies.

use std::collections::BTreeMap;

use groma_config::DeclarationName;
use groma_value::Str;

use super::body::{BodyComparison, BodyDifference, ComparedBody};
use super::change::OutsideKind;

/// A declaration of a module as an entry to compare: its kind, address and bodies, and the objects that a change affects.
pub(super) struct DeclaredEntry {
    pub(super) kind: OutsideKind,
    /// The address of the declaration within the module.
    pub(super) address: String,
    /// The objects that a change of the declaration affects.
    pub(super) target: ChangeTarget,
    /// True if the entry is compared only if both revisions have it, because its addition and removal are reported elsewhere.
    pub(super) is_of_both: bool,
    pub(super) bodies: Vec<ComparedBody>,
    /// Bodies in which the order counts, such as provisioners.
    pub(super) sequence: Vec<ComparedBody>,
}

impl DeclaredEntry {
    /// Creates an entry with one body; its addition and removal are reported like a difference.
    pub(super) fn new(
        kind: OutsideKind,
        address: String,
        target: ChangeTarget,
        body: ComparedBody,
    ) -> DeclaredEntry {
        let (bodies, sequence) = (vec![body], Vec::new());
        DeclaredEntry { kind, address, target, is_of_both: false, bodies, sequence }
    }

    /// Limits the entry to comparisons in which both revisions have it, so that its addition and removal are not reported.
    pub(super) fn of_both(self) -> DeclaredEntry {
        DeclaredEntry { is_of_both: true, ..self }
    }
}

/// The objects that a change of a declaration affects, such as those of one resource or of all modules with the same code.
#[derive(Clone, Debug)]
pub(super) enum ChangeTarget {
    /// No object.
    Nothing,
    /// The modules with the same code.
    Modules,
    /// A resource or a called module, by its name within the module.
    Declaration(DeclarationName),
    /// The object with an address as a block of the module spells it, which need not be valid.
    Written(Str),
    /// The users of a provider configuration of the module, by local name and alias.
    Configuration(Str, Option<Str>),
    /// The resources of the module whose provider has that local name.
    Required(Str),
    /// The resources in the module that a call of that name leads to.
    Below(DeclarationName),
}

/// Compares the declarations of both revisions, and reports each difference with the target that it affects.
pub(super) fn compare(
    both: [Vec<DeclaredEntry>; 2],
    emit: &mut dyn FnMut(BodyDifference, &ChangeTarget),
) {
    let mut joint: BTreeMap<(OutsideKind, String), [Option<DeclaredEntry>; 2]> = BTreeMap::new();
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
        comparing.compare_lists(bodies, &mut |found| {
            is_same = false;
            emit(found, &one.target);
        });
        if let ([Some(was), Some(is)], true) = (&both, is_same) {
            comparing.compare_sequences([&was.sequence, &is.sequence], &mut |found| {
                emit(found, &one.target)
            });
        }
    }
}
