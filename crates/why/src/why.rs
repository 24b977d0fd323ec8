//! Provenance of the values of an evaluation, found node by node and cached: later queries reuse the nodes of earlier ones. Only
//! values that a query needs are evaluated.

use std::rc::Rc;
use std::sync::Arc;

use groma_eval::LocatedCode;
use groma_project::{Evaluation, ScopeRef};
use groma_runtime::file_path;
use groma_syntax::{Diagnostics, Expr, FileId, Place, Source, Sources, parse_expression};
use groma_value::{Value, identical};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::address::{self, AddressError, QueriedValue};
use crate::cache::{self, ExpressionCache, NodeDependencies, SharedParts};
use crate::node::{WhyKind, WhyNode, WhyTree};
use crate::path::WhyStep;
use crate::render::TemplateCall;
use crate::site::{EvaluationSite, PartEvaluator};
use crate::slice::{self, ValueSlice};
use crate::source_text::{RereadExpression, WrittenPlace, is_reference, narrow, written};
use crate::subject::WhySubject;

/// Maximum number of nodes in one provenance tree; further dependencies are left out.
pub(crate) const MAX_NODES: usize = 10_000;

/// The provenance graph of one evaluation, built on demand by queries.
pub struct Why {
    pub(crate) evaluation: Evaluation,
    pub(crate) sources: Sources,
    entries: Vec<WhyEntry>,
    numbers: FxHashMap<(WhyKind, String), usize>,
    shared: SharedParts,
    /// Lowered whole expressions by their places.
    lowered: FxHashMap<Place, LocatedCode>,
    /// Lowered words, such as `each.key`.
    words: FxHashMap<String, LocatedCode>,
    /// The evaluator of the most recent scope.
    last: Option<(Arc<EvaluationSite>, Rc<PartEvaluator>)>,
    /// Caches of expressions by place and by the address of the module's instance.
    kept: FxHashMap<Place, FxHashMap<String, Rc<ExpressionCache>>>,
    /// Expressions parsed again from their place.
    reread: FxHashMap<Place, Option<Rc<RereadExpression>>>,
}

/// A node of the provenance graph, with the pending work that finds its dependencies.
struct WhyEntry {
    node: WhyNode,
    todo: NodeWork,
}

/// The pending work that finds the dependencies of a provenance node: none, those of a declaration or of an expression.
pub(crate) enum NodeWork {
    /// The dependencies are in the node.
    Done,
    /// The dependencies of the part of a declaration's value at a path remain to be found.
    Subject(WhySubject, Vec<WhyStep>),
    /// The dependencies of the part of an expression's value at a path remain to be found, in a scope.
    Expression(Expr, Arc<EvaluationSite>, Vec<WhyStep>),
}

impl Why {
    /// Creates an empty provenance graph for the values of an evaluation.
    pub fn new(evaluation: &Evaluation) -> Why {
        Why {
            sources: evaluation.sources(),
            evaluation: evaluation.clone(),
            entries: Vec::new(),
            numbers: FxHashMap::default(),
            shared: SharedParts::default(),
            lowered: FxHashMap::default(),
            words: FxHashMap::default(),
            last: None,
            kept: FxHashMap::default(),
            reread: FxHashMap::default(),
        }
    }

    /// Returns the provenance of the value at an address. Errors in the code that leads to the value are added to `out`.
    pub fn ask(&mut self, text: &str, out: &mut Diagnostics) -> Result<WhyTree, AddressError> {
        let asked = address::find(text, &self.evaluation)?;
        let number = self.query_node(&asked, out)?;
        let mut tree = self.tree(number);
        // The root node is named as in the query.
        tree.nodes[0].address = Some(text.trim().to_owned());
        Ok(tree)
    }

    /// Returns the provenance of an expression's value in the scope `standpoint`. The first node is the expression, or its
    /// referent if the expression is a single reference.
    pub fn ask_expression(
        &mut self,
        expr: &Expr,
        value: Option<Value>,
        standpoint: &ScopeRef,
    ) -> WhyTree {
        let at =
            Arc::new(EvaluationSite { standpoint: standpoint.clone(), call: None, iterator: None });
        let written = written(expr, &[], &self.shared.items);
        let node = WhyNode {
            kind: WhyKind::Literal,
            address: None,
            place: None,
            recorded: None,
            text: written.shown(value.as_ref()),
            value,
            from: Vec::new(),
            is_cut: false,
            template: None,
            reads: None,
            has_literals: written.has_literals,
            hides: written.hides,
        };
        let number = self.entries.len();
        self.entries
            .push(WhyEntry { node, todo: NodeWork::Expression(expr.clone(), at, Vec::new()) });
        self.expand(number);
        let is_plain = matches!(expr, Expr::Native(native) if is_reference(native.view()));
        match self.entries[number].node.from.as_slice() {
            [only] if is_plain => self.tree(*only),
            _ => self.tree(number),
        }
    }

    /// Returns the calls of a template file in all module instances, in the order of their places. The path of the file is
    /// relative to the directory that the root's relative paths start from. Calls at the same place with the same names are
    /// merged.
    pub fn calls(&mut self, file: &str) -> Vec<TemplateCall> {
        self.evaluation.evaluate_all(&mut Diagnostics::new());
        let mut addresses: Vec<String> = Vec::new();
        let mut rest = vec![self.evaluation.root()];
        while let Some(instance) = rest.pop() {
            let module = instance.module();
            let base = match instance.address() {
                "" => String::new(),
                address => format!("{address}."),
            };
            addresses.extend(module.local_names().map(|name| format!("{base}local.{name}")));
            addresses.extend(module.output_names().map(|name| format!("{base}output.{name}")));
            for resource in 0..module.resources.len() {
                addresses.extend(instance.instances(resource).map(|one| one.address.to_string()));
            }
            rest.extend(instance.children());
        }
        addresses.sort();
        let mut found: Vec<TemplateCall> = Vec::new();
        for address in addresses {
            for call in self.calls_of(file, &address) {
                let is_same = |one: &TemplateCall| {
                    one.place == call.place && identical(&one.names, &call.names)
                };
                if !found.iter().any(is_same) {
                    found.push(call);
                }
            }
        }
        found.sort_by(|a, b| (a.place, &a.address).cmp(&(b.place, &b.address)));
        found
    }

    /// Returns the calls of a template file on which the value at an address depends.
    pub fn calls_of(&mut self, file: &str, address: &str) -> Vec<TemplateCall> {
        let Ok(tree) = self.ask(address, &mut Diagnostics::new()) else { return Vec::new() };
        let wanted = file_path::clean(file);
        let dir = file_path::clean(&file_path::join(self.evaluation.project().dir(), file));
        let mut found = Vec::new();
        for (number, node) in tree.nodes.iter().enumerate() {
            let (Some(template), Some(place)) = (&node.template, node.place) else { continue };
            // A call belongs to the node that depends on it.
            let owner = tree.nodes.iter().find(|one| one.from.contains(&number));
            let address = owner.and_then(|one| one.address.as_deref()).unwrap_or(address);
            let (path, names) = &**template;
            let Value::String(path) = path.bare() else { continue };
            let path = file_path::clean(path);
            if path == wanted || path == dir {
                let (address, names) = (address.to_owned(), names.clone());
                found.push(TemplateCall { place, address, names });
            }
        }
        found
    }

    /// Returns the number of the node for a part of the declaration at an address; `None` if the address names none.
    pub(crate) fn start(&mut self, address: &[WhyStep], path: &[WhyStep]) -> Option<usize> {
        let Ok(QueriedValue::Subject(subject, mut steps)) =
            address::resolve(address, &self.evaluation)
        else {
            return None;
        };
        steps.extend_from_slice(path);
        Some(self.subject(&subject, &steps))
    }

    /// Returns the node with the given number in the provenance graph.
    pub(crate) fn node_of(&self, number: usize) -> &WhyNode {
        &self.entries[number].node
    }

    /// Evaluates the value that a query asks about and returns the number of its node; an error if the path leads to no part of
    /// the value.
    fn query_node(
        &mut self,
        asked: &QueriedValue,
        out: &mut Diagnostics,
    ) -> Result<usize, AddressError> {
        match asked {
            QueriedValue::Subject(subject, steps) => {
                address::evaluate_subject(subject, &self.evaluation, out);
                let (whole, part) = subject.values(steps, &self.evaluation);
                if let (Some(whole), None) = (&whole, &part)
                    && !out.has_errors()
                {
                    return Err(address::no_part(subject, whole, steps, &self.evaluation));
                }
                self.sources = self.evaluation.sources();
                Ok(self.subject(subject, steps))
            }
            QueriedValue::Repeated(at, word, steps) => Ok(self.repeated(at, word, steps)),
            QueriedValue::Fixed(at, text) => Ok(self.fixed_value(at, text)),
        }
    }

    /// Returns the number of the node with a kind and key in the provenance graph, after creating the node by `make` if it is
    /// missing.
    pub(crate) fn node(
        &mut self,
        kind: WhyKind,
        key: String,
        make: impl FnOnce(&mut Why) -> (WhyNode, NodeWork),
    ) -> usize {
        let key = (kind, key);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let (node, todo) = make(self);
        let number = self.entries.len();
        self.entries.push(WhyEntry { node, todo });
        self.numbers.insert(key, number);
        number
    }

    /// Finds the dependencies of the node with a number and stores them in it, unless that is done already.
    pub(crate) fn expand(&mut self, number: usize) {
        let todo = std::mem::replace(&mut self.entries[number].todo, NodeWork::Done);
        let NodeDependencies { from, is_cut } = match todo {
            NodeWork::Done => return,
            NodeWork::Subject(subject, steps) => self.subject_dependencies(&subject, &steps),
            NodeWork::Expression(expr, at, steps) => {
                self.expression_dependencies(&expr, &at, &steps)
            }
        };
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let from = from.into_iter().filter(|one| *one != number && seen.insert(*one)).collect();
        let node = &mut self.entries[number].node;
        (node.from, node.is_cut) = (from, is_cut);
    }

    /// Adds the provenance nodes that the part of an expression's value at `steps` depends on, and returns their numbers.
    pub(crate) fn expression_dependencies(
        &mut self,
        expr: &Expr,
        at: &Arc<EvaluationSite>,
        steps: &[WhyStep],
    ) -> NodeDependencies {
        let kept = self.kept(expr, at);
        if let Some(known) = kept.as_ref().and_then(|kept| kept.taken.borrow().get(steps).cloned())
        {
            return known;
        }
        let evaluator = self.evaluator(at);
        let own = kept.clone().unwrap_or_default();
        let ValueSlice { taken, is_cut } = slice::slice(expr, steps, &evaluator, own, &self.shared);
        let mut from = self.dependency_nodes(taken, at);
        // Words without a referent, such as those of types, depend on the text alone.
        if from.is_empty() && !is_cut {
            let (written, value) = (self.written(expr, &[]), evaluator.whole(expr));
            from.push(self.literal(&written, value));
        }
        let opened = NodeDependencies { from, is_cut };
        if let Some(kept) = kept {
            kept.taken.borrow_mut().insert(steps.to_vec(), opened.clone());
        }
        opened
    }

    /// Returns the cache that is kept for an expression in one instance of its module; `None` where `each`, `count` or
    /// iterators are visible too, and for the text of a query.
    fn kept(&mut self, expr: &Expr, at: &EvaluationSite) -> Option<Rc<ExpressionCache>> {
        if !at.is_of_module() || !cache::is_kept(expr) {
            return None;
        }
        let known = self.kept.entry(expr.place()).or_default();
        let module = at.standpoint.module_address();
        if let Some(kept) = known.get(module) {
            return Some(kept.clone());
        }
        let made = Rc::new(ExpressionCache::default());
        known.insert(module.to_owned(), made.clone());
        Some(made)
    }

    /// Returns the source text and the place of the part of an expression at a path.
    pub(crate) fn written(&self, expr: &Expr, steps: &[WhyStep]) -> Rc<WrittenPlace> {
        match expr {
            Expr::Native(native) => {
                let view = narrow(native.view(), steps, native.file(), &self.shared.items);
                self.shared.written(view, native.file())
            }
            Expr::Json(_) => Rc::new(written(expr, steps, &self.shared.items)),
        }
    }

    /// Returns the evaluator for a scope, reusing that of the previous call.
    pub(crate) fn evaluator(&mut self, at: &Arc<EvaluationSite>) -> Rc<PartEvaluator> {
        if let Some((known, evaluator)) = &self.last
            && Arc::ptr_eq(known, at)
        {
            return evaluator.clone();
        }
        let made = Rc::new(PartEvaluator::new(&self.evaluation, at));
        self.last = Some((at.clone(), made.clone()));
        made
    }

    /// Returns the value of a whole expression in a scope; `None` after an error.
    pub(crate) fn expression_value(
        &mut self,
        expr: &Expr,
        at: &Arc<EvaluationSite>,
    ) -> Option<Value> {
        let evaluator = self.evaluator(at);
        if !cache::is_kept(expr) {
            return evaluator.whole(expr);
        }
        let made = || LocatedCode::of(expr, evaluator.library());
        evaluator.located(self.lowered.entry(expr.place()).or_insert_with(made))
    }

    /// Returns the value of a name such as `each.key` in a scope; `None` after an error.
    pub(crate) fn word_value(&mut self, text: &str, at: &Arc<EvaluationSite>) -> Option<Value> {
        let evaluator = self.evaluator(at);
        if let Some(located) = self.words.get(text) {
            return evaluator.located(located);
        }
        let source = Source::new("", text);
        let parse = parse_expression(source.text(), FileId(0));
        let located = LocatedCode::of(&Expr::of(&parse), evaluator.library());
        evaluator.located(self.words.entry(text.to_owned()).or_insert(located))
    }

    /// Returns the source text of a part of the expression at a place; `None` if the place is withheld from display, because it
    /// contains a secret.
    pub(crate) fn written_at(&mut self, place: Place, steps: &[WhyStep]) -> Option<WrittenPlace> {
        let sources = &self.sources;
        let made = || RereadExpression::at(place, sources).map(Rc::new);
        let reread = self.reread.entry(place).or_insert_with(made).clone()?;
        Some(reread.written(place, steps))
    }

    /// Returns the node with the number `start` and all of its dependencies as a separate tree.
    fn tree(&mut self, start: usize) -> WhyTree {
        let mut order = vec![start];
        let mut places: FxHashMap<usize, usize> = FxHashMap::from_iter([(start, 0)]);
        let mut next = 0;
        let budget = self.evaluation.context().budget.clone();
        while let Some(number) = order.get(next).copied() {
            next += 1;
            if budget.ended().is_some() {
                break;
            }
            self.expand(number);
            for at in 0..self.entries[number].node.from.len() {
                let below = self.entries[number].node.from[at];
                if order.len() < MAX_NODES && !places.contains_key(&below) {
                    places.insert(below, order.len());
                    order.push(below);
                }
            }
        }
        let nodes = order.iter().map(|number| {
            let mut node = self.entries[*number].node.clone();
            let all = node.from.len();
            node.from = node.from.iter().filter_map(|one| places.get(one).copied()).collect();
            node.is_cut |= node.from.len() < all;
            node
        });
        let mut tree = WhyTree { nodes: nodes.collect() };
        tree.veil();
        tree
    }
}
