//! A text that somebody asks about, in the scope of the root module: its references are checked
//! first, then the cells it needs are filled, then it is evaluated.

use std::sync::Arc;

use groma_eval::Scope;
use groma_syntax::{Diagnostics, Expr, Source, parse_expression};
use groma_value::{Type, Value};

use super::driver::Cell;
use super::instance::{Instance, Repeat};
use super::scope::{AskingScope, InstanceScope};
use super::world::World;
use crate::declare::resolve::Surroundings;
use crate::declare::{Expression, Target, uses_of};

impl World {
    pub(super) fn answer(self: &Arc<Self>, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        let file = self.sources().add(Source::new(name, text));
        let text = self.sources().get(file).text().clone();
        let parse = parse_expression(&text, file);
        let unknown = || Value::unknown(Type::Dynamic);
        let before = out.error_count();
        out.extend(parse.diagnostics.iter().cloned());
        if out.error_count() > before {
            return unknown();
        }
        let root = self.instance(0);
        let names = &self.module(&root).names;
        let mut expression = Expression::new(&Expr::of(&parse), &self.library.with_console());
        expression.uses = uses_of(&expression, names, &Surroundings::default(), out);
        crate::link::check_outputs(&self.project.nodes, root.node, &expression, out);
        if out.error_count() > before {
            return unknown();
        }
        self.settle_and_evaluate(&root, &expression, out)
    }

    /// Settles what an expression needs, says what was found there, and evaluates it.
    pub(super) fn settle_and_evaluate(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        expression: &Expression,
        out: &mut Diagnostics,
    ) -> Value {
        for used in &expression.uses {
            self.settle_target(instance, &used.target, &mut Vec::new(), &mut Diagnostics::new());
        }
        let mut goals = Vec::new();
        self.expression_needs(instance, expression, &mut |cell| goals.push(cell));
        self.driver().report(&goals, out);
        self.evaluate(expression, &self.scope(instance, Repeat::None), out)
    }

    /// Settles what a reference leads to: what it needs may show only when some of it is there.
    pub(super) fn settle_target(
        self: &Arc<Self>,
        instance: &Arc<Instance>,
        target: &Target,
        goals: &mut Vec<Cell>,
        out: &mut Diagnostics,
    ) {
        let mut driver = self.driver();
        // The instances first, then what is in them.
        for _ in 0..2 {
            goals.clear();
            self.target_needs(instance, target, &mut |cell| goals.push(cell));
            driver.settle(self, goals);
        }
        driver.report(goals, out);
    }

    /// The names of the root module, settled when they are asked for.
    pub(super) fn asking_scope(self: &Arc<Self>) -> Arc<dyn Scope> {
        let instance = self.instance(0);
        Arc::new(AskingScope(InstanceScope {
            world: self.clone(),
            instance,
            repeat: Repeat::None,
            unchecked: true,
        }))
    }
}
