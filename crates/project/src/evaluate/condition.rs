//! Evaluation of conditions: validations, preconditions, postconditions, assertions. An unknown condition has neither passed nor
//! failed, which is a verdict, too.

use std::sync::Arc;

use groma_config::{InstanceAddress, sentence};
use groma_eval::{LookupResult, ProvidedSignature, ProviderName, Reference, Scope};
use groma_module::declare::Condition;
use groma_syntax::{Diagnostic, Diagnostics, ReferenceValue};
use groma_value::{Type, Value};

use crate::codes;
use crate::evaluate::cell::{Cell, CellPart};
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::object::InstanceObject;
use crate::evaluate::outcome::{ConditionOutcome, ConditionVerdict, DataReading};
use crate::evaluate::world::EvaluationState;
use groma_decode::deprecation;
use groma_decode::{UNREADABLE_MESSAGE, read_message};

/// A scope that adds one object under fixed names, such as `self`, to the scope `below`.
pub(super) struct SelfScope {
    pub(super) names: &'static [&'static str],
    pub(super) object: InstanceObject,
    pub(super) below: Arc<dyn Scope>,
}

impl Scope for SelfScope {
    fn lookup(&self, reference: &Reference) -> LookupResult {
        if !self.names.contains(&&*reference.root) {
            return self.below.lookup(reference);
        }
        let (value, used) = self.object.follow(&reference.steps);
        LookupResult::Found { value, used }
    }

    fn provider(&self, name: &str) -> ProviderName {
        self.below.provider(name)
    }

    fn described(&self, provider: &str, function: &str) -> ProvidedSignature {
        self.below.described(provider, function)
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        let mut names = self.below.root_names();
        names.extend(self.names.iter().map(|name| Arc::from(*name)));
        names.sort();
        names
    }
}

impl EvaluationState {
    /// Evaluates a condition without its message and returns the verdict; reports errors of the evaluation.
    pub(super) fn holds(
        &self,
        condition: &Condition,
        scope: &Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) -> ConditionVerdict {
        self.holds_reporting(condition, scope, false, out)
    }

    /// Evaluates a condition without its message and returns the verdict; with `reports`, uses of deprecated values are reported.
    fn holds_reporting(
        &self,
        condition: &Condition,
        scope: &Arc<dyn Scope>,
        reports: bool,
        out: &mut Diagnostics,
    ) -> ConditionVerdict {
        let before = out.error_count();
        let value = self.evaluate(&condition.condition, scope, out);
        if reports {
            deprecation::report_whole(&value, &condition.condition, out);
        }
        if out.error_count() > before {
            return ConditionVerdict::Error;
        }
        let converted = groma_value::convert(&value, &Type::Bool);
        let problem = match converted.map(|flag| flag.bare().clone()) {
            Ok(Value::Bool(true)) => return ConditionVerdict::Pass,
            Ok(Value::Bool(false)) => return ConditionVerdict::Fail,
            Ok(converted) if !converted.is_known() => return ConditionVerdict::Unknown,
            Ok(_) => "it is null".to_owned(),
            Err(why) => sentence(&why),
        };
        let detail = format!("The condition has to be true or false: {problem}.");
        out.push(
            Diagnostic::error(&codes::CONDITION_RESULT, detail).at(condition.condition.place()),
        );
        ConditionVerdict::Error
    }

    /// Returns the references in a condition with their values as text, for a diagnostic that shows them.
    pub(super) fn operands(
        &self,
        condition: &Condition,
        scope: &Arc<dyn Scope>,
    ) -> Vec<ReferenceValue> {
        let located = &condition.condition.located;
        groma_eval::operands(located, &self.context(scope.clone()))
    }

    /// Evaluates a condition and its message and returns the verdict with the message, which must be valid even if the condition
    /// holds.
    fn evaluate_with_message(
        &self,
        condition: &Condition,
        scope: &Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) -> (ConditionVerdict, String) {
        let before = out.error_count();
        let verdict = self.holds_reporting(condition, scope, true, out);
        let value = self.evaluate(&condition.message, scope, out);
        deprecation::report_whole(&value, &condition.message, out);
        let message = match out.error_count() > before {
            true => None,
            false => read_message(&value, condition.message.place(), out),
        };
        let verdict = if out.error_count() > before { ConditionVerdict::Error } else { verdict };
        (verdict, message.unwrap_or_else(|| UNREADABLE_MESSAGE.to_owned()))
    }

    /// Evaluates the conditions of one resource instance or output and adds their verdicts to `outcome`; `report` makes a
    /// diagnostic from the message of a failed one.
    fn judge(
        &self,
        conditions: &[Condition],
        scope: &Arc<dyn Scope>,
        report: &mut dyn FnMut(String) -> Diagnostic,
        outcome: &mut ConditionOutcome,
        out: &mut Diagnostics,
    ) {
        for condition in conditions {
            let (verdict, message) = self.evaluate_with_message(condition, scope, out);
            outcome.add(verdict);
            if verdict == ConditionVerdict::Fail {
                let mut found = report(message.clone()).at(condition.condition.place());
                found.operands = self.operands(condition, scope);
                outcome.problems.push(message);
                out.push(found);
            }
        }
    }

    /// Evaluates the preconditions of a resource instance, reports those that fail, and returns their outcome.
    pub(super) fn judge_before(
        &self,
        conditions: &[Condition],
        address: &InstanceAddress,
        scope: &Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) -> ConditionOutcome {
        let mut outcome = ConditionOutcome::default();
        let mut report = |message: String| {
            Diagnostic::error(
                &codes::PRECONDITION_FAILED,
                format!("A precondition of {address} failed: {message}"),
            )
        };
        self.judge(conditions, scope, &mut report, &mut outcome, out);
        outcome
    }

    /// Evaluates the postconditions of a resource instance in the scope `below`, extended by its `object` as `self`, reports
    /// those that fail, and adds their verdicts to `outcome`.
    pub(super) fn judge_after(
        &self,
        conditions: &[Condition],
        address: &InstanceAddress,
        object: InstanceObject,
        below: &Arc<dyn Scope>,
        outcome: &mut ConditionOutcome,
        out: &mut Diagnostics,
    ) {
        let scope: Arc<dyn Scope> =
            Arc::new(SelfScope { names: &["self"], object, below: below.clone() });
        let mut report = |message: String| {
            let detail = format!("A postcondition of {address} failed: {message}");
            Diagnostic::error(&codes::POSTCONDITION_FAILED, detail)
        };
        self.judge(conditions, &scope, &mut report, outcome, out);
    }

    /// Evaluates the preconditions of an output, reports those that fail, and returns their outcome.
    pub(super) fn judge_output(
        &self,
        conditions: &[Condition],
        name: &str,
        scope: &Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) -> ConditionOutcome {
        let mut outcome = ConditionOutcome::default();
        let mut report = |message: String| {
            let detail = format!("A precondition of the output \"{name}\" failed: {message}");
            Diagnostic::error(&codes::PRECONDITION_FAILED, detail)
        };
        self.judge(conditions, scope, &mut report, &mut outcome, out);
        outcome
    }

    /// Evaluates the assertions of a `check` block and stores their outcome; a failed one is reported as a warning.
    pub(super) fn fill_check(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        at: u32,
        out: &mut Diagnostics,
    ) {
        let check = &self.module(instance).checks[at as usize];
        let scope = self.scope_of(instance, RepeatKey::None, Some(&check.name));
        let mut outcome = ConditionOutcome::default();
        if self.failed_to_read(instance, &check.name) {
            // A read error of the scoped data source is reported there; nothing can be asserted about it.
            outcome.add(ConditionVerdict::Fail);
            return self.record(instance, CellPart::Check(at), outcome);
        }
        for assertion in &check.assertions {
            let (verdict, message) = self.evaluate_with_message(assertion, &scope, out);
            outcome.add(verdict);
            let place = assertion.condition.place();
            match verdict {
                ConditionVerdict::Pass | ConditionVerdict::Error => {}
                ConditionVerdict::Unknown => {
                    let detail = format!(
                        "This depends on values that are not known yet, so the check \"{}\" is undecided.",
                        &*check.name
                    );
                    out.push(Diagnostic::warning(&codes::ASSERTION_UNDECIDED, detail).at(place));
                }
                ConditionVerdict::Fail => {
                    let detail = format!("The check \"{}\" fails: {message}", &*check.name);
                    outcome.problems.push(message);
                    let mut found = Diagnostic::warning(&codes::ASSERTION_FAILED, detail).at(place);
                    found.operands = self.operands(assertion, &scope);
                    out.push(found);
                }
            }
        }
        self.record(instance, CellPart::Check(at), outcome);
    }

    /// Returns true if the scoped data source of a check could not be read.
    fn failed_to_read(&self, instance: &Arc<InstanceNode>, check: &str) -> bool {
        let mut resources = self.module(instance).resources.iter();
        let own = resources.position(|one| one.check.as_deref() == Some(check));
        own.is_some_and(|own| {
            let cell = Cell { instance: instance.id, part: CellPart::Object(own as u32, 0) };
            self.ledger().readings.get(&cell) == Some(&DataReading::Failed)
        })
    }

    /// Stores the outcome of the conditions of a variable, resource instance, output or check.
    pub(super) fn record(
        &self,
        instance: &InstanceNode,
        part: CellPart,
        outcome: ConditionOutcome,
    ) {
        self.ledger().outcomes.insert(Cell { instance: instance.id, part }, outcome);
    }

    /// Returns the stored outcome of the conditions of a variable, resource instance, output or check; `None` if it has none.
    pub(super) fn outcome(
        &self,
        instance: &InstanceNode,
        part: CellPart,
    ) -> Option<ConditionOutcome> {
        self.ledger().outcomes.get(&Cell { instance: instance.id, part }).cloned()
    }
}
