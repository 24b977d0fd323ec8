//! What the parts of all expressions of a root's own module are worth, by the place where they stand. An expression of
//! something that has several instances is worth something in each, and a part of a loop once for each turn, so a place
//! has a list. What is not looked at, as the branch that is not taken, has none; a literal is its own value.

use std::collections::HashMap;

use groma_module::declare::{Module, Repetition};
use groma_module::visit::{Declaration, EvaluationTime, VisitedExpression};
use groma_project::{Evaluation, InstanceSet, ScopeRef};
use groma_syntax::{Diagnostics, Expr, Sources, Span};
use groma_value::Value;

/// The maximum number of instances of one declaration that are looked at.
const INSTANCES: usize = 32;

/// The maximum number of values that are kept for one place.
const MOST: usize = 256;

/// The value of a part of an expression at one time.
#[derive(Clone, Debug)]
pub struct ExpressionValue {
    /// The address of the instance that it is worth this in, where there may be several.
    pub instance: Option<String>,
    /// The value.
    pub value: Value,
}

/// The values of one part of an expression.
#[derive(Clone, Debug, Default)]
pub struct PlaceValues {
    /// Every value, in the order in which they came; but for the last ones of very many.
    pub values: Vec<ExpressionValue>,
    /// True if there are more.
    pub has_more: bool,
}

/// The values of the parts of all expressions of a root's own module.
#[derive(Debug, Default)]
pub struct ExpressionValues {
    files: HashMap<String, HashMap<Span, PlaceValues>>,
}

impl ExpressionValues {
    /// Works them out. A failure on the way has no value here, and is among the findings.
    pub fn of(evaluation: &Evaluation) -> ExpressionValues {
        let root = evaluation.at_root();
        let module = evaluation.declared_at(&root).clone();
        let sources = evaluation.sources();
        let mut worths = ExpressionValues::default();
        for declaration in module.declarations() {
            let mut standing = None;
            module.visit_one(declaration, &mut |seen| {
                if !seen.is_evaluated() || is_of_iterator(&seen) {
                    return;
                }
                // How often something exists is worked out before it does.
                if matches!(seen.when(), EvaluationTime::Loading | EvaluationTime::Expanding) {
                    worths.look(&seen, &[(None, root.clone())], false, evaluation, &sources);
                    return;
                }
                let (standing, more) = standing
                    .get_or_insert_with(|| standpoints(declaration, &module, evaluation, &root));
                worths.look(&seen, standing, *more, evaluation, &sources);
            });
        }
        worths
    }

    /// Those of a file, by the bytes that the parts cover.
    pub fn in_file(&self, name: &str) -> Option<&HashMap<Span, PlaceValues>> {
        self.files.get(name)
    }

    fn look(
        &mut self,
        seen: &VisitedExpression<'_, '_>,
        standing: &[(Option<String>, ScopeRef)],
        more: bool,
        evaluation: &Evaluation,
        sources: &Sources,
    ) {
        let Expr::Native(native) = &seen.expression.expr else { return };
        let (source, place) = sources.at(seen.expression.place());
        let text = native.text();
        if place.span.of(source.text()) != &*text {
            return;
        }
        let file = self.files.entry(source.name().to_owned()).or_default();
        for (instance, at) in standing {
            for part in evaluation.trace(&text, at, &mut Diagnostics::new()) {
                let span = part.span.shift(place.span.start);
                let known: &mut PlaceValues = file.entry(span).or_default();
                if known.values.len() < MOST {
                    let instance = instance.clone();
                    known.values.push(ExpressionValue { instance, value: part.value });
                } else {
                    known.has_more = true;
                }
            }
        }
        if more {
            let whole = file.get_mut(&place.span);
            whole.into_iter().for_each(|known| known.has_more = true);
        }
    }
}

/// Returns true if it uses a name that a `dynamic` block gives to its elements, which has no value of its own.
fn is_of_iterator(seen: &VisitedExpression<'_, '_>) -> bool {
    let names: Vec<&str> = seen.iterators().map(|name| &**name).collect();
    let mut references = seen.expression.located.code.references().iter();
    references.any(|reference| names.contains(&&*reference.root))
}

type Standing = (Vec<(Option<String>, ScopeRef)>, bool);

/// Returns where the expressions of a declaration are worked out, and whether there are more such places.
fn standpoints(
    declaration: Declaration,
    module: &Module,
    evaluation: &Evaluation,
    root: &ScopeRef,
) -> Standing {
    let address = || declaration.address(module);
    let named = |instances: &InstanceSet, at: usize| match instances {
        InstanceSet::One => None,
        InstanceSet::Keyed(keys) => {
            keys.get(at).map(|key| format!("{}{}", address(), key.suffix()))
        }
        InstanceSet::Unsettled(_) => Some(format!("{}[*]", address())),
    };
    let mut found = Vec::new();
    match declaration {
        Declaration::Resource(number) => {
            let number = number as usize;
            let Some(instances) = evaluation.instances_of_resource(root, number) else {
                return (found, false);
            };
            let count = match instances {
                InstanceSet::Keyed(_) => instances.len(),
                _ => 1,
            };
            for at in 0..count.min(INSTANCES) {
                if let Some(standing) = evaluation.at_resource(root, number, at) {
                    found.push((named(&instances, at), standing));
                }
            }
            (found, count > INSTANCES)
        }
        Declaration::Call(number) => {
            let called = evaluation.instances_of_call(root, number as usize);
            let Some(instances) = called else {
                // A module that is not installed still has arguments; its instances are not known.
                let call = &module.calls[number as usize];
                let is_single = matches!(call.repetition, Repetition::Single);
                return (is_single.then(|| (None, root.clone())).into_iter().collect(), false);
            };
            let count = instances.len();
            for at in 0..count.min(INSTANCES) {
                let child = evaluation.at_call(root, number as usize, at);
                if let Some((caller, _)) = child.and_then(|child| evaluation.caller(&child)) {
                    found.push((named(&instances, at), caller));
                }
            }
            (found, count > INSTANCES)
        }
        _ => (vec![(None, root.clone())], false),
    }
}
