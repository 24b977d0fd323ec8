//! Where values come from where no module declares the names: a Packer template. The template says what a name stands
//! for; expressions are followed as they are in modules. Blocks that no expression can name, such as sources and builds,
//! are asked for by their address alone.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use groma_config::first_of;
use groma_eval::{Context, LocatedCode, Reference, Scope, Step};
use groma_functions::FunctionLibrary;
use groma_syntax::{Expr, FileId, Place, Source, Sources, parse_expression};
use groma_value::{Str, Value, json, nearest};
use rustc_hash::FxHashMap;

use crate::address::{AddressError, LISTED};
use crate::block_value::{LedValue, PathLead, block_value, lead};
use crate::cache::SharedParts;
use crate::node::{WhyKind, WhyNode, WhyTree};
use crate::origin::{TELLING, plain, quoting};
use crate::path::{self, WhyStep};
use crate::site::{ASKED, PartEvaluator};
use crate::slice::{self, CalledFunction, DependencyKind, SliceDependency, ValueSlice};
use crate::source_text::{RereadExpression, WrittenPlace, is_reference, written};
use crate::why::MOST;

/// Declarations that expressions name.
pub trait DeclaredNames {
    /// Returns the context for evaluating expressions in a scope.
    fn context(&self, scope: Arc<dyn Scope>) -> Context;

    /// The functions that expressions may call.
    fn library(&self) -> FunctionLibrary;

    /// The names that a question sees.
    fn scope(&self) -> Arc<dyn Scope>;

    /// The texts that places point into.
    fn sources(&self) -> Sources;

    /// Returns the declaration that a root name and the names after it refer to; nothing if they name no declaration.
    fn declared(&self, root: &str, names: &[Str]) -> Option<DeclaredName>;

    /// Returns a block that only a query can name: it has source text, but no value of its own.
    fn block(&self, root: &str, names: &[Str]) -> Option<DeclaredName>;

    /// The addresses of all declarations and blocks.
    fn addresses(&self) -> Vec<String>;
}

/// The declaration that a name refers to.
pub struct DeclaredName {
    /// What it is.
    pub kind: WhyKind,
    /// Which one.
    pub address: String,
    /// How many names behind the root say which one.
    pub names: usize,
    /// The place where it is declared.
    pub place: Place,
    /// Its value; nothing if it has none, or is only written.
    pub value: Option<Value>,
    /// What is written in it, or given to it; worked out when it is asked for.
    pub parts: Box<dyn Fn() -> Vec<DeclaredPart>>,
}

/// A part of a declaration.
pub enum DeclaredPart {
    /// The expression of the whole value.
    Whole(Expr),
    /// An argument in its block, or in a block inside.
    Argument(DeclaredArgument),
    /// What is given as a whole, by what and where that is written.
    Given(WhyKind, Value, Option<Place>),
}

/// An argument of a declaration.
pub struct DeclaredArgument {
    /// The way to it.
    pub path: Vec<Step>,
    /// How it is written.
    pub expr: Expr,
    /// Its value; nothing if it has none.
    pub value: Option<Value>,
    /// The place where it is evaluated.
    pub site: Arc<DeclaredSite>,
}

/// The place where an argument is evaluated.
pub struct DeclaredSite {
    /// The names that it sees.
    pub scope: Arc<dyn Scope>,
    /// The innermost `dynamic` block around it.
    pub repetition: Option<DeclaredRepetition>,
}

/// One block that a `dynamic` block generates.
pub struct DeclaredRepetition {
    /// What its element is called.
    pub iterator: Str,
    /// `key` and `value` of the element.
    pub element: Value,
    /// What is repeated over.
    pub over: Expr,
    /// The key of the element, where the collection has one.
    pub key: Option<Value>,
    /// Which block it is: its address.
    pub address: String,
    /// The place where the `dynamic` block stands.
    pub outside: Arc<DeclaredSite>,
}

impl DeclaredSite {
    /// The repetition whose element has that name, from the innermost outwards.
    fn repeated(&self, name: &str) -> Option<&DeclaredRepetition> {
        let mut at = self;
        loop {
            let repetition = at.repetition.as_ref()?;
            if *repetition.iterator == *name {
                return Some(repetition);
            }
            at = &repetition.outside;
        }
    }
}

/// Returns where the value of an expression comes from. The first node is the expression, or what it names if it is a
/// reference and nothing else.
pub fn why_declared(expr: &Expr, value: Option<Value>, world: &dyn DeclaredNames) -> WhyTree {
    let mut walk = DeclarationWalk::new(world);
    let named = walk.reference(expr).and_then(|(root, steps)| walk.declaration(&root, &steps));
    if named.is_none() {
        walk.expression(expr, value);
    }
    walk.tree()
}

/// Returns what is written in a block that has no value of its own; nothing where the expression names none.
pub fn why_written(expr: &Expr, world: &dyn DeclaredNames) -> Option<WhyTree> {
    let mut walk = DeclarationWalk::new(world);
    let (root, steps) = walk.reference(expr)?;
    walk.block(&root, &steps)?;
    Some(walk.tree())
}

/// Returns where the value at an address comes from, or what is written in the block there.
pub fn why_address(text: &str, world: &dyn DeclaredNames) -> Result<WhyTree, AddressError> {
    let text = text.trim();
    let source = Source::new("<address>", text);
    let parse = parse_expression(source.text(), ASKED);
    let expr = Expr::of(&parse);
    let mut walk = DeclarationWalk::new(world);
    let asked = match parse.diagnostics.is_empty() {
        true => walk.reference(&expr),
        false => None,
    };
    let Some((root, steps)) = asked else {
        return Err(AddressError {
            detail: format!(
                "\"{text}\" is not an address. An address consists of names and literal keys, as in local.name, var.name, data.type.name.attribute, source.type.name or build.name. In a shell, quote it so that the quotes of its keys stay."
            ),
        });
    };
    walk.ask(text, &expr, &root, &steps)?;
    Ok(walk.tree())
}

/// An expression whose node is to be opened: with the part that is meant, and what it sees.
type OpenExpression = (usize, Expr, Vec<WhyStep>, Arc<DeclaredSite>);

struct DeclarationWalk<'w> {
    world: &'w dyn DeclaredNames,
    sources: Sources,
    /// What a question sees, and what has no block around.
    outermost: Arc<DeclaredSite>,
    nodes: Vec<WhyNode>,
    numbers: FxHashMap<(WhyKind, String), usize>,
    todo: VecDeque<OpenExpression>,
    shared: SharedParts,
    is_full: bool,
}

impl<'w> DeclarationWalk<'w> {
    fn new(world: &'w dyn DeclaredNames) -> DeclarationWalk<'w> {
        DeclarationWalk {
            world,
            sources: world.sources(),
            outermost: Arc::new(DeclaredSite { scope: world.scope(), repetition: None }),
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            todo: VecDeque::new(),
            shared: SharedParts::default(),
            is_full: false,
        }
    }

    /// Returns the root name and the steps of an expression that is a single reference.
    fn reference(&self, expr: &Expr) -> Option<(Str, Vec<WhyStep>)> {
        let Expr::Native(native) = expr else { return None };
        if !is_reference(native.view()) {
            return None;
        }
        let located = LocatedCode::of(expr, &self.world.library());
        let [reference] = located.code.references() else { return None };
        let steps: Option<Vec<WhyStep>> = reference.steps.iter().map(WhyStep::read).collect();
        Some((Str::from(&*reference.root), steps?))
    }

    /// Begins with what an address names.
    fn ask(
        &mut self,
        text: &str,
        expr: &Expr,
        root: &str,
        steps: &[WhyStep],
    ) -> Result<(), AddressError> {
        let names: Vec<Str> = steps.iter().map(WhyStep::name).collect();
        if let Some(name) = self.world.declared(root, &names) {
            let rest = &steps[name.names..];
            let missing = match &name.value {
                Some(whole) => {
                    (1..=rest.len()).find(|end| path::at(whole, &rest[..*end]).is_none())
                }
                None => None,
            };
            if let Some(end) = missing {
                let whole = name.value.as_ref();
                let (holder, meant) = (path::text(whole, &rest[..end - 1]), rest[end - 1].name());
                let detail = format!("{}{holder} has no \"{}\".", name.address, &*meant);
                return Err(AddressError { detail });
            }
            self.declaration(root, steps);
            return Ok(());
        }
        if let Some(block) = self.world.block(root, &names) {
            return match self.block(root, steps) {
                Some(_) => Ok(()),
                None => {
                    let rest = path::text(None, &steps[block.names..]);
                    let detail = format!(
                        "Nothing is written in {} at {}.",
                        block.address,
                        rest.trim_start_matches('.')
                    );
                    Err(AddressError { detail })
                }
            };
        }
        let addresses = self.world.addresses();
        let is_declaring = addresses.iter().any(|one| one.split(['.', '[']).next() == Some(root));
        let settled =
            PartEvaluator::within(self.world.context(self.world.scope()), self.world.library());
        if !is_declaring && let Some(value) = settled.whole(expr) {
            let node = plain(WhyKind::Environment, text.to_owned(), None, Some(value));
            self.add(text.to_owned(), node);
            return Ok(());
        }
        let hint = match nearest(text, addresses.iter().map(String::as_str)) {
            Some(near) => format!("Did you mean {near}?"),
            None => {
                let is_alike = |one: &&String| one.split(['.', '[']).next() == Some(root);
                let alike: Vec<String> = addresses.iter().filter(is_alike).cloned().collect();
                match if alike.is_empty() { &addresses } else { &alike }.as_slice() {
                    [] => "Nothing is declared there.".to_owned(),
                    names => format!("There are: {}.", first_of(names, ", ", LISTED)),
                }
            }
        };
        Err(AddressError { detail: format!("The template declares no {text}. {hint}") })
    }

    /// Begins with an expression.
    fn expression(&mut self, expr: &Expr, value: Option<Value>) {
        let written = written(expr, &[], &self.shared.items);
        let node = plain(WhyKind::Literal, String::new(), None, value);
        self.nodes.push(quoting(WhyNode { address: None, ..node }, &written));
        self.todo.push_back((0, expr.clone(), Vec::new(), self.outermost.clone()));
    }

    fn tree(mut self) -> WhyTree {
        let budget = self.world.context(self.world.scope()).budget.clone();
        while let Some((number, expr, steps, site)) = self.todo.pop_front() {
            if budget.ended().is_some() {
                break;
            }
            let evaluator = self.evaluator(&site);
            let ValueSlice { taken, is_cut } =
                slice::took(&expr, &steps, &evaluator, Rc::default(), &self.shared);
            let mut from = self.told(taken, &site);
            if from.is_empty() && !is_cut {
                let written = written(&expr, &[], &self.shared.items);
                from.extend(self.literal(&written, evaluator.whole(&expr)));
            }
            let mut seen: Vec<usize> = self.nodes[number].from.clone();
            for one in from {
                if one != number && !seen.contains(&one) {
                    seen.push(one);
                }
            }
            let node = &mut self.nodes[number];
            (node.from, node.is_cut) = (seen, node.is_cut || is_cut || self.is_full);
        }
        let mut tree = WhyTree { nodes: self.nodes };
        tree.veil();
        tree
    }

    fn evaluator(&self, site: &DeclaredSite) -> PartEvaluator {
        PartEvaluator::within(self.world.context(site.scope.clone()), self.world.library())
    }

    /// The number of a node, which is made unless it exists or there are too many, and whether it is new.
    fn add(&mut self, key: String, node: WhyNode) -> Option<(usize, bool)> {
        let key = (node.kind, key);
        if let Some(number) = self.numbers.get(&key) {
            return Some((*number, false));
        }
        if self.nodes.len() >= MOST {
            self.is_full = true;
            return None;
        }
        let number = self.nodes.len();
        self.nodes.push(node);
        self.numbers.insert(key, number);
        Some((number, true))
    }

    fn told(&mut self, taken: Vec<SliceDependency>, site: &Arc<DeclaredSite>) -> Vec<usize> {
        let one = |one: SliceDependency| match one.what {
            DependencyKind::Named(reference, steps) => self.named(&reference, &steps, site),
            DependencyKind::Called(called) => self.called(called, site),
            DependencyKind::Literal(written, value) => self.literal(&written, value),
        };
        taken.into_iter().filter_map(one).collect()
    }

    fn literal(&mut self, written: &WrittenPlace, value: Option<Value>) -> Option<usize> {
        let place = self.sources.resolve(written.place);
        let key = format!("{}:{}:{}", place.file.0, place.span.start, place.span.end);
        let node = WhyNode { address: None, ..plain(WhyKind::Literal, String::new(), None, value) };
        Some(self.add(key, quoting(node, written))?.0)
    }

    fn called(&mut self, called: CalledFunction, site: &Arc<DeclaredSite>) -> Option<usize> {
        let CalledFunction { name, written, value, took, template, reads } = called;
        let place = self.sources.resolve(written.place);
        let shown = value.as_ref().map(|value| json::plain(&groma_value::sentence::veiled(value)));
        let told: String = shown.unwrap_or_default().chars().take(TELLING).collect();
        let key = format!("{}:{}|{told}", place.file.0, place.span.start);
        let mut node = plain(WhyKind::Function, format!("{name}()"), None, value);
        (node.template, node.reads) = (template, reads);
        let (number, is_new) = self.add(key, quoting(node, &written))?;
        if is_new {
            self.nodes[number].from = self.told(took, site);
        }
        Some(number)
    }

    fn named(
        &mut self,
        reference: &Reference,
        steps: &[WhyStep],
        site: &Arc<DeclaredSite>,
    ) -> Option<usize> {
        if let Some(repetition) = site.repeated(&reference.root) {
            return self.repetition(repetition, steps);
        }
        if let Some(number) = self.declaration(&reference.root, steps) {
            return Some(number);
        }
        // What stands for itself, such as `path.root`; the names of loops around are told by what these go through.
        let word = format!("{}{}", reference.root, path::text(None, steps.get(..1)?));
        let source = Source::new("", word.as_str());
        let expr = Expr::of(&parse_expression(source.text(), FileId(0)));
        let value = self.evaluator(site).whole(&expr)?;
        let node = plain(WhyKind::Environment, word.clone(), None, Some(value));
        Some(self.add(word, node)?.0)
    }

    /// The element of a `dynamic` block.
    fn repetition(&mut self, repetition: &DeclaredRepetition, steps: &[WhyStep]) -> Option<usize> {
        let value = path::at(&repetition.element, steps);
        let rest = path::text(Some(&repetition.element), steps);
        let address = format!("{}.{}{rest}", repetition.address, &*repetition.iterator);
        let node = plain(WhyKind::Repetition, address.clone(), None, value);
        let node = quoting(node, &written(&repetition.over, &[], &self.shared.items));
        let (number, is_new) = self.add(address, node)?;
        if is_new {
            let is_value = matches!(steps.first(), Some(WhyStep::Name(name)) if &**name == "value");
            let key = repetition.key.as_ref().and_then(WhyStep::of).filter(|_| is_value);
            let into = match key {
                Some(key) => std::iter::once(key).chain(steps[1..].iter().cloned()).collect(),
                None => Vec::new(),
            };
            let outside = repetition.outside.clone();
            self.todo.push_back((number, repetition.over.clone(), into, outside));
        }
        Some(number)
    }

    /// The node of a declaration's part.
    fn declaration(&mut self, root: &str, steps: &[WhyStep]) -> Option<usize> {
        let names: Vec<Str> = steps.iter().map(WhyStep::name).collect();
        let name = self.world.declared(root, &names)?;
        let mut rest = &steps[name.names..];
        let mut value = name.value.as_ref().and_then(|whole| path::at(whole, rest));
        // What is not there is answered by what would hold it.
        while let (Some(whole), None, [above @ .., _]) = (&name.value, &value, rest) {
            rest = above;
            value = path::at(whole, rest);
        }
        let address = format!("{}{}", name.address, path::text(name.value.as_ref(), rest));
        let node = plain(name.kind, address.clone(), Some(name.place), value);
        let (number, is_new) = self.add(address.clone(), node)?;
        if !is_new {
            return Some(number);
        }
        for part in (name.parts)() {
            match part {
                DeclaredPart::Whole(expr) => {
                    let written = written(&expr, rest, &self.shared.items);
                    self.nodes[number] = quoting(self.nodes[number].clone(), &written);
                    self.todo.push_back((number, expr, rest.to_vec(), self.outermost.clone()));
                }
                DeclaredPart::Argument(argument) => {
                    let inner = self.argument(&name.address, &argument, &[]);
                    self.nodes[number].from.extend(inner);
                }
                DeclaredPart::Given(kind, whole, place) => {
                    let inner = self.given(&address, kind, &whole, place, rest);
                    self.nodes[number].from.extend(inner);
                }
            }
        }
        Some(number)
    }

    /// The node of what gives a variable its value.
    fn given(
        &mut self,
        address: &str,
        kind: WhyKind,
        whole: &Value,
        place: Option<Place>,
        rest: &[WhyStep],
    ) -> Option<usize> {
        let node = plain(kind, address.to_owned(), place, path::at(whole, rest));
        let reread = place.and_then(|place| {
            Some(RereadExpression::at(place, &self.sources)?.written(place, rest))
        });
        let node = match (reread, whole) {
            (Some(written), _) => quoting(node, &written),
            // What hides has its mark, and is no plain text here.
            (None, Value::String(text)) if place.is_none() => {
                WhyNode { text: Some(text.to_string()), has_literals: true, ..node }
            }
            _ => node,
        };
        Some(self.add(address.to_owned(), node)?.0)
    }

    /// Returns the node of a block's contents, or of the part of them that the steps select.
    fn block(&mut self, root: &str, steps: &[WhyStep]) -> Option<usize> {
        let names: Vec<Str> = steps.iter().map(WhyStep::name).collect();
        let name = self.world.block(root, &names)?;
        let rest = &steps[name.names..];
        let parts = (name.parts)();
        let arguments = parts.into_iter().filter_map(|part| match part {
            DeclaredPart::Argument(one) => {
                Some((one.path.iter().filter_map(WhyStep::read).collect::<Vec<_>>(), one))
            }
            _ => None,
        });
        let all: Vec<(Vec<WhyStep>, DeclaredArgument)> = arguments.collect();
        // What is meant, by the block or the argument that the steps lead to: one, unless they leave a number out.
        let mut meant: Vec<(&[WhyStep], Vec<LedValue<'_>>)> = Vec::new();
        let mut inner = Vec::new();
        for (path, argument) in &all {
            let Some(PathLead { taken, behind, inside }) = lead(rest, path) else { continue };
            let value = argument.value.as_ref().and_then(|whole| path::at(whole, inside));
            let value = value.map(|value| (behind, value));
            match meant.iter_mut().find(|(known, _)| *known == taken) {
                Some((_, values)) => values.extend(value),
                None => meant.push((taken, value.into_iter().collect())),
            }
            inner.push((argument, inside, behind.is_empty()));
        }
        if let [(argument, inside, true)] = inner.as_slice()
            && !rest.is_empty()
        {
            return self.argument(&name.address, argument, inside);
        }
        let mut values: Vec<Value> =
            meant.into_iter().map(|(_, values)| block_value(values)).collect();
        let value = match values.len() {
            0 if !rest.is_empty() => return None,
            0 => Value::object([]),
            1 => values.swap_remove(0),
            _ => Value::tuple(values),
        };
        let address = format!("{}{}", name.address, path::text(None, rest));
        let node = plain(name.kind, address.clone(), Some(name.place), Some(value));
        let (number, _) = self.add(address, node)?;
        for (argument, inside, _) in inner {
            let inner = self.argument(&name.address, argument, inside);
            self.nodes[number].from.extend(inner);
        }
        Some(number)
    }

    /// The node of an argument, or of a part of its value.
    fn argument(
        &mut self,
        address: &str,
        argument: &DeclaredArgument,
        rest: &[WhyStep],
    ) -> Option<usize> {
        let path: Vec<WhyStep> = argument.path.iter().filter_map(WhyStep::read).collect();
        let value = argument.value.as_ref().and_then(|whole| path::at(whole, rest));
        let inside = path::text(argument.value.as_ref(), rest);
        let own = format!("{address}{}{inside}", path::text(None, &path));
        let written = written(&argument.expr, rest, &self.shared.items);
        let node = quoting(plain(WhyKind::Argument, own.clone(), None, value), &written);
        let (number, is_new) = self.add(own, node)?;
        if is_new {
            let (expr, site) = (argument.expr.clone(), argument.site.clone());
            self.todo.push_back((number, expr, rest.to_vec(), site));
        }
        Some(number)
    }
}
