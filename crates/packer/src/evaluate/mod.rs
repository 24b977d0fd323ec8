//! Evaluation of a template's declarations: first variables, then locals and data in dependency order, each once. If there is no
//! such order (a missing name, a cycle), no local has a value, as in Packer.

mod data;
mod declared;
mod gap;
mod order;
mod question;
mod scope;
mod variable;
mod view;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use groma_eval::{
    Cause, CauseAddress, CauseClass, CauseTable, Context, EvaluationBasis, Scope, ended,
};
use groma_functions::FunctionLibrary;
use groma_runtime::Semantics;
use groma_syntax::{Diagnostic, Diagnostics, Place, Sources};
use groma_value::{Causes, Marks, Type, Value};

use crate::codes;
use crate::content::TemplateExpression;
use crate::declare::Template;
use crate::options::TemplateOptions;
pub use declared::{
    DeclarationOrigin, OriginKind, OriginPart, WrittenArgument, WrittenRepetition, WrittenSite,
};
use order::TemplateCell;
use scope::TemplateRoots;
pub(crate) use scope::{OwnBuild, SourceScope};
pub use view::StatedValue;

/// The values of one Packer template, evaluated when this is created. Clones share them, also between threads.
#[derive(Clone)]
pub struct TemplateEvaluation {
    pub(crate) world: Arc<TemplateState>,
}

/// A Packer template with the results of its evaluation so far, shared by the clones of a [`TemplateEvaluation`] and by the
/// scopes of expressions.
pub(crate) struct TemplateState {
    pub(crate) template: Arc<Template>,
    pub(crate) options: TemplateOptions,
    pub(crate) library: FunctionLibrary,
    pub(crate) causes: Arc<CauseTable>,
    semantics: Arc<Semantics>,
    /// The values of variables, by index.
    variables: Vec<OnceLock<Value>>,
    /// The results of local values, by index.
    locals: Vec<OnceLock<SettledCell>>,
    /// The results of data blocks, by index.
    data: Vec<OnceLock<SettledCell>>,
    /// The indices of the data blocks that were not read.
    unread: Mutex<BTreeSet<usize>>,
    /// The diagnostics so far.
    found: Mutex<Diagnostics>,
    /// True if locals and data have a dependency order.
    ordered: OnceLock<bool>,
    /// The diagnostic for the end of the run.
    end: OnceLock<Diagnostic>,
    /// The source texts of the template and of queries.
    sources: Mutex<Sources>,
}

/// The result of evaluating a local value or data block: a value, or none after an error.
#[derive(Clone)]
pub(crate) enum SettledCell {
    /// It has a value.
    Value(Value),
    /// No value, because of a reported error.
    Failed,
}

impl TemplateEvaluation {
    /// Evaluates all variables, local values and data blocks of a template.
    pub fn new(template: Arc<Template>, options: TemplateOptions) -> TemplateEvaluation {
        let cells = |count: usize| (0..count).map(|_| OnceLock::new()).collect();
        let world = Arc::new(TemplateState {
            semantics: Semantics::of(template.edition),
            library: FunctionLibrary::of(template.edition),
            causes: Arc::new(CauseTable::new()),
            variables: template.variables.iter().map(|_| OnceLock::new()).collect(),
            locals: cells(template.locals.len()),
            data: cells(template.data.len()),
            unread: Mutex::default(),
            found: Mutex::default(),
            ordered: OnceLock::new(),
            end: OnceLock::new(),
            sources: Mutex::new(template.sources.clone()),
            template,
            options,
        });
        world.settle();
        TemplateEvaluation { world }
    }

    /// Returns the template that is evaluated.
    pub fn template(&self) -> &Arc<Template> {
        &self.world.template
    }

    /// Returns the source texts of the template's files and of the expressions evaluated by
    /// [`evaluate_text`](Self::evaluate_text).
    pub fn sources(&self) -> Sources {
        self.world.sources().clone()
    }

    /// Returns the table of the causes of unknown values, by id.
    pub fn causes(&self) -> &Arc<CauseTable> {
        &self.world.causes
    }

    /// Returns the diagnostics found while evaluating variables, local values and data blocks.
    pub fn found(&self) -> Diagnostics {
        self.world.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the diagnostic if a limit ended the run, with the declaration that was being evaluated; `None` if none did.
    pub fn end(&self) -> Option<Diagnostic> {
        self.world.options.budget.ended()?;
        self.world.end.get().cloned()
    }

    /// Returns the scope of expressions outside of all builds.
    pub fn scope(&self) -> Arc<dyn Scope> {
        self.world.scope(SourceScope::default(), true)
    }
}

impl TemplateState {
    /// Locks and returns the source texts of the template's files and of the expressions evaluated by
    /// [`TemplateEvaluation::evaluate_text`].
    pub(crate) fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if local values and data blocks have a dependency order, so that builds can be evaluated.
    pub(crate) fn is_ordered(&self) -> bool {
        self.ordered.get().copied().unwrap_or(false)
    }

    /// Evaluates all variables, then locals and data in dependency order.
    fn settle(self: &Arc<Self>) {
        let mut out = Diagnostics::new();
        for (at, variable) in self.template.variables.iter().enumerate() {
            self.settle_variable(at, &mut out);
            let name = || format!("var.{}", &*variable.name);
            if self.ends_at(name, variable.place) {
                break;
            }
        }
        match self.order(&mut out) {
            Some(cells) => {
                let _ = self.ordered.set(true);
                for cell in cells {
                    self.settle_cell(cell, &mut out);
                    let (name, place) = match cell {
                        TemplateCell::Local(at) => {
                            let local = &self.template.locals[at];
                            (format!("local.{}", &*local.name), local.place)
                        }
                        TemplateCell::Data(at) => {
                            let data = &self.template.data[at];
                            (data.address(), data.place)
                        }
                    };
                    if self.ends_at(|| name, place) {
                        break;
                    }
                }
                if self.options.sequential {
                    self.report_sequence(&mut out);
                    self.report_chains(&mut out);
                }
            }
            None => {
                let _ = self.ordered.set(false);
            }
        }
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = out;
    }

    /// Evaluates a local value or data block and stores its result.
    fn settle_cell(self: &Arc<Self>, cell: TemplateCell, out: &mut Diagnostics) {
        let before = out.error_count();
        let needs = self.needs(cell);
        let failed =
            needs.iter().any(|need| matches!(self.settled(*need), Some(SettledCell::Failed)));
        let value = match cell {
            TemplateCell::Local(at) => {
                let local = &self.template.locals[at];
                let value =
                    self.evaluate(&local.value, &self.scope(SourceScope::default(), false), out);
                let marks = if local.sensitive { Marks::sensitive() } else { Marks::NONE };
                self.bounded(value.mark(&marks), local.place, out)
            }
            TemplateCell::Data(at) => self.read(at, out),
        };
        let settled = match failed || out.error_count() > before {
            true => SettledCell::Failed,
            false => SettledCell::Value(value),
        };
        let _ = self.storage(cell).set(settled);
    }

    /// Returns the storage for the result of a local value or data block, empty until it is evaluated.
    fn storage(&self, cell: TemplateCell) -> &OnceLock<SettledCell> {
        match cell {
            TemplateCell::Local(at) => &self.locals[at],
            TemplateCell::Data(at) => &self.data[at],
        }
    }

    /// Returns the result of a local value or data block; `None` if it is not evaluated yet.
    pub(crate) fn settled(&self, cell: TemplateCell) -> Option<&SettledCell> {
        self.storage(cell).get()
    }

    /// Returns the value of the variable at an index; `None` if it is not evaluated yet.
    pub(crate) fn variable(&self, at: usize) -> Option<&Value> {
        self.variables.get(at)?.get()
    }

    /// Returns the scope of an expression; `own` is the source and build that are visible in it, and `asking` is true if missing
    /// names have not been reported yet.
    pub(crate) fn scope(self: &Arc<Self>, own: SourceScope, asking: bool) -> Arc<dyn Scope> {
        Arc::new(TemplateRoots { world: self.clone(), own, asking })
    }

    /// Returns the evaluation context for a scope, with the template's limits, budget, causes and mocks.
    pub(crate) fn context(&self, scope: Arc<dyn Scope>) -> Context {
        let basis = EvaluationBasis {
            host: self.template.host.clone(),
            limits: self.options.limits,
            budget: self.options.budget.clone(),
            readings: self.options.readings.clone(),
            semantics: self.semantics.clone(),
            now: self.options.now,
            seed: self.options.seed,
            causes: self.causes.clone(),
            mocks: self.template.mocks.clone(),
            // File functions are relative to the template, unlike the paths of provisioners.
            base: self.template.folder.clone(),
            samples: false,
            trace: None,
        };
        basis.with_scope(scope)
    }

    /// Returns true if a limit has ended the run, and records the declaration that was being evaluated, called `name`, at
    /// `place`.
    pub(crate) fn ends_at(&self, name: impl FnOnce() -> String, place: Place) -> bool {
        let budget = &self.options.budget;
        let Some(bound) = budget.ended() else { return false };
        self.end.get_or_init(|| ended(bound, &budget.initial_quota(), &name()).at(place));
        true
    }

    /// Charges the budget for `count` blocks or builds; returns false if the budget is used up.
    pub(crate) fn charge(&self, count: usize) -> bool {
        let count = count as u64;
        self.options.budget.take_instances(count, count * BYTES_PER_BLOCK).is_ok()
    }

    /// Evaluates an expression of the template with the names of `scope`, and adds its errors to `out`.
    pub(crate) fn evaluate(
        &self,
        expression: &TemplateExpression,
        scope: &Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) -> Value {
        if let Some(value) = expression.located.code.constant() {
            return value.clone();
        }
        groma_eval::evaluate_to_keep(&expression.located, &self.context(scope.clone()), out)
    }

    /// Returns a value unchanged, or an unknown one, after a report, if it nests deeper than the evaluation's limit on nesting.
    fn bounded(&self, value: Value, place: Place, out: &mut Diagnostics) -> Value {
        let limit = self.options.limits.nesting;
        if (value.depth() as usize) <= limit {
            return value;
        }
        let detail = format!("This value nests deeper than {limit} levels.");
        out.push(Diagnostic::error(&codes::VALUE_DEPTH, detail).at(place));
        Value::unknown(Type::Dynamic)
    }

    /// Adds a cause of unknown values to the evaluation's table of causes and returns it as a set of one.
    pub(crate) fn cause(
        &self,
        class: CauseClass,
        kind: &'static str,
        address: impl Into<CauseAddress>,
        place: Option<Place>,
    ) -> Causes {
        let cause = Cause { class, kind, address: address.into(), place };
        Causes::one(self.causes.intern(cause))
    }

    /// Returns true if one of the causes has the given kind, such as `data`.
    pub(crate) fn is_because_of(&self, causes: &Causes, kind: &str) -> bool {
        let is = |cause: Option<Cause>| cause.is_some_and(|cause| cause.kind == kind);
        causes.ids().iter().any(|id| is(self.causes.get(*id)))
    }
}

/// The number of bytes charged to the budget for a block or build, without its values.
const BYTES_PER_BLOCK: u64 = 1_024;

/// Returns a value, marked as sensitive if `sensitive` is true.
pub(crate) fn hidden(value: &Value, sensitive: bool) -> Value {
    if sensitive { value.mark(&Marks::sensitive()) } else { value.clone() }
}
