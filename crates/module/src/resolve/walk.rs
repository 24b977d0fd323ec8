//! Resolution of every expression of a module. Faults are reported once; those that matter only when the expression is evaluated
//! are deferred. It is separate from [`crate::visit`] because it stores the resolved references in each expression, while a
//! visitor sees immutable declarations.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_eval::Step;
use groma_syntax::{Diagnostic, Diagnostics, FileId};
use groma_value::schema::BlockSchema;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::declare::{
    ActionTrigger, Condition, DeclarationReader, Expression, InnerBlock, Module, Referent,
    ReferentUse, Repetition, Resource, SchemaBody,
};
use crate::dialect::Conventions;
use crate::resolve::caller::{self, report_named_callers};
use crate::resolve::depends;
use crate::resolve::names::{ModuleNames, Multiplicity};
use crate::resolve::surroundings::{InResource, Surroundings};

/// Resolves every reference of the module. `known` is true if declarations shared with an older module are already resolved
/// among the same names. Returns the parts of files with diagnostics.
pub(crate) fn resolve(
    module: &mut Module,
    gatherer: &DeclarationReader<'_>,
    known: bool,
    late: &mut Diagnostics,
    out: &mut Diagnostics,
) -> FxHashSet<FileId> {
    let names = module.names.clone();
    let plain = Surroundings::default();
    let mut troubled = TroubledParts { seen: out.len() + late.len(), parts: FxHashSet::default() };
    let mut at = Resolver { names: &names, out: late, deferred: false };
    for variable in &mut module.variables {
        let Some(variable) = fresh(variable, known) else { continue };
        for expression in variable.validations.iter_mut().flat_map(Condition::expressions_mut) {
            at.expression(expression, &plain);
        }
        troubled.note(variable.place.file, at.out.len() + out.len());
    }
    for local in &mut module.locals {
        let Some(local) = fresh(local, known) else { continue };
        at.expression(&mut local.value, &plain);
        troubled.note(local.place.file, at.out.len() + out.len());
    }
    for output in &mut module.outputs {
        let Some(output) = fresh(output, known) else { continue };
        for expression in &mut output.depends_on {
            at.whole(expression, &plain);
        }
        for expression in output.expressions_mut() {
            at.expression(expression, &plain);
        }
        troubled.note(output.place.file, at.out.len() + out.len());
    }
    for call in &mut module.calls {
        let Some(call) = fresh(call, known) else { continue };
        if let Some(source) = &mut call.source {
            at.expression(source, &plain);
        }
        if let Some(version) = &mut call.version {
            at.expression(version, &plain);
        }
        at.repetition(&mut call.repetition, &plain);
        let around = Surroundings { is_input: true, ..Surroundings::inside(&call.repetition) };
        for input in &mut call.inputs {
            at.expression(&mut input.value, &around);
        }
        for expression in &mut call.depends_on {
            at.whole(expression, &plain);
        }
        troubled.note(call.place.file, at.out.len() + out.len());
    }
    for (position, resource) in module.resources.iter_mut().enumerate() {
        let Some(resource) = fresh(resource, known) else { continue };
        let stands = |resource: &Resource, place: InResource| {
            Surroundings::of_resource(
                position as u32,
                resource,
                place,
                names.callers_of(position as u32),
                &gatherer.conventions,
            )
        };
        let counting = stands(resource, InResource::Repetition);
        at.repetition(&mut resource.repetition, &counting);
        let counted = at.out.len();
        let mut around = stands(resource, InResource::Body);
        if let Some(key) = resource.asked.as_mut().and_then(|asked| asked.key.as_mut()) {
            at.expression(key, &around);
        }
        at.content(&mut resource.content, &mut around);
        // A body is validated against its schema only if all its references resolve.
        if !resource.is_broken() {
            resource.fit(gatherer.library.edition, at.out);
        }
        if resource.mode == ResourceMode::Action {
            report_named_callers(&names, position as u32, resource, at.out);
        }
        let before = stands(resource, InResource::Precondition);
        let triggering = stands(resource, InResource::Trigger);
        let repeated = names.resource_shape(position as u32);
        if let Some(lifecycle) = &mut resource.lifecycle {
            let conditions = lifecycle.preconditions.iter_mut();
            for expression in conditions.flat_map(Condition::expressions_mut) {
                at.expression(expression, &before);
            }
            if let Some(expression) = &mut lifecycle.prevent_destroy {
                at.later(expression, &Surroundings::default());
            }
            for expression in &mut lifecycle.triggers {
                at.trigger(expression, &around, gatherer.conventions);
            }
            for trigger in &mut lifecycle.action_triggers {
                at.action_trigger(trigger, &triggering, repeated);
            }
        }
        let order = stands(resource, InResource::Order);
        for expression in &mut resource.depends_on {
            at.whole(expression, &order);
        }
        let mut running = stands(resource, InResource::Provision);
        let after = stands(resource, InResource::Postcondition);
        for provision in &mut resource.provisions {
            at.content(&mut provision.content, &mut running);
            if names.has_callers {
                provision.visit(&mut |seen| caller::remark_unset(seen.expression, at.out));
            }
            if provision.on_destroy {
                let run_roots = names.run_roots;
                provision.visit(&mut |seen| report_destroyed(seen.expression, run_roots, out));
            }
        }
        let conditions = resource.lifecycle.iter_mut().flat_map(|one| &mut one.postconditions);
        for expression in conditions.flat_map(Condition::expressions_mut) {
            at.expression(expression, &after);
        }
        // A self-reference matters only if there are instances, which is not known yet.
        let found = at.out.split_off(counted).into_iter();
        let (own, found): (Vec<_>, Vec<_>) =
            found.partition(|one| one.code == &codes::INSTANCE_SELF_REFERENCE);
        resource.problems = own.into();
        at.out.extend(found);
        troubled.note(resource.place.file, at.out.len() + out.len());
    }
    for provider in &mut module.providers {
        if let Some(expression) = &mut provider.for_each {
            at.expression(expression, &plain);
        }
        // The tree of modules decides which configurations are used.
        let before = at.out.len();
        let schema = provider.schema.clone();
        let block = schema.as_deref().map(|schema| &*schema.block);
        at.placed(&mut provider.content, block, &mut Surroundings::of_provider());
        provider.problems.extend(at.out.split_off(before));
    }
    for import in &mut module.imports {
        // The tree of modules decides if the import's target is declared.
        let before = at.out.len();
        let around = Surroundings::of_import(import);
        if let Some(for_each) = &mut import.for_each {
            at.expression(for_each, &Surroundings::default());
        }
        import.expressions_mut().for_each(|expression| at.expression(expression, &around));
        import.keys.iter_mut().for_each(|key| at.later(&mut key.value, &around));
        import.problems.extend(at.out.split_off(before));
    }
    for check in &mut module.checks {
        let around = Surroundings::of_check(check);
        for expression in check.assertions.iter_mut().flat_map(Condition::expressions_mut) {
            at.expression(expression, &around);
        }
    }
    troubled.parts
}

/// The parts of files that have diagnostics.
struct TroubledParts {
    /// The number of diagnostics accounted for.
    seen: usize,
    parts: FxHashSet<FileId>,
}

impl TroubledParts {
    /// Assigns all diagnostics since the last call to a part.
    fn note(&mut self, part: FileId, found: usize) {
        if found > self.seen {
            self.parts.insert(part);
            self.seen = found;
        }
    }
}

/// Returns a declaration to resolve; `None` if it is already resolved.
fn fresh<T: Clone>(declared: &mut Arc<T>, known: bool) -> Option<&mut T> {
    match known {
        true => Arc::get_mut(declared),
        false => Some(Arc::make_mut(declared)),
    }
}

/// Reports references of a destroy-time provisioner that are not allowed.
pub(crate) fn report_destroyed(expression: &Expression, run_roots: &[&str], out: &mut Diagnostics) {
    let located = &expression.located;
    for reference in located.code.references() {
        let is_kept = match &*reference.root {
            "self" | "path" => true,
            // `each.value` is part of the configuration, which may be gone.
            "each" => {
                matches!(reference.steps.first(), Some(Step::Attribute(name)) if &**name == "key")
            }
            "count" => true,
            root => run_roots.contains(&root),
        };
        if !is_kept {
            let detail = "When a resource is destroyed, objects that it referred to may no longer exist: such a provisioner can use only self, count.index and each.key.";
            // The programs report the whole expression, which may start lines before.
            out.push(Diagnostic::error(&codes::DESTROY_REFERENCE, detail).at(expression.place()));
        }
    }
}

/// A resolver of the expressions of one module.
struct Resolver<'a> {
    names: &'a ModuleNames,
    out: &'a mut Diagnostics,
    /// True if problems are deferred to the evaluation.
    deferred: bool,
}

impl Resolver<'_> {
    /// Resolves the references of an expression.
    fn expression(&mut self, expression: &mut Expression, around: &Surroundings) {
        expression.uses = uses_of(expression, self.names, around, self.out);
        expression.deferred = self.deferred;
    }

    /// Resolves an expression whose problems are deferred to its evaluation.
    fn later(&mut self, expression: &mut Expression, around: &Surroundings) {
        let mut unsaid = Diagnostics::new();
        let mut later = Resolver { names: self.names, out: &mut unsaid, deferred: true };
        later.expression(expression, around);
    }

    /// Resolves the expression of a repetition.
    fn repetition(&mut self, repetition: &mut Repetition, around: &Surroundings) {
        match repetition {
            // `enabled` is evaluated only by the plan.
            Repetition::Enabled(expression) => self.later(expression, around),
            Repetition::Count(expression) | Repetition::Each(expression) => {
                self.expression(expression, around);
            }
            Repetition::Single => {}
        }
    }

    /// Resolves a reference in `replace_triggered_by`: the target must exist, and is evaluated before the resource.
    fn trigger(
        &mut self,
        expression: &mut Expression,
        around: &Surroundings,
        conventions: Conventions,
    ) {
        let located = &expression.located;
        let mut uses = Vec::new();
        for (at, reference) in located.code.references().iter().enumerate() {
            let problem = match self.names.resolve(reference, around) {
                Ok(target) => {
                    uses.push(ReferentUse { target, reference: at as u32 });
                    continue;
                }
                Err(problem) => problem,
            };
            if problem.is_news() {
                self.out.push(problem.at(located.place(reference.span)));
                continue;
            }
            let is_known_early = conventions.checks_triggers_early;
            let key = reference.steps.get(1);
            if is_known_early
                && problem.is_about_itself()
                && matches!(key, Some(Step::Index(_) | Step::Unknown))
            {
                continue;
            }
            let problem = match problem.is_about_itself() || problem.is_about_key() {
                false if is_known_early => problem,
                _ if problem.is_about_attribute() => continue,
                _ => problem.of_trigger(),
            };
            self.out.push(problem.at(located.place(reference.span)));
        }
        expression.uses = uses.into();
    }

    /// Resolves an action trigger: its actions must exist, and its condition is evaluated only by the plan.
    fn action_trigger(
        &mut self,
        trigger: &mut ActionTrigger,
        around: &Surroundings,
        repeated: Multiplicity,
    ) {
        let names = self.names;
        for action in &trigger.actions {
            match names.action(&action.kind, &action.name) {
                None => self.out.push(names.no_action(&action.kind, &action.name).at(action.place)),
                Some(at) if names.has_callers => {
                    caller::check_key(action, names.resource_shape(at), repeated, self.out);
                }
                Some(_) => {}
            }
        }
        let Some(mut condition) = trigger.condition.take_if(|_| names.has_callers) else { return };
        if !trigger.is_destroying() {
            caller::report_early(trigger, &condition, self.out);
            let located = &condition.located;
            for reference in located.code.references() {
                let Err(problem) = names.resolve(reference, around) else { continue };
                if problem.is_about_itself() {
                    let place =
                        located.place_of_first(reference, caller::instance_steps(reference));
                    self.out.push(problem.at(place));
                }
            }
        }
        self.later(&mut condition, around);
        trigger.condition = Some(condition);
    }

    /// Resolves a list of references to whole objects.
    fn whole(&mut self, expression: &mut Expression, around: &Surroundings) {
        self.expression(expression, around);
        depends::whole(expression, self.out);
    }

    /// Resolves the expressions of a body.
    fn content(&mut self, content: &mut SchemaBody, around: &mut Surroundings) {
        for argument in &mut content.arguments {
            self.expression(&mut argument.value, around);
        }
        for nested in &mut content.blocks {
            self.nested(nested, around);
        }
    }

    /// Resolves a nested block; `around` are the names visible to it.
    fn nested(&mut self, nested: &mut InnerBlock, around: &mut Surroundings) {
        let Some(dynamic) = &mut nested.dynamic else {
            self.content(&mut nested.content, around);
            return;
        };
        if let Some(expression) = &mut dynamic.for_each {
            self.expression(expression, around);
        }
        // The content matters only if a block is made.
        let mut unsaid = Diagnostics::new();
        let mut inner = Resolver { names: self.names, out: &mut unsaid, deferred: true };
        around.iterators.push(dynamic.iterator.clone());
        if let Some(expression) = &mut dynamic.labels {
            inner.expression(expression, around);
        }
        inner.content(&mut nested.content, around);
        around.iterators.pop();
    }

    /// Resolves a body, ignoring unsupported content, which is not read.
    fn placed(
        &mut self,
        content: &mut SchemaBody,
        block: Option<&BlockSchema>,
        around: &mut Surroundings,
    ) {
        let mut unsaid = Diagnostics::new();
        let mut silent = Resolver { names: self.names, out: &mut unsaid, deferred: false };
        for argument in &mut content.arguments {
            match block.is_none_or(|block| block.has_place(&argument.name)) {
                true => self.expression(&mut argument.value, around),
                false => silent.expression(&mut argument.value, around),
            }
        }
        for nested in &mut content.blocks {
            let has_place = block.is_none_or(|block| block.has_place(&nested.kind));
            match has_place || nested.dynamic.is_some() {
                true => self.nested(nested, around),
                false => silent.nested(nested, around),
            }
        }
    }
}

/// Returns the diagnostics of the references of an expression.
pub fn problems(
    expression: &Expression,
    names: &ModuleNames,
    around: &Surroundings,
) -> Vec<Diagnostic> {
    let mut out = Diagnostics::new();
    uses_of(expression, names, around, &mut out);
    out.into_vec()
}

/// Resolves the references of an expression; reports those that do not resolve.
pub fn uses_of(
    expression: &Expression,
    names: &ModuleNames,
    around: &Surroundings,
    out: &mut Diagnostics,
) -> Box<[ReferentUse]> {
    let located = &expression.located;
    names.requirements.check(located, out);
    let references = located.code.references();
    let resolved = references.iter().enumerate().map(|(at, reference)| {
        let target = names.resolve(reference, around).unwrap_or_else(|problem| {
            let broken = match problem.is_about_itself() {
                true => Referent::Itself,
                false if problem.is_news() => Referent::News,
                false => Referent::Broken,
            };
            out.push(problem.of(located, reference));
            broken
        });
        if let Some(name) = names.deprecated(&target, reference) {
            let detail = format!("According to the provider, \"{name}\" is deprecated.");
            let place = located.place(reference.span);
            out.push(Diagnostic::warning(&codes::DEPRECATED_ATTRIBUTE, detail).at(place));
        }
        ReferentUse { target, reference: at as u32 }
    });
    resolved.collect()
}
