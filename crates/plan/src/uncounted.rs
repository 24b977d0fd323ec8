//! Recorded objects of resources whose number of instances is unknown: it cannot be decided if any of them is kept, updated or
//! destroyed.

use groma_config::{DeclarationAddress, InstanceAddress, ResourceMode};
use groma_project::DeferredResource;
use rustc_hash::FxHashMap;

use crate::options::PlanGoal;
use crate::plan::Plan;
use crate::prior::StateSlot;

/// A resource whose number of instances is unknown, with its recorded objects.
pub(crate) struct UncountedResource<'p> {
    pub(crate) resource: DeferredResource,
    pub(crate) recorded: Vec<&'p StateSlot>,
}

/// Recorded objects with their positions in the state, by the addresses of their declarations.
type RecordedSlots<'p> = FxHashMap<DeclarationAddress, Vec<(usize, &'p StateSlot)>>;

impl Plan {
    /// Returns the planned resources and data sources whose number of instances is unknown; empty unless the goal is to change
    /// objects.
    pub(crate) fn uncounted(&self) -> Vec<UncountedResource<'_>> {
        let facts = self.facts();
        if self.goal() != PlanGoal::Change {
            return Vec::new();
        }
        let scope = facts.scope.get();
        let mut all: Vec<(DeclarationAddress, DeferredResource)> = self
            .evaluation()
            .deferred()
            .into_iter()
            .map(|resource| (resource.address.declaration(), resource))
            .collect();
        all.retain(|(whole, _)| scope.is_none_or(|scope| scope.contains_declaration(whole)));
        if all.is_empty() {
            return Vec::new();
        }
        let recorded = self.recorded_by_declaration();
        let all = all.into_iter().map(|(whole, resource)| {
            let slots = match resource.resource.mode {
                ResourceMode::Managed => recorded.get(&whole).map(Vec::as_slice),
                _ => None,
            };
            let slots = slots.unwrap_or_default();
            let known = resource.address.module().known();
            let first = slots.partition_point(|(_, slot)| slot.address.module() < known);
            let within = slots[first..].iter();
            let mut own: Vec<(usize, &StateSlot)> = within
                .take_while(|(_, slot)| known.contains(slot.address.module()))
                .filter(|(_, slot)| resource.address.contains(&slot.address))
                .copied()
                .collect();
            own.sort_by_key(|(at, _)| *at);
            let recorded = own.into_iter().map(|(_, slot)| slot).collect();
            UncountedResource { resource, recorded }
        });
        all.collect()
    }

    /// Returns the recorded current objects with their positions, by the addresses of their declarations. Each list is in the
    /// order of module instances, so that the objects in one module instance are adjacent.
    fn recorded_by_declaration(&self) -> RecordedSlots<'_> {
        let mut found = RecordedSlots::default();
        let mut rest = self.facts().prior().slots().iter().enumerate().peekable();
        while let Some((at, first)) = rest.next() {
            let all = found.entry(DeclarationAddress::from(&first.address)).or_default();
            let siblings = std::iter::from_fn(|| {
                rest.next_if(|(_, next)| next.address.is_sibling(&first.address))
            });
            let siblings = [(at, first)].into_iter().chain(siblings);
            all.extend(siblings.filter(|(_, slot)| slot.current.is_some()));
        }
        found.values_mut().for_each(|slots| {
            slots.sort_by(|(_, one), (_, other)| one.address.module().cmp(other.address.module()));
        });
        found
    }

    /// Returns the addresses of recorded objects of which it cannot be decided if they are kept.
    pub fn left_open(&self) -> Vec<InstanceAddress> {
        let all = self.uncounted();
        all.iter().flat_map(|one| &one.recorded).map(|slot| slot.address.clone()).collect()
    }
}
