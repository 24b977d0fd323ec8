//! Values of declarations: the value of a variable, a local value, an output or a resource in each instance of its module.

use std::sync::Arc;

use groma_config::InstanceKey;
use groma_module::declare::Referent;
use groma_module::visit::Declaration;
use groma_project::{Evaluation, InstanceSet, RequestToken, ScopeRef};
use groma_value::Value;

use crate::Snapshot;
use crate::place::declaration::DeclarationId;
use crate::place::value::InstanceValue;

/// The values of a declaration in all instances of its module, up to a limit, as far as they are evaluated.
#[derive(Clone, Debug, Default)]
pub struct DeclarationValues {
    /// One value for each instance, in the order of the instances.
    pub values: Vec<InstanceValue>,
    /// True if there are more instances than requested.
    pub has_more: bool,
    /// True if the request ended before everything was evaluated.
    pub is_pending: bool,
}

impl Snapshot {
    /// Returns the values of a variable, local value, output or resource in all instances of its module, at most `limit`; other
    /// declarations have none.
    pub fn values_of(
        &self,
        id: DeclarationId,
        limit: usize,
        request: &RequestToken,
    ) -> DeclarationValues {
        let evaluation = self.evaluation();
        let mut found = DeclarationValues::default();
        for number in self.places().same_as(id.module) {
            let room = limit.saturating_sub(found.values.len());
            let (instances, is_all) =
                evaluation.instances_of_module(number, room.saturating_add(1), request);
            if !is_all && instances.len() <= room {
                found.is_pending = true;
            }
            for at in instances {
                if found.values.len() >= limit {
                    found.has_more = true;
                    return found;
                }
                let one = InstanceValues { evaluation, at: &at, request };
                one.read(id.declaration, limit, &mut found);
            }
        }
        found
    }

    /// Returns the addresses of at most `limit` instances of a module, each with the number of instances that a resource or call
    /// has in it: `None` if the number is unknown. A declaration without a repetition has no entries.
    pub fn counts_of(
        &self,
        id: DeclarationId,
        limit: usize,
        request: &RequestToken,
    ) -> Vec<(String, Option<usize>)> {
        let evaluation = self.evaluation();
        let mut found = Vec::new();
        for number in self.places().same_as(id.module) {
            let room = limit.saturating_sub(found.len());
            let (instances, _) = evaluation.instances_of_module(number, room, request);
            for at in instances {
                let set = evaluation.within(request, || match id.declaration {
                    Declaration::Resource(at_resource) => {
                        evaluation.instances_of_resource(&at, at_resource as usize)
                    }
                    Declaration::Call(call) => evaluation.instances_of_call(&at, call as usize),
                    _ => None,
                });
                let count = match set {
                    Some(InstanceSet::Keyed(keys)) => Some(keys.len()),
                    Some(InstanceSet::Unknown(_)) => None,
                    Some(InstanceSet::One) | None => continue,
                };
                found.push((at.module_address().to_owned(), count));
            }
        }
        found
    }
}

/// A reader of declarations' values in one instance of a module, limited by a request.
struct InstanceValues<'e> {
    evaluation: &'e Evaluation,
    at: &'e ScopeRef,
    request: &'e RequestToken,
}

impl InstanceValues<'_> {
    /// Adds the values that a declaration has in this instance of its module to `found`, at most `limit` in total.
    fn read(&self, declaration: Declaration, limit: usize, found: &mut DeclarationValues) {
        let value = match declaration {
            Declaration::Variable(number) => self.of_name(&Referent::Variable(number)),
            Declaration::Local(number) => self.of_name(&Referent::Local(number)),
            Declaration::Output(number) => {
                self.ask(|| self.evaluation.output_of(self.at, number as usize))
            }
            Declaration::Resource(number) => {
                return self.of_resource(number as usize, limit, found);
            }
            _ => return,
        };
        match value {
            Some(value) => {
                let instance = self.at.module_address().to_owned();
                found.values.push(InstanceValue { instance, value });
            }
            None => found.is_pending = true,
        }
    }

    /// Calls `question` within the bounds of the request, which may be cancelled or forbid evaluation.
    fn ask<T>(&self, question: impl FnOnce() -> T) -> T {
        self.evaluation.within(self.request, question)
    }

    /// Returns the value of a variable or local value in this instance of its module; `None` if it is not evaluated yet.
    fn of_name(&self, referent: &Referent) -> Option<Value> {
        self.ask(|| self.evaluation.value_of(self.at, referent))
    }

    /// Adds the values of the instances of the module's resource with the index `number` in this instance of the module to
    /// `found`, at most `limit` in total.
    fn of_resource(&self, number: usize, limit: usize, found: &mut DeclarationValues) {
        let Some(instances) = self.ask(|| self.evaluation.instances_of_resource(self.at, number))
        else {
            found.is_pending = true;
            return;
        };
        let module: Arc<_> = self.evaluation.declared_at(self.at).clone();
        let above = self.at.module_address();
        let dot = if above.is_empty() { "" } else { "." };
        let own = Declaration::Resource(number as u32).address(&module);
        let count = match &instances {
            InstanceSet::Keyed(keys) => keys.len(),
            InstanceSet::One | InstanceSet::Unknown(_) => 1,
        };
        for position in 0..count {
            if found.values.len() >= limit {
                found.has_more = true;
                return;
            }
            let value = self.ask(|| self.evaluation.part_of(self.at, number, position, &[]));
            let Some(value) = value else {
                found.is_pending = true;
                continue;
            };
            let suffix = match &instances {
                InstanceSet::Keyed(keys) => {
                    keys.get(position).map(InstanceKey::suffix).unwrap_or_default()
                }
                InstanceSet::One => String::new(),
                InstanceSet::Unknown(_) => "[*]".to_owned(),
            };
            found
                .values
                .push(InstanceValue { instance: format!("{above}{dot}{own}{suffix}"), value });
        }
    }
}
