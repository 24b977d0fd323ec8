//! What has a value under a name: a declaration in one instance of its module, or one of its own instances.

use groma_eval::{Reference, Step};
use groma_folder::{Key, Mode};
use groma_module::declare::{Referent, Repetition};
use groma_project::{Evaluation, Instances, Standpoint};
use groma_syntax::{Expr, FileId, Place, Source, parse_expression};
use groma_value::{Mark, Marks, Str, Value};

use crate::at::{At, Evaluator};
use crate::node::WhyKind;
use crate::path::{self, WhyStep};

/// What has a value. Numbers are positions in the module's lists, and of instances among those of their declaration.
#[derive(Clone)]
pub(crate) enum Subject {
    Output(Standpoint, usize),
    Local(Standpoint, usize),
    Variable(Standpoint, usize),
    /// A call, or one of its instances.
    Module(Standpoint, usize, Option<usize>),
    /// A resource, or one of its instances.
    Resource(Standpoint, usize, Option<usize>),
}

impl Subject {
    /// What a reference leads to, and what of its steps is left.
    pub(crate) fn of(
        reference: &Reference,
        steps: &[WhyStep],
        standpoint: &Standpoint,
        evaluation: &Evaluation,
    ) -> Option<(Subject, Vec<WhyStep>)> {
        let here = || standpoint.of_module();
        let rest = |used: usize| steps.get(used..).unwrap_or_default().to_vec();
        match evaluation.referent(standpoint, reference)? {
            Referent::Variable(at) => Some((Subject::Variable(here(), at as usize), rest(1))),
            Referent::Local(at) => Some((Subject::Local(here(), at as usize), rest(1))),
            Referent::Call(call) | Referent::Output { call, .. } => {
                Some(Subject::module(here(), call as usize, &rest(1), evaluation))
            }
            Referent::Resource(at) => {
                let resource = &evaluation.declared_at(standpoint).resources[at as usize];
                let bare = resource.mode == Mode::Managed && &*reference.root != "resource";
                let rest = rest(if bare { 1 } else { 2 });
                Some(Subject::resource(here(), at as usize, &rest, evaluation))
            }
            Referent::Settled
            | Referent::TypeWord
            | Referent::Itself
            | Referent::Broken
            | Referent::News => None,
        }
    }

    /// A call, as far as the steps behind its name say: one of its instances, one of its outputs.
    pub(crate) fn module(
        standpoint: Standpoint,
        call: usize,
        steps: &[WhyStep],
        evaluation: &Evaluation,
    ) -> (Subject, Vec<WhyStep>) {
        let whole = |standpoint| (Subject::Module(standpoint, call, None), Vec::new());
        let Some(instances) = evaluation.instances_of_call(&standpoint, call) else {
            return whole(standpoint);
        };
        let Some((position, rest)) = choose(&instances, steps) else { return whole(standpoint) };
        let Some(child) = evaluation.at_call(&standpoint, call, position) else {
            return whole(standpoint);
        };
        let Some(step) = rest.first() else {
            return (Subject::Module(standpoint, call, Some(position)), Vec::new());
        };
        let name = step.name();
        let outputs = &evaluation.declared_at(&child).outputs;
        match outputs.binary_search_by(|output| output.name.cmp(&name)) {
            Ok(output) => {
                let rest = rest.get(1..).unwrap_or_default().to_vec();
                (Subject::Output(child.of_module(), output), rest)
            }
            Err(_) => (Subject::Module(standpoint, call, Some(position)), Vec::new()),
        }
    }

    /// A resource, or the instance that the first step behind its name says.
    pub(crate) fn resource(
        standpoint: Standpoint,
        at: usize,
        steps: &[WhyStep],
        evaluation: &Evaluation,
    ) -> (Subject, Vec<WhyStep>) {
        let instances = evaluation.instances_of_resource(&standpoint, at);
        match instances.as_ref().and_then(|instances| choose(instances, steps)) {
            Some((position, rest)) => {
                (Subject::Resource(standpoint, at, Some(position)), rest.to_vec())
            }
            None => (Subject::Resource(standpoint, at, None), Vec::new()),
        }
    }

    pub(crate) fn kind(&self, evaluation: &Evaluation) -> WhyKind {
        match self {
            Subject::Output(..) => WhyKind::Output,
            Subject::Local(..) => WhyKind::Local,
            Subject::Variable(..) => WhyKind::Variable,
            Subject::Module(..) => WhyKind::Module,
            Subject::Resource(standpoint, at, _) => {
                match evaluation.declared_at(standpoint).resources[*at].mode {
                    Mode::Data => WhyKind::Data,
                    _ => WhyKind::Resource,
                }
            }
        }
    }

    pub(crate) fn standpoint(&self) -> &Standpoint {
        match self {
            Subject::Output(standpoint, _)
            | Subject::Local(standpoint, _)
            | Subject::Variable(standpoint, _)
            | Subject::Module(standpoint, ..)
            | Subject::Resource(standpoint, ..) => standpoint,
        }
    }

    /// The address inside of its module.
    pub(crate) fn inner(&self, evaluation: &Evaluation) -> String {
        let module = evaluation.declared_at(self.standpoint());
        match self {
            Subject::Output(_, at) => ["output.", &*module.outputs[*at].name].concat(),
            Subject::Local(_, at) => ["local.", &*module.locals[*at].name].concat(),
            Subject::Variable(_, at) => ["var.", &*module.variables[*at].name].concat(),
            Subject::Module(standpoint, call, position) => {
                let instances = evaluation.instances_of_call(standpoint, *call);
                let key = key_of(instances, *position);
                ["module.", &*module.calls[*call].name, &*key.suffix()].concat()
            }
            Subject::Resource(standpoint, at, position) => {
                let instances = evaluation.instances_of_resource(standpoint, *at);
                let key = key_of(instances, *position);
                let resource = &module.resources[*at];
                let (prefix, suffix) = (resource.mode.prefix(), key.suffix());
                [prefix, &*resource.kind, ".", &*resource.name, &*suffix].concat()
            }
        }
    }

    /// The address from the root.
    pub(crate) fn address(&self, evaluation: &Evaluation) -> String {
        absolute(self.standpoint(), &self.inner(evaluation))
    }

    /// What it is worth, and a part of that.
    pub(crate) fn values(
        &self,
        steps: &[WhyStep],
        evaluation: &Evaluation,
    ) -> (Option<Value>, Option<Value>) {
        let whole = match self {
            Subject::Output(standpoint, at) => {
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
            Subject::Local(standpoint, at) => {
                evaluation.value_of(standpoint, &Referent::Local(*at as u32))
            }
            Subject::Variable(standpoint, at) => {
                evaluation.value_of(standpoint, &Referent::Variable(*at as u32))
            }
            Subject::Resource(standpoint, at, Some(position)) => {
                evaluation.part_of(standpoint, *at, *position, &[])
            }
            Subject::Module(..) | Subject::Resource(..) => self.asked("", evaluation),
        };
        let is_open = |value: &Value| matches!(self, Subject::Resource(..)) && !value.is_known();
        let part = match &whole {
            _ if steps.is_empty() => whole.clone(),
            // What is written is known even where the whole is not.
            Some(value) if is_open(value) => match self {
                Subject::Resource(standpoint, at, Some(position)) => {
                    let steps: Vec<Step> = steps.iter().map(WhyStep::written).collect();
                    evaluation.part_of(standpoint, *at, *position, &steps)
                }
                _ => self.asked(&path::text(None, steps), evaluation),
            },
            Some(value) => path::at(value, steps),
            None => None,
        };
        (whole, part)
    }

    /// Whether its declaration hides what is not hidden yet.
    pub(crate) fn hides(&self, steps: &[WhyStep], evaluation: &Evaluation) -> bool {
        let Subject::Output(standpoint, at) = self else { return false };
        let declared = &evaluation.declared_at(standpoint).outputs[*at];
        let raw = || evaluation.output_of(standpoint, *at);
        (declared.sensitive || declared.ephemeral)
            && raw().and_then(|raw| path::at(&raw, steps)).is_some_and(|part| !part.marks().hide())
    }

    fn asked(&self, rest: &str, evaluation: &Evaluation) -> Option<Value> {
        let text = format!("{}{rest}", self.inner(evaluation));
        let source = Source::new("", text);
        let parse = parse_expression(source.text(), FileId(0));
        let at = At::module(self.standpoint());
        Evaluator::new(evaluation, &at).whole(&Expr::of(&parse))
    }

    /// The expression that it is declared with.
    pub(crate) fn expression(&self, evaluation: &Evaluation) -> Option<Expr> {
        let module = evaluation.declared_at(self.standpoint());
        match self {
            Subject::Output(_, at) => {
                module.outputs[*at].value.as_ref().map(|value| value.expr.clone())
            }
            Subject::Local(_, at) => Some(module.locals[*at].value.expr.clone()),
            _ => None,
        }
    }

    /// Where its declaration stands.
    pub(crate) fn place(&self, evaluation: &Evaluation) -> Place {
        let module = evaluation.declared_at(self.standpoint());
        match self {
            Subject::Output(_, at) => module.outputs[*at].place,
            Subject::Local(_, at) => module.locals[*at].place,
            Subject::Variable(_, at) => module.variables[*at].place,
            Subject::Module(_, call, _) => module.calls[*call].place,
            Subject::Resource(_, at, _) => module.resources[*at].place,
        }
    }

    /// What says how often it exists.
    pub(crate) fn repetition(&self, evaluation: &Evaluation) -> Option<Repetition> {
        let module = evaluation.declared_at(self.standpoint());
        match self {
            Subject::Module(_, call, _) => Some(module.calls[*call].repetition.clone()),
            Subject::Resource(_, at, _) => Some(module.resources[*at].repetition.clone()),
            _ => None,
        }
    }
}

/// An address inside of a module's instance, from the root.
pub(crate) fn absolute(standpoint: &Standpoint, inner: &str) -> String {
    match standpoint.module_address() {
        "" => inner.to_owned(),
        module => [module, ".", inner].concat(),
    }
}

/// Which instance the first step says, and the steps behind it.
pub(crate) fn choose<'s>(
    instances: &Instances,
    steps: &'s [WhyStep],
) -> Option<(usize, &'s [WhyStep])> {
    match instances {
        Instances::One => Some((0, steps)),
        Instances::Keyed(keys) => {
            let (step, rest) = steps.split_first()?;
            Some((position(keys, step)?, rest))
        }
        Instances::Unsettled(_) => None,
    }
}

/// Where a key stands. There may be many, and they come in order; where they do not, each is looked at.
fn position(keys: &[Key], step: &WhyStep) -> Option<usize> {
    let found = match step.number() {
        Some(number) => Some(number),
        None => {
            let name = step.name();
            keys.binary_search_by(|key| match key {
                Key::Text(text) => (**text).cmp(&*name),
                _ => std::cmp::Ordering::Less,
            })
            .ok()
        }
    };
    let found = found.filter(|at| keys.get(*at).is_some_and(|key| is_key(key, step)));
    found.or_else(|| keys.iter().position(|key| is_key(key, step)))
}

fn is_key(key: &Key, step: &WhyStep) -> bool {
    match key {
        Key::None => false,
        Key::Number(number) => step.number() == Some(*number),
        Key::Text(text) => *text == step.name(),
    }
}

fn key_of(instances: Option<Instances>, position: Option<usize>) -> Key {
    match (instances, position) {
        (Some(Instances::Keyed(keys)), Some(at)) => keys.get(at).cloned().unwrap_or(Key::None),
        _ => Key::None,
    }
}

/// The step that a key of an instance is in a collection.
pub(crate) fn step_of(key: &Key) -> Option<WhyStep> {
    match key {
        Key::None => None,
        Key::Number(at) => Some(WhyStep::At(*at)),
        Key::Text(text) => Some(WhyStep::Name(Str::clone(text))),
    }
}
