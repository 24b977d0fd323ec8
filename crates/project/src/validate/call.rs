//! Validation of module calls: repetition, and inputs against the child's variables.

use std::sync::Arc;

use groma_eval::Context;
use groma_module::declare::ModuleCall;
use groma_module::resolve::Surroundings;
use groma_syntax::{Diagnostics, Place};
use groma_value::Value;
use rustc_hash::FxHashMap;

use crate::tree::{CalledModule, ModuleId};
use crate::validate::scope::UnknownInputScope;
use crate::validate::{ModuleValidator, scope};
use groma_decode::deprecation;
use groma_decode::{accept, call_input};

impl ModuleValidator<'_> {
    /// Validates a module call with unknown inputs of the caller: its repetition, its inputs, and the rules of the called
    /// module's variables.
    pub(super) fn call(&self, at: usize, call: &ModuleCall, out: &mut Diagnostics) {
        self.repetition(&call.repetition, &Surroundings::default(), out);
        let id = match self.node.children[at] {
            CalledModule::Module(id) => Some(id),
            CalledModule::Absent => None,
        };
        let child = id.map(|id| &self.project.nodes[id.0 as usize].module);
        let mut taken: FxHashMap<u32, (Option<Value>, Place)> = FxHashMap::default();
        let context = self.within(&Surroundings::inside(&call.repetition));
        for input in &call.inputs {
            let before = out.error_count();
            let value = self.evaluate(&input.value, &context, out);
            let variable = child.and_then(|child| {
                let at = child.names.variable(&input.name)?;
                Some((at, child.variables.get(at as usize)?))
            });
            let Some((at, variable)) = variable else { continue };
            deprecation::report_whole(&value, &input.value, out);
            let place = input.value.place();
            if out.error_count() > before {
                taken.insert(at, (None, place));
                continue;
            }
            let conventions = &self.project.conventions;
            conventions.warn_of_extra(&input.value.expr, &variable.ty, &variable.name, out);
            let given = call_input(call, variable, value, place, conventions, out);
            let at_declaration = self.project.conventions.mismatch_at_declaration;
            let value = match accept(variable, given, at_declaration) {
                Ok(value) => Some(value),
                Err(problem) => {
                    out.push(*problem);
                    None
                }
            };
            taken.insert(at, (value, place));
        }
        if let Some(id) = id {
            self.rules_of_child(id, &mut taken, out);
        }
    }

    /// Returns the evaluation context inside of the called module `id`, in which only the variable `at` is known, with `value`.
    fn within_child(&self, id: ModuleId, at: u32, value: Value) -> Context {
        let values = Arc::new(self.values.of_child(id, at, value));
        let scope = Arc::new(UnknownInputScope { values, around: Surroundings::default() });
        Context { scope, ..self.context.clone() }
    }

    /// Evaluates the validation rules of the variables of the called module `id`, each for the input that the call gives or else
    /// its default; `taken` holds by variable index the value of each input, `None` if invalid, and its place. Its other
    /// variables stay unknown.
    fn rules_of_child(
        &self,
        id: ModuleId,
        taken: &mut FxHashMap<u32, (Option<Value>, Place)>,
        out: &mut Diagnostics,
    ) {
        let child = &self.project.nodes[id.0 as usize].module;
        let judged = child.variables.iter().enumerate().filter(|(_, v)| !v.validations.is_empty());
        for (at, variable) in judged {
            let at = at as u32;
            let absent = || (Some(variable.default.clone().unwrap_or(Value::NULL)), variable.place);
            let (Some(value), place) = taken.remove(&at).unwrap_or_else(absent) else { continue };
            let is_absent =
                value.is_null() && variable.default.is_none() && place == variable.place;
            let value = match is_absent {
                true => scope::variable(variable),
                false => value.mark(&scope::marks(variable)),
            };
            self.rules(variable, false, place, &self.within_child(id, at, value), out);
        }
    }
}
