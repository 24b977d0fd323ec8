//! Evaluation of the text of an expression in the scope of a module or resource instance: its references are resolved, their
//! cells are filled, then it is evaluated.

use std::sync::Arc;

use groma_eval::{Context, Scope, Tracer};
use groma_module::declare::{Expression, Referent};
use groma_module::resolve::uses_of;
use groma_syntax::{Diagnostics, Expr, FileId, Source, parse_expression};
use groma_value::{Type, Value};

use crate::evaluate::address::ScopeRef;
use crate::evaluate::cell::{Cell, CellPart, CellState};
use crate::evaluate::condition::SelfScope;
use crate::evaluate::instance::{InstanceNode, RepeatKey};
use crate::evaluate::scope::{InstanceScope, OnDemandScope};
use crate::evaluate::world::EvaluationState;

impl EvaluationState {
    /// Evaluates the text of an expression in the module or resource instance `from`; `name` is its file name in diagnostics.
    pub(super) fn answer(
        self: &Arc<Self>,
        from: &ScopeRef,
        text: &str,
        name: &str,
        out: &mut Diagnostics,
    ) -> Value {
        let (before, mut asked) = (out.len(), None);
        let value = self.answer_with(from, text, name, out, &mut |file| {
            asked = Some(file);
            None
        });
        // The text of a question is dropped if no diagnostic or cause refers to it: millions may be asked.
        if let Some(file) = asked.filter(|_| out.len() == before && value.is_wholly_known()) {
            self.sources().forget_last(file);
        }
        value
    }

    /// Evaluates the text of an expression, as a file called `name`, in the instance `from`, observed by the tracer that `watch`
    /// returns for that file.
    pub(super) fn answer_with(
        self: &Arc<Self>,
        from: &ScopeRef,
        text: &str,
        name: &str,
        out: &mut Diagnostics,
        watch: &mut dyn FnMut(FileId) -> Option<Arc<dyn Tracer>>,
    ) -> Value {
        let file = self.sources().add(Source::new(name, text));
        let text = self.sources().get(file).text().clone();
        let parse = parse_expression(&text, file);
        let unknown = || Value::unknown(Type::Dynamic);
        let before = out.error_count();
        out.extend(parse.diagnostics.iter().cloned());
        if out.error_count() > before {
            return unknown();
        }
        let instance = &from.instance;
        let names = &self.module(instance).names;
        let mut expression = Expression::new(&Expr::of(&parse), &self.library.with_console());
        let surroundings = from.surroundings(self);
        expression.uses = uses_of(&expression, names, &surroundings, out);
        crate::tree::check_outputs(&self.project.nodes, instance.node, &expression, out);
        if out.error_count() > before {
            return unknown();
        }
        let mut goals = self.fill_dependencies(instance, &expression);
        let mut references = expression.located.code.references().iter();
        let mut scope = self.scope_of(instance, from.repeat.clone(), surroundings.check.as_ref());
        if references.any(|reference| &*reference.root == "self") {
            goals.extend(self.fill_self(from));
            scope = self.with_own(from, scope);
        }
        self.scheduler().report(self, &goals, out);
        if self.has_ended() {
            return unknown();
        }
        let context = Context { tracer: watch(file), ..self.context(scope) };
        groma_eval::evaluate(&expression.located, &context, out)
    }

    /// Evaluates an expression of a declaration and shows each part to the tracer; `None` if the request or run ended before its
    /// dependencies were filled.
    pub(super) fn trace_at(
        self: &Arc<Self>,
        from: &ScopeRef,
        expression: &Expression,
        tracer: Arc<dyn Tracer>,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let instance = &from.instance;
        let mut goals = self.fill_dependencies(instance, expression);
        let check = from.surroundings(self).check;
        let mut scope = match expression.deferred {
            true => self.unchecked_scope(instance, from.repeat.clone(), check.as_ref()),
            false => self.scope_of(instance, from.repeat.clone(), check.as_ref()),
        };
        let mut references = expression.located.code.references().iter();
        if references.any(|reference| &*reference.root == "self") {
            goals.extend(self.fill_self(from));
            scope = self.with_own(from, scope);
        }
        let is_filled = |cell: &Cell| {
            self.instance(cell.instance).state(cell.part).is_none_or(CellState::is_done)
        };
        if self.has_ended() || !goals.iter().all(is_filled) {
            return None;
        }
        self.scheduler().report(self, &goals, out);
        let context = Context { tracer: Some(tracer), ..self.context(scope) };
        Some(groma_eval::evaluate(&expression.located, &context, out))
    }

    /// Fills the dependencies of an expression, reports their diagnostics, and evaluates it.
    pub(super) fn fill_and_evaluate(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        repeat: RepeatKey,
        expression: &Expression,
        out: &mut Diagnostics,
    ) -> Value {
        let goals = self.fill_dependencies(instance, expression);
        self.scheduler().report(self, &goals, out);
        if self.has_ended() {
            return Value::unknown(Type::Dynamic);
        }
        let scope = match expression.deferred {
            true => self.unchecked_scope(instance, repeat, None),
            false => self.scope(instance, repeat),
        };
        self.evaluate(expression, &scope, out)
    }

    /// Fills the dependencies of an expression and returns their cells.
    pub(super) fn fill_dependencies(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        expression: &Expression,
    ) -> Vec<Cell> {
        for used in &expression.uses {
            self.fill_target(instance, &used.target, &mut Vec::new(), &mut Diagnostics::new());
        }
        let mut goals = Vec::new();
        self.expression_needs(instance, expression, &mut |cell| goals.push(cell));
        goals
    }

    /// Fills the cell of the resource instance `from` and returns it; `None` if `from` is a module instance.
    fn fill_self(self: &Arc<Self>, from: &ScopeRef) -> Option<Cell> {
        let (at, key) = from.own?;
        let cell = Cell { instance: from.instance.id, part: CellPart::Object(at, key) };
        self.scheduler().fill_all(self, &[cell]);
        Some(cell)
    }

    /// Returns the scope `below` with `self` added, if `from` is a resource instance.
    fn with_own(&self, from: &ScopeRef, below: Arc<dyn Scope>) -> Arc<dyn Scope> {
        let object = from.own.and_then(|(at, key)| {
            let cell = from.instance.resources.get(at as usize)?.get()?;
            let resource = self.module(&from.instance).resources.get(at as usize)?;
            Some((resource, cell.objects.get(key as usize)?.get().cloned()?))
        });
        match object {
            Some((resource, object)) => {
                let object = self.own_with_deprecations(resource, object);
                Arc::new(SelfScope { names: &["self"], object, below })
            }
            None => below,
        }
    }

    /// Fills the cells that a reference depends on, first instances and then their values, replaces the content of `goals` by
    /// these cells, and reports their diagnostics.
    pub(super) fn fill_target(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        target: &Referent,
        goals: &mut Vec<Cell>,
        out: &mut Diagnostics,
    ) {
        let scheduler = self.scheduler();
        // First the instances, then their values.
        for _ in 0..2 {
            goals.clear();
            self.target_needs(instance, target, &mut |cell| goals.push(cell));
            scheduler.fill_all(self, goals);
        }
        scheduler.report(self, goals, out);
    }

    /// Returns the names visible in the module or resource instance `from`, as a scope that evaluates each value when it is
    /// looked up.
    pub(super) fn on_demand_scope(self: &Arc<Self>, from: &ScopeRef) -> Arc<dyn Scope> {
        let scope: Arc<dyn Scope> = Arc::new(OnDemandScope(InstanceScope {
            world: self.clone(),
            instance: from.instance.clone(),
            repeat: from.repeat.clone(),
            check: from.surroundings(self).check,
            resource: None,
            unchecked: true,
        }));
        self.fill_self(from);
        self.with_own(from, scope)
    }
}
