//! The provider instance that a resource instance uses. No provider is configured here, but a key without a provider
//! configuration is an error in any case.

use std::sync::Arc;

use groma_eval::Scope;
use groma_module::declare::{Expression, Resource};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Str, Value, print};

use crate::codes;
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::world::EvaluationState;

impl EvaluationState {
    /// Returns the key by which a resource selects an instance of its module's own `provider` block, and the `for_each` of that
    /// block; `None` without a key, or if the module has no such block with `for_each`.
    pub(super) fn repeated_provider<'w>(
        &'w self,
        instance: &InstanceNode,
        resource: &'w Resource,
    ) -> Option<(&'w Expression, &'w Expression)> {
        let key = resource.asked.as_ref()?.key.as_ref()?;
        let (name, alias) = resource.provider()?;
        let mut providers = self.module(instance).providers.iter();
        let asked = providers.find(|one| one.name == *name && one.alias == *alias)?;
        Some((key, asked.for_each.as_ref()?))
    }

    /// Reports a resource that selects an instance of its provider configuration by a key that no such instance has.
    pub(super) fn check_provider_key(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        resource: &Resource,
        scope: &Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) {
        let Some((key, for_each)) = self.repeated_provider(instance, resource) else { return };
        let asked = self.evaluate(key, scope, out);
        let Value::String(wanted) = asked.bare() else { return };
        // Faults of the provider configuration are reported there.
        let own = self.scope(instance, RepeatKey::None);
        let known = self.evaluate(for_each, &own, &mut Diagnostics::new());
        let Some(keys) = keys(&known) else { return };
        if keys.contains(wanted) {
            return;
        }
        let quoted = |key: &Str| print::quoted(key);
        let there_is = match keys.is_empty() {
            true => "it has none".to_owned(),
            false if known.deep_marks().hide() => "others exist".to_owned(),
            false => {
                let known: Vec<String> = keys.iter().map(quoted).collect();
                format!("there is only {}", known.join(", "))
            }
        };
        let wanted = groma_value::sentence::brief(&asked);
        let detail = format!("The provider configuration has no instance {wanted}; {there_is}.");
        out.push(Diagnostic::error(&codes::PROVIDER_INSTANCE, detail).at(key.place()));
    }
}

/// Returns the keys of a `for_each` value, if all of them are known.
fn keys(value: &Value) -> Option<Vec<Str>> {
    match value.bare() {
        Value::Map(map) => Some(map.entries().iter().map(|(key, _)| key.clone()).collect()),
        Value::Object(object) => Some(object.iter().map(|(name, _)| name.clone()).collect()),
        Value::Set(set) => set
            .items()
            .iter()
            .map(|item| match item.bare() {
                Value::String(key) => Some(key.clone()),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}
