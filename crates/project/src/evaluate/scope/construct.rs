//! Construction of scopes: for an instance, for what belongs to a check, for the body of a resource, and for code whose
//! references were not checked.

use std::sync::Arc;

use groma_eval::Scope;
use groma_value::Str;

use super::InstanceScope;
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::world::EvaluationState;

impl EvaluationState {
    /// Returns what an instance can name, with what `count` and `each` mean there.
    pub(crate) fn scope(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        repeat: RepeatKey,
    ) -> Arc<dyn Scope> {
        self.scope_of(instance, repeat, None)
    }

    /// The same for what belongs to a check.
    pub(crate) fn scope_of(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        repeat: RepeatKey,
        check: Option<&Str>,
    ) -> Arc<dyn Scope> {
        Arc::new(self.instance_scope(instance, repeat, check))
    }

    /// Returns what the body of a resource can name, as it stands and where its references were not checked.
    /// The value of the resource itself is not known while it is worked out, whichever is first.
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

    /// The same for code whose references were not checked.
    pub(crate) fn unchecked_scope(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        repeat: RepeatKey,
        check: Option<&Str>,
    ) -> Arc<dyn Scope> {
        Arc::new(InstanceScope { unchecked: true, ..self.instance_scope(instance, repeat, check) })
    }

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
