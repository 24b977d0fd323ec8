//! Resolution of every expression of a module: those that [`crate::visit`] visits. The role of an expression decides the names
//! that are visible to it and the treatment of its faults. Each fault is reported once; those that matter only when the
//! expression is evaluated are deferred.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_eval::Step;
use groma_syntax::{Diagnostic, Diagnostics, FileId};
use rustc_hash::FxHashSet;

use crate::codes;
use crate::declare::{ActionTrigger, DeclarationReader, Expression, Module, Referent, ReferentUse};
use crate::dialect::Conventions;
use crate::resolve::caller::{self, report_named_callers};
use crate::resolve::depends;
use crate::resolve::names::ModuleNames;
use crate::resolve::surroundings::{ExpressionPosition, Surroundings};
use crate::visit::{Declaration, ExpressionRole, VisitedExpression};

/// Resolves every reference of the module and returns the parts of files with diagnostics, which go to `out`, or to `late` if
/// they count only without other errors; if `known`, skips the declarations shared with an older module, which are already
/// resolved among the same names.
pub(crate) fn resolve(
    module: &mut Module,
    gatherer: &DeclarationReader<'_>,
    known: bool,
    late: &mut Diagnostics,
    out: &mut Diagnostics,
) -> FxHashSet<FileId> {
    let mut troubled = TroubledParts { seen: out.len() + late.len(), parts: FxHashSet::default() };
    let mut resolved = Vec::new();
    for declaration in module.declarations() {
        if known && module.is_shared(declaration) {
            continue;
        }
        let mut found = FoundProblems { late, out, own: Vec::new() };
        let mut resolver = DeclarationResolver {
            module,
            declaration,
            conventions: &gatherer.conventions,
            around: None,
            found: &mut found,
        };
        module.visit_one(declaration, &mut |seen| resolved.push(resolver.resolve(&seen)));
        let mut given = resolved.drain(..);
        module.change_one(declaration, &mut |expression| {
            if let Some(Resolution { uses, deferred }) = given.next() {
                (expression.uses, expression.deferred) = (uses, deferred);
            }
        });
        drop(given);
        if let Declaration::Resource(at) = declaration {
            check_resource(module, at, gatherer, found.late);
        }
        keep_problems(module, declaration, found.own);
        // Checks, providers and imports are read again in any case.
        if module.may_be_shared(declaration) {
            troubled.note(declaration.place(module).file, late.len() + out.len());
        }
    }
    troubled.parts
}

/// Reports what is wrong with the resource at index `at` once its references are resolved: its body by the schema, the
/// resources that an action names instead of `caller`, and its triggers.
fn check_resource(
    module: &Module,
    at: u32,
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) {
    let (names, resource) = (&*module.names, &*module.resources[at as usize]);
    // A body is validated against its schema only if all its references resolve.
    if !resource.is_broken() {
        resource.fit(gatherer.library.edition, out);
    }
    if resource.mode == ResourceMode::Action {
        report_named_callers(names, at, resource, out);
    }
    for trigger in &resource.lifecycle().action_triggers {
        check_actions(trigger, names, at, out);
    }
}

/// Reports actions of a trigger of the resource at index `by` that are not declared, and instance keys that cannot select an
/// instance.
fn check_actions(trigger: &ActionTrigger, names: &ModuleNames, by: u32, out: &mut Diagnostics) {
    for action in &trigger.actions {
        match names.action(&action.kind, &action.name) {
            None => out.push(names.no_action(&action.kind, &action.name).at(action.place)),
            Some(at) if names.has_callers => {
                let repeated = names.resource_shape(by);
                caller::check_key(action, names.resource_shape(at), repeated, out);
            }
            Some(_) => {}
        }
    }
}

/// Stores diagnostics in a resource, provider or import, to be reported once it is known if it has instances or is used.
fn keep_problems(module: &mut Module, declaration: Declaration, problems: Vec<Diagnostic>) {
    match declaration {
        Declaration::Resource(at) => {
            Arc::make_mut(&mut module.resources[at as usize]).problems = problems.into();
        }
        Declaration::Provider(at) => module.providers[at as usize].problems.extend(problems),
        Declaration::Import(at) => module.imports[at as usize].problems.extend(problems),
        _ => {}
    }
}

/// Collector of the parts of files that have diagnostics, which the next load reads again.
struct TroubledParts {
    /// The number of diagnostics accounted for.
    seen: usize,
    parts: FxHashSet<FileId>,
}

impl TroubledParts {
    /// Records that a part has diagnostics if `found`, the number of all diagnostics so far, has grown since the previous part.
    fn note(&mut self, part: FileId, found: usize) {
        if found > self.seen {
            self.parts.insert(part);
            self.seen = found;
        }
    }
}

/// Reports references in a destroy-time provisioner to anything but `self`, `path`, keys and settings of the run, whose root
/// names are `run_roots`.
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

/// The resolved references of one expression, and true if unresolved ones matter only when it is evaluated.
struct Resolution {
    uses: Box<[ReferentUse]>,
    deferred: bool,
}

/// The treatment of an expression's unresolved references: reported at once, later, or never.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FaultTreatment {
    /// They are reported.
    Report,
    /// They matter only if the expression is evaluated.
    Defer,
    /// They never matter: the expression is in unsupported content, which is not read.
    Ignore,
}

/// Sinks for the diagnostics about references of one declaration: reported at once, reported only if nothing else is wrong,
/// or stored in the declaration.
struct FoundProblems<'a> {
    /// Diagnostics that are reported only if nothing else is wrong.
    late: &'a mut Diagnostics,
    out: &'a mut Diagnostics,
    /// Diagnostics for a later stage, which knows if the declaration is used.
    own: Vec<Diagnostic>,
}

impl FoundProblems<'_> {
    /// Puts the diagnostics of an expression into the sink that fits its declaration and position.
    fn take(
        &mut self,
        declaration: Declaration,
        position: ExpressionPosition,
        faults: Vec<Diagnostic>,
    ) {
        for fault in faults {
            let is_own = match declaration {
                // The tree of modules decides which configurations are used; a repetition is checked in any case.
                Declaration::Provider(_) => position != ExpressionPosition::Repetition,
                // The tree of modules decides if the target is declared.
                Declaration::Import(_) => true,
                // A self-reference matters only if there are instances, which is not known yet.
                Declaration::Resource(_) => {
                    position != ExpressionPosition::Repetition
                        && fault.code == &codes::INSTANCE_SELF_REFERENCE
                }
                _ => false,
            };
            match is_own {
                true => self.own.push(fault),
                false => self.late.push(fault),
            }
        }
    }
}

/// Resolver of the expressions of one declaration, in the order in which they are visited, with the names visible to them.
struct DeclarationResolver<'a, 'o> {
    module: &'a Module,
    declaration: Declaration,
    conventions: &'a Conventions,
    /// The surroundings of the latest position.
    around: Option<(ExpressionPosition, Surroundings)>,
    found: &'a mut FoundProblems<'o>,
}

impl DeclarationResolver<'_, '_> {
    /// Resolves the references of one expression, and puts its diagnostics into the sinks of the declaration's
    /// [`FoundProblems`].
    fn resolve(&mut self, seen: &VisitedExpression<'_, '_>) -> Resolution {
        let names = &*self.module.names;
        let position = ExpressionPosition::of(seen);
        let treatment = self.treatment(seen);
        let conventions = self.conventions;
        let around = self.around(position, seen);
        let mut faults = Diagnostics::new();
        let uses = match seen.role {
            ExpressionRole::ReplaceTriggeredBy => {
                trigger(seen.expression, names, around, conventions, &mut faults)
            }
            _ => uses_of(seen.expression, names, around, &mut faults),
        };
        if treatment != FaultTreatment::Report {
            faults = Diagnostics::new();
        }
        match seen.role {
            ExpressionRole::DependsOn => depends::report_parts(seen.expression, &mut faults),
            ExpressionRole::ActionCondition(trigger) if names.has_callers => {
                check_condition(trigger, seen.expression, names, around, &mut faults);
            }
            _ => {}
        }
        self.found.take(self.declaration, position, faults.into_vec());
        if let Some(provision) = seen.provision {
            if names.has_callers {
                caller::remark_unset(seen.expression, self.found.late);
            }
            if provision.on_destroy {
                report_destroyed(seen.expression, names.run_roots, self.found.out);
            }
        }
        Resolution { uses, deferred: treatment == FaultTreatment::Defer }
    }

    /// Returns the names visible to an expression at this position of the declaration besides those of its module: those of
    /// [`surroundings_at`], computed once for successive expressions, and the iterators of the `dynamic` blocks around it.
    fn around(
        &mut self,
        position: ExpressionPosition,
        seen: &VisitedExpression<'_, '_>,
    ) -> &Surroundings {
        let (module, declaration) = (self.module, self.declaration);
        let known = self.around.take().filter(|(own, _)| *own == position);
        let (_, around) = self.around.insert(known.unwrap_or_else(|| {
            (position, surroundings_at(module, declaration, position, self.conventions))
        }));
        around.iterators.clear();
        around.iterators.extend(seen.iterators().cloned());
        around
    }

    /// Returns whether unresolved references of an expression are reported now, left to its evaluation, or ignored.
    fn treatment(&self, seen: &VisitedExpression<'_, '_>) -> FaultTreatment {
        // The content of a dynamic block matters only if it generates a block.
        if seen.iterators().next().is_some() {
            return FaultTreatment::Defer;
        }
        match seen.role {
            // The plan evaluates them.
            ExpressionRole::Enabled
            | ExpressionRole::PreventDestroy
            | ExpressionRole::Destroy
            | ExpressionRole::ActionCondition(_)
            | ExpressionRole::ActionKey(_)
            | ExpressionRole::ImportKey => FaultTreatment::Defer,
            _ if self.is_unread(seen) => FaultTreatment::Ignore,
            _ => FaultTreatment::Report,
        }
    }

    /// Returns true if an expression is in an argument or block of a provider configuration that its schema does not have.
    fn is_unread(&self, seen: &VisitedExpression<'_, '_>) -> bool {
        let Declaration::Provider(at) = self.declaration else { return false };
        let Some(schema) = &self.module.providers[at as usize].schema else { return false };
        match (seen.blocks.first(), seen.role) {
            (Some(block), _) => block.dynamic.is_none() && !schema.block.has_name(&block.kind),
            (None, ExpressionRole::Argument(input)) => !schema.block.has_name(&input.name),
            _ => false,
        }
    }
}

/// Computes the names visible at a position in a declaration besides those of the module, without iterators of `dynamic` blocks.
fn surroundings_at(
    module: &Module,
    declaration: Declaration,
    position: ExpressionPosition,
    conventions: &Conventions,
) -> Surroundings {
    let is_outside =
        matches!(position, ExpressionPosition::Repetition | ExpressionPosition::Setting);
    match declaration {
        Declaration::Variable(_) | Declaration::Local(_) | Declaration::Output(_) => {
            Surroundings::default()
        }
        Declaration::Call(at) => match position {
            ExpressionPosition::Body => Surroundings {
                is_input: true,
                ..Surroundings::inside(&module.calls[at as usize].repetition)
            },
            _ => Surroundings::default(),
        },
        Declaration::Resource(at) => {
            let resource = &module.resources[at as usize];
            let callers = module.names.callers_of(at);
            Surroundings::of_resource(at, resource, position, callers, conventions)
        }
        Declaration::Check(at) => Surroundings::of_check(&module.checks[at as usize]),
        Declaration::Provider(_) | Declaration::Import(_) if is_outside => Surroundings::default(),
        Declaration::Provider(_) => Surroundings::of_provider(),
        Declaration::Import(at) => Surroundings::of_import(&module.imports[at as usize]),
    }
}

/// Resolves the references of `replace_triggered_by`; their targets must exist and are evaluated before the resource.
fn trigger(
    expression: &Expression,
    names: &ModuleNames,
    around: &Surroundings,
    conventions: &Conventions,
    out: &mut Diagnostics,
) -> Box<[ReferentUse]> {
    let located = &expression.located;
    let mut uses = Vec::new();
    for (at, reference) in located.code.references().iter().enumerate() {
        let problem = match names.resolve(reference, around) {
            Ok(target) => {
                uses.push(ReferentUse { target, reference: at as u32 });
                continue;
            }
            Err(problem) => problem,
        };
        if problem.is_news() {
            out.push(problem.at(located.place(reference.span)));
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
        out.push(problem.at(located.place(reference.span)));
    }
    uses.into()
}

/// Reports references in the condition of an action trigger to the resource itself, unless the events are those of a
/// destruction.
fn check_condition(
    trigger: &ActionTrigger,
    condition: &Expression,
    names: &ModuleNames,
    around: &Surroundings,
    out: &mut Diagnostics,
) {
    if trigger.is_destroying() {
        return;
    }
    caller::report_early(trigger, condition, out);
    let located = &condition.located;
    for reference in located.code.references() {
        let Err(problem) = names.resolve(reference, around) else { continue };
        if problem.is_about_itself() {
            let place = located.place_of_first(reference, caller::instance_steps(reference));
            out.push(problem.at(place));
        }
    }
}

/// Returns the diagnostics about an expression's references that do not resolve or name deprecated attributes, and about its
/// calls of functions of undeclared providers.
pub fn problems(
    expression: &Expression,
    names: &ModuleNames,
    around: &Surroundings,
) -> Vec<Diagnostic> {
    let mut out = Diagnostics::new();
    uses_of(expression, names, around, &mut out);
    out.into_vec()
}

/// Returns the referent of each reference of an expression; reports references that do not resolve.
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
