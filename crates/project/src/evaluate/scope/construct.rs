//! Construction of scopes: of an instance, of a check, of a resource's body, and of code whose references were not checked.

use std::sync::Arc;

use groma_eval::Scope;
use groma_value::Str;

use super::InstanceScope;
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::world::EvaluationState;

impl EvaluationState {
    /// Returns the scope of a module instance, in which `count` or `each` has the value `repeat`.
    pub(crate) fn scope(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        repeat: RepeatKey,
    ) -> Arc<dyn Scope> {
        self.scope_of(instance, repeat, None)
    }

    /// Returns the scope of a module instance; with `check`, it includes the scoped data source of that check.
    pub(crate) fn scope_of(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        repeat: RepeatKey,
        check: Option<&Str>,
    ) -> Arc<dyn Scope> {
        Arc::new(self.instance_scope(instance, repeat, check))
    }

    /// Returns the scopes of a resource's body: for direct content, and for that of `dynamic` blocks, whose references were
    /// not checked before evaluation. The resource's own value is not known while it is evaluated.
    pub(crate) fn body_scopes(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        repeat: RepeatKey,
        resource: u32,
    ) -> [Arc<dyn Scope>; 2] {
        let check = self.module(instance).resources[resource as usize].check.as_ref();
        [false, true].map(|unchecked| -> Arc<dyn Scope> {
            let scope = self.instance_scope(instance, repeat.clone(), check);
            Arc::new(InstanceScope { resource: Some(resource), unchecked, ..scope })
        })
    }

    /// Returns the scope of code, in the `check` block of that name if any, whose references were not checked before evaluation,
    /// so that looking up an undeclared name is an error.
    pub(crate) fn unchecked_scope(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        repeat: RepeatKey,
        check: Option<&Str>,
    ) -> Arc<dyn Scope> {
        Arc::new(InstanceScope { unchecked: true, ..self.instance_scope(instance, repeat, check) })
    }

    /// Returns the scope of a module instance for code whose references were checked before evaluation, in the `check` block of
    /// that name if any.
    fn instance_scope(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        repeat: RepeatKey,
        check: Option<&Str>,
    ) -> InstanceScope {
        let (world, instance, check) = (self.clone(), instance.clone(), check.cloned());
        InstanceScope { world, instance, repeat, check, resource: None, unchecked: false }
    }
}
