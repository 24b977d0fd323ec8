//! What a template's declarations are worth. Variables come first; then locals and data in one order, each once.
//! Where no order can be found (a missing name, a ring) no local has a value, as in Packer.

mod data;
mod gap;
mod order;
mod question;
mod scope;
mod variable;
mod view;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use groma_eval::{Basis, Cause, CauseTable, Class, Context, Scope, ended};
use groma_functions::Library;
use groma_runtime::Semantics;
use groma_syntax::{Diagnostic, Diagnostics, Place, Sources};
use groma_value::{Causes, Marks, Type, Value};

use crate::codes;
use crate::content::Expression;
use crate::declare::Template;
use crate::options::Options;
use order::Cell;
use scope::Roots;
pub(crate) use scope::{Own, OwnBuild};
pub use view::Stated;

/// An evaluation of a template. Cloning shares it; it may be asked from several threads.
#[derive(Clone)]
pub struct Evaluation {
    pub(crate) world: Arc<World>,
}

/// All that one evaluation shares.
pub(crate) struct World {
    pub(crate) template: Arc<Template>,
    pub(crate) options: Options,
    pub(crate) library: Library,
    pub(crate) causes: Arc<CauseTable>,
    semantics: Arc<Semantics>,
    /// By position in the template's list.
    variables: Vec<OnceLock<Value>>,
    locals: Vec<OnceLock<Settled>>,
    data: Vec<OnceLock<Settled>>,
    /// The data that nobody has read, by position.
    unread: Mutex<BTreeSet<usize>>,
    /// What was found on the way.
    found: Mutex<Diagnostics>,
    /// Whether locals and data could be put in an order.
    ordered: OnceLock<bool>,
    /// Where the run came to its end.
    end: OnceLock<Diagnostic>,
    /// The template's texts and those of questions.
    sources: Mutex<Sources>,
}

/// What became of a declaration.
#[derive(Clone)]
pub(crate) enum Settled {
    /// It has a value.
    Value(Value),
    /// It has none, which is reported.
    Failed,
}

impl Evaluation {
    /// An evaluation of `template`, complete when this returns.
    pub fn new(template: Arc<Template>, options: Options) -> Evaluation {
        let cells = |count: usize| (0..count).map(|_| OnceLock::new()).collect();
        let world = Arc::new(World {
            semantics: Semantics::of(template.edition),
            library: Library::of(template.edition),
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
        Evaluation { world }
    }

    /// The template.
    pub fn template(&self) -> &Arc<Template> {
        &self.world.template
    }

    /// Every text so far: the template's files and the questions asked.
    pub fn sources(&self) -> Sources {
        self.world.sources().clone()
    }

    /// What the causes of unknown values stand for.
    pub fn causes(&self) -> &Arc<CauseTable> {
        &self.world.causes
    }

    /// What is wrong with variables, locals and data.
    pub fn found(&self) -> Diagnostics {
        self.world.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// That the run has come to its end, and at what; nothing while it goes on.
    pub fn end(&self) -> Option<Diagnostic> {
        self.world.options.budget.ended()?;
        self.world.end.get().cloned()
    }

    /// The names of the template as a scope.
    pub fn scope(&self) -> Arc<dyn Scope> {
        self.world.scope(Own::default(), true)
    }
}

impl World {
    pub(crate) fn sources(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether locals and data have an order, so that builds can be worked out.
    pub(crate) fn is_ordered(&self) -> bool {
        self.ordered.get().copied().unwrap_or(false)
    }

    /// Works out variables, then locals and data.
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
                        Cell::Local(at) => {
                            let local = &self.template.locals[at];
                            (format!("local.{}", &*local.name), local.place)
                        }
                        Cell::Data(at) => {
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

    fn settle_cell(self: &Arc<Self>, cell: Cell, out: &mut Diagnostics) {
        let before = out.error_count();
        let needs = self.needs(cell);
        let failed = needs.iter().any(|need| matches!(self.settled(*need), Some(Settled::Failed)));
        let value = match cell {
            Cell::Local(at) => {
                let local = &self.template.locals[at];
                let value = self.evaluate(&local.value, &self.scope(Own::default(), false), out);
                let marks = if local.sensitive { Marks::sensitive() } else { Marks::NONE };
                self.bounded(value.mark(&marks), local.place, out)
            }
            Cell::Data(at) => self.read(at, out),
        };
        let settled = match failed || out.error_count() > before {
            true => Settled::Failed,
            false => Settled::Value(value),
        };
        let _ = self.slot(cell).set(settled);
    }

    fn slot(&self, cell: Cell) -> &OnceLock<Settled> {
        match cell {
            Cell::Local(at) => &self.locals[at],
            Cell::Data(at) => &self.data[at],
        }
    }

    pub(crate) fn settled(&self, cell: Cell) -> Option<&Settled> {
        self.slot(cell).get()
    }

    pub(crate) fn variable(&self, at: usize) -> Option<&Value> {
        self.variables.get(at)?.get()
    }

    /// A scope; one that is asked reports names that are not there, the other knows them reported.
    pub(crate) fn scope(self: &Arc<Self>, own: Own, asking: bool) -> Arc<dyn Scope> {
        Arc::new(Roots { world: self.clone(), own, asking })
    }

    /// What evaluating in a scope may look at.
    pub(crate) fn context(&self, scope: Arc<dyn Scope>) -> Context {
        let basis = Basis {
            host: self.template.host.clone(),
            limits: self.options.limits,
            budget: self.options.budget.clone(),
            readings: self.options.readings.clone(),
            semantics: self.semantics.clone(),
            now: self.options.now,
            seed: self.options.seed,
            causes: self.causes.clone(),
            mocks: self.template.mocks.clone(),
            // File functions start where the template is, unlike the paths of provisioners.
            base: self.template.folder.clone(),
            samples: false,
            trace: None,
        };
        basis.with_scope(scope)
    }

    /// Whether the run has come to its end; if so, it was while this was being worked on, or before.
    pub(crate) fn ends_at(&self, name: impl FnOnce() -> String, place: Place) -> bool {
        let budget = &self.options.budget;
        let Some(bound) = budget.ended() else { return false };
        self.end.get_or_init(|| ended(bound, &budget.told(), &name()).at(place));
        true
    }

    /// Whether the run may make so many blocks or builds more.
    pub(crate) fn makes(&self, count: usize) -> bool {
        let count = count as u64;
        self.options.budget.take_instances(count, count * MADE_BYTES).is_ok()
    }

    /// The value of an expression.
    pub(crate) fn evaluate(
        &self,
        expression: &Expression,
        scope: &Arc<dyn Scope>,
        out: &mut Diagnostics,
    ) -> Value {
        if let Some(value) = expression.located.code.constant() {
            return value.clone();
        }
        groma_eval::evaluate_to_keep(&expression.located, &self.context(scope.clone()), out)
    }

    /// The value, unless it nests deeper than the limits allow.
    fn bounded(&self, value: Value, place: Place, out: &mut Diagnostics) -> Value {
        let limit = self.options.limits.nesting;
        if (value.depth() as usize) <= limit {
            return value;
        }
        let detail = format!("This value nests deeper than {limit} levels.");
        out.push(Diagnostic::error(&codes::VALUE_DEPTH, detail).at(place));
        Value::unknown(Type::Dynamic)
    }

    /// A cause that stands for one thing.
    pub(crate) fn cause(
        &self,
        class: Class,
        kind: &'static str,
        address: impl Into<Arc<str>>,
        place: Option<Place>,
    ) -> Causes {
        let cause = Cause { class, kind, address: address.into(), place };
        Causes::one(self.causes.intern(cause))
    }

    /// Whether a cause of this kind is among them.
    pub(crate) fn is_because_of(&self, causes: &Causes, kind: &str) -> bool {
        let is = |cause: Option<Cause>| cause.is_some_and(|cause| cause.kind == kind);
        causes.ids().iter().any(|id| is(self.causes.get(*id)))
    }
}

/// About how many bytes a block or a build takes beside its values.
const MADE_BYTES: u64 = 1_024;

/// The value, sensitive where a declaration says so.
pub(crate) fn hidden(value: &Value, sensitive: bool) -> Value {
    if sensitive { value.mark(&Marks::sensitive()) } else { value.clone() }
}
