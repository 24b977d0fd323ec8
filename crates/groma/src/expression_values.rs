//! What the parts of all expressions of a root's own module are worth, by the place where they stand. An expression of
//! something that has several instances is worth something in each, and a part of a loop once for each turn, so a place
//! has a list. What is not looked at, as the branch that is not taken, has none; a literal is its own value.

use std::collections::HashMap;

use groma_module::visit::{EvaluationTime, VisitedExpression};
use groma_project::{Evaluation, RequestToken, ScopeRef};
use groma_syntax::{Diagnostics, Expr, Sources, Span};
use groma_value::Value;

use crate::place::{is_of_iterator, standpoints};

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
pub struct ExpressionPlace {
    /// Every value, in the order in which they came; but for the last ones of very many.
    pub values: Vec<ExpressionValue>,
    /// True if there are more.
    pub has_more: bool,
}

/// The values of the parts of all expressions of a root's own module.
#[derive(Debug, Default)]
pub struct ExpressionValues {
    files: HashMap<String, HashMap<Span, ExpressionPlace>>,
}

impl ExpressionValues {
    /// Works them out. A failure on the way has no value here, and is among the findings.
    pub fn of(evaluation: &Evaluation) -> ExpressionValues {
        let root = evaluation.at_root();
        let module = evaluation.declared_at(&root).clone();
        let sources = evaluation.sources();
        let request = RequestToken::new();
        let mut worths = ExpressionValues::default();
        for declaration in module.declarations() {
            let mut standing = None;
            module.visit_one(declaration, &mut |seen| {
                if !seen.is_evaluated() || is_of_iterator(&seen) {
                    return;
                }
                // How often something exists is worked out before it does.
                if matches!(seen.when(), EvaluationTime::Loading | EvaluationTime::Expanding) {
                    let at = [(String::new(), root.clone())];
                    worths.look(&seen, &at, false, evaluation, &sources);
                    return;
                }
                let (standing, more) = standing.get_or_insert_with(|| {
                    let mut found = Vec::new();
                    let is_all = standpoints(
                        declaration,
                        &module,
                        evaluation,
                        &root,
                        INSTANCES,
                        &request,
                        &mut found,
                    );
                    (found, !is_all)
                });
                worths.look(&seen, standing, *more, evaluation, &sources);
            });
        }
        worths
    }

    /// Those of a file, by the bytes that the parts cover.
    pub fn in_file(&self, name: &str) -> Option<&HashMap<Span, ExpressionPlace>> {
        self.files.get(name)
    }

    fn look(
        &mut self,
        seen: &VisitedExpression<'_, '_>,
        standing: &[(String, ScopeRef)],
        more: bool,
        evaluation: &Evaluation,
        sources: &Sources,
    ) {
        let Expr::Native(native) = &seen.expression.expr else { return };
        let (source, place) = sources.at(seen.expression.place());
        let moved = place.span.start as i32 - native.span().start as i32;
        let file = self.files.entry(source.name().to_owned()).or_default();
        let request = RequestToken::new();
        for (instance, at) in standing {
            let mut out = Diagnostics::new();
            let trace = evaluation.trace_expression(seen.expression, at, &request, &mut out);
            for part in trace.parts {
                let known: &mut ExpressionPlace = file.entry(part.span.moved(moved)).or_default();
                if known.values.len() < MOST {
                    // What is not repeated is the only one.
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
