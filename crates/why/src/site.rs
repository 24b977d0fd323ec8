//! Evaluation sites: the scope in which an expression is evaluated, that of a module or of an instance, inside of `dynamic`
//! blocks with their iterators as additional names.

use std::sync::Arc;

use groma_eval::{Code, Context, LayeredScope, LocatedCode, NamedValues, Scope, lower_view};
use groma_functions::FunctionLibrary;
use groma_project::{Evaluation, ScopeRef};
use groma_syntax::ast::ExprView as View;
use groma_syntax::{Diagnostics, Expr, FileId};
use groma_value::{Str, Value};

use crate::path::WhyStep;

/// File number of the expression of a query, which belongs to no file.
pub const QUERY_FILE: FileId = FileId(u32::MAX);

/// The scope in which an expression is evaluated: an instance of a module or resource, and the iterations of `dynamic` blocks.
pub(crate) struct EvaluationSite {
    pub(crate) standpoint: ScopeRef,
    /// The call whose instance supplies `each` and `count`; `None` if a resource's instance supplies them.
    pub(crate) call: Option<usize>,
    /// The innermost `dynamic` block around the expression.
    pub(crate) iterator: Option<DynamicIteration>,
}

/// One iteration of a `dynamic` block: the name of its iterator, the element, and the scope around.
pub(crate) struct DynamicIteration {
    /// The name of the iterator.
    pub(crate) name: Str,
    /// The object with `key` and `value` of the element.
    pub(crate) element: Value,
    /// The expression of the collection.
    pub(crate) over: Expr,
    /// The scope of that expression.
    pub(crate) outside: Arc<EvaluationSite>,
    /// The step from the collection to the element, if known.
    pub(crate) step: Option<WhyStep>,
    /// The address of the generated block.
    pub(crate) address: String,
}

impl EvaluationSite {
    /// Returns the scope of expressions in a module instance, outside of repeated blocks.
    pub(crate) fn module(standpoint: &ScopeRef) -> Arc<EvaluationSite> {
        Arc::new(EvaluationSite { standpoint: standpoint.of_module(), call: None, iterator: None })
    }

    /// Returns true if only the names of the module are visible, not those of an instance, call or iteration.
    pub(crate) fn is_of_module(&self) -> bool {
        self.call.is_none() && self.iterator.is_none() && self.standpoint.resource().is_none()
    }

    /// Returns the innermost `dynamic` iteration whose iterator is called `name`; `None` if there is none.
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

    /// Returns the names that are visible, including the iterators of all enclosing `dynamic` blocks.
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
    /// Returns an evaluator of expressions in the scope `at`.
    pub(crate) fn new(evaluation: &Evaluation, at: &EvaluationSite) -> PartEvaluator {
        let library = FunctionLibrary::of(evaluation.project().edition());
        PartEvaluator { context: evaluation.context().with_scope(at.scope(evaluation)), library }
    }

    /// Returns an evaluator of expressions in the scope that an evaluation context already has.
    pub(crate) fn of_context(context: Context, library: FunctionLibrary) -> PartEvaluator {
        PartEvaluator { context, library }
    }

    /// Returns the functions that expressions may call.
    pub(crate) fn library(&self) -> &FunctionLibrary {
        &self.library
    }

    /// Evaluates a whole expression; `None` after an error.
    pub(crate) fn whole(&self, expr: &Expr) -> Option<Value> {
        self.run(LocatedCode::of(expr, &self.library), None)
    }

    /// Evaluates a sub-expression with additional names, such as those of a loop; `None` after an error.
    pub(crate) fn part(&self, view: View<'_>, names: NamedValues) -> Option<Value> {
        let code = lower_view(view, view.span().start, &self.library);
        self.lowered(view, code, names)
    }

    /// Evaluates a sub-expression from its lowered code, with additional names; `None` after an error.
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

    /// Evaluates a whole expression that is lowered already, so that its code is reused; `None` after an error.
    pub(crate) fn located(&self, located: &LocatedCode) -> Option<Value> {
        self.run(located.clone(), None)
    }

    /// Evaluates lowered code with additional names, if any are given; `None` after an error. The errors are dropped.
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
