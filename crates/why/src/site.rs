//! Where an expression is evaluated: an instance of a module or of a resource, perhaps inside of `dynamic` blocks, whose
//! iterators are names there.

use std::sync::Arc;

use groma_eval::{Code, Context, LayeredScope, LocatedCode, NamedValues, Scope, lower_view};
use groma_functions::FunctionLibrary;
use groma_project::{Evaluation, ScopeRef};
use groma_syntax::ast::ExprView as View;
use groma_syntax::{Diagnostics, Expr, FileId};
use groma_value::{Str, Value};

use crate::path::WhyStep;

/// The file of a question's expression.
pub const ASKED: FileId = FileId(u32::MAX);

/// The place where an expression is evaluated.
pub(crate) struct EvaluationSite {
    pub(crate) standpoint: ScopeRef,
    /// The call whose instance `each` and `count` belong to, where it is not a resource's.
    pub(crate) call: Option<usize>,
    /// The innermost `dynamic` block around.
    pub(crate) iterator: Option<DynamicIteration>,
}

/// One iteration of a `dynamic` block.
pub(crate) struct DynamicIteration {
    /// What its element is called.
    pub(crate) name: Str,
    /// `key` and `value` of the element.
    pub(crate) element: Value,
    /// What is repeated over.
    pub(crate) over: Expr,
    /// The place where that is evaluated.
    pub(crate) outside: Arc<EvaluationSite>,
    /// Which of its elements it is, where that can be said.
    pub(crate) step: Option<WhyStep>,
    /// Which block it is: its address.
    pub(crate) address: String,
}

impl EvaluationSite {
    pub(crate) fn module(standpoint: &ScopeRef) -> Arc<EvaluationSite> {
        Arc::new(EvaluationSite { standpoint: standpoint.of_module(), call: None, iterator: None })
    }

    /// Returns true if all that it sees is what its module has.
    pub(crate) fn is_of_module(&self) -> bool {
        self.call.is_none() && self.iterator.is_none() && self.standpoint.resource().is_none()
    }

    /// The iterator of that name, from the innermost outwards.
    pub(crate) fn iterated(&self, name: &str) -> Option<&DynamicIteration> {
        let mut at = self;
        loop {
            let iterated = at.iterator.as_ref()?;
            if *iterated.name == *name {
                return Some(iterated);
            }
            at = &iterated.outside;
        }
    }

    fn scope(&self, evaluation: &Evaluation) -> Arc<dyn Scope> {
        let below = evaluation.scope_at(&self.standpoint);
        let mut names = NamedValues::new();
        let mut at = self;
        while let Some(iterated) = &at.iterator {
            if names.get(&iterated.name).is_none() {
                names.insert(&*iterated.name, iterated.element.clone());
            }
            at = &iterated.outside;
        }
        match self.iterator {
            Some(_) => Arc::new(LayeredScope { names, below }),
            None => below,
        }
    }
}

/// An evaluator of sub-expressions in their scope. It reports no errors: a sub-expression that cannot be evaluated
/// has no value.
pub(crate) struct PartEvaluator {
    context: Context,
    library: FunctionLibrary,
}

impl PartEvaluator {
    pub(crate) fn new(evaluation: &Evaluation, at: &EvaluationSite) -> PartEvaluator {
        let library = FunctionLibrary::of(evaluation.project().edition());
        PartEvaluator { context: evaluation.context().with_scope(at.scope(evaluation)), library }
    }

    /// Creates an evaluator whose names are those of a context.
    pub(crate) fn within(context: Context, library: FunctionLibrary) -> PartEvaluator {
        PartEvaluator { context, library }
    }

    pub(crate) fn library(&self) -> &FunctionLibrary {
        &self.library
    }

    pub(crate) fn whole(&self, expr: &Expr) -> Option<Value> {
        self.run(LocatedCode::of(expr, &self.library), None)
    }

    /// The value of a part of an expression, where it may use further names.
    pub(crate) fn part(&self, view: View<'_>, names: NamedValues) -> Option<Value> {
        let code = lower_view(view, view.span().start, &self.library);
        self.lowered(view, code, names)
    }

    /// Evaluates a sub-expression from its lowered code.
    pub(crate) fn lowered(
        &self,
        view: View<'_>,
        code: Arc<Code>,
        names: NamedValues,
    ) -> Option<Value> {
        let base = view.span().start;
        let is_bare = names.iter().next().is_none();
        let more = if is_bare { None } else { Some(names) };
        self.run(LocatedCode { code, file: FileId(0), base }, more)
    }

    /// The value of an expression that is lowered already.
    pub(crate) fn located(&self, located: &LocatedCode) -> Option<Value> {
        self.run(located.clone(), None)
    }

    fn run(&self, located: LocatedCode, names: Option<NamedValues>) -> Option<Value> {
        let mut found = Diagnostics::new();
        let value = match names {
            Some(names) => {
                let below = self.context.scope.clone();
                let context = self.context.with_scope(Arc::new(LayeredScope { names, below }));
                groma_eval::evaluate(&located, &context, &mut found)
            }
            None => groma_eval::evaluate(&located, &self.context, &mut found),
        };
        (!found.has_errors()).then_some(value)
    }
}
