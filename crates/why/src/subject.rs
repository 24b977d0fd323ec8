//! Subjects of provenance: declarations in one instance of their module, and instances of a declaration.

use groma_config::{InstanceKey, ResourceMode};
use groma_eval::{Reference, Step};
use groma_module::declare::{Referent, Repetition};
use groma_project::{Evaluation, InstanceSet, ScopeRef};
use groma_syntax::{Expr, FileId, Place, Source, parse_expression};
use groma_value::{Mark, Marks, Str, Value};

use crate::node::WhyKind;
use crate::path::{self, WhyStep};
use crate::site::{EvaluationSite, PartEvaluator};

/// A declaration or instance whose provenance is asked for. Numbers are indices in the lists of the module, or among the
/// instances of a declaration.
#[derive(Clone)]
pub(crate) enum WhySubject {
    /// An output, by its index.
    Output(ScopeRef, usize),
    /// A local value, by its index.
    Local(ScopeRef, usize),
    /// A variable, by its index.
    Variable(ScopeRef, usize),
    /// A module call, or one of its instances.
    Module(ScopeRef, usize, Option<usize>),
    /// A resource, or one of its instances.
    Resource(ScopeRef, usize, Option<usize>),
}

impl WhySubject {
    /// Returns the declaration or instance that a reference and the steps after it select, and the remaining steps; `None` if
    /// the reference names neither, such as `path.module` or an undeclared name.
    pub(crate) fn of(
        reference: &Reference,
        steps: &[WhyStep],
        standpoint: &ScopeRef,
        evaluation: &Evaluation,
    ) -> Option<(WhySubject, Vec<WhyStep>)> {
        let here = || standpoint.of_module();
        let rest = |used: usize| steps.get(used..).unwrap_or_default().to_vec();
        match evaluation.referent(standpoint, reference)? {
            Referent::Variable(at) => Some((WhySubject::Variable(here(), at as usize), rest(1))),
            Referent::Local(at) => Some((WhySubject::Local(here(), at as usize), rest(1))),
            Referent::Call(call) | Referent::Output { call, .. } => {
                Some(WhySubject::module(here(), call as usize, &rest(1), evaluation))
            }
            Referent::Resource(at) => {
                let resource = &evaluation.declared_at(standpoint).resources[at as usize];
                let bare = resource.mode == ResourceMode::Managed && &*reference.root != "resource";
                let rest = rest(if bare { 1 } else { 2 });
                Some(WhySubject::resource(here(), at as usize, &rest, evaluation))
            }
            Referent::Settled
            | Referent::TypeWord
            | Referent::Itself
            | Referent::Broken
            | Referent::News => None,
        }
    }

    /// Returns the instance or output of a module call, the one at the index `call` in its module, that the steps after its
    /// name select, and the remaining steps.
    pub(crate) fn module(
        standpoint: ScopeRef,
        call: usize,
        steps: &[WhyStep],
        evaluation: &Evaluation,
    ) -> (WhySubject, Vec<WhyStep>) {
        let whole = |standpoint| (WhySubject::Module(standpoint, call, None), Vec::new());
        let Some(instances) = evaluation.instances_of_call(&standpoint, call) else {
            return whole(standpoint);
        };
        let Some((position, rest)) = choose(&instances, steps) else { return whole(standpoint) };
        let Some(child) = evaluation.at_call(&standpoint, call, position) else {
            return whole(standpoint);
        };
        let Some(step) = rest.first() else {
            return (WhySubject::Module(standpoint, call, Some(position)), Vec::new());
        };
        let name = step.name();
        let outputs = &evaluation.declared_at(&child).outputs;
        match outputs.binary_search_by(|output| output.name.cmp(&name)) {
            Ok(output) => {
                let rest = rest.get(1..).unwrap_or_default().to_vec();
                (WhySubject::Output(child.of_module(), output), rest)
            }
            Err(_) => (WhySubject::Module(standpoint, call, Some(position)), Vec::new()),
        }
    }

    /// Returns the resource at the index `at` in its module, without steps, or the instance of it that the first of `steps`
    /// selects, with the steps after that.
    pub(crate) fn resource(
        standpoint: ScopeRef,
        at: usize,
        steps: &[WhyStep],
        evaluation: &Evaluation,
    ) -> (WhySubject, Vec<WhyStep>) {
        let instances = evaluation.instances_of_resource(&standpoint, at);
        match instances.as_ref().and_then(|instances| choose(instances, steps)) {
            Some((position, rest)) => {
                (WhySubject::Resource(standpoint, at, Some(position)), rest.to_vec())
            }
            None => (WhySubject::Resource(standpoint, at, None), Vec::new()),
        }
    }

    /// Returns the kind of the node that represents this declaration or instance.
    pub(crate) fn kind(&self, evaluation: &Evaluation) -> WhyKind {
        match self {
            WhySubject::Output(..) => WhyKind::Output,
            WhySubject::Local(..) => WhyKind::Local,
            WhySubject::Variable(..) => WhyKind::Variable,
            WhySubject::Module(..) => WhyKind::Module,
            WhySubject::Resource(standpoint, at, _) => {
                match evaluation.declared_at(standpoint).resources[*at].mode {
                    ResourceMode::Data => WhyKind::Data,
                    _ => WhyKind::Resource,
                }
            }
        }
    }

    /// Returns the scope of the module instance that contains this declaration or instance.
    pub(crate) fn standpoint(&self) -> &ScopeRef {
        match self {
            WhySubject::Output(standpoint, _)
            | WhySubject::Local(standpoint, _)
            | WhySubject::Variable(standpoint, _)
            | WhySubject::Module(standpoint, ..)
            | WhySubject::Resource(standpoint, ..) => standpoint,
        }
    }

    /// Returns the address of this declaration or instance within its module, such as `var.region`.
    pub(crate) fn inner(&self, evaluation: &Evaluation) -> String {
        let module = evaluation.declared_at(self.standpoint());
        match self {
            WhySubject::Output(_, at) => ["output.", &*module.outputs[*at].name].concat(),
            WhySubject::Local(_, at) => ["local.", &*module.locals[*at].name].concat(),
            WhySubject::Variable(_, at) => ["var.", &*module.variables[*at].name].concat(),
            WhySubject::Module(standpoint, call, position) => {
                let instances = evaluation.instances_of_call(standpoint, *call);
                let key = key_of(instances, *position);
                ["module.", &*module.calls[*call].name, &*key.suffix()].concat()
            }
            WhySubject::Resource(standpoint, at, position) => {
                let instances = evaluation.instances_of_resource(standpoint, *at);
                let key = key_of(instances, *position);
                let resource = &module.resources[*at];
                let (prefix, suffix) = (resource.mode.prefix(), key.suffix());
                [prefix, &*resource.kind, ".", &*resource.name, &*suffix].concat()
            }
        }
    }

    /// Returns the address of this declaration or instance from the root module, such as `module.network.var.region`.
    pub(crate) fn address(&self, evaluation: &Evaluation) -> String {
        absolute(self.standpoint(), &self.inner(evaluation))
    }

    /// Returns the whole value of this declaration or instance, and the part of it at the given steps.
    pub(crate) fn values(
        &self,
        steps: &[WhyStep],
        evaluation: &Evaluation,
    ) -> (Option<Value>, Option<Value>) {
        let whole = match self {
            WhySubject::Output(standpoint, at) => {
                let declared = &evaluation.declared_at(standpoint).outputs[*at];
                let mut marks = Marks::NONE;
                for (is_set, mark) in
                    [(declared.sensitive, Mark::Sensitive), (declared.ephemeral, Mark::Ephemeral)]
                {
                    if is_set {
                        marks = marks.union(&Marks::one(mark));
                    }
                }
                evaluation.output_of(standpoint, *at).map(|value| value.mark(&marks))
            }
            WhySubject::Local(standpoint, at) => {
                evaluation.value_of(standpoint, &Referent::Local(*at as u32))
            }
            WhySubject::Variable(standpoint, at) => {
                evaluation.value_of(standpoint, &Referent::Variable(*at as u32))
            }
            WhySubject::Resource(standpoint, at, Some(position)) => {
                evaluation.part_of(standpoint, *at, *position, &[])
            }
            WhySubject::Module(..) | WhySubject::Resource(..) => self.evaluate_with("", evaluation),
        };
        let is_open = |value: &Value| matches!(self, WhySubject::Resource(..)) && !value.is_known();
        let part = match &whole {
            _ if steps.is_empty() => whole.clone(),
            // A literal part is known even if the whole is not.
            Some(value) if is_open(value) => match self {
                WhySubject::Resource(standpoint, at, Some(position)) => {
                    let steps: Vec<Step> = steps.iter().map(WhyStep::written).collect();
                    evaluation.part_of(standpoint, *at, *position, &steps)
                }
                _ => self.evaluate_with(&path::text(None, steps), evaluation),
            },
            Some(value) => path::at(value, steps),
            None => None,
        };
        (whole, part)
    }

    /// Returns true if the declaration of an output hides the part of its value at `steps`, which is plain in the expression, so
    /// that the nodes below would reveal it.
    pub(crate) fn hides(&self, steps: &[WhyStep], evaluation: &Evaluation) -> bool {
        let WhySubject::Output(standpoint, at) = self else { return false };
        let declared = &evaluation.declared_at(standpoint).outputs[*at];
        let raw = || evaluation.output_of(standpoint, *at);
        (declared.sensitive || declared.ephemeral)
            && raw().and_then(|raw| path::at(&raw, steps)).is_some_and(|part| !part.marks().hide())
    }

    /// Evaluates the address of this declaration or instance, followed by the text `rest`, such as `.id`, as an expression;
    /// `None` after an error.
    fn evaluate_with(&self, rest: &str, evaluation: &Evaluation) -> Option<Value> {
        let text = format!("{}{rest}", self.inner(evaluation));
        let source = Source::new("", text);
        let parse = parse_expression(source.text(), FileId(0));
        let at = EvaluationSite::module(self.standpoint());
        PartEvaluator::new(evaluation, &at).whole(&Expr::of(&parse))
    }

    /// Returns the expression of an output or local value; `None` for a variable, a module call and a resource.
    pub(crate) fn expression(&self, evaluation: &Evaluation) -> Option<Expr> {
        let module = evaluation.declared_at(self.standpoint());
        match self {
            WhySubject::Output(_, at) => {
                module.outputs[*at].value.as_ref().map(|value| value.expr.clone())
            }
            WhySubject::Local(_, at) => Some(module.locals[*at].value.expr.clone()),
            _ => None,
        }
    }

    /// Returns the place of the declaration.
    pub(crate) fn place(&self, evaluation: &Evaluation) -> Place {
        let module = evaluation.declared_at(self.standpoint());
        match self {
            WhySubject::Output(_, at) => module.outputs[*at].place,
            WhySubject::Local(_, at) => module.locals[*at].place,
            WhySubject::Variable(_, at) => module.variables[*at].place,
            WhySubject::Module(_, call, _) => module.calls[*call].place,
            WhySubject::Resource(_, at, _) => module.resources[*at].place,
        }
    }

    /// Returns the `count`, `for_each` or `enabled` of a module call or resource; `None` for other kinds.
    pub(crate) fn repetition(&self, evaluation: &Evaluation) -> Option<Repetition> {
        let module = evaluation.declared_at(self.standpoint());
        match self {
            WhySubject::Module(_, call, _) => Some(module.calls[*call].repetition.clone()),
            WhySubject::Resource(_, at, _) => Some(module.resources[*at].repetition.clone()),
            _ => None,
        }
    }
}

/// Returns the absolute address of something in a module instance, given its address within the module.
pub(crate) fn absolute(standpoint: &ScopeRef, inner: &str) -> String {
    match standpoint.module_address() {
        "" => inner.to_owned(),
        module => [module, ".", inner].concat(),
    }
}

/// Returns the index of the instance that the first step selects, and the remaining steps; `None` if the instances are unknown or
/// the key is missing.
pub(crate) fn choose<'s>(
    instances: &InstanceSet,
    steps: &'s [WhyStep],
) -> Option<(usize, &'s [WhyStep])> {
    match instances {
        InstanceSet::One => Some((0, steps)),
        InstanceSet::Keyed(keys) => {
            let (step, rest) = steps.split_first()?;
            Some((position(keys, step)?, rest))
        }
        InstanceSet::Unknown(_) => None,
    }
}

/// Returns the index of the instance key that a path step selects; `None` if it selects none. Keys are usually sorted; otherwise
/// each is compared.
fn position(keys: &[InstanceKey], step: &WhyStep) -> Option<usize> {
    let found = match step.number() {
        Some(number) => Some(number),
        None => {
            let name = step.name();
            keys.binary_search_by(|key| match key {
                InstanceKey::Text(text) => (**text).cmp(&*name),
                _ => std::cmp::Ordering::Less,
            })
            .ok()
        }
    };
    let found = found.filter(|at| keys.get(*at).is_some_and(|key| is_key(key, step)));
    found.or_else(|| keys.iter().position(|key| is_key(key, step)))
}

/// Returns true if an instance key is the one that a path step selects.
fn is_key(key: &InstanceKey, step: &WhyStep) -> bool {
    match key {
        InstanceKey::None => false,
        InstanceKey::Number(number) => step.number() == Some(*number),
        InstanceKey::Text(text) => *text == step.name(),
    }
}

/// Returns the instance key at an index of the instances; no key for a single instance or without an index.
fn key_of(instances: Option<InstanceSet>, position: Option<usize>) -> InstanceKey {
    match (instances, position) {
        (Some(InstanceSet::Keyed(keys)), Some(at)) => {
            keys.get(at).cloned().unwrap_or(InstanceKey::None)
        }
        _ => InstanceKey::None,
    }
}

/// Returns the path step that selects an instance by its key; `None` for an instance without a key.
pub(crate) fn step_of(key: &InstanceKey) -> Option<WhyStep> {
    match key {
        InstanceKey::None => None,
        InstanceKey::Number(at) => Some(WhyStep::At(*at)),
        InstanceKey::Text(text) => Some(WhyStep::Name(Str::clone(text))),
    }
}
