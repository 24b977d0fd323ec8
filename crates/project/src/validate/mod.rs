//! Validation of a project for any inputs: every variable, resource and instance key is unknown, and every expression is
//! evaluated once. A module is validated once, however often it is called, even if no call creates an instance of it. Evaluation
//! has an order of its own and treats a body as a whole, so this does not use the visitor of expressions.

mod body;
mod call;
mod import;
mod memory;
mod provider;
mod samples;
mod scope;

use std::cell::LazyCell;
use std::sync::Arc;

use groma_config::sentence;
use groma_eval::{CauseTable, Context, EvaluationBasis};
use groma_module::declare::{
    Condition, Expression, Module, Output, Referent, Repetition, Variable,
};
use groma_module::resolve::Surroundings;
use groma_module::schema::{LocalProviders, ProviderSchemas};
use groma_module::visit::Declaration;
use groma_syntax::{Diagnostic, Diagnostics, Phase, Place};
use groma_value::{Mark, Type, Value};
use memory::{ModuleMemory, OutputTypes, SharedResults, ValidationMemory};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{UnknownInputScope, UnknownInputValues};

use crate::codes;
use crate::evaluate::{check_marks, expand_value, fit, is_count_too_large};
use crate::graph::describe;
use crate::load::as_note;
use crate::options::{LoadPurpose, ProjectOptions, RootInputs};
use crate::project::Project;
use crate::tree::used::ProviderUsages;
use crate::tree::{CalledModule, ModuleId, TreeModule};
use groma_decode::deprecation;
use groma_decode::{UNREADABLE_MESSAGE, broken, read_message, rule_message};

pub use memory::{OlderValidation, ValidationResults};
pub use samples::{sample, sample_again};

/// Validates every module of the project with unknown inputs, without memory of earlier validations. Diagnostics of loading are
/// not repeated.
pub fn validate(project: &Arc<Project>, options: &ProjectOptions, out: &mut Diagnostics) {
    validate_modules(project, options, None, out);
}

/// Validates every module again, reusing results of an older validation that an edit has not affected; returns the results for
/// the next one, or `None` if it cannot reuse any.
pub fn validate_again(
    project: &Arc<Project>,
    options: &ProjectOptions,
    older: Option<OlderValidation<'_>>,
    out: &mut Diagnostics,
) -> Option<ValidationResults> {
    let mut remembered = ValidationMemory::begin(project, options, older);
    validate_modules(project, options, remembered.as_mut(), out)
        .then(|| remembered?.finish(project, options))
        .flatten()
}

/// Validates every module, reusing and updating `remembered` if given; returns false if errors of loading prevent it.
fn validate_modules(
    project: &Arc<Project>,
    options: &ProjectOptions,
    mut remembered: Option<&mut ValidationMemory<'_>>,
    out: &mut Diagnostics,
) -> bool {
    if out.iter().any(|found| found.is_error_in(..=Phase::Require)) {
        return false;
    }
    if options.load.inputs == RootInputs::Unknown && options.load.purpose != LoadPurpose::Plan {
        let told = out.split_off(0);
        out.extend(told.into_iter().filter(|found| found.phase != Phase::Plan));
    }
    // Many modules configure no provider.
    let usages = LazyCell::new(|| {
        ProviderUsages::of(&project.nodes, project.edition.dialect, &project.conventions)
    });
    let mut found = Diagnostics::new();
    let mut seen: FxHashMap<(usize, Vec<Option<usize>>), SharedResults> = FxHashMap::default();
    for (at, node) in project.nodes.iter().enumerate() {
        let address = |id: ModuleId| Arc::as_ptr(&project.nodes[id.0 as usize].module).addr();
        let children = node.children.iter().map(|child| match child {
            CalledModule::Module(id) => Some(address(*id)),
            CalledModule::Absent => None,
        });
        let id = ModuleId(at as u32);
        // Equal modules with equal children have equal faults.
        let kind = (address(id), children.collect());
        if !seen.contains_key(&kind) {
            let before = options.run.budget.remainder();
            let mut validator = ModuleValidator::new(project, options, id);
            validator.memory = remembered.as_ref().map(|all| all.of_module(project, id, &[]));
            validator.module(&mut found);
            for (block, provider) in node.module.providers.iter().enumerate() {
                validator.provider(provider, &usages.usage(id, block), &mut found);
            }
            let results = validator.memory.map(ModuleMemory::into_results).unwrap_or_default();
            seen.insert(kind.clone(), results);
            // Its memory is released with it.
            options.run.budget.release_to(before);
        }
        if let (Some(all), Some(results)) = (&mut remembered, seen.get(&kind)) {
            all.keep(project, id, results.clone(), None);
        }
    }
    found.mark_phase(0, Phase::Judge);
    found.resolve(&project.sources);
    project.sources.sort(&mut found);
    let mut known: FxHashSet<(Option<Place>, &'static str, Option<String>)> =
        out.iter().map(identity).collect();
    for diagnostic in found {
        if known.insert(identity(&diagnostic)) {
            // If another error has to be fixed first, this may be a consequence.
            out.push(if project.is_linked { diagnostic } else { as_note(diagnostic) });
        }
    }
    true
}

/// A validation of one module in progress: the values of its names, the provider schemas, and remembered results.
struct ModuleValidator<'p> {
    project: &'p Project,
    node: &'p TreeModule,
    values: Arc<UnknownInputValues>,
    context: Context,
    schemas: &'p ProviderSchemas,
    /// The sources of the module's providers.
    providers: LocalProviders,
    /// The results of an older validation, if this one is remembered.
    memory: Option<ModuleMemory<'p>>,
}

impl<'p> ModuleValidator<'p> {
    /// Returns a validation of the module `id` in which nothing is evaluated yet.
    fn new(
        project: &'p Arc<Project>,
        options: &'p ProjectOptions,
        id: ModuleId,
    ) -> ModuleValidator<'p> {
        let values = UnknownInputValues::new(project.clone(), id, options.run.cwd.clone());
        ModuleValidator::of(project, options, values, false)
    }

    /// Returns a validation in which loops over unknown collections are evaluated with one sample element, and the outputs of
    /// calls have the types in `called`.
    fn sampling(
        project: &'p Arc<Project>,
        options: &'p ProjectOptions,
        id: ModuleId,
        called: Box<[Option<OutputTypes>]>,
    ) -> ModuleValidator<'p> {
        let values = UnknownInputValues::new(project.clone(), id, options.run.cwd.clone());
        ModuleValidator::of(project, options, values.with_outputs(called), true)
    }

    /// Returns a validation of the module whose names have the values `values`; if `samples` is true, loops over unknown
    /// collections are evaluated with one sample element.
    fn of(
        project: &'p Arc<Project>,
        options: &'p ProjectOptions,
        values: UnknownInputValues,
        samples: bool,
    ) -> ModuleValidator<'p> {
        let id = values.module();
        let values = Arc::new(values);
        let scope = UnknownInputScope { values: values.clone(), around: Surroundings::default() };
        let basis = EvaluationBasis {
            host: project.host.clone(),
            limits: options.run.limits,
            budget: options.run.budget.clone(),
            readings: options.run.readings.clone(),
            semantics: project.semantics.clone(),
            now: options.run.now,
            seed: options.run.seed,
            causes: Arc::new(CauseTable::new()),
            mocks: project.mocks.clone(),
            base: project.dir.clone(),
            samples,
            trace: None,
        };
        let context = basis.with_scope(Arc::new(scope));
        let node = &project.nodes[id.0 as usize];
        let providers = LocalProviders::of(&node.module.settings.providers);
        let schemas = &project.schemas;
        ModuleValidator { project, node, values, context, schemas, providers, memory: None }
    }

    /// Returns the evaluation context of expressions with these surroundings.
    fn within(&self, around: &Surroundings) -> Context {
        let scope = UnknownInputScope { values: self.values.clone(), around: around.clone() };
        Context { scope: Arc::new(scope), ..self.context.clone() }
    }

    /// Evaluates an expression; unknown if the run has ended.
    fn evaluate(&self, expression: &Expression, context: &Context, out: &mut Diagnostics) -> Value {
        if let Some(value) = expression.located.code.constant() {
            return value.clone();
        }
        self.note_sources(expression);
        // After the end of the run no expression is evaluated.
        match context.budget.ended() {
            None => groma_eval::evaluate(&expression.located, context, out),
            Some(_) => Value::unknown(Type::Dynamic),
        }
    }

    /// Records the declaration that was being validated when the run ended.
    fn record_end(&self, declaration: Declaration) {
        self.context.budget.record_work(|| describe(self.node, declaration).0);
    }

    /// Records the external sources that an expression depends on, such as files.
    fn note_sources(&self, expression: &Expression) {
        if let Some(memory) = &self.memory {
            memory.note_sources(expression.located.code.sources());
        }
    }

    /// Evaluates an expression whose value is remembered, because other expressions refer to it.
    fn evaluate_to_keep(&self, expression: &Expression, out: &mut Diagnostics) -> Value {
        self.note_sources(expression);
        match (expression.located.code.constant(), self.context.budget.ended()) {
            (Some(value), _) => value.clone(),
            (None, None) => groma_eval::evaluate_to_keep(&expression.located, &self.context, out),
            (None, Some(_)) => Value::unknown(Type::Dynamic),
        }
    }

    /// Validates all declarations of the module.
    fn module(&self, out: &mut Diagnostics) {
        let module = &*self.node.module;
        self.locals(module, out);
        // Variables of a child are validated at the call, with its inputs.
        let own = if self.node.parent.is_none() { &*module.variables } else { &[] };
        let mut each = |declaration, validate: &dyn Fn(&mut Diagnostics)| {
            self.validate_or_reuse(declaration, out, |out| {
                validate(out);
                None
            });
            self.record_end(declaration);
        };
        for (at, variable) in (0..).zip(own) {
            let place = variable.place;
            each(Declaration::Variable(at), &|out| {
                self.rules(variable, true, place, &self.context, out);
            });
        }
        for (at, call) in (0..).zip(&module.calls) {
            each(Declaration::Call(at), &|out| self.call(at as usize, call, out));
        }
        for (at, resource) in (0..).zip(&module.resources) {
            each(Declaration::Resource(at), &|out| self.resource(at, resource, out));
        }
        for (at, output) in (0..).zip(&module.outputs) {
            each(Declaration::Output(at), &|out| self.output(output, out));
        }
        self.imports(module, out);
        for check in &module.checks {
            // The result of an assertion is never an error; its message must be valid.
            let context = self.within(&Surroundings::of_check(check));
            for assertion in &check.assertions {
                let before = out.error_count();
                let message = self.evaluate(&assertion.message, &context, out);
                if out.error_count() == before {
                    read_message(&message, assertion.message.place(), out);
                }
            }
        }
    }

    /// Validates a declaration, or reports its remembered diagnostics if still valid; returns its value, if it has one. Calls are
    /// not nested.
    fn validate_or_reuse(
        &self,
        declaration: Declaration,
        out: &mut Diagnostics,
        validate: impl FnOnce(&mut Diagnostics) -> Option<Value>,
    ) -> Option<Value> {
        let Some(memory) = &self.memory else { return validate(out) };
        if let Some(known) = memory.report_again(&self.node.module, declaration, out) {
            return known;
        }
        self.values.forget_reads();
        memory.begin();
        let mut found = Diagnostics::new();
        let value = validate(&mut found);
        memory.finish(declaration, &found, self.values.take_reads(), value.clone());
        out.extend(found);
        value
    }

    /// Evaluates the local values of the module in dependency order.
    fn locals(&self, module: &Module, out: &mut Diagnostics) {
        let mut entered = vec![false; module.locals.len()];
        for first in 0..module.locals.len() as u32 {
            let mut stack = vec![first];
            while let Some(&at) = stack.last() {
                let value = &module.locals[at as usize].value;
                if self.values.has_local(at) {
                    stack.pop();
                    continue;
                }
                if !std::mem::replace(&mut entered[at as usize], true) {
                    stack.extend(value.uses.iter().filter_map(|used| match used.target {
                        // A local value that was entered and has no value is part of a cycle.
                        Referent::Local(need) if !entered[need as usize] => Some(need),
                        _ => None,
                    }));
                    continue;
                }
                stack.pop();
                let worth = self.validate_or_reuse(Declaration::Local(at), out, |out| {
                    let found = self.evaluate_to_keep(value, out);
                    self.record_end(Declaration::Local(at));
                    Some(deprecation::report(found, value, &self.project.conventions, out))
                });
                self.values.set_local(at, worth.unwrap_or(Value::unknown(Type::Dynamic)));
            }
        }
    }

    /// Evaluates the rules of a variable, one of the root module if `is_root`, as far as its value is known; `place` is the
    /// source range responsible for the value.
    fn rules(
        &self,
        variable: &Variable,
        is_root: bool,
        place: Place,
        context: &Context,
        out: &mut Diagnostics,
    ) {
        let conventions = &self.project.conventions;
        for rule in &variable.validations {
            let before = out.error_count();
            let holds = self.evaluate(&rule.condition, context, out);
            let judged = out.error_count();
            let message = self.evaluate(&rule.message, context, out);
            if judged == before
                && out.error_count() > judged
                && matches!(holds.bare(), Value::Bool(false))
                && conventions.blames_without_message
            {
                out.push(broken(variable, rule, place, UNREADABLE_MESSAGE));
            }
            if out.error_count() > before || !holds.is_known() {
                continue;
            }
            match groma_value::convert(&holds, &Type::Bool).map(|flag| flag.bare().clone()) {
                Ok(Value::Bool(true)) => {}
                // If the message is unknown, so is the violation.
                Ok(flag) if !message.is_wholly_known() => {
                    if flag.is_known() && !flag.is_null() && conventions.first_validation_only {
                        break;
                    }
                }
                Ok(Value::Bool(false)) => {
                    let refused =
                        conventions.refuses_sensitive_message(variable.sensitive, is_root);
                    let message = rule_message(&message, rule.message.place(), refused, out);
                    out.extend(message.map(|message| broken(variable, rule, place, &message)));
                    if conventions.first_validation_only {
                        break;
                    }
                }
                Ok(_) => report_no_boolean(rule, "it is null", out),
                Err(why) => report_no_boolean(rule, &sentence(&why), out),
            }
        }
    }

    /// Validates an output with unknown inputs: its preconditions, its value and type, and its marks.
    fn output(&self, output: &Output, out: &mut Diagnostics) {
        let whose = format!("The output \"{}\"", &*output.name);
        for condition in &output.preconditions {
            self.check_precondition(condition, &whose, out);
        }
        let Some(expression) = &output.value else { return };
        let before = out.error_count();
        let value = self.evaluate(expression, &self.context, out);
        if out.error_count() > before {
            return;
        }
        let value = match output.deprecated {
            Some(_) => deprecation::forget(value),
            None => deprecation::report_parts(value, expression, out),
        };
        let is_root = self.node.parent.is_none();
        let value = fit(output, expression, value, false, out);
        let conventions = &self.project.conventions;
        // Some editions leave a mark on parts of the value to the plan.
        let marks = match conventions.checks_ephemeral_wholes {
            true => value.marks(),
            false => value.deep_marks(),
        };
        let is_ephemeral = marks.contains(&Mark::Ephemeral);
        check_marks(output, expression, &value, is_ephemeral, is_root, conventions, out);
    }

    /// Evaluates a condition of a resource and its message, to report errors in them. The results are ignored: without an object
    /// nothing is decided.
    fn condition(&self, condition: &Condition, context: &Context, out: &mut Diagnostics) {
        for expression in [&condition.condition, &condition.message] {
            self.evaluate(expression, context, out);
        }
    }

    /// Evaluates a precondition of an output and its message; reports a known violation, and a message that is not valid.
    fn check_precondition(&self, condition: &Condition, output: &str, out: &mut Diagnostics) {
        let before = out.error_count();
        let value = self.evaluate(&condition.condition, &self.context, out);
        let message = self.evaluate(&condition.message, &self.context, out);
        if out.error_count() > before {
            return;
        }
        let message = read_message(&message, condition.message.place(), out);
        if !value.is_known() {
            return;
        }
        let converted = groma_value::convert(&value, &Type::Bool);
        match (converted.map(|flag| flag.bare().clone()), message) {
            (Ok(Value::Bool(false)), Some(message)) => {
                let detail = format!("A precondition of {output} failed: {message}");
                let place = condition.condition.place();
                out.push(Diagnostic::error(&codes::PRECONDITION_FAILED, detail).at(place));
            }
            (Ok(Value::Null(_)), _) => report_no_boolean(condition, "it is null", out),
            (Ok(_), _) => {}
            (Err(why), _) => report_no_boolean(condition, &sentence(&why), out),
        }
    }

    /// Validates the `count` or `for_each` of a module call. `enabled` is evaluated only by a plan.
    fn repetition(&self, repetition: &Repetition, around: &Surroundings, out: &mut Diagnostics) {
        self.repeated(repetition, around, true, out);
    }

    /// Validates the repetition of a resource; errors in computing a `for_each` are not reported in editions that evaluate it
    /// only in a plan. Its value must be valid as keys in any case.
    fn resource_repetition(
        &self,
        repetition: &Repetition,
        around: &Surroundings,
        out: &mut Diagnostics,
    ) {
        let is_left = matches!(repetition, Repetition::Each(_))
            && self.project.conventions.leaves_for_each_to_plan;
        self.repeated(repetition, around, !is_left, out);
    }

    /// Validates a `count` or `for_each`; `reports_errors` is true if errors in computing its value are reported even if it has
    /// no known value.
    fn repeated(
        &self,
        repetition: &Repetition,
        around: &Surroundings,
        reports_errors: bool,
        out: &mut Diagnostics,
    ) {
        if matches!(repetition, Repetition::Enabled(_)) {
            return;
        }
        let Some(expression) = repetition.expression() else { return };
        let mut found = Diagnostics::new();
        let value = self.evaluate(expression, &self.within(around), &mut found);
        let value = deprecation::report(value, expression, &self.project.conventions, &mut found);
        let is_well = !found.has_errors();
        // Errors inside of an existing value are always reported.
        if reports_errors || value.is_known() {
            out.extend(found.into_vec());
        }
        let conventions = &self.project.conventions;
        let is_left_to_plan = matches!(repetition, Repetition::Count(_))
            && !conventions.large_counts_checked
            && is_count_too_large(&value);
        if is_well && !is_left_to_plan {
            let expansion = expand_value(repetition, expression, &value, conventions, &|_| false);
            out.extend(expansion.err().flatten().map(|problem| *problem));
        }
    }
}

/// Returns the key by which repeated diagnostics are recognized: place, code, and for deprecations the message, since one value
/// may depend on several deprecated ones.
fn identity(found: &Diagnostic) -> (Option<Place>, &'static str, Option<String>) {
    let advises = [&codes::DEPRECATED_OUTPUT, &codes::DEPRECATED_ATTRIBUTE].contains(&found.code);
    (found.place, found.code.slug, advises.then(|| found.detail.to_string()))
}

/// Reports a condition whose value is neither true nor false; `problem` says what it is instead.
fn report_no_boolean(condition: &Condition, problem: &str, out: &mut Diagnostics) {
    let detail = format!("The condition has to be true or false: {problem}.");
    out.push(Diagnostic::error(&codes::CONDITION_RESULT, detail).at(condition.condition.place()));
}
