//! Recorded objects of resources whose number of instances is unknown: it cannot be decided if any of them is kept, updated or
//! destroyed.

use groma_address::text::without_keys;
use groma_config::{DeclarationAddress, ResourceMode};
use groma_project::DeferredResource;

use crate::options::PlanGoal;
use crate::plan::Plan;
use crate::prior::StateSlot;

/// A resource whose number of instances is unknown, with its recorded objects.
pub(crate) struct UncountedResource<'p> {
    pub(crate) resource: DeferredResource,
    pub(crate) recorded: Vec<&'p StateSlot>,
}

impl Plan {
    /// Returns the planned resources and data sources whose number of instances is unknown; empty if nothing changes.
    pub(crate) fn uncounted(&self) -> Vec<UncountedResource<'_>> {
        let facts = self.facts();
        if self.goal() != PlanGoal::Change {
            return Vec::new();
        }
        let is_planned =
            |whole: &DeclarationAddress| facts.scope.get().is_none_or(|scope| scope.wants(whole));
        let all = self.evaluation().deferred().into_iter().filter_map(|resource| {
            let whole = DeclarationAddress::parse(&without_keys(&resource.address))?;
            if !is_planned(&whole) {
                return None;
            }
            // Up to the first unknown key all keys are those of the address.
            let known = resource.address.split("[*]").next().unwrap_or_default();
            let is_of = |slot: &&StateSlot| {
                resource.mode == ResourceMode::Managed
                    && slot.current.is_some()
                    && slot.address.resource().name().name == resource.name
                    && DeclarationAddress::from(&slot.address) == whole
                    && slot.address.to_string().starts_with(known)
            };
            let recorded = facts.prior().slots().iter().filter(is_of).collect();
            Some(UncountedResource { resource, recorded })
        });
        all.collect()
    }

    /// Returns the addresses of recorded objects of which it cannot be decided if they are kept.
    pub fn left_open(&self) -> Vec<String> {
        let all = self.uncounted();
        all.iter().flat_map(|one| &one.recorded).map(|slot| slot.address.to_string()).collect()
    }
}
