//! The value of an input variable: what was given or the default, converted, marked, validated.

use std::sync::Arc;

use groma_module::declare::{Call, Condition, Variable};
use groma_module::dialect::Rules;
use groma_syntax::{Diagnostic, DiagnosticCode, Diagnostics, Place};
use groma_value::{Mark, Marks, Value};

use crate::deprecation;
use crate::evaluate::condition::{Outcome, Verdict, rule_message};
use crate::evaluate::driver::Part;
use crate::evaluate::instance::{Instance, Repeat};
use crate::evaluate::world::World;

static MISMATCH: DiagnosticCode =
    DiagnosticCode { slug: "variable-type", summary: "Value does not fit the variable's type" };
static NULL: DiagnosticCode =
    DiagnosticCode { slug: "variable-null", summary: "Variable cannot be null" };
static EPHEMERAL: DiagnosticCode =
    DiagnosticCode { slug: "ephemeral-value", summary: "Ephemeral value where it cannot be kept" };
static INVALID: DiagnosticCode =
    DiagnosticCode { slug: "validation-failed", summary: "Value breaks a validation rule" };
static DEPRECATED: DiagnosticCode =
    DiagnosticCode { slug: "deprecated-variable", summary: "Variable is deprecated" };

/// A value that somebody gave to a variable.
pub(crate) struct Given {
    pub(crate) value: Value,
    pub(crate) place: Option<Place>,
    /// How the value came in.
    pub(crate) origin: String,
    /// Whether it is text from the command line or the environment.
    pub(crate) is_text: bool,
}

/// The value as the variable takes it, or why it does not.
pub(crate) fn accept(
    variable: &Variable,
    given: Given,
    mismatch_at_declaration: bool,
) -> Result<Value, Box<Diagnostic>> {
    if given.value.is_null() && !variable.nullable {
        if let Some(default) = &variable.default {
            return Ok(default.clone());
        }
        let detail = format!(
            "The variable \"{}\" is not nullable and has no default, so it needs a value other than null.",
            &*variable.name
        );
        let place = given.place.unwrap_or(variable.place);
        return Err(Box::new(Diagnostic::error(&NULL, detail).at(place)));
    }
    variable.convert(&given.value).map_err(|why| {
        let detail = format!(
            "The value of the variable \"{}\", given by {}, does not fit its type: {}.",
            &*variable.name,
            given.origin,
            variable.misfit(&given.value, &why)
        );
        let at_declaration = given.is_text || mismatch_at_declaration;
        let diagnostic = Diagnostic::error(&MISMATCH, detail);
        Box::new(match given.place {
            Some(place) if !at_declaration => {
                diagnostic.at(place).note_at("The variable is declared here.", variable.place)
            }
            Some(place) => diagnostic.at(variable.place).note_at("The value is here.", place),
            None => diagnostic.at(variable.place),
        })
    })
}

impl World {
    pub(super) fn fill_variable(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
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
        let value = value.mark(&marks.into_iter().collect::<Marks>());
        let value = self.bounded(value, variable.place, out);
        self.set(&instance.variables[at as usize], value);
        self.validate(instance, at, variable, out);
    }

    fn given(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        variable: &Variable,
        out: &mut Diagnostics,
    ) -> Option<Given> {
        let Some((parent, call)) = &instance.parent else {
            let given = self.project.values.get(&variable.name)?;
            if let (Some(advice), true, false) = (
                &variable.deprecated,
                self.project.rules.deprecation_follows_values,
                given.value.is_null(),
            ) {
                let detail =
                    format!("The variable \"{}\" is deprecated: {}", &*variable.name, &**advice);
                let place = variable.deprecated_place.unwrap_or(variable.place);
                out.push(Diagnostic::warning(&DEPRECATED, detail).at(place));
            }
            return Some(Given {
                value: given.value.clone(),
                place: given.place,
                origin: given.origin.clone(),
                is_text: given.is_text,
            });
        };
        let call = &self.module(parent).calls[*call as usize];
        let input = call.input(&variable.name)?;
        let place = input.value.place();
        let scope = self.scope(parent, instance.repeat.clone());
        let value = self.evaluate(&input.value, &scope, out);
        deprecation::tell_only(&value, &input.value, out);
        Some(handed_over(call, variable, value, place, &self.project.rules, out))
    }

    fn variable_value(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        at: u32,
        variable: &Variable,
        out: &mut Diagnostics,
    ) -> Value {
        let unknown = |causes| Value::unknown_because(variable.ty.without_optional(), causes);
        let Some(given) = self.given(instance, variable, out) else {
            let absent = || {
                let value = unknown(self.variable_causes(at));
                if variable.nullable { value } else { value.refine_not_null() }
            };
            return variable.default.clone().unwrap_or_else(absent);
        };
        accept(variable, given, self.project.rules.mismatch_at_declaration).unwrap_or_else(
            |problem| {
                out.push(*problem);
                unknown(groma_value::Causes::NONE)
            },
        )
    }

    fn validate(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        at: u32,
        variable: &Variable,
        out: &mut Diagnostics,
    ) {
        if variable.validations.is_empty() {
            return;
        }
        let place = self.value_place(instance, variable);
        let scope = self.scope(instance, Repeat::None);
        let rules = &self.project.rules;
        let mut outcome = Outcome::default();
        for validation in &variable.validations {
            let before = out.error_count();
            let verdict = self.holds(validation, &scope, out);
            // The message is worked out even where nobody needs it.
            let message = self.evaluate(&validation.message, &scope, out);
            let failed = out.error_count() > before;
            let verdict = if failed { Verdict::Error } else { verdict };
            outcome.verdict = outcome.verdict.max(verdict);
            if verdict != Verdict::Fail {
                continue;
            }
            let is_root = instance.parent.is_none();
            let refused = rules.refuses_sensitive_message(variable.sensitive, is_root);
            let message = rule_message(&message, validation.message.place(), refused, out);
            let Some(message) = message else { continue };
            let mut found = broken(variable, validation, place, &message);
            found.operands = self.operands(validation, &scope);
            out.push(found);
            outcome.problems.push(message);
            if rules.first_validation_only {
                break;
            }
        }
        self.record(instance, Part::Variable(at), outcome);
    }

    /// Where the value of a variable is to blame: the argument of a call, a value file, else the declaration.
    fn value_place(&self, instance: &Instance, variable: &Variable) -> Place {
        let written = match &instance.parent {
            Some((parent, call)) => {
                let call = &self.module(parent).calls[*call as usize];
                call.input(&variable.name).map(|input| input.value.place())
            }
            None => {
                let given = self.project.values.get(&variable.name);
                let at_declaration = self.project.rules.mismatch_at_declaration;
                given
                    .filter(|given| !at_declaration && !given.is_text)
                    .and_then(|given| given.place)
            }
        };
        written.unwrap_or(variable.place)
    }
}

/// A rule that the value of a variable does not keep; `place` is where the value is to blame.
pub(crate) fn broken(
    variable: &Variable,
    rule: &Condition,
    place: Place,
    message: &str,
) -> Diagnostic {
    let detail =
        format!("The value of the variable \"{}\" is not accepted: {message}", &*variable.name);
    let found = Diagnostic::error(&INVALID, detail).at(place);
    let found = match place == variable.place {
        true => found,
        false => found.note_at("The variable is declared here.", variable.place),
    };
    found.note_at("This is the rule.", rule.condition.place())
}

/// What a call gives to a variable of its module; what that variable should not be given is reported.
pub(crate) fn handed_over(
    call: &Call,
    variable: &Variable,
    value: Value,
    place: Place,
    rules: &Rules,
    out: &mut Diagnostics,
) -> Given {
    let is_left_out = rules.deprecation_follows_values && value.is_null();
    if let Some(advice) = variable.deprecated.as_ref().filter(|_| !is_left_out) {
        let detail = format!("The variable \"{}\" is deprecated: {}", &*variable.name, &**advice);
        out.push(Diagnostic::warning(&DEPRECATED, detail).at(place));
    }
    if !variable.ephemeral && value.deep_marks().contains(&Mark::Ephemeral) {
        let detail = format!(
            "The value is ephemeral and the variable \"{}\" of the module \"{}\" is not. Declare the variable with ephemeral = true.",
            &*variable.name, &*call.name
        );
        out.push(Diagnostic::error(&EPHEMERAL, detail).at(place));
    }
    let origin = format!("module \"{}\"", &*call.name);
    Given { value, place: Some(place), origin, is_text: false }
}
