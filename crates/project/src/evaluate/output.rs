//! Evaluation of outputs and of their preconditions.

use std::sync::Arc;

use groma_config::{DeclarationName, ModuleAddress, sentence};
use groma_eval::news;
use groma_module::declare::{Expression, Output};
use groma_module::dialect::Conventions;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Fingerprint, Mark, Marks, Type, Value};

use crate::codes;
use crate::evaluate::cell::CellPart;
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::outcome::ConditionVerdict;
use crate::evaluate::world::EvaluationState;
use groma_decode::deprecation;

impl EvaluationState {
    /// Evaluates an output (preconditions, value, conversion and marks) and stores its value.
    pub(super) fn fill_output(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        out: &mut Diagnostics,
    ) {
        let output = &self.module(instance).outputs[at as usize];
        let is_root = instance.parent.is_none();
        if !is_root && let Some(value) = self.overridden_output(&instance.path, &output.name) {
            let value =
                output.convert(value).unwrap_or_else(|_| Value::unknown(output.known_type()));
            let hides = output.sensitive && self.project.conventions.child_outputs_marked;
            let value = if hides { value.sensitive() } else { value };
            self.set(&instance.outputs[at as usize], value);
            return;
        }
        let scope = self.scope(instance, RepeatKey::None);
        if !output.preconditions.is_empty() {
            let outcome = self.judge_output(&output.preconditions, &output.name, &scope, out);
            let goes_on = outcome.verdict < ConditionVerdict::Fail;
            self.record(instance, CellPart::Output(at), outcome);
            if !goes_on {
                self.set(&instance.outputs[at as usize], Value::unknown(output.known_type()));
                return;
            }
        }
        let Some(expression) = &output.value else {
            let value = Value::unknown(output.known_type());
            // A missing value is the same in every evaluation.
            let value = match self.options.trace {
                Some(_) => value.traced(Fingerprint::of("no value")),
                None => value,
            };
            self.set(&instance.outputs[at as usize], value);
            return;
        };
        let before = out.error_count();
        let value = self.evaluate(expression, &scope, out);
        let is_wrong = out.error_count() > before;
        let mut value = fit(output, expression, value, is_wrong, out);
        if let Some(place) = output.news {
            let name = DeclarationName::Output(output.name.clone());
            let address = self.node(instance.node).declared(name);
            value =
                news::unknown(self.causes(), address.into(), Some(place)).mark(&value.deep_marks());
        }
        let is_ephemeral = value.deep_marks().contains(&Mark::Ephemeral);
        let conventions = &self.project.conventions;
        check_marks(output, expression, &value, is_ephemeral, is_root, conventions, out);
        if !is_root && output.sensitive && self.project.conventions.child_outputs_marked {
            value = value.sensitive();
        }
        if is_root && is_ephemeral {
            value = without_ephemeral(&value);
        }
        let called = self.node(instance.node).path.names().last().map(|name| &**name);
        value = deprecation::of_output(
            value,
            output,
            expression,
            called,
            &self.project.conventions,
            out,
        );
        if !is_root && output.ephemeral {
            value = value.mark(&Marks::one(Mark::Ephemeral));
        }
        let value = self.bounded(value, expression.place(), out);
        self.set(&instance.outputs[at as usize], value);
    }
}

impl EvaluationState {
    /// Returns the value that mocks or the overrides of a test give to an output of a module instance, if any.
    pub(super) fn overridden_output(&self, module: &ModuleAddress, output: &str) -> Option<Value> {
        self.facts.overrides.as_ref()?.output(module, output, self.causes())
    }
}

/// Returns a value in which each ephemeral part is replaced by an unknown one, so that nothing ephemeral is stored.
pub fn without_ephemeral(value: &Value) -> Value {
    if !value.has_marks() || !value.deep_marks().contains(&Mark::Ephemeral) {
        return value.clone();
    }
    value.transform(&mut |part| match part.marks().contains(&Mark::Ephemeral) {
        true => Value::unknown(Type::Dynamic).mark(&part.marks()),
        false => part.clone(),
    })
}

/// Converts a value to the output's type; one that does not fit becomes unknown, and an error is reported unless `is_wrong`,
/// which says that the value has been reported as wrong already.
pub(crate) fn fit(
    output: &Output,
    expression: &Expression,
    value: Value,
    is_wrong: bool,
    out: &mut Diagnostics,
) -> Value {
    let marks = value.marks();
    output.convert(value).unwrap_or_else(|why| {
        if !is_wrong {
            let detail = format!(
                "The value of the output \"{}\" does not fit its type: {}.",
                &*output.name,
                sentence(&why)
            );
            out.push(Diagnostic::error(&codes::OUTPUT_TYPE, detail).at(expression.place()));
        }
        Value::unknown(output.known_type()).mark(&marks)
    })
}

/// Reports a value with marks that the output's declaration does not allow; `is_ephemeral` is true if the value of the output
/// counts as ephemeral, `is_root` if the output belongs to the root module, whose outputs are stored and shown.
pub(crate) fn check_marks(
    output: &Output,
    expression: &Expression,
    value: &Value,
    is_ephemeral: bool,
    is_root: bool,
    conventions: &Conventions,
    out: &mut Diagnostics,
) {
    let marks = value.deep_marks();
    if is_root && !output.sensitive && marks.contains(&Mark::Sensitive) {
        let detail = format!(
            "The output \"{}\" has a sensitive value but is not declared sensitive. Add sensitive = true, or remove the mark with nonsensitive(…) if the value may be shown.",
            &*output.name
        );
        out.push(Diagnostic::error(&codes::SENSITIVE_OUTPUT, detail).at(output.place));
    }
    let problem = match (is_root, output.ephemeral, is_ephemeral) {
        (_, false, true) => Some((
            expression.place(),
            "has an ephemeral value, which does not outlast the run. Use ephemeralasnull(…), or ephemeral = true in a child module.",
        )),
        (true, true, _) => Some((
            output.place,
            "belongs to the root module, whose outputs are stored, so it cannot be ephemeral.",
        )),
        // The whole value must be ephemeral, not a part of it.
        (false, true, _)
            if !conventions.takes_plain_ephemeral_outputs
                && !value.marks().contains(&Mark::Ephemeral) =>
        {
            Some((
                expression.place(),
                "is declared ephemeral, but its value is not. Remove ephemeral = true, or compute the value from an ephemeral one.",
            ))
        }
        _ => None,
    };
    if let Some((place, problem)) = problem {
        let detail = format!("The output \"{}\" {problem}", &*output.name);
        out.push(Diagnostic::error(&codes::EPHEMERAL_OUTPUT, detail).at(place));
    }
}
