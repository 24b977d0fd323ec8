//! Configuration of actions for their providers. If actions have callers, it is evaluated once for each of them and never on its
//! own.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_syntax::Diagnostics;
use groma_value::Value;

use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::condition::SelfScope;
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::object::InstanceObject;
use crate::evaluate::world::EvaluationState;

/// The root names by which an action refers to the resource instance that triggers it.
pub(super) const CALLER: &[&str] = &["self", "caller"];

impl EvaluationState {
    /// Returns the cell to evaluate when all values of a project are requested: for an action whose configuration depends on
    /// the resource that triggers it, the cell of its instance keys; for any other declaration, `cell` itself.
    pub(super) fn requested_cell(&self, instance: &InstanceNode, cell: Cell) -> Cell {
        match cell.part {
            CellPart::Resource(at)
                if self.project.conventions.has_callers
                    && self.module(instance).resources[at as usize].mode
                        == ResourceMode::Action =>
            {
                Cell { part: CellPart::Expansion(at), ..cell }
            }
            _ => cell,
        }
    }

    /// Returns the configuration of an action instance, by the indices of the action and the instance, triggered by the object
    /// `caller`; `None` if it cannot be evaluated.
    pub(super) fn config_of_action(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        (at, position): (u32, u32),
        caller: Option<&InstanceObject>,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let action = &self.module(instance).resources[at as usize];
        let caller =
            caller.filter(|_| self.project.conventions.has_callers && action.uses_caller());
        let cell = instance.resources.get(at as usize)?.get()?;
        let body = match caller {
            None => {
                let own = Cell { instance: instance.id, part: CellPart::Object(at, position) };
                self.scheduler().fill_all(self, &[own]);
                self.scheduler().report(self, &[own], out);
                cell.objects.get(position as usize)?.get()?.shown()
            }
            Some(caller) => {
                let (_, repeat) = cell.expansion.instance(position as usize)?;
                self.config_for_caller(instance, at, repeat, caller, out)?
            }
        };
        Some(of_config(&body))
    }

    /// Evaluates the body of an action instance for one caller, the resource instance that triggers it; `None` after an error.
    fn config_for_caller(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        repeat: RepeatKey,
        caller: &InstanceObject,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let action = &self.module(instance).resources[at as usize];
        action.content.visit(&mut |seen| {
            self.fill_dependencies(instance, seen.expression);
        });
        let scopes = self.body_scopes(instance, repeat, at);
        let scopes = scopes.map(|below| -> Arc<dyn groma_eval::Scope> {
            Arc::new(SelfScope { names: CALLER, object: caller.clone(), below })
        });
        let mut found = Diagnostics::new();
        let value = self.written_from(instance, at, scopes, &mut found);
        let is_well = !found.has_errors();
        // A fault shared by many callers is reported once.
        let fresh = found.into_vec().into_iter().filter(|one| {
            let is_known = |known: &groma_syntax::Diagnostic| {
                (known.place, known.code, &known.detail) == (one.place, one.code, &one.detail)
            };
            !out.iter().any(is_known)
        });
        let fresh: Vec<_> = fresh.collect();
        out.extend(fresh);
        is_well.then_some(value)
    }
}

/// Returns the value of the `config` block in the evaluated body of an action; null if there is none.
fn of_config(body: &Value) -> Value {
    let Value::Object(body) = body.bare() else { return body.clone() };
    let config = body.iter().find(|(name, _)| &***name == "config").map(|(_, value)| value.clone());
    match config {
        // Without a schema it may be a list of blocks.
        Some(Value::Tuple(all)) => all.items().first().cloned().unwrap_or(Value::NULL),
        Some(value) => value,
        None => Value::NULL,
    }
}
