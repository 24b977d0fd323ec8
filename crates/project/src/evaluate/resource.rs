//! Evaluation of one resource instance: its conditions, and its object between them.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_eval::Scope;
use groma_syntax::Diagnostics;
use groma_value::Value;

use crate::built_in;
use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::InstanceNode;
use crate::evaluate::object::{InstanceObject, Model};
use crate::evaluate::outcome::ConditionVerdict;
use crate::evaluate::resource_body::{BodyScopes, BodySite, is_terraform_data};
use crate::evaluate::resource_object::ObjectEvaluation;
use crate::evaluate::world::EvaluationState;
use groma_decode::{BodyOwner, UnknownFilling, decode};

impl EvaluationState {
    /// Evaluates one instance of a resource, the one at the index `key`, with its conditions, body and facts, and stores its
    /// object; returns false if facts about it are pending.
    pub(super) fn fill_object(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        key: u32,
        out: &mut Diagnostics,
    ) -> bool {
        let resource = &self.module(instance).resources[at as usize];
        let Some(cell) = instance.resources[at as usize].get() else { return true };
        let Some((own, repeat)) = cell.expansion.instance(key as usize) else { return true };
        let address = cell.address.instance(own);
        let own_repeat = repeat.clone();
        let [plain, unchecked] = self.body_scopes(instance, repeat, at);
        let scopes = BodyScopes { plain, unchecked };
        let triggers = match resource.lifecycle().triggers.is_empty() {
            true => Vec::new(),
            false => self.triggered_by(instance, resource, &own_repeat),
        };
        let here = Cell { instance: instance.id, part: CellPart::Object(at, key) };
        let lifecycle = resource.lifecycle();
        let mut found = Diagnostics::new();
        if key == 0 {
            found.extend(resource.problems.iter().cloned());
        }
        self.check_provider_key(instance, resource, &scopes.plain, &mut found);
        let mut outcome =
            self.judge_before(&lifecycle.preconditions, &address, &scopes.plain, &mut found);
        let goes_on = outcome.verdict < ConditionVerdict::Fail;
        let object = match goes_on {
            true => ObjectEvaluation {
                world: self,
                instance,
                at,
                here,
                resource,
                address: &address,
                scopes: &scopes,
                causes: self.resource_causes(instance.node, at),
                triggers: &triggers,
            }
            .run(&mut found),
            // After a failed precondition the object is not evaluated.
            false => Some(InstanceObject::blank()),
        };
        let Some(object) = object else {
            self.scheduler().record_pending(here, address);
            return false;
        };
        self.scheduler().clear_pending(here);
        let object = match self.is_tracing() {
            true => self.trace_object(resource, &address, &scopes.plain, object),
            false => object,
        };
        if goes_on {
            let (after, below) = (&lifecycle.postconditions, &scopes.plain);
            let own = object.clone();
            self.judge_after(
                after,
                &address,
                self.own_with_deprecations(resource, own),
                below,
                &mut outcome,
                &mut found,
            );
        }
        if !lifecycle.preconditions.is_empty() || !lifecycle.postconditions.is_empty() {
            self.record(instance, here.part, outcome);
        }
        out.extend(found.into_vec());
        if let Some(place) = cell.objects.get(key as usize) {
            self.set(place, object);
        }
        true
    }

    /// Returns the configured value of a resource instance, evaluated in `scope` alone: no provider is asked.
    pub(super) fn written_of(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        scope: Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) -> Value {
        self.written_from(instance, at, [scope.clone(), scope], out)
    }

    /// Returns the configured value of a resource instance, evaluated in two scopes: one for its direct content, and one for
    /// the content of `dynamic` blocks, whose references were not checked before evaluation.
    pub(super) fn written_from(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        [plain, unchecked]: [Arc<dyn Scope>; 2],
        out: &mut Diagnostics,
    ) -> Value {
        let resource = &self.module(instance).resources[at as usize];
        let scopes = BodyScopes { plain, unchecked };
        let computed = self.resource_causes(instance.node, at);
        let Some(schema) = &resource.schema else {
            let written = self.written(&resource.content, &scopes, &computed, out);
            return InstanceObject::of(written).shown();
        };
        let address = resource.address();
        let keeps = resource.mode != ResourceMode::Ephemeral;
        let accepts_computed_inside = is_terraform_data(resource);
        let owner = BodyOwner { address: &address, keeps, demands: false, accepts_computed_inside };
        let site = BodySite { world: self, scopes };
        let decoded = decode(&resource.content, &schema.block, &owner, &site, out);
        if resource.mode == ResourceMode::Action {
            return decoded.config();
        }
        let left = match resource.mode {
            ResourceMode::Managed if !schema.block.has_hidden_defaults() => None,
            ResourceMode::Managed => Some(self.unset_causes(instance.node, at)),
            _ => Some(computed.clone()),
        };
        if is_terraform_data(resource) {
            return built_in::data(&decoded.config(), &schema.block, &computed, &Model::default());
        }
        decoded.planned(&UnknownFilling { computed, left, early: None })
    }
}
