//! The dependencies of each kind of node: expressions for declarations, inputs for variables, the body for instances, and states,
//! mocks and functions for the rest.

use std::sync::Arc;

use groma_eval::Reference;
use groma_module::declare::{Repetition, Variable};
use groma_project::{InputSource, ScopeRef};
use groma_syntax::{Expr, Place};
use groma_value::codec::listing;
use groma_value::{Value, json};

use crate::cache::NodeDependencies;
use crate::node::{WhyKind, WhyNode};
use crate::path::{self, WhyStep};
use crate::site::{DynamicIteration, EvaluationSite, QUERY_FILE};
use crate::slice::{CalledFunction, DependencyKind, MAX_ELEMENTS, SliceDependency};
use crate::source_text::WrittenPlace;
use crate::subject::{WhySubject, absolute, step_of};
use crate::why::{NodeWork, Why};

/// Maximum number of characters of a call's result in the key of its node; the result tells calls at the same place apart.
pub(crate) const MAX_KEY_VALUE: usize = 200;

/// Creates a provenance node without source text and dependencies.
pub(crate) fn plain(
    kind: WhyKind,
    address: String,
    place: Option<Place>,
    value: Option<Value>,
) -> WhyNode {
    WhyNode {
        kind,
        address: Some(address),
        place,
        recorded: None,
        text: None,
        value,
        from: Vec::new(),
        is_cut: false,
        template: None,
        reads: None,
        has_literals: false,
        hides: false,
    }
}

/// Returns a provenance node extended by the place and source text of its expression, as far as the text may be shown.
pub(crate) fn quoting(node: WhyNode, written: &WrittenPlace) -> WhyNode {
    let text = written.shown(node.value.as_ref());
    let WrittenPlace { place, has_literals, hides, .. } = *written;
    // The expression of a query is in no file.
    let place = Some(place).filter(|place| place.file != QUERY_FILE);
    WhyNode { place, text, has_literals, hides: hides || node.hides, ..node }
}

impl Why {
    /// Adds the provenance node of a declaration's value, or of the part that the steps select, and returns its number.
    pub(crate) fn subject(&mut self, subject: &WhySubject, steps: &[WhyStep]) -> usize {
        let kind = subject.kind(&self.evaluation);
        let (whole, mut value) = subject.values(steps, &self.evaluation);
        let mut steps = steps;
        // A missing part is answered by the innermost part that exists around it.
        while let (Some(_), None, [rest @ .., _]) = (&whole, &value, steps) {
            steps = rest;
            value = subject.values(steps, &self.evaluation).1;
        }
        let rest = path::text(whole.as_ref(), steps);
        let address = format!("{}{rest}", subject.address(&self.evaluation));
        self.node(kind, address.clone(), |this| {
            let place = Some(subject.place(&this.evaluation));
            let mut node = plain(kind, address, place, value);
            node.hides = subject.hides(steps, &this.evaluation);
            let node = match subject.expression(&this.evaluation) {
                Some(expr) => quoting(node, &this.written(&expr, steps)),
                None => node,
            };
            (node, NodeWork::Subject(subject.clone(), steps.to_vec()))
        })
    }

    /// Adds a provenance node for each dependency of an expression, and returns their numbers.
    pub(crate) fn dependency_nodes(
        &mut self,
        taken: Vec<SliceDependency>,
        at: &Arc<EvaluationSite>,
    ) -> Vec<usize> {
        let one = |one: SliceDependency| match one.what {
            DependencyKind::Named(reference, steps) => self.named(&reference, &steps, at),
            DependencyKind::Called(called) => Some(self.called(called, at)),
            DependencyKind::Literal(written, value) => Some(self.literal(&written, value)),
        };
        taken.into_iter().filter_map(one).collect()
    }

    /// Adds a provenance node for a literal of the code, and returns the number of the node.
    pub(crate) fn literal(&mut self, written: &WrittenPlace, value: Option<Value>) -> usize {
        let place = self.sources.resolve(written.place);
        let span = place.span;
        let key = format!("{}:{}:{}", place.file.0, span.start, span.end);
        let node = WhyNode { address: None, ..plain(WhyKind::Literal, String::new(), None, value) };
        let node = quoting(node, written);
        self.node(WhyKind::Literal, key, |_| (node, NodeWork::Done))
    }

    /// Adds a provenance node for a call of a function that is not pure, and returns the number of the node.
    fn called(&mut self, called: CalledFunction, at: &Arc<EvaluationSite>) -> usize {
        let CalledFunction { name, written, value, dependencies, template, reads } = called;
        let place = self.sources.resolve(written.place);
        let shown =
            value.as_ref().map(|value| json::plain(&groma_value::sentence::redacted(value)));
        let told: String = shown.unwrap_or_default().chars().take(MAX_KEY_VALUE).collect();
        let inside = at.iterator.as_ref().map(|one| one.address.as_str()).unwrap_or_default();
        let (module, suffix) = (at.standpoint.module_address(), at.standpoint.key().suffix());
        let (file, start) = (place.file.0, place.span.start);
        let key = format!("{module}|{suffix}|{inside}|{file}:{start}|{told}");
        let mut node = plain(WhyKind::Function, format!("{name}()"), None, value.clone());
        (node.template, node.reads) = (template, reads);
        let node = quoting(node, &written);
        self.node(WhyKind::Function, key.clone(), |this| {
            let mut from = this.dependency_nodes(dependencies, at);
            from.extend(this.mocks(&key, value.as_ref()));
            (WhyNode { from, ..node }, NodeWork::Done)
        })
    }

    /// Adds the provenance node of what a reference, whose path after the root name is `steps`, resolves to, and returns its
    /// number; `None` if it resolves to nothing.
    fn named(
        &mut self,
        reference: &Reference,
        steps: &[WhyStep],
        at: &Arc<EvaluationSite>,
    ) -> Option<usize> {
        let root = &*reference.root;
        if let Some(iterated) = at.iterated(root) {
            return Some(self.element(iterated, steps));
        }
        match root {
            "each" | "count" => {
                let (word, rest) = steps.split_first()?;
                let word = format!("{root}.{}", &*word.name());
                Some(self.repeated(at, &word, rest))
            }
            "self" => {
                let (resource, position) = at.standpoint.resource()?;
                let standpoint = at.standpoint.of_module();
                let subject = WhySubject::Resource(standpoint, resource, Some(position));
                Some(self.subject(&subject, steps))
            }
            "path" | "terraform" | "tofu" => {
                let word = format!("{root}.{}", &*steps.first()?.name());
                Some(self.fixed_value(at, &word))
            }
            _ => {
                let found = WhySubject::of(reference, steps, &at.standpoint, &self.evaluation);
                let (subject, rest) = found?;
                Some(self.subject(&subject, &rest))
            }
        }
    }

    /// Adds the provenance node of a value such as `path.module` or `terraform.workspace`, and returns its number.
    pub(crate) fn fixed_value(&mut self, at: &Arc<EvaluationSite>, text: &str) -> usize {
        let address = absolute(&at.standpoint, text);
        self.node(WhyKind::Environment, address.clone(), |this| {
            let value = this.word_value(text, at);
            (plain(WhyKind::Environment, address, None, value), NodeWork::Done)
        })
    }

    /// Adds the provenance node of `word`, which is `each.key`, `each.value` or `count.index`, in the scope `at` of an instance,
    /// or of the part of its value at `steps`, and returns the node's number.
    pub(crate) fn repeated(
        &mut self,
        at: &Arc<EvaluationSite>,
        word: &str,
        steps: &[WhyStep],
    ) -> usize {
        let standpoint = at.standpoint.of_module();
        let owner = match (at.standpoint.resource(), at.call) {
            (Some((resource, position)), _) => {
                Some(WhySubject::Resource(standpoint.clone(), resource, Some(position)))
            }
            (None, Some(call)) => Some(WhySubject::Module(standpoint.clone(), call, None)),
            (None, None) => None,
        };
        let suffix = match at.call {
            Some(_) => at.standpoint.key().suffix(),
            None => String::new(),
        };
        let inner = owner.as_ref().map(|owner| owner.inner(&self.evaluation)).unwrap_or_default();
        let whole = self.word_value(word, at);
        let value = whole.as_ref().and_then(|whole| path::at(whole, steps));
        let rest = path::text(whole.as_ref(), steps);
        let address = absolute(&standpoint, &format!("{inner}{suffix}.{word}{rest}"));
        let over = owner.and_then(|owner| owner.repetition(&self.evaluation));
        self.node(WhyKind::Repetition, address.clone(), |this| {
            let node = plain(WhyKind::Repetition, address, None, value);
            let Some(over) = over.as_ref().and_then(Repetition::expression) else {
                return (node, NodeWork::Done);
            };
            let into = match word {
                "each.value" => step_of(&at.standpoint.key()),
                _ => None,
            };
            let into: Vec<WhyStep> = into.into_iter().chain(steps.iter().cloned()).collect();
            let at = EvaluationSite::module(&standpoint);
            let node = quoting(node, &this.written(&over.expr, &[]));
            (node, NodeWork::Expression(over.expr.clone(), at, into))
        })
    }

    /// Adds the provenance node of the part at `steps` of an element, an object of key and value, over which a `dynamic` block
    /// iterates, and returns its number.
    fn element(&mut self, iterated: &DynamicIteration, steps: &[WhyStep]) -> usize {
        let value = path::at(&iterated.element, steps);
        let rest = path::text(Some(&iterated.element), steps);
        let address = format!("{}.{}{rest}", iterated.address, &*iterated.name);
        self.node(WhyKind::Repetition, address.clone(), |this| {
            let node = plain(WhyKind::Repetition, address, None, value);
            let node = quoting(node, &this.written(&iterated.over, &[]));
            let is_value = matches!(steps.first(), Some(WhyStep::Name(name)) if &**name == "value");
            let into: Vec<WhyStep> = match (&iterated.step, is_value) {
                (Some(step), true) => {
                    std::iter::once(step.clone()).chain(steps[1..].iter().cloned()).collect()
                }
                _ => Vec::new(),
            };
            (node, NodeWork::Expression(iterated.over.clone(), iterated.outside.clone(), into))
        })
    }

    /// Adds the provenance nodes of the mocks on which a value depends, and returns their numbers; `of` is the address of the
    /// value.
    pub(crate) fn mocks(&mut self, of: &str, value: Option<&Value>) -> Vec<usize> {
        let Some(value) = value.filter(|value| value.has_marks() && value.summary().mocked) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (_, causes) in listing(value).mocked {
            for id in causes.ids() {
                let Some(cause) = self.evaluation.causes().get(*id) else { continue };
                let address = cause.address.to_string();
                let node = plain(WhyKind::Mock, address.clone(), cause.place, Some(value.clone()));
                found.push(
                    self.node(WhyKind::Mock, format!("{of}|{address}"), |_| (node, NodeWork::Done)),
                );
            }
        }
        found
    }

    /// Adds the provenance nodes on which a declaration's value, or the part of it at `steps`, depends, and returns their
    /// numbers.
    pub(crate) fn subject_dependencies(
        &mut self,
        subject: &WhySubject,
        steps: &[WhyStep],
    ) -> NodeDependencies {
        match subject {
            WhySubject::Output(standpoint, _) | WhySubject::Local(standpoint, _) => {
                match subject.expression(&self.evaluation) {
                    Some(expr) => self.expression_dependencies(
                        &expr,
                        &EvaluationSite::module(standpoint),
                        steps,
                    ),
                    None => NodeDependencies::default(),
                }
            }
            WhySubject::Variable(standpoint, at) => {
                NodeDependencies::of(self.given(subject, standpoint, *at, steps), false)
            }
            WhySubject::Module(standpoint, call, position) => {
                let mut found = self.repetition(subject);
                let instances = self.evaluation.instances_of_call(standpoint, *call);
                let count = instances.map_or(0, |instances| instances.len());
                let Some(position) = position else {
                    for at in 0..count.min(MAX_ELEMENTS) {
                        let one = WhySubject::Module(standpoint.clone(), *call, Some(at));
                        found.push(self.subject(&one, &[]));
                    }
                    return NodeDependencies::of(found, count > MAX_ELEMENTS);
                };
                if let Some(child) = self.evaluation.at_call(standpoint, *call, *position) {
                    for output in 0..self.evaluation.declared_at(&child).outputs.len() {
                        let output = WhySubject::Output(child.of_module(), output);
                        found.push(self.subject(&output, &[]));
                    }
                }
                NodeDependencies::of(found, false)
            }
            WhySubject::Resource(standpoint, at, None) => {
                let mut found = self.repetition(subject);
                let instances = self.evaluation.instances_of_resource(standpoint, *at);
                let count = instances.map_or(0, |instances| instances.len());
                for position in 0..count.min(MAX_ELEMENTS) {
                    let one = WhySubject::Resource(standpoint.clone(), *at, Some(position));
                    found.push(self.subject(&one, &[]));
                }
                NodeDependencies::of(found, count > MAX_ELEMENTS)
            }
            WhySubject::Resource(standpoint, at, Some(position)) => {
                NodeDependencies::of(self.body(subject, standpoint, *at, *position, steps), false)
            }
        }
    }

    /// Adds the provenance node of the `count`, `for_each` or `enabled` of a declaration, and returns its number in a list;
    /// empty if there is none.
    pub(crate) fn repetition(&mut self, subject: &WhySubject) -> Vec<usize> {
        let Some(repetition) = subject.repetition(&self.evaluation) else { return Vec::new() };
        let Some(over) = repetition.expression() else { return Vec::new() };
        let word = match repetition {
            Repetition::Each(_) => "for_each",
            Repetition::Enabled(_) => "enabled",
            _ => "count",
        };
        let address = format!("{}.{word}", subject.address(&self.evaluation));
        let (expr, at) = (over.expr.clone(), EvaluationSite::module(subject.standpoint()));
        vec![self.expression(WhyKind::Repetition, address, &expr, &at, &[], false)]
    }

    /// Adds the provenance node of an expression other than that of a declaration, such as an argument or a `for_each`, or of the
    /// part of its value at the path `rest`, which is marked as sensitive if `is_hidden` is true, and returns its number.
    pub(crate) fn expression(
        &mut self,
        kind: WhyKind,
        address: String,
        expr: &Expr,
        at: &Arc<EvaluationSite>,
        rest: &[WhyStep],
        is_hidden: bool,
    ) -> usize {
        self.node(kind, address.clone(), |this| {
            let whole = this.expression_value(expr, at);
            let value = whole.and_then(|whole| path::at(&whole, rest));
            let value = match is_hidden {
                true => value.map(|value| value.sensitive()),
                false => value,
            };
            let node = quoting(plain(kind, address, None, value), &this.written(expr, rest));
            (node, NodeWork::Expression(expr.clone(), at.clone(), rest.to_vec()))
        })
    }

    /// Adds the provenance nodes of the inputs that give a variable, or the part of it at the path `steps`, its value, and
    /// returns their numbers; `at` is the variable's index in the module instance `standpoint`.
    fn given(
        &mut self,
        subject: &WhySubject,
        standpoint: &ScopeRef,
        at: usize,
        steps: &[WhyStep],
    ) -> Vec<usize> {
        let variable = self.evaluation.declared_at(standpoint).variables[at].clone();
        let (whole, value) = subject.values(steps, &self.evaluation);
        let base = subject.address(&self.evaluation);
        let address = format!("{base}{}", path::text(whole.as_ref(), steps));
        let mut found = Vec::new();
        let written = match self.evaluation.caller(standpoint) {
            Some((parent, call)) => {
                let declared = &self.evaluation.declared_at(&parent).calls[call];
                let input = declared.input(&variable.name).map(|input| input.value.expr.clone());
                input.map(|expr| {
                    let at = Arc::new(EvaluationSite {
                        standpoint: parent,
                        call: Some(call),
                        iterator: None,
                    });
                    let value = self.expression_value(&expr, &at);
                    let number = self.expression(
                        WhyKind::Argument,
                        address.clone(),
                        &expr,
                        &at,
                        steps,
                        false,
                    );
                    found.push(number);
                    value
                })
            }
            None => {
                let given = self.evaluation.project().given_value(&variable.name).cloned();
                given.map(|given| {
                    // Attributes that the type fills in are not given: the object around them is.
                    let mut used = steps.len();
                    while path::at(&given, &steps[..used]).is_none() {
                        used -= 1;
                    }
                    let steps = &steps[..used];
                    let (whole, value) = subject.values(steps, &self.evaluation);
                    let address = format!("{base}{}", path::text(whole.as_ref(), steps));
                    let node = self.outside(&variable, &given, &address, steps, value);
                    found.push(self.node(node.kind, address, |_| (node, NodeWork::Done)));
                    Some(given)
                })
            }
        };
        // A null may count as no value, and the type may fill in attributes that an object omits.
        let is_left = match &written {
            None => true,
            Some(None) => false,
            Some(Some(given)) => match given.is_null() {
                true => !variable.nullable,
                false => {
                    let part = path::at(given, steps);
                    part.is_none_or(|part| part.is_null())
                        && value.as_ref().is_some_and(|value| !value.is_null())
                }
            },
        };
        if is_left && (variable.default.is_some() || written.is_some()) {
            let is_whole =
                written.as_ref().is_none_or(|given| given.as_ref().is_some_and(Value::is_null));
            let node = self.default(&variable, is_whole, &address, steps, value);
            found.push(self.node(WhyKind::Default, address, |_| (node, NodeWork::Done)));
        }
        found
    }

    /// Creates the node at `address` for the default of a variable, or for the part of it at `steps`, with the part's `value`;
    /// `is_whole` is true if no input gives any part of the variable, so that the default's code is quoted.
    fn default(
        &mut self,
        variable: &Variable,
        is_whole: bool,
        address: &str,
        steps: &[WhyStep],
        value: Option<Value>,
    ) -> WhyNode {
        let node = plain(WhyKind::Default, address.to_owned(), Some(variable.place), value);
        let place = variable.default_place.filter(|_| is_whole);
        match place.and_then(|place| self.written_at(place, steps)) {
            Some(written) if !variable.is_hidden() => quoting(node, &written),
            Some(written) => WhyNode { place: Some(written.place), ..node },
            None => WhyNode { place: place.or(node.place), ..node },
        }
    }

    /// Creates the node for the value `given` to a variable from outside of the code, by a flag, a variable file or the
    /// environment, or for the part of it at the path `steps`, with the `address` and `value` of that part.
    fn outside(
        &mut self,
        variable: &Variable,
        given: &Value,
        address: &str,
        steps: &[WhyStep],
        value: Option<Value>,
    ) -> WhyNode {
        let (by, place) = self
            .evaluation
            .project()
            .input_source(&variable.name)
            .unwrap_or((InputSource::Embedder, None));
        let node =
            plain(by.into(), address.to_owned(), place.filter(|_| by == InputSource::File), value);
        if variable.is_hidden() {
            return node;
        }
        match place.and_then(|place| self.written_at(place, steps)) {
            Some(written) if by == InputSource::File => quoting(node, &written),
            Some(written) => {
                let text = written.shown(node.value.as_ref());
                WhyNode { text, has_literals: true, ..node }
            }
            None => match given.bare() {
                Value::String(text) => {
                    WhyNode { text: Some(text.to_string()), has_literals: true, ..node }
                }
                _ => node,
            },
        }
    }
}
