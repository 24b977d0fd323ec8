//! Values of all sub-expressions of a root's own module, by place. A place has a list of values: one for each instance of the
//! declaration and for each iteration of a loop. Sub-expressions that are not evaluated, such as the branch that is not taken,
//! have none; a literal is its own value.

use std::collections::HashMap;

use groma_module::visit::{EvaluationTime, VisitedExpression};
use groma_project::{Evaluation, RequestToken, ScopeRef};
use groma_syntax::{Diagnostics, Sources, Span};
use groma_value::Value;

use crate::place::{instance_scopes, is_of_iterator};

/// Maximum number of instances in which the expressions of one declaration are evaluated; of further ones there are no values.
const MAX_INSTANCES: usize = 32;

/// Maximum number of values kept for one sub-expression; further ones are dropped.
const MAX_VALUES: usize = 256;

/// A value of a sub-expression, and the instance of its module or resource in which it has that value.
#[derive(Clone, Debug)]
pub struct ExpressionValue {
    /// The address of the instance in which it has the value; `None` if there is only one.
    pub instance: Option<String>,
    /// The value.
    pub value: Value,
}

/// The values of one sub-expression in all instances of its module or resource and all iterations of loops.
#[derive(Clone, Debug, Default)]
pub struct ExpressionPlace {
    /// The values in the order of evaluation, up to the maximum number.
    pub values: Vec<ExpressionValue>,
    /// True if there are further values.
    pub has_more: bool,
}

/// The values of all sub-expressions of a root's own module, by file and span.
#[derive(Debug, Default)]
pub struct ExpressionValues {
    files: HashMap<String, HashMap<Span, ExpressionPlace>>,
}

impl ExpressionValues {
    /// Evaluates all expressions of the root module and records the values of their sub-expressions. One that fails has no
    /// value.
    pub fn of(evaluation: &Evaluation) -> ExpressionValues {
        let root = evaluation.at_root();
        let module = evaluation.declared_at(&root).clone();
        let sources = evaluation.sources();
        let request = RequestToken::new();
        let mut worths = ExpressionValues::default();
        for declaration in module.declarations() {
            let mut scopes = None;
            module.visit_one(declaration, &mut |seen| {
                if !seen.is_evaluated() || is_of_iterator(&seen) {
                    return;
                }
                // The repetition is evaluated before the instances exist.
                if matches!(seen.when(), EvaluationTime::Loading | EvaluationTime::Expanding) {
                    let at = [(String::new(), root.clone())];
                    worths.add_expression(&seen, &at, false, evaluation, &sources);
                    return;
                }
                let (scopes, more) = scopes.get_or_insert_with(|| {
                    let mut found = Vec::new();
                    let is_all = instance_scopes(
                        declaration,
                        &module,
                        evaluation,
                        &root,
                        MAX_INSTANCES,
                        &request,
                        &mut found,
                    );
                    (found, !is_all)
                });
                worths.add_expression(&seen, scopes, *more, evaluation, &sources);
            });
        }
        worths
    }

    /// Returns the values in the file `name`, by the spans of the sub-expressions; `None` if it has none.
    pub fn in_file(&self, name: &str) -> Option<&HashMap<Span, ExpressionPlace>> {
        self.files.get(name)
    }

    /// Evaluates the expression `seen` in each of `scopes`, which are pairs of an instance's address and its scope, and
    /// records the values of its sub-expressions; `more` is true if its declaration has instances beyond these.
    fn add_expression(
        &mut self,
        seen: &VisitedExpression<'_, '_>,
        scopes: &[(String, ScopeRef)],
        more: bool,
        evaluation: &Evaluation,
        sources: &Sources,
    ) {
        let (source, place) = sources.at(seen.expression.place());
        let moved = place.span.start as i32 - seen.expression.expr.span().start as i32;
        let file = self.files.entry(source.name().to_owned()).or_default();
        let request = RequestToken::new();
        for (instance, at) in scopes {
            let mut out = Diagnostics::new();
            let trace = evaluation.trace_expression(seen.expression, at, &request, &mut out);
            for part in trace.parts {
                let known: &mut ExpressionPlace = file.entry(part.span.moved(moved)).or_default();
                if known.values.len() < MAX_VALUES {
                    // A declaration without a repetition has a single instance.
                    let instance = instance.ends_with(']').then(|| instance.clone());
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
