//! Replacements requested by a flag or by `replace_triggered_by`. A trigger without a key refers to all instances of its
//! resource, including recorded ones.

use std::collections::BTreeSet;

use groma_config::{InstanceKey, ResourceAddress};
use groma_project::{ResourceRequest, TriggeredBy};
use groma_value::ops;

use super::{PlanFacts, lock};
use crate::change::Action;
use crate::compare::part;
use crate::reason::ChangeReason;

impl PlanFacts {
    /// Returns the reason to replace an instance whatever its configuration: the option `-replace`, or a trigger; `None` if there
    /// is none.
    pub(super) fn forced(&self, request: &ResourceRequest<'_>) -> Option<ChangeReason> {
        let is_asked =
            || self.replaces.contains(request.address).then_some(ChangeReason::Requested);
        self.triggered(request).or_else(is_asked)
    }

    /// Returns the reason [`ChangeReason::Triggered`] if anything changes that the `replace_triggered_by` of the instance's
    /// resource refers to.
    pub(super) fn triggered(&self, request: &ResourceRequest<'_>) -> Option<ChangeReason> {
        let is_triggered = request.triggers.iter().any(|trigger| self.is_triggered(trigger));
        is_triggered.then_some(ChangeReason::Triggered)
    }

    /// Returns true if the resource, instance or part that a trigger refers to changes.
    fn is_triggered(&self, trigger: &TriggeredBy) -> bool {
        if let Some(key) = &trigger.key {
            return self.is_changing_in(trigger, key);
        }
        if let Some(known) = lock(&self.triggering).get(&trigger.resource) {
            return *known;
        }
        let recorded = self.prior().keys(&trigger.resource);
        let found =
            trigger.declared.iter().chain(recorded).any(|key| self.is_changing_in(trigger, key));
        lock(&self.triggering).insert(trigger.resource.clone(), found);
        found
    }

    /// Returns true if the instance with this key of a trigger's resource changes in the part that the trigger refers to.
    fn is_changing_in(&self, trigger: &TriggeredBy, key: &InstanceKey) -> bool {
        let is_created_enough = self.conventions.created_triggers;
        let decisions = self.decisions();
        let address = trigger.resource.instance(key.clone());
        let Some(decision) = decisions.get(&address) else { return false };
        let before = decision.before.as_ref();
        if trigger.path.is_empty() {
            let is_made = decision.action == Action::Create && is_created_enough;
            return is_made
                || decision.action == Action::Update
                || decision.action.is_replacement();
        }
        if before.is_none() && !is_created_enough {
            return false;
        }
        let was = before.and_then(|before| part(before, &trigger.path));
        let now = part(&decision.after, &trigger.path);
        match (was, now) {
            (Some(was), Some(now)) => !ops::surely_same(&was, &now),
            (was, now) => was.is_some() != now.is_some(),
        }
    }

    /// Returns true if any instance of a resource changes: one with a key in `declared`, or one that is only recorded, which
    /// always does.
    pub(super) fn is_changing(
        &self,
        resource: &ResourceAddress,
        declared: &mut dyn Iterator<Item = InstanceKey>,
    ) -> bool {
        let mut gone: BTreeSet<&InstanceKey> = self.prior().keys(resource).iter().collect();
        let decisions = self.decisions();
        let is_changing = declared.fold(false, |changes, key| {
            gone.remove(&key);
            let decision = decisions.get(&resource.instance(key));
            changes || decision.is_some_and(|decision| decision.action != Action::NoOp)
        });
        is_changing || !gone.is_empty()
    }
}
