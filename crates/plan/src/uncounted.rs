//! Recorded objects of resources whose number of instances is unknown: it cannot be decided if any of them is kept, updated or
//! destroyed.

use groma_config::{DeclarationAddress, InstanceAddress, ResourceMode};
use groma_project::DeferredResource;
use rustc_hash::FxHashMap;

use crate::options::PlanGoal;
use crate::plan::Plan;
use crate::prior::PriorInstance;

/// A resource whose number of instances is unknown, with its recorded objects.
pub(crate) struct UncountedResource<'p> {
    pub(crate) resource: DeferredResource,
    pub(crate) recorded: Vec<&'p PriorInstance>,
}

/// Instances of the prior state, each with its index among all of them, by the addresses of their declarations.
type PriorInstances<'p> = FxHashMap<DeclarationAddress, Vec<(usize, &'p PriorInstance)>>;

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
            let instances = match resource.resource.mode {
                ResourceMode::Managed => recorded.get(&whole).map(Vec::as_slice),
                _ => None,
            };
            let instances = instances.unwrap_or_default();
            let known = resource.address.module().known();
            let first = instances.partition_point(|(_, past)| past.address.module() < known);
            let within = instances[first..].iter();
            let mut own: Vec<(usize, &PriorInstance)> = within
                .take_while(|(_, past)| known.contains(past.address.module()))
                .filter(|(_, past)| resource.address.contains(&past.address))
                .copied()
                .collect();
            own.sort_by_key(|(at, _)| *at);
            let recorded = own.into_iter().map(|(_, past)| past).collect();
            UncountedResource { resource, recorded }
        });
        all.collect()
    }

    /// Returns the prior instances with a current object, each with its index in the prior state, by declaration address. Each
    /// list is in the order of module instances, so that the objects in one module instance are adjacent.
    fn recorded_by_declaration(&self) -> PriorInstances<'_> {
        let mut found = PriorInstances::default();
        let mut rest = self.facts().prior().instances().iter().enumerate().peekable();
        while let Some((at, first)) = rest.next() {
            let all = found.entry(DeclarationAddress::from(&first.address)).or_default();
            let siblings = std::iter::from_fn(|| {
                rest.next_if(|(_, next)| next.address.is_sibling(&first.address))
            });
            let siblings = [(at, first)].into_iter().chain(siblings);
            all.extend(siblings.filter(|(_, past)| past.current.is_some()));
        }
        found.values_mut().for_each(|instances| {
            instances
                .sort_by(|(_, one), (_, other)| one.address.module().cmp(other.address.module()));
        });
        found
    }

    /// Returns the addresses of recorded objects of which it cannot be decided if they are kept.
    pub fn left_open(&self) -> Vec<InstanceAddress> {
        let all = self.uncounted();
        all.iter().flat_map(|one| &one.recorded).map(|past| past.address.clone()).collect()
    }
}
