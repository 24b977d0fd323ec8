//! What references lead to, written out: local values, inputs of calls, outputs of modules, instances of resources.

use std::collections::BTreeMap;

use groma::Value;
use groma_config::{InstanceKey, ResourceMode};
use groma_module::declare::{ModuleCall, Resource};
use groma_project::{InstanceSet, ScopeRef};
use groma_syntax::ast::{ExprCase, ExprView};

use crate::form::{Form, text_value};
use crate::written::{Bound, ELEMENT, Writer};

/// A step of a reference, with the expression up to and with it.
struct WrittenStep<'t> {
    step: StepKind<'t>,
    upto: ExprView<'t>,
}

#[derive(Clone, Copy)]
enum StepKind<'t> {
    Name(&'t str),
    Key(ExprView<'t>),
    At(usize),
}

impl Writer<'_> {
    /// A name and the steps behind it.
    pub(crate) fn traversal(
        &self,
        view: ExprView<'_>,
        at: &ScopeRef,
        bound: &Bound,
    ) -> Option<Form> {
        let mut steps = Vec::new();
        let mut upto = view;
        let root = loop {
            let (object, step) = match upto.case() {
                ExprCase::Attribute { object, name, .. } => (object, StepKind::Name(name)),
                ExprCase::Index { object, key, .. } => (object, StepKind::Key(key)),
                ExprCase::LegacyIndex { object, digits, .. } => {
                    (object, StepKind::At(digits.parse().ok()?))
                }
                ExprCase::Root(name) => break Some(name),
                _ => break None,
            };
            steps.push(WrittenStep { step, upto });
            upto = object;
        };
        steps.reverse();
        let is_free = |name: &&str| !bound.iter().any(|(own, _)| own == name);
        let (mut form, used) = match root.filter(is_free) {
            Some(name) => self.referent(name, &steps, at, bound)?,
            None => (self.expression(upto, at, bound)?, 0),
        };
        let is_element = bound.last().is_some_and(|(name, _)| name == ELEMENT);
        if used > 0 && used < steps.len() && !is_element {
            form = form.settled(&self.value(steps[used - 1].upto, at, bound));
        }
        for step in &steps[used..] {
            form = match step.step {
                StepKind::Name(name) => form.get(name),
                StepKind::At(at) => form.index(&Form::Known(Value::position(at))),
                StepKind::Key(key) => form.index(&self.expression(key, at, bound)?),
            };
        }
        Some(form)
    }

    /// What a name leads to, and how many steps behind it that takes.
    fn referent(
        &self,
        root: &str,
        steps: &[WrittenStep<'_>],
        at: &ScopeRef,
        bound: &Bound,
    ) -> Option<(Form, usize)> {
        let name = |number: usize| match steps.get(number).map(|one| one.step) {
            Some(StepKind::Name(name)) => Some(name),
            _ => None,
        };
        let module = self.evaluation.declared_at(at);
        let home = at.of_module();
        match (root, name(0), name(1)) {
            ("each", Some("value"), _) => {
                let each = bound.iter().find(|(name, _)| name == "each.value")?;
                Some((each.1.clone(), 1))
            }
            ("local", Some(own), _) => Some((self.local(own, &home)?, 1)),
            ("var", Some(own), _) => Some((self.variable(own, &home)?, 1)),
            ("module", Some(own), _) => {
                let call = module.calls.iter().position(|one| *one.name == *own)?;
                let (form, used) = self.call(call, &steps[1..], at, bound)?;
                Some((form, used + 1))
            }
            ("data" | "ephemeral", Some(kind), Some(own)) => {
                let mode =
                    if root == "data" { ResourceMode::Data } else { ResourceMode::Ephemeral };
                let is_it =
                    |one: &Resource| one.mode == mode && *one.kind == *kind && *one.name == *own;
                let number = module.resources.iter().position(|one| is_it(one))?;
                let (form, used) = self.resource(number, &steps[2..], at, bound)?;
                Some((form, used + 2))
            }
            (kind, Some(own), _) => {
                let is_it = |one: &Resource| {
                    one.mode == ResourceMode::Managed && *one.kind == *kind && *one.name == *own
                };
                match module.resources.iter().position(|one| is_it(one)) {
                    Some(number) => {
                        let (form, used) = self.resource(number, &steps[1..], at, bound)?;
                        Some((form, used + 1))
                    }
                    None => Some((Form::open(root), 0)),
                }
            }
            _ => Some((Form::open(root), 0)),
        }
    }

    fn local(&self, name: &str, home: &ScopeRef) -> Option<Form> {
        let key = (home.module_address().to_owned(), name.to_owned());
        if let Some(known) = self.locals.borrow().get(&key) {
            return known.clone();
        }
        let local = self.evaluation.declared_at(home).local(name)?;
        let form = self.declared(&local.value, home, &Vec::new());
        self.locals.borrow_mut().insert(key, form.clone());
        form
    }

    fn variable(&self, name: &str, home: &ScopeRef) -> Option<Form> {
        let Some((parent, call)) = self.evaluation.caller(home) else {
            return Some(Form::open(format!("var.{name}")));
        };
        let call = &self.evaluation.declared_at(&parent).calls[call];
        match call.inputs.iter().find(|input| *input.name == *name) {
            Some(input) => {
                let bound = self.each(&call.repetition, &parent.key(), &parent.of_module())?;
                self.declared(&input.value, &parent, &bound)
            }
            None => Some(Form::open(format!("default of var.{name}"))),
        }
    }

    /// What a call gives, as far as the steps lead.
    fn call(
        &self,
        number: usize,
        steps: &[WrittenStep<'_>],
        at: &ScopeRef,
        bound: &Bound,
    ) -> Option<(Form, usize)> {
        let home = at.of_module();
        let call = &self.evaluation.declared_at(at).calls[number];
        let Some(instances) = self.evaluation.instances_of_call(&home, number) else {
            return Some((self.absent(call, &home)?, 0));
        };
        let given = |position: usize| -> Option<Form> {
            let inside = self.evaluation.at_call(&home, number, position)?;
            let outputs = &self.evaluation.declared_at(&inside).outputs;
            let mut all = BTreeMap::new();
            for (at, output) in outputs.iter().enumerate() {
                all.insert(output.name.to_string(), self.output(&inside, at)?);
            }
            Some(Form::Object(all, None))
        };
        self.instance(instances, steps, (at, bound), &given)
    }

    /// What a module gives that is not at hand.
    fn absent(&self, call: &ModuleCall, home: &ScopeRef) -> Option<Form> {
        let mut all = format!("module {}(", &*call.name);
        let repetition = call.repetition.expression().into_iter();
        let source = call.source.iter().chain(&call.version).chain(repetition);
        for expression in source.chain(call.inputs.iter().map(|input| &input.value)) {
            let form = self.declared(expression, home, &Vec::new())?;
            all.push_str(&format!("{}, ", form.text()));
        }
        Some(Form::open(all))
    }

    /// What a resource is, as far as the steps lead.
    fn resource(
        &self,
        number: usize,
        steps: &[WrittenStep<'_>],
        at: &ScopeRef,
        bound: &Bound,
    ) -> Option<(Form, usize)> {
        let home = at.of_module();
        let resource = &self.evaluation.declared_at(at).resources[number];
        let instances = self.evaluation.instances_of_resource(&home, number)?;
        let given = |position: usize| -> Option<Form> {
            let mut parts = self.written(&home, number, position)?;
            let mut rest = self.address(&home, number, position);
            if resource.mode != ResourceMode::Managed {
                rest = format!("{rest} asked {}", Form::Object(parts.clone(), None).text());
            }
            if &*resource.kind == "terraform_data" {
                let input = parts.get("input").cloned().unwrap_or(Form::Known(Value::NULL));
                parts.insert("output".to_owned(), input);
                parts.entry("triggers_replace".to_owned()).or_insert(Form::Known(Value::NULL));
                parts.entry("input".to_owned()).or_insert(Form::Known(Value::NULL));
                parts.insert("id".to_owned(), Form::open(format!("{rest}.id")));
                return Some(Form::Object(parts, None));
            }
            Some(Form::Object(parts, Some(rest.into())))
        };
        self.instance(instances, steps, (at, bound), &given)
    }

    /// The instance that the next step asks for, or all of them.
    fn instance(
        &self,
        instances: InstanceSet,
        steps: &[WrittenStep<'_>],
        (at, bound): (&ScopeRef, &Bound),
        given: &dyn Fn(usize) -> Option<Form>,
    ) -> Option<(Form, usize)> {
        let keys = match instances {
            InstanceSet::One => return Some((given(0)?, 0)),
            InstanceSet::Keyed(keys) => keys,
            InstanceSet::Unknown(_) => return None,
        };
        let asked = match steps.first().map(|one| one.step) {
            Some(StepKind::Key(key)) => self.expression(key, at, bound),
            Some(StepKind::At(at)) => Some(Form::Known(Value::position(at))),
            Some(StepKind::Name(name)) => Some(text_value(name)),
            None => None,
        };
        let is_asked = |key: &InstanceKey| match (key, &asked) {
            (InstanceKey::Text(key), Some(Form::Known(Value::String(asked)))) => key == asked,
            (InstanceKey::Number(key), Some(Form::Known(asked))) => {
                asked.as_position() == Some(*key)
            }
            _ => false,
        };
        if let Some(position) = keys.iter().position(is_asked) {
            return Some((given(position)?, 1));
        }
        let all: Vec<Form> = (0..keys.len()).map(given).collect::<Option<_>>()?;
        let name = |key: &InstanceKey| match key {
            InstanceKey::Text(key) => Some(key.to_string()),
            _ => None,
        };
        let names: Option<Vec<String>> = keys.iter().map(name).collect();
        Some(match names {
            Some(names) if !names.is_empty() => {
                (Form::Object(names.into_iter().zip(all).collect(), None), 0)
            }
            _ => (Form::Tuple(all), 0),
        })
    }
}
