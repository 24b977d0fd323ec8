//! Provenance of values of a Packer template, where no module declares the names. The template resolves names by `DeclaredNames`;
//! expressions are followed as in modules. Blocks that no expression can name, such as sources and builds, are found by address
//! only.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use groma_config::first_of;
use groma_eval::{Context, LocatedCode, Reference, Scope, Step};
use groma_functions::FunctionLibrary;
use groma_syntax::{Expr, FileId, Place, Source, Sources, parse_expression};
use groma_value::{Str, Value, json, nearest};
use rustc_hash::FxHashMap;

use crate::address::{AddressError, MAX_LISTED};
use crate::block_value::{LedValue, PathLead, block_value, split_path};
use crate::cache::SharedParts;
use crate::node::{WhyKind, WhyNode, WhyTree};
use crate::origin::{MAX_KEY_VALUE, plain, quoting};
use crate::path::{self, WhyStep};
use crate::site::{ASKED, PartEvaluator};
use crate::slice::{self, CalledFunction, DependencyKind, SliceDependency, ValueSlice};
use crate::source_text::{RereadExpression, WrittenPlace, is_reference, written};
use crate::why::MAX_NODES;

/// The names that a Packer template declares, as the search for provenance looks them up.
pub trait DeclaredNames {
    /// Returns the evaluation context for expressions in a scope.
    fn context(&self, scope: Arc<dyn Scope>) -> Context;

    /// Returns the functions that expressions may call.
    fn library(&self) -> FunctionLibrary;

    /// Returns the scope of expressions outside of all blocks of the template.
    fn scope(&self) -> Arc<dyn Scope>;

    /// Returns the source texts that places in the template refer to.
    fn sources(&self) -> Sources;

    /// Returns the declaration that a root name and the names after it refer to; `None` if they name no declaration.
    fn declared(&self, root: &str, names: &[Str]) -> Option<DeclaredName>;

    /// Returns the source or build that a root name and the names after it denote in a query. It has source text, but no value of
    /// its own.
    fn block(&self, root: &str, names: &[Str]) -> Option<DeclaredName>;

    /// Returns the addresses of all declarations and blocks of the template.
    fn addresses(&self) -> Vec<String>;
}

/// A declaration of a Packer template to which a name resolves: its kind, address, place and value.
pub struct DeclaredName {
    /// The kind of the declaration.
    pub kind: WhyKind,
    /// The address of the declaration.
    pub address: String,
    /// The number of names after the root that belong to the address.
    pub names: usize,
    /// The place where it is declared.
    pub place: Place,
    /// The value of the declaration; `None` if it has none, such as a block with source text only.
    pub value: Option<Value>,
    /// Returns the expressions or the given value that define it; evaluated on request.
    pub parts: Box<dyn Fn() -> Vec<DeclaredPart>>,
}

/// A part of a template's declaration: the expression of its value, an argument, or a value given from outside.
pub enum DeclaredPart {
    /// The expression of the whole value.
    Whole(Expr),
    /// An argument in its block, or in a block inside.
    Argument(DeclaredArgument),
    /// A value that is given as a whole: its origin, the value, and the place where it is written, if any.
    Given(WhyKind, Value, Option<Place>),
}

/// An argument of a template's declaration, with its path in the declaration's value.
pub struct DeclaredArgument {
    /// The path of the argument in its block.
    pub path: Vec<Step>,
    /// The expression of the argument.
    pub expr: Expr,
    /// The value of the argument; `None` if it has none.
    pub value: Option<Value>,
    /// The scope in which it is evaluated.
    pub site: Arc<DeclaredSite>,
}

/// The scope in which an argument of a template is evaluated, and the repetition around it.
pub struct DeclaredSite {
    /// The names visible to the argument.
    pub scope: Arc<dyn Scope>,
    /// The innermost `dynamic` block around it.
    pub repetition: Option<DeclaredRepetition>,
}

/// One block that a `dynamic` block generates, with the element for which it is generated.
pub struct DeclaredRepetition {
    /// The name of the iterator.
    pub iterator: Str,
    /// The object with `key` and `value` of the element.
    pub element: Value,
    /// The expression of the collection.
    pub over: Expr,
    /// The key of the element; `None` for a collection without keys.
    pub key: Option<Value>,
    /// The address of the generated block.
    pub address: String,
    /// The scope of the `dynamic` block itself.
    pub outside: Arc<DeclaredSite>,
}

impl DeclaredSite {
    /// Returns the innermost repetition whose iterator is called `name`.
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

/// Returns the provenance of an expression's value. The first node is the expression, or its referent if the expression is a
/// single reference.
pub fn why_declared(expr: &Expr, value: Option<Value>, world: &dyn DeclaredNames) -> WhyTree {
    let mut walk = DeclarationWalk::new(world);
    let named = walk.reference(expr).and_then(|(root, steps)| walk.declaration(&root, &steps));
    if named.is_none() {
        walk.expression(expr, value);
    }
    walk.tree()
}

/// Returns the provenance of the arguments in a block without a value; `None` if the expression names no such block.
pub fn why_written(expr: &Expr, world: &dyn DeclaredNames) -> Option<WhyTree> {
    let mut walk = DeclarationWalk::new(world);
    let (root, steps) = walk.reference(expr)?;
    walk.block(&root, &steps)?;
    Some(walk.tree())
}

/// Returns the provenance of the value or the block at an address.
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

/// An expression whose dependencies remain to be found: the number of its provenance node, the expression, the path of the part
/// of its value that counts, and its scope.
type OpenExpression = (usize, Expr, Vec<WhyStep>, Arc<DeclaredSite>);

/// The search for the provenance of one value in a Packer template: the nodes found so far and the expressions left to inspect.
struct DeclarationWalk<'w> {
    world: &'w dyn DeclaredNames,
    sources: Sources,
    /// The scope of a query and of everything outside of blocks.
    outermost: Arc<DeclaredSite>,
    nodes: Vec<WhyNode>,
    numbers: FxHashMap<(WhyKind, String), usize>,
    todo: VecDeque<OpenExpression>,
    shared: SharedParts,
    is_full: bool,
}

impl<'w> DeclarationWalk<'w> {
    /// Creates a search for provenance in the declarations of a template, without nodes so far.
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

    /// Adds the node of the declaration or block that a query names; an error if it names none.
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
                    names => format!("There are: {}.", first_of(names, ", ", MAX_LISTED)),
                }
            }
        };
        Err(AddressError { detail: format!("The template declares no {text}. {hint}") })
    }

    /// Adds the root node of a query that is an expression and not an address.
    fn expression(&mut self, expr: &Expr, value: Option<Value>) {
        let written = written(expr, &[], &self.shared.items);
        let node = plain(WhyKind::Literal, String::new(), None, value);
        self.nodes.push(quoting(WhyNode { address: None, ..node }, &written));
        self.todo.push_back((0, expr.clone(), Vec::new(), self.outermost.clone()));
    }

    /// Finds the dependencies of all pending expressions and returns the finished tree.
    fn tree(mut self) -> WhyTree {
        let budget = self.world.context(self.world.scope()).budget.clone();
        while let Some((number, expr, steps, site)) = self.todo.pop_front() {
            if budget.ended().is_some() {
                break;
            }
            let evaluator = self.evaluator(&site);
            let ValueSlice { taken, is_cut } =
                slice::slice(&expr, &steps, &evaluator, Rc::default(), &self.shared);
            let mut from = self.dependency_nodes(taken, &site);
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

    /// Returns the evaluator of the expressions in the scope of an argument.
    fn evaluator(&self, site: &DeclaredSite) -> PartEvaluator {
        PartEvaluator::within(self.world.context(site.scope.clone()), self.world.library())
    }

    /// Adds a node under a key unless one exists. Returns its number and true if it is new; `None` if the limit on nodes is
    /// reached.
    fn add(&mut self, key: String, node: WhyNode) -> Option<(usize, bool)> {
        let key = (node.kind, key);
        if let Some(number) = self.numbers.get(&key) {
            return Some((*number, false));
        }
        if self.nodes.len() >= MAX_NODES {
            self.is_full = true;
            return None;
        }
        let number = self.nodes.len();
        self.nodes.push(node);
        self.numbers.insert(key, number);
        Some((number, true))
    }

    /// Adds a node for each dependency of an expression, and returns the numbers of the nodes.
    fn dependency_nodes(
        &mut self,
        taken: Vec<SliceDependency>,
        site: &Arc<DeclaredSite>,
    ) -> Vec<usize> {
        let one = |one: SliceDependency| match one.what {
            DependencyKind::Named(reference, steps) => self.named(&reference, &steps, site),
            DependencyKind::Called(called) => self.called(called, site),
            DependencyKind::Literal(written, value) => self.literal(&written, value),
        };
        taken.into_iter().filter_map(one).collect()
    }

    /// Adds a node for a literal of the code, and returns the number of the node.
    fn literal(&mut self, written: &WrittenPlace, value: Option<Value>) -> Option<usize> {
        let place = self.sources.resolve(written.place);
        let key = format!("{}:{}:{}", place.file.0, place.span.start, place.span.end);
        let node = WhyNode { address: None, ..plain(WhyKind::Literal, String::new(), None, value) };
        Some(self.add(key, quoting(node, written))?.0)
    }

    /// Adds the node of a function call with its own dependencies, and returns its number.
    fn called(&mut self, called: CalledFunction, site: &Arc<DeclaredSite>) -> Option<usize> {
        let CalledFunction { name, written, value, took, template, reads } = called;
        let place = self.sources.resolve(written.place);
        let shown =
            value.as_ref().map(|value| json::plain(&groma_value::sentence::redacted(value)));
        let told: String = shown.unwrap_or_default().chars().take(MAX_KEY_VALUE).collect();
        let key = format!("{}:{}|{told}", place.file.0, place.span.start);
        let mut node = plain(WhyKind::Function, format!("{name}()"), None, value);
        (node.template, node.reads) = (template, reads);
        let (number, is_new) = self.add(key, quoting(node, &written))?;
        if is_new {
            self.nodes[number].from = self.dependency_nodes(took, site);
        }
        Some(number)
    }

    /// Adds the node of the declaration or iterator that a reference resolves to in a scope, and returns its number.
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
        // A name that is its own value, such as `path.root`; the names of loops are reported with the collections of these.
        let word = format!("{}{}", reference.root, path::text(None, steps.get(..1)?));
        let source = Source::new("", word.as_str());
        let expr = Expr::of(&parse_expression(source.text(), FileId(0)));
        let value = self.evaluator(site).whole(&expr)?;
        let node = plain(WhyKind::Environment, word.clone(), None, Some(value));
        Some(self.add(word, node)?.0)
    }

    /// Adds the node of an element of a `dynamic` block, and returns its number.
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

    /// Adds the node of a declaration or a part of it, and returns its number; `None` if the name is not declared.
    fn declaration(&mut self, root: &str, steps: &[WhyStep]) -> Option<usize> {
        let names: Vec<Str> = steps.iter().map(WhyStep::name).collect();
        let name = self.world.declared(root, &names)?;
        let mut rest = &steps[name.names..];
        let mut value = name.value.as_ref().and_then(|whole| path::at(whole, rest));
        // A missing part is answered by the innermost part that exists around it.
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

    /// Adds the node of the input that gives a variable its value, or of the part of it at the path `rest`, and returns its
    /// number.
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
            // A hidden value keeps its mark and is never plain text here.
            (None, Value::String(text)) if place.is_none() => {
                WhyNode { text: Some(text.to_string()), has_literals: true, ..node }
            }
            _ => node,
        };
        Some(self.add(address.to_owned(), node)?.0)
    }

    /// Adds the node of a block's contents, or of the part that the steps select, and returns its number.
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
        // The steps select the block or argument: a single one, unless they omit a position.
        let mut meant: Vec<(&[WhyStep], Vec<LedValue<'_>>)> = Vec::new();
        let mut inner = Vec::new();
        for (path, argument) in &all {
            let Some(PathLead { taken, behind, inside }) = split_path(rest, path) else { continue };
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

    /// Adds the node of an argument or a part of its value, and returns its number.
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
