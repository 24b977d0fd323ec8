//! Triggers of replacements, by address: only names and keys are resolved here. Changes are decided where the objects are known.

use groma_config::{InstanceKey, ResourceMode};
use groma_eval::{Reference, Step};
use groma_module::declare::Resource;

use crate::evaluate::instance::{InstanceNode, RepeatKey, ResourceCell};
use crate::evaluate::world::EvaluationState;
use crate::facts::TriggeredBy;

impl EvaluationState {
    /// Visits the index of each resource that the `replace_triggered_by` of a resource names.
    pub(super) fn trigger_needs(
        &self,
        instance: &InstanceNode,
        resource: &Resource,
        visit: &mut dyn FnMut(u32),
    ) {
        for expression in &resource.lifecycle().triggers {
            for reference in expression.located.code.references() {
                if let Some((at, _)) = self.triggering(instance, reference) {
                    visit(at);
                }
            }
        }
    }

    /// Returns the index of the managed resource that a reference in `replace_triggered_by` names, and the steps after the
    /// resource's name; `None` if it names none.
    fn triggering<'r>(
        &self,
        instance: &InstanceNode,
        reference: &'r Reference,
    ) -> Option<(u32, &'r [Step])> {
        let steps = &*reference.steps;
        let (kind, steps) = match (&*reference.root, steps) {
            ("resource", [Step::Attribute(kind), rest @ ..]) => (&**kind, rest),
            (root, steps) => (root, steps),
        };
        let [Step::Attribute(name), rest @ ..] = steps else { return None };
        let mut all = self.module(instance).resources.iter();
        let at = all.position(|one| {
            one.mode == ResourceMode::Managed && *one.kind == *kind && one.name == *name
        })?;
        Some((at as u32, rest))
    }

    /// Returns the resource, instance key and path that each reference in the `replace_triggered_by` of an instance names.
    pub(super) fn triggered_by(
        &self,
        instance: &InstanceNode,
        resource: &Resource,
        repeat: &RepeatKey,
    ) -> Vec<TriggeredBy> {
        let mut found = Vec::new();
        for expression in &resource.lifecycle().triggers {
            for reference in expression.located.code.references() {
                let Some((at, rest)) = self.triggering(instance, reference) else { continue };
                let other = &self.module(instance).resources[at as usize];
                let cell = instance.resources.get(at as usize).and_then(|cell| cell.get());
                let (key, path) = match rest {
                    [Step::Index(key), path @ ..] => (InstanceKey::of(key), path),
                    // The only computed keys are those of the instance itself.
                    [Step::Unknown, path @ ..] => (Some(repeat.key()), path),
                    [] | [Step::Splat, ..] => (None, &rest[..0]),
                    path => (Some(InstanceKey::None), path),
                };
                found.push(TriggeredBy {
                    resource: instance.resource_address(other),
                    key,
                    declared: cell.map(ResourceCell::keys).unwrap_or_default(),
                    path: path.to_vec(),
                });
            }
        }
        found
    }
}
