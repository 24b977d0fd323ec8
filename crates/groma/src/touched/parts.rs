//! Which parts of touched declarations are touched themselves. What refers to one attribute of a resource takes nothing of
//! the others, and what the provider works out of an object is the same as long as it is the same object.

use std::sync::Arc;

use groma_eval::{Reference, Step};
use groma_folder::Mode;
use groma_module::declare::{Expression, Module, Referent, Repetition, Resource, Use};
use groma_module::visit::{Declaration, Role, When};
use groma_project::{Evaluation, ModuleNode, Project};
use groma_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use super::changes::TouchedIn;
use super::keys::{Keys, Repeated};
use super::leads::Lead;
use super::takes;

/// Whether a part is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// It is not.
    No,
    /// Only by what its instance is repeated over: where `each.value` is the same, it is not.
    ByElement,
    /// Only by parts of other instances, one for each of its own: where these mean the same, so does it.
    ByLeads,
    /// It is.
    Yes,
}

/// What is known of the two projects before any part is looked at.
pub(super) struct Known<'k> {
    pub(super) base: &'k Evaluation,
    pub(super) head: &'k Evaluation,
    /// The addresses of the declarations that are touched in any way, each with whether it is written as before, and given
    /// the same where it is a variable.
    pub(super) all: &'k FxHashMap<String, bool>,
    /// The same, module by module.
    pub(super) touched: &'k [TouchedIn<'k>],
    /// The resources of both, by their addresses without keys.
    pub(super) resources: &'k [FxHashMap<String, Arc<Resource>>; 2],
    /// Whether nothing is wrong with either.
    pub(super) is_whole: bool,
    /// Whether an address stands for the same object in both.
    pub(super) has_same_objects: bool,
}

/// The parts of touched declarations.
pub(super) struct Parts {
    /// The touched declarations that are touched as a whole, by address.
    whole: FxHashSet<String>,
    /// What is written in touched resources, by address and name.
    written: FxHashMap<(String, Str), (Held, Vec<Lead>)>,
}

impl Parts {
    pub(super) fn of(known: &Known<'_>) -> Parts {
        let mut drawing = Drawing::new(known);
        for (node, declarations) in known.touched {
            let at = Place::of(*node);
            for (declaration, is_same) in declarations {
                let address = at.address(&declaration.address(node.module()));
                drawing.declaration(&at, *declaration, &address, *is_same);
            }
        }
        drawing.end()
    }

    pub(super) fn is_touched(&self, address: &str) -> bool {
        self.whole.contains(address)
    }

    /// Of an attribute or the blocks of one kind; nothing where that is not written.
    pub(super) fn written(&self, address: &str, name: &str) -> Option<Held> {
        Some(self.written.get(&(address.to_owned(), Str::from(name)))?.0)
    }

    /// What such a one is made of, where only that touches it.
    pub(super) fn leads(&self, address: &str, name: &str) -> &[Lead] {
        let found = self.written.get(&(address.to_owned(), Str::from(name)));
        found.map(|(_, leads)| leads.as_slice()).unwrap_or_default()
    }
}

/// The module that a declaration stands in.
pub(super) struct Place {
    prefix: String,
    pub(super) module: Arc<Module>,
}

impl Place {
    pub(super) fn of(node: ModuleNode<'_>) -> Place {
        Place { prefix: node.address(), module: node.module().clone() }
    }

    pub(super) fn address(&self, own: &str) -> String {
        match self.prefix.is_empty() {
            true => own.to_owned(),
            false => format!("{}.{own}", self.prefix),
        }
    }
}

/// What is touched in any case.
pub(super) const ALWAYS: usize = 0;

/// What an argument or the blocks of one kind rest on.
#[derive(Default)]
pub(super) struct Rests {
    number: usize,
    pub(super) on: Vec<usize>,
    /// The same by way of `each`.
    pub(super) on_element: Vec<usize>,
    /// The same by way of parts of other instances.
    pub(super) on_led: Vec<usize>,
    pub(super) leads: Vec<Lead>,
}

pub(super) struct Drawing<'k> {
    pub(super) known: &'k Known<'k>,
    keys: Keys<'k>,
    /// The modules of the newer project, by address.
    modules: FxHashMap<String, Arc<Module>>,
    /// The numbers of declarations as a whole.
    whole: FxHashMap<String, usize>,
    written: FxHashMap<(String, Str), Rests>,
    /// Who rests on what, by number.
    users: Vec<Vec<usize>>,
    /// Whether what a provider works out of an object is the same as long as its address is: nobody else answers.
    is_left: bool,
}

impl<'k> Drawing<'k> {
    fn new(known: &'k Known<'k>) -> Drawing<'k> {
        let is_mocked = |project: &Project| project.is_mocked();
        Drawing {
            known,
            keys: Keys::new(known.base, known.head),
            modules: known.head.project().modules().map(|(at, one)| (at, one.clone())).collect(),
            whole: FxHashMap::default(),
            written: FxHashMap::default(),
            users: vec![Vec::new()],
            is_left: known.has_same_objects
                && !is_mocked(known.base.project())
                && !is_mocked(known.head.project()),
        }
    }

    fn fresh(&mut self) -> usize {
        self.users.push(Vec::new());
        self.users.len() - 1
    }

    fn whole(&mut self, address: &str) -> usize {
        if let Some(number) = self.whole.get(address) {
            return *number;
        }
        let number = self.fresh();
        self.whole.insert(address.to_owned(), number);
        number
    }

    fn part(&mut self, address: &str, name: &Str) -> usize {
        let key = (address.to_owned(), name.clone());
        if let Some(rests) = self.written.get(&key) {
            return rests.number;
        }
        let number = self.fresh();
        self.written.insert(key, Rests { number, ..Rests::default() });
        number
    }

    fn rest(&mut self, number: usize, on: &[usize]) {
        on.iter().for_each(|one| self.users[*one].push(number));
    }

    fn declaration(&mut self, at: &Place, declaration: Declaration, address: &str, is_same: bool) {
        let number = self.whole(address);
        if let Declaration::Resource(position) = declaration {
            let resource = at.module.resources[position as usize].clone();
            return self.resource(at, position as usize, &resource, address, is_same);
        }
        let mut on = Vec::new();
        match declaration {
            _ if !is_same => on.push(ALWAYS),
            Declaration::Variable(position) => {
                let name = at.module.variables[position as usize].name.clone();
                self.variable(at, &name, &mut on);
            }
            Declaration::Call(_) => {
                at.module.visit_one(declaration, &mut |seen| {
                    if seen.when() == When::Expanding {
                        self.sources(at, seen.expression, &mut on);
                    }
                });
            }
            Declaration::Local(_) | Declaration::Output(_) => {
                at.module.visit_one(declaration, &mut |seen| {
                    if matches!(seen.role, Role::Value) {
                        self.sources(at, seen.expression, &mut on);
                    }
                });
            }
            _ => on.push(ALWAYS),
        }
        self.rest(number, &on);
    }

    /// What a called module's variable is given.
    fn variable(&mut self, at: &Place, name: &str, on: &mut Vec<usize>) {
        let (outer, call) = match at.prefix.rsplit_once(".module.") {
            Some(found) => found,
            None => match at.prefix.strip_prefix("module.") {
                Some(call) => ("", call),
                // That of the root is given what it was given.
                None => return,
            },
        };
        let Some(module) = self.modules.get(outer).cloned() else { return on.push(ALWAYS) };
        let outside = Place { prefix: outer.to_owned(), module };
        let Some(call) = outside.module.call(call) else { return on.push(ALWAYS) };
        let Some(input) = call.input(name) else { return };
        self.sources(&outside, &input.value, on);
        let takes_element = takes::elements(&input.value.located.code).next().is_some();
        if takes_element && self.known.all.get(&at.prefix) == Some(&false) {
            on.push(ALWAYS);
        }
        self.elements(&outside, &call.repetition, &input.value, on);
    }

    fn resource(
        &mut self,
        at: &Place,
        position: usize,
        resource: &Resource,
        address: &str,
        is_same: bool,
    ) {
        let number = self.whole(address);
        let mut of_whole = Vec::new();
        self.keys_of(at, Repeated::Resource(position), address, &mut of_whole);
        // An argument of an instance that there is on both sides is not asked how many others there are.
        let content = &resource.content;
        let mut names: Vec<Str> = content.arguments.iter().map(|one| one.name.clone()).collect();
        names.extend(content.blocks.iter().map(|one| one.kind.clone()));
        for name in names {
            of_whole.push(self.part(address, &name));
        }
        let add = |this: &mut Self, name: &Str, expression: &Expression, is_argument: bool| {
            let part = this.part(address, name);
            let mut rests = Rests::default();
            match is_same {
                true => this.argument(at, resource, expression, is_argument, &mut rests),
                false => rests.on.push(ALWAYS),
            }
            for on in [&rests.on, &rests.on_element, &rests.on_led] {
                this.rest(part, on);
            }
            if let Some(known) = this.written.get_mut(&(address.to_owned(), name.clone())) {
                known.on.extend(rests.on);
                known.on_element.extend(rests.on_element);
                known.on_led.extend(rests.on_led);
                known.leads.extend(rests.leads);
            }
        };
        content.visit(&mut |seen| {
            let name = match (seen.blocks.first(), &seen.role) {
                (Some(block), _) => &block.kind,
                (None, Role::Argument(input)) => &input.name,
                (None, _) => return,
            };
            add(self, name, seen.expression, seen.blocks.is_empty());
        });
        if !is_same {
            of_whole.push(ALWAYS);
        }
        if resource.mode != Mode::Managed {
            // When it is read hangs on more than what is asked.
            let declaration = Declaration::Resource(position as u32);
            at.module.visit_one(declaration, &mut |seen| {
                self.sources(at, seen.expression, &mut of_whole)
            });
        }
        self.rest(number, &of_whole);
    }

    /// What repeats something, where an expression takes more of it than the key.
    pub(super) fn elements(
        &mut self,
        at: &Place,
        repetition: &Repetition,
        expression: &Expression,
        on: &mut Vec<usize>,
    ) {
        if let Repetition::Each(over) = repetition
            && takes::elements(&expression.located.code).next().is_some()
        {
            self.sources(at, over, on);
        }
    }

    /// The number of a declaration; that of what nobody touches leads nowhere.
    pub(super) fn needed(&mut self, address: &str) -> usize {
        self.whole(address)
    }

    /// What an expression rests on.
    fn sources(&mut self, at: &Place, expression: &Expression, on: &mut Vec<usize>) {
        // What a deferred one refers to is looked at only when it is evaluated.
        if expression.deferred || !expression.located.code.asks_nobody() {
            on.push(ALWAYS);
        }
        for used in &expression.uses {
            self.source(at, expression, used, on);
        }
    }

    /// What one use of an expression rests on.
    pub(super) fn source(
        &mut self,
        at: &Place,
        expression: &Expression,
        used: &Use,
        on: &mut Vec<usize>,
    ) {
        let Some(reference) = expression.located.code.references().get(used.reference as usize)
        else {
            return on.push(ALWAYS);
        };
        let of_elements = || takes::of_elements(expression, reference);
        match &used.target {
            Referent::Variable(one) => {
                let name = &at.module.variables[*one as usize].name;
                self.named(at, &used.target, reference, format!("var.{}", &**name), on);
            }
            Referent::Local(one) => {
                let name = &at.module.locals[*one as usize].name;
                self.named(at, &used.target, reference, format!("local.{}", &**name), on);
            }
            Referent::Resource(one) => {
                let resource = at.module.resources[*one as usize].clone();
                let address = at.address(&resource.address());
                if !self.known.all.contains_key(&address) {
                    return;
                }
                let rest = reference.steps.get(names(&resource, &reference.root)..).unwrap_or(&[]);
                let what = Repeated::Resource(*one as usize);
                let is_keyed =
                    matches!(resource.repetition, Repetition::Count(_) | Repetition::Each(_));
                if matches!(resource.repetition, Repetition::Enabled(_)) {
                    self.keys_of(at, what, &address, on);
                }
                match rest {
                    [Step::Attribute(name), ..] if !is_keyed => {
                        self.attribute(at, &resource, name, on);
                    }
                    [Step::Splat, Step::Attribute(name), ..] => {
                        self.keys_of(at, what, &address, on);
                        self.attribute(at, &resource, name, on);
                    }
                    [_, Step::Attribute(name), ..] if is_keyed => {
                        if !self.finds(at, what, expression) {
                            self.keys_of(at, what, &address, on);
                        }
                        self.attribute(at, &resource, name, on);
                    }
                    [] if is_keyed => match of_elements() {
                        Some(names) => {
                            self.keys_of(at, what, &address, on);
                            for name in &names {
                                self.attribute(at, &resource, name, on);
                            }
                        }
                        None => on.push(self.needed(&address)),
                    },
                    _ => on.push(self.needed(&address)),
                }
            }
            Referent::Output { call, name } => {
                self.call(at, *call as usize, Some(std::slice::from_ref(name)), on);
            }
            Referent::Call(call) => {
                let rest = reference.steps.get(1..).unwrap_or(&[]);
                let taken = match rest {
                    [Step::Splat | Step::Unknown, Step::Attribute(name), ..] => {
                        Some(vec![name.clone()])
                    }
                    [] => of_elements(),
                    _ => None,
                };
                self.call(at, *call as usize, taken.as_deref(), on);
            }
            Referent::Settled | Referent::Itself | Referent::Broken => {}
        }
    }

    /// A part of a local value or a variable: what is known and the same on both sides is so whatever leads to it.
    fn named(
        &mut self,
        at: &Place,
        target: &Referent,
        reference: &Reference,
        own: String,
        on: &mut Vec<usize>,
    ) {
        let address = at.address(&own);
        let steps = reference.steps.get(1..).unwrap_or(&[]);
        if self.known.all.contains_key(&address)
            && !self.keys.are_worth_the_same(&at.prefix, target, steps)
        {
            on.push(self.needed(&address));
        }
    }

    /// What an expression rests on that takes some outputs of a call, or all of them.
    fn call(&mut self, at: &Place, call: usize, names: Option<&[Str]>, on: &mut Vec<usize>) {
        let address = at.address(&format!("module.{}", &*at.module.calls[call].name));
        self.keys_of(at, Repeated::Call(call), &address, on);
        let Some(inside) = self.modules.get(&address).cloned() else { return on.push(ALWAYS) };
        let is_taken = |name: &Str| names.is_none_or(|names| names.contains(name));
        for output in inside.outputs.iter().filter(|one| is_taken(&one.name)) {
            on.push(self.needed(&format!("{address}.output.{}", &*output.name)));
        }
    }

    /// An attribute of any instance of a resource.
    pub(super) fn attribute(
        &mut self,
        at: &Place,
        resource: &Resource,
        name: &Str,
        on: &mut Vec<usize>,
    ) {
        let address = at.address(&resource.address());
        if !self.known.all.contains_key(&address) {
            return;
        }
        let is_written = |one: &Resource, name: &str| {
            one.content.arguments.iter().any(|argument| &*argument.name == name)
                || one.content.blocks.iter().any(|block| &*block.kind == name)
        };
        // What that one gives out is what it was given.
        let is_own = &*resource.kind == "terraform_data" && &**name == "output";
        let name = if is_own { &Str::from("input") } else { name };
        if is_written(resource, name) {
            return on.push(self.part(&address, name));
        }
        let is_left = self.known.resources[0].get(&address).is_some_and(|was| {
            let has_same_shape = match (&was.schema, &resource.schema) {
                (None, None) => true,
                (Some(was), Some(is)) => Arc::ptr_eq(was, is),
                _ => false,
            };
            has_same_shape
                && (was.mode, &was.kind) == (resource.mode, &resource.kind)
                && !is_written(was, name)
        });
        if is_own || !is_left || !self.is_left || resource.mode != Mode::Managed {
            on.push(self.needed(&address));
        }
    }

    /// Whether an expression finds the instances that it asks for by key, however many others there are: it would be an
    /// error where it does not.
    fn finds(&mut self, at: &Place, what: Repeated, expression: &Expression) -> bool {
        self.known.is_whole
            && !takes::may_fail(&expression.expr)
            && self.keys.are_settled(&at.prefix, what)
    }

    /// Which instances something has, where that is not the same on both sides.
    fn keys_of(&mut self, at: &Place, what: Repeated, address: &str, on: &mut Vec<usize>) {
        if self.known.all.contains_key(address) && !self.keys.are_same(&at.prefix, what) {
            on.push(ALWAYS);
        }
    }

    fn end(self) -> Parts {
        let mut seen = vec![false; self.users.len()];
        let mut rest = vec![ALWAYS];
        seen[ALWAYS] = true;
        while let Some(number) = rest.pop() {
            for user in &self.users[number] {
                if !std::mem::replace(&mut seen[*user], true) {
                    rest.push(*user);
                }
            }
        }
        let is_touched = |all: &[usize]| all.iter().any(|one| seen[*one]);
        let written = self.written.into_iter().map(|(part, rests)| {
            let touched = [&rests.on, &rests.on_element, &rests.on_led].map(|all| is_touched(all));
            let held = match touched {
                [false, false, false] => Held::No,
                [false, true, false] => Held::ByElement,
                [false, false, true] => Held::ByLeads,
                _ => Held::Yes,
            };
            let leads = if held == Held::ByLeads { rests.leads } else { Vec::new() };
            (part, (held, leads))
        });
        let written = written.collect();
        let whole = self.whole.into_iter().filter(|(_, number)| seen[*number]);
        Parts { whole: whole.map(|(address, _)| address).collect(), written }
    }
}

/// How many steps of a reference name the resource that it leads to.
pub(super) fn names(resource: &Resource, root: &str) -> usize {
    if resource.mode == Mode::Managed && root != "resource" { 1 } else { 2 }
}
