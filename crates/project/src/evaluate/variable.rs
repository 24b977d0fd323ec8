//! Evaluation of input variables: the given value or default, converted, marked and validated.

use std::sync::Arc;

use groma_config::DeclarationName;
use groma_eval::news;
use groma_module::declare::Variable;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Fingerprint, Mark, Marks, Value};

use crate::codes;
use crate::evaluate::cell::CellPart;
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::outcome::{ConditionOutcome, ConditionVerdict};
use crate::evaluate::world::EvaluationState;
use groma_decode::deprecation;
use groma_decode::{UNREADABLE_MESSAGE, accept, broken, call_input, rule_message};
use groma_inputs::GivenInput;

impl EvaluationState {
    /// Evaluates a variable and its validation rules, and stores its value.
    pub(super) fn fill_variable(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        out: &mut Diagnostics,
    ) {
        let variable = &self.module(instance).variables[at as usize];
        let value = self.variable_value(instance, at, variable, out);
        let mut marks = Vec::new();
        if variable.sensitive {
            marks.push(Mark::Sensitive);
        }
        if variable.ephemeral {
            marks.push(Mark::Ephemeral);
        }
        let mut value = value.mark(&marks.into_iter().collect::<Marks>());
        if let Some(place) = variable.news {
            let name = DeclarationName::Variable(variable.name.clone());
            let address = self.node(instance.node).declared(name);
            value =
                news::unknown(self.causes(), address.into(), Some(place)).mark(&value.deep_marks());
        }
        let value = self.bounded(value, variable.place, out);
        self.set(&instance.variables[at as usize], value);
        self.validate(instance, at, variable, out);
    }

    /// Returns the value given to a variable: by a call or as an input of the root; `None` if there is none.
    fn given(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        variable: &Variable,
        out: &mut Diagnostics,
    ) -> Option<GivenInput> {
        let Some((parent, call)) = &instance.parent else {
            let given = self.project.values.get(&variable.name)?;
            if let (Some(advice), true, false) = (
                &variable.deprecated,
                self.project.conventions.deprecation_follows_values,
                given.value.is_null(),
            ) {
                let detail =
                    format!("The variable \"{}\" is deprecated: {}", &*variable.name, &**advice);
                let place = variable.deprecated_place.unwrap_or(variable.place);
                out.push(Diagnostic::warning(&codes::DEPRECATED_VARIABLE, detail).at(place));
            }
            return Some(given.clone());
        };
        let call = &self.module(parent).calls[*call as usize];
        let input = call.input_at(at as usize, &variable.name)?;
        let place = input.value.place();
        let scope = self.scope(parent, instance.repeat.clone());
        let value = self.evaluate(&input.value, &scope, out);
        let value = deprecation::report_passed(value, &input.value, &self.project.conventions, out);
        Some(call_input(call, variable, value, place, &self.project.conventions, out))
    }

    /// Returns the given or default value of a variable, converted to its type and marked as declared.
    fn variable_value(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        variable: &Variable,
        out: &mut Diagnostics,
    ) -> Value {
        let unknown = |causes| Value::unknown_because(variable.value_type().clone(), causes);
        let Some(given) = self.given(instance, at, variable, out) else {
            let absent = || {
                let value = unknown(self.variable_causes(at));
                let value = match self.options.trace {
                    Some(_) => value.traced(Fingerprint::of(("variable", &*variable.name))),
                    None => value,
                };
                if variable.nullable { value } else { value.refine_not_null() }
            };
            let is_open = self.options.open_inputs && instance.parent.is_none();
            let default = variable.default.clone().filter(|_| !is_open);
            return default.unwrap_or_else(absent);
        };
        accept(variable, given, self.project.conventions.mismatch_at_declaration).unwrap_or_else(
            |problem| {
                out.push(*problem);
                unknown(groma_value::Causes::NONE)
            },
        )
    }

    /// Evaluates the validation rules of a variable and reports those that its value violates.
    fn validate(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        variable: &Variable,
        out: &mut Diagnostics,
    ) {
        if variable.validations.is_empty() {
            return;
        }
        let place = self.value_place(instance, variable);
        let scope = self.scope(instance, RepeatKey::None);
        let conventions = &self.project.conventions;
        let mut outcome = ConditionOutcome::default();
        for validation in &variable.validations {
            let before = out.error_count();
            let verdict = self.holds(validation, &scope, out);
            // The message is evaluated even if it is not needed.
            let message = self.evaluate(&validation.message, &scope, out);
            let failed = out.error_count() > before;
            if failed && verdict == ConditionVerdict::Fail && conventions.blames_without_message {
                out.push(broken(variable, validation, place, UNREADABLE_MESSAGE));
            }
            let verdict = if failed { ConditionVerdict::Error } else { verdict };
            outcome.verdict = outcome.verdict.max(verdict);
            if verdict != ConditionVerdict::Fail {
                continue;
            }
            let is_root = instance.parent.is_none();
            let refused = conventions.refuses_sensitive_message(variable.sensitive, is_root);
            let message = rule_message(&message, validation.message.place(), refused, out);
            let Some(message) = message else { continue };
            let mut found = broken(variable, validation, place, &message);
            found.operands = self.operands(validation, &scope);
            out.push(found);
            outcome.problems.push(message);
            if conventions.first_validation_only {
                break;
            }
        }
        self.record(instance, CellPart::Variable(at), outcome);
    }

    /// Returns the source range responsible for a variable's value: the argument of a call, a value file, else the declaration.
    fn value_place(&self, instance: &InstanceNode, variable: &Variable) -> Place {
        let written = match &instance.parent {
            Some((parent, call)) => {
                let call = &self.module(parent).calls[*call as usize];
                call.input(&variable.name).map(|input| input.value.place())
            }
            None => {
                let given = self.project.values.get(&variable.name);
                let at_declaration = self.project.conventions.mismatch_at_declaration;
                given
                    .filter(|given| !at_declaration && !given.is_text)
                    .and_then(|given| given.place)
            }
        };
        written.unwrap_or(variable.place)
    }
}
