//! Early values, known before any resource is evaluated: in an edition that evaluates the sources and versions of modules, these
//! depend only on literals, constant variables, local values and pure functions. Everything else is unknown here.

use std::sync::{Arc, OnceLock};

use groma_eval::{Context, LookupResult, ProviderName, Reference, Scope, Step, UndefinedName};
use groma_module::declare::{Expression, Module, ModuleCall, Referent, Variable};
use groma_module::resolve::Surroundings;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Mark, Str, Type, Value};

use crate::codes;
use groma_decode::{accept, read_text};
use groma_inputs::{GivenInput, InputSource, Values};

/// The values of one module's variables and local values that are known before evaluation.
pub(crate) struct EarlyValues {
    module: Arc<Module>,
    /// The value of `path.module`.
    at: String,
    /// The value of `path.cwd`.
    cwd: String,
    variables: Vec<Option<Value>>,
    locals: Box<[OnceLock<Value>]>,
    /// True if a constant variable has no value, which was reported: dependent faults are not.
    pub(super) is_broken: bool,
}

impl std::fmt::Debug for EarlyValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Early").field("at", &self.at).finish_non_exhaustive()
    }
}

/// A scope for expressions of one module in which names have their early values, those known before evaluation.
struct EarlyScope(Arc<EarlyValues>);

/// A module call, and the values of the calling module that are known before evaluation.
pub(super) struct CallingModule<'a> {
    pub(super) early: &'a Arc<EarlyValues>,
    pub(super) call: &'a ModuleCall,
}

impl EarlyValues {
    /// Computes the early values of the root module; a constant variable without a value is an error if `reports_absence`, and
    /// `cwd` is the value of `path.cwd`.
    pub(super) fn of_root(
        module: &Arc<Module>,
        values: &Values,
        context: &Context,
        reports_absence: bool,
        cwd: String,
        out: &mut Diagnostics,
    ) -> Arc<EarlyValues> {
        let mut early = EarlyValues::without_inputs(module, ".".to_owned(), cwd);
        for (at, variable) in module.variables.iter().enumerate() {
            if !variable.is_const {
                continue;
            }
            let given = values.get(&variable.name).map(|given| GivenInput {
                value: given.value.clone(),
                place: given.place,
                origin: given.origin.clone(),
                by: given.by,
                is_text: given.is_text,
                is_unread: given.is_unread,
            });
            if given.is_none() && variable.default.is_none() {
                early.is_broken = true;
                if reports_absence {
                    let detail = format!(
                        "The variable \"{}\" is constant, so its value is needed to read the code. Give it one with -var or in a file of values.",
                        &*variable.name
                    );
                    out.push(
                        Diagnostic::error(&codes::CONSTANT_WITHOUT_VALUE, detail)
                            .at(variable.place),
                    );
                }
                continue;
            }
            early.set(at, variable, given, out);
        }
        let early = Arc::new(early);
        early.judge(None, context, out)
    }

    /// Computes the early values of a called module from those of its caller; `at` is the value of `path.module` in it.
    pub(super) fn of_call(
        module: &Arc<Module>,
        caller: &CallingModule<'_>,
        at: String,
        context: &Context,
        out: &mut Diagnostics,
    ) -> Arc<EarlyValues> {
        let mut early = EarlyValues::without_inputs(module, at, caller.early.cwd.clone());
        for (at, variable) in module.variables.iter().enumerate() {
            if !variable.is_const {
                continue;
            }
            let Some(input) = caller.call.input(&variable.name) else {
                // The missing input is reported at every call.
                early.is_broken |= variable.default.is_none();
                early.variables[at] = variable.default.clone();
                continue;
            };
            let before = out.error_count();
            let value = caller.early.evaluate(&input.value, context, out);
            let place = input.value.place();
            if out.error_count() > before || !value.is_wholly_known() {
                early.is_broken = true;
                if out.error_count() == before && !caller.early.is_broken {
                    let detail = format!(
                        "The variable \"{}\" of the module \"{}\" is constant, so its value is needed before any resource is evaluated. Compute it from constant variables and local values only.",
                        &*input.name, &*caller.call.name
                    );
                    out.push(Diagnostic::error(&codes::NOT_CONSTANT_INPUT, detail).at(place));
                }
                continue;
            }
            let origin = format!("module \"{}\"", &*caller.call.name);
            let (place, by) = (Some(place), InputSource::Call);
            let given = GivenInput { value, place, origin, by, is_text: false, is_unread: false };
            early.set(at, variable, Some(given), out);
        }
        let early = Arc::new(early);
        early.judge(Some(caller.call), context, out)
    }

    /// Returns the early values of a module while no variable is set; `at` and `cwd` are the values of `path.module` and
    /// `path.cwd`.
    fn without_inputs(module: &Arc<Module>, at: String, cwd: String) -> EarlyValues {
        let locals = (0..module.locals.len()).map(|_| OnceLock::new()).collect();
        let variables = vec![None; module.variables.len()];
        EarlyValues { module: module.clone(), at, cwd, variables, locals, is_broken: false }
    }

    /// Sets the value of a constant variable, known before evaluation, from its given value or default.
    fn set(
        &mut self,
        at: usize,
        variable: &Variable,
        given: Option<GivenInput>,
        out: &mut Diagnostics,
    ) {
        let value = match given {
            Some(given) => accept(variable, given, false),
            None => Ok(variable.default.clone().unwrap_or_else(|| Value::unknown(Type::Dynamic))),
        };
        match value {
            Ok(value) => self.variables[at] = Some(value),
            Err(problem) => {
                self.is_broken = true;
                out.push(*problem);
            }
        }
    }

    /// Reports constant variables that violate their validation rules, as far as this is known before evaluation, at their
    /// arguments in `call` if set there; returns `self`.
    fn judge(
        self: Arc<EarlyValues>,
        call: Option<&ModuleCall>,
        context: &Context,
        out: &mut Diagnostics,
    ) -> Arc<EarlyValues> {
        for (variable, value) in self.module.variables.iter().zip(&self.variables) {
            if value.is_none() {
                continue;
            }
            for rule in &variable.validations {
                // Faults of the rule itself are reported when the module is checked.
                let mut found = Diagnostics::new();
                let holds = self.evaluate(&rule.condition, context, &mut found);
                if found.has_errors() || !matches!(holds.bare(), Value::Bool(false)) {
                    continue;
                }
                let message = self.evaluate(&rule.message, context, &mut found);
                let detail = format!(
                    "The value of the variable \"{}\" is not accepted: {}",
                    &*variable.name,
                    read_text(&message)
                );
                let input = call.and_then(|call| call.input(&variable.name));
                let place = input.map_or(variable.place, |input| input.value.place());
                let diagnostic = Diagnostic::error(&codes::VALIDATION_FAILED, detail).at(place);
                out.push(diagnostic.note_at("This is the rule.", rule.condition.place()));
            }
        }
        self
    }

    /// Evaluates an expression of this module with the values known before evaluation; everything else is unknown.
    pub(super) fn evaluate(
        self: &Arc<EarlyValues>,
        expression: &Expression,
        context: &Context,
        out: &mut Diagnostics,
    ) -> Value {
        let context = context.with_scope(Arc::new(EarlyScope(self.clone())));
        self.evaluate_locals(expression, &context, out);
        groma_eval::evaluate(&expression.located, &context, out)
    }

    /// Evaluates the local values that an expression depends on, in dependency order.
    fn evaluate_locals(&self, expression: &Expression, context: &Context, out: &mut Diagnostics) {
        let locals = |expression: &Expression, stack: &mut Vec<u32>| {
            stack.extend(expression.uses.iter().filter_map(|used| match used.target {
                Referent::Local(at) => Some(at),
                _ => None,
            }));
        };
        let mut stack = Vec::new();
        locals(expression, &mut stack);
        let mut entered = rustc_hash::FxHashSet::default();
        while let Some(&at) = stack.last() {
            let value = &self.module.locals[at as usize].value;
            if self.locals[at as usize].get().is_some() {
                stack.pop();
            } else if entered.insert(at) {
                locals(value, &mut stack);
            } else {
                stack.pop();
                let found = groma_eval::evaluate(&value.located, context, out);
                let _ = self.locals[at as usize].set(found);
            }
        }
    }
}

/// Reports constant variables that are sensitive or ephemeral: values known before evaluation are not hidden.
pub(super) fn check_marks(module: &Module, out: &mut Diagnostics) {
    for variable in &module.variables {
        if variable.is_const && (variable.sensitive || variable.ephemeral) {
            let detail = format!(
                "The variable \"{}\" is constant, so it cannot be sensitive or ephemeral. Remove one of the two.",
                &*variable.name
            );
            out.push(Diagnostic::error(&codes::CONSTANT_MARKED, detail).at(variable.place));
        }
    }
}

/// Returns the text of a module source or version, or the reason why the value is not valid as one.
pub(super) fn text(value: &Value) -> Result<String, &'static str> {
    let marks = value.deep_marks();
    let converted = groma_value::convert(value.bare(), &Type::String);
    match converted.as_ref().map_or(value.bare(), Value::bare) {
        _ if marks.contains(&Mark::Sensitive) => {
            Err("it is sensitive, but the source of a module is shown")
        }
        _ if marks.contains(&Mark::Ephemeral) => Err("it is ephemeral"),
        Value::String(text) => Ok(text.to_string()),
        Value::Null(_) => Err("it is null"),
        Value::Unknown(_) => Err(
            "it is not known before anything is evaluated. Only literals, constant variables (const = true), local values computed from these and functions with a fixed result are allowed here",
        ),
        _ => Err("it is not text"),
    }
}

/// Returns the diagnostic for a module source that is not text or not known before evaluation.
pub(super) fn no_source(why: &str, place: Place) -> Diagnostic {
    let detail = format!("The source of the module cannot be evaluated: {why}.");
    Diagnostic::error(&codes::MODULE_SOURCE, detail).at(place)
}

/// Returns an unknown value of dynamic type.
fn unknown() -> Value {
    Value::unknown(Type::Dynamic)
}

impl Scope for EarlyScope {
    fn provider(&self, name: &str) -> ProviderName {
        self.0.module.names.requirements.find_during_check(name)
    }

    fn lookup(&self, reference: &Reference) -> LookupResult {
        let early = &self.0;
        let reported =
            LookupResult::Undefined(UndefinedName { reported: true, ..UndefinedName::default() });
        let around = Surroundings { count: true, each: true, ..Surroundings::default() };
        let Ok(target) = early.module.names.resolve(reference, &around) else { return reported };
        let found = |value: Value| LookupResult::Found { value, used: 1 };
        match target {
            Referent::Variable(at) => {
                let variable = &early.module.variables[at as usize];
                let absent = || Value::unknown(variable.value_type().clone());
                found(early.variables[at as usize].clone().unwrap_or_else(absent))
            }
            Referent::Local(at) => {
                found(early.locals[at as usize].get().cloned().unwrap_or_else(unknown))
            }
            Referent::Settled => {
                let name = match reference.steps.first() {
                    Some(Step::Attribute(name)) => name.clone(),
                    _ => Str::default(),
                };
                found(match (&*reference.root, &*name) {
                    ("path", "module") => Value::text(early.at.as_str()),
                    ("path", "root") => Value::text("."),
                    ("path", "cwd") => Value::text(early.cwd.as_str()),
                    _ => unknown(),
                })
            }
            Referent::Resource(_)
            | Referent::Call(_)
            | Referent::Output { .. }
            | Referent::News => LookupResult::root(unknown()),
            Referent::TypeWord => LookupResult::no_value_of_type_word(reference),
            Referent::Itself | Referent::Broken => reported,
        }
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        ["local", "path", "var"].into_iter().map(Arc::from).collect()
    }
}
