//! Errors that declared types imply and no reference program reports: every expression is evaluated again, with one sample
//! element of known type in loops over unknown collections. Names have more precise types than in a check: `each` and iterators
//! of `dynamic` blocks have the element type, and module outputs the types of their expressions. Diagnostics of a check are
//! repeated here.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_eval::{Context, LayeredScope, NamedValues, Scope};
use groma_module::declare::{Expression, InnerBlock, Repetition};
use groma_module::resolve::{ExpressionPosition, Surroundings};
use groma_module::visit::{Declaration, ExpressionRole, VisitedExpression};
use groma_syntax::Diagnostics;
use groma_value::{Str, Type, Value};
use rustc_hash::FxHashMap;

use crate::options::ProjectOptions;
use crate::project::Project;
use crate::tree::{CalledModule, ModuleId};
use crate::validate::ModuleValidator;
use crate::validate::memory::{
    ModuleMemory, OlderValidation, OutputTypes, SharedResults, ValidationMemory, ValidationResults,
};

/// The number of each group of modules that are validated alike, by the memory address of their declarations and the groups of
/// the modules that they call.
type ModuleGroups = FxHashMap<(usize, Vec<Option<usize>>), usize>;

/// Returns every error that declared types imply in the modules with these numbers. Nothing is reported that only a value
/// decides.
pub fn sample(project: &Arc<Project>, options: &ProjectOptions, wanted: &[usize]) -> Diagnostics {
    sample_all(project, options, wanted, None)
}

/// Evaluates modules with sample elements again, reusing results of an older run that an edit has not affected; returns the
/// errors, and the results for the next run, or `None` if it cannot reuse any.
pub fn sample_again(
    project: &Arc<Project>,
    options: &ProjectOptions,
    wanted: &[usize],
    older: Option<OlderValidation<'_>>,
) -> (Diagnostics, Option<ValidationResults>) {
    let mut remembered = ValidationMemory::begin(project, options, older);
    let found = sample_all(project, options, wanted, remembered.as_mut());
    (found, remembered.and_then(|all| all.finish(project, options)))
}

/// Evaluates the modules with these numbers, with one sample element in loops over unknown collections, reusing and updating
/// `remembered` results; returns the errors.
fn sample_all(
    project: &Arc<Project>,
    options: &ProjectOptions,
    wanted: &[usize],
    mut remembered: Option<&mut ValidationMemory<'_>>,
) -> Diagnostics {
    let mut kinds = ModuleGroups::default();
    let mut kind_of: Vec<Option<usize>> = vec![None; project.nodes.len()];
    let mut outputs: Vec<OutputTypes> = Vec::new();
    let mut found: Vec<Diagnostics> = Vec::new();
    let mut results: Vec<SharedResults> = Vec::new();
    // A called module comes after its caller.
    for (at, node) in project.nodes.iter().enumerate().rev() {
        let children: Vec<Option<usize>> = node
            .children
            .iter()
            .map(|child| match child {
                CalledModule::Module(id) => kind_of.get(id.0 as usize).copied().flatten(),
                CalledModule::Absent => None,
            })
            .collect();
        let called = children.iter().map(|kind| kind.and_then(|kind| outputs.get(kind).cloned()));
        let called: Box<[Option<OutputTypes>]> = called.collect();
        let kind =
            *kinds.entry((Arc::as_ptr(&node.module).addr(), children)).or_insert_with(|| {
                let before = options.run.budget.remainder();
                let id = ModuleId(at as u32);
                let memory = remembered.as_ref().map(|all| all.of_module(project, id, &called));
                let validator = ModuleValidator::sampling(project, options, id, called);
                let sampler = TypeSampler(ModuleValidator { memory, ..validator });
                let mut out = Diagnostics::new();
                outputs.push(sampler.module(&mut out));
                found.push(out);
                let memory = sampler.0.memory;
                results.push(memory.map(ModuleMemory::into_results).unwrap_or_default());
                options.run.budget.release_to(before);
                found.len() - 1
            });
        kind_of[at] = Some(kind);
        if let (Some(all), Some(results)) = (&mut remembered, results.get(kind)) {
            all.keep(project, ModuleId(at as u32), results.clone(), outputs.get(kind).cloned());
        }
    }
    let mut told = Diagnostics::new();
    let mut kinds: Vec<usize> = wanted.iter().filter_map(|at| *kind_of.get(*at)?).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        told.extend(found[kind].iter().cloned());
    }
    told.resolve(&project.sources);
    project.sources.sort(&mut told);
    told
}

/// A validation of one module in which loops over unknown collections are evaluated with a sample element.
struct TypeSampler<'p>(ModuleValidator<'p>);

/// The evaluation contexts of one declaration's expressions: its own, and those inside of its blocks.
struct SampleSurroundings {
    context: Context,
    /// The context inside of each `dynamic` block.
    blocks: FxHashMap<usize, Context>,
}

impl TypeSampler<'_> {
    /// Evaluates all expressions of the module and returns the types of its outputs.
    fn module(&self, out: &mut Diagnostics) -> OutputTypes {
        let ModuleValidator { node, context, .. } = &self.0;
        let module = &*node.module;
        self.0.locals(module, out);
        for declaration in module.declarations() {
            if !matches!(declaration, Declaration::Local(_) | Declaration::Output(_)) {
                self.0.validate_or_reuse(declaration, out, |out| {
                    self.expressions(declaration, out);
                    None
                });
            }
        }
        let types = (0..).zip(&module.outputs).map(|(at, output)| {
            let declaration = Declaration::Output(at);
            let known = self.0.validate_or_reuse(declaration, out, |out| {
                self.expressions(declaration, out);
                let value = output.value.as_ref();
                let value = value.map(|value| self.0.evaluate(value, context, out));
                let ty = match output.known_type() {
                    Type::Dynamic => value.map_or(Type::Dynamic, |value| value.ty()),
                    declared => declared,
                };
                Some(Value::unknown(ty))
            });
            known.map_or(Type::Dynamic, |known| known.ty())
        });
        types.collect()
    }

    /// Evaluates the expressions of a declaration, except the value of an output.
    fn expressions(&self, declaration: Declaration, out: &mut Diagnostics) {
        let ModuleValidator { node, context, .. } = &self.0;
        let mut around: Option<SampleSurroundings> = None;
        node.module.visit_one(declaration, &mut |seen| {
            let is_done = match declaration {
                Declaration::Output(_) => matches!(seen.role, ExpressionRole::Value),
                _ => matches!(seen.role, ExpressionRole::ProviderKey),
            };
            if is_done || !(seen.is_of_instances() || seen.provision.is_some()) {
                return;
            }
            let is_of_instances = !matches!(
                seen.role,
                ExpressionRole::Count | ExpressionRole::ForEach | ExpressionRole::Enabled
            );
            if !is_of_instances {
                self.0.evaluate(seen.expression, context, out);
                return;
            }
            let around = around.get_or_insert_with(|| {
                let (context, blocks) =
                    (self.declaration_context(declaration), FxHashMap::default());
                SampleSurroundings { context, blocks }
            });
            let context = self.inside(&seen, around);
            self.0.evaluate(seen.expression, &context, out);
        });
    }

    /// Returns the evaluation context of a declaration's expressions, in which `each` has a sample element of its `for_each`.
    fn declaration_context(&self, declaration: Declaration) -> Context {
        let module = &*self.0.node.module;
        let (around, repetition) = match declaration {
            Declaration::Resource(at) => {
                let Some(resource) = module.resources.get(at as usize) else {
                    return self.0.context.clone();
                };
                let conventions = &self.0.project.conventions;
                let stands = match resource.mode {
                    ResourceMode::Action => ExpressionPosition::Body,
                    _ => ExpressionPosition::Postcondition,
                };
                let callers = module.names.callers_of(at);
                let around = Surroundings::of_resource(at, resource, stands, callers, conventions);
                (around, Some(&resource.repetition))
            }
            Declaration::Call(at) => match module.calls.get(at as usize) {
                Some(call) => (Surroundings::inside(&call.repetition), Some(&call.repetition)),
                None => (Surroundings::default(), None),
            },
            Declaration::Check(at) => match module.checks.get(at as usize) {
                Some(check) => (Surroundings::of_check(check), None),
                None => (Surroundings::default(), None),
            },
            Declaration::Provider(_) => (Surroundings::of_provider(), None),
            _ => (Surroundings::default(), None),
        };
        let context = self.0.within(&around);
        match repetition {
            Some(Repetition::Each(expression)) => {
                let over = self.collection(expression, &self.0.context);
                match over.ty() {
                    // A list has no instance keys.
                    Type::List(_) | Type::Tuple(_) => context,
                    _ => named(&context, "each", element(&over)),
                }
            }
            _ => context,
        }
    }

    /// Returns the evaluation context of an expression inside of the blocks that contain it.
    fn inside(&self, seen: &VisitedExpression<'_, '_>, around: &mut SampleSurroundings) -> Context {
        let mut context = around.context.clone();
        let blocks: &[&InnerBlock] = match seen.role {
            ExpressionRole::BlockForEach => seen.blocks.split_last().map_or(&[], |(_, rest)| rest),
            _ => seen.blocks,
        };
        for block in blocks {
            let Some(dynamic) = &block.dynamic else { continue };
            let key = std::ptr::from_ref::<InnerBlock>(block).addr();
            context = match around.blocks.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let over =
                        dynamic.for_each.as_ref().map(|over| self.collection(over, &context));
                    let element = over.as_ref().and_then(element);
                    let inner = named(&context, &dynamic.iterator, element.or_else(nothing_known));
                    around.blocks.insert(key, inner.clone());
                    inner
                }
            };
        }
        context
    }

    /// Returns the value of a collection to iterate over; its diagnostics are reported elsewhere.
    fn collection(&self, expression: &Expression, context: &Context) -> Value {
        self.0.evaluate(expression, context, &mut Diagnostics::new())
    }
}

/// Returns the evaluation context with one more name; unchanged if the value is `None`.
fn named(context: &Context, name: &str, value: Option<Value>) -> Context {
    let Some(value) = value else { return context.clone() };
    let mut names = NamedValues::new();
    names.insert(name, value);
    let scope: Arc<dyn Scope> = Arc::new(LayeredScope { names, below: context.scope.clone() });
    context.with_scope(scope)
}

/// Returns `Some` unknown value of dynamic type, for iterators of which no element is known.
fn nothing_known() -> Option<Value> {
    Some(Value::unknown(Type::Dynamic))
}

/// Returns a sample element of a collection: an object with an unknown `key` and an unknown `value` of the right types; `None` if
/// elements have different or unknown types.
fn element(over: &Value) -> Option<Value> {
    let same = |mut types: &mut dyn Iterator<Item = &Type>| {
        let first = types.next()?.clone();
        (&mut types).all(|ty| *ty == first).then_some(first)
    };
    let (key, value) = match over.ty() {
        Type::List(element) => (Type::Number, (*element).clone()),
        Type::Set(element) => ((*element).clone(), (*element).clone()),
        Type::Map(element) => (Type::String, (*element).clone()),
        Type::Tuple(tuple) => (Type::Number, same(&mut tuple.elements().iter())?),
        Type::Object(object) => {
            (Type::String, same(&mut object.attributes().iter().map(|one| &one.ty))?)
        }
        _ => return None,
    };
    let marks = over.marks();
    let some = |ty: Type| Value::unknown(ty).mark(&marks);
    Some(Value::object([(Str::from("key"), some(key)), (Str::from("value"), some(value))]))
}
