//! Construction of a plan: the prior state, the evaluation, and the action for every instance. After errors, later stages report
//! nothing, because most of it would be consequential.

use std::sync::{Arc, OnceLock};

use groma_config::{DeclarationAddress, DeclarationName, ResourceMode};
use groma_module::declare::{ActionTrigger, Resource};
use groma_module::dialect::Conventions;
use groma_project::{Evaluation, ProjectOptions, ResourceInstance, RootInputs, validate};
use groma_syntax::{Diagnostic, Diagnostics, Severity};

use crate::action::{self};
use crate::change::{Action, Change, ChangeContext, ChangeOwner, ContextCache, ImportId};
use crate::codes;
use crate::facts::PlanFacts;
use crate::options::{PlanGoal, PlanOptions};
use crate::order::DependencyOrder;
use crate::plan::Plan;
use crate::prior::{self, Prior};
use crate::targets::{TargetSelection, is_out_of_scope};
use crate::{
    apply_moves, check_moves, configured, cycle, diagnostics, forget, import, infinite, lifecycle,
    locate, orphans, protect, removed,
};

impl PlanFacts {
    /// Fills these facts from the prior state, moves and imports, for an evaluation without a plan, in which references to
    /// resources then yield planned values. Must be called once, before any resource is evaluated.
    pub fn begin(&self, evaluation: &Evaluation, out: &mut Diagnostics) {
        begin(evaluation, self, &DependencyOrder::of(evaluation.project()), out);
    }
}

/// Reads the prior state, applies moves and imports, and limits the plan to `-target` and `-exclude`, all in `facts`; returns
/// the diagnostic about moves in a cycle, if any. It is reported only where there are no other errors.
fn begin(
    evaluation: &Evaluation,
    facts: &PlanFacts,
    needs: &DependencyOrder,
    out: &mut Diagnostics,
) -> Option<Diagnostic> {
    let mut blocked = None;
    let project = evaluation.project();
    let options = &facts.options;
    if let Some(state) = locate::load(evaluation, &options.state, out) {
        let mut instances = prior::moving_instances(&state);
        blocked = apply_moves::follow(project, &mut instances, out);
        facts.set_prior(Prior::of(Arc::new(state), instances));
    }
    if let Some(scope) = TargetSelection::of(needs, facts.prior(), options) {
        diagnostics::warn_partial(facts, &scope, out);
        let _ = facts.scope.set(scope);
    }
    if options.goal == PlanGoal::Destroy && facts.refreshes() {
        // To destroy everything, the objects are refreshed first, as if they were to stay.
        let stays = PlanOptions { goal: PlanGoal::Change, ..options.clone() };
        if let Some(scope) = TargetSelection::of(needs, facts.prior(), &stays) {
            let _ = facts.evaluated.set(scope);
        }
    }
    // Only a normal plan imports objects.
    if !out.has_errors() && options.goal == PlanGoal::Change {
        import::gather(evaluation, facts);
    }
    diagnostics::check_replacements(facts, out);
    blocked
}

/// Returns true if a declaration is a variable of the root module.
fn is_input(address: &DeclarationAddress) -> bool {
    address.module().is_root() && matches!(address.name(), DeclarationName::Variable(_))
}

/// Returns true if a declaration is a module call.
fn is_call(address: &DeclarationAddress) -> bool {
    matches!(address.name(), DeclarationName::Call(_))
}

/// Evaluates the declarations that the goal of a plan depends on, and returns the diagnostics.
fn evaluate(evaluation: &Evaluation, facts: &PlanFacts) -> Diagnostics {
    let mut found = Diagnostics::new();
    match facts.evaluated_scope() {
        // When everything is kept as recorded, only the inputs must be valid.
        _ if facts.options.invokes.is_some() => {
            let leads = |address: &DeclarationAddress| {
                facts.options.invokes.as_ref().is_some_and(|to| action::is_needed(to, address))
            };
            evaluation.evaluate_where(Some(&leads), &mut found);
        }
        _ if facts.options.goal == PlanGoal::Destroy && !facts.refreshes() => {
            evaluation.evaluate_where(Some(&is_input), &mut found);
        }
        Some(scope) => evaluation
            .evaluate_where(Some(&|address| scope.contains_declaration(address)), &mut found),
        None => evaluation.evaluate_all(&mut found),
    }
    found
}

/// Checks lifecycle settings, imports, moves and removals; returns false if a move or a removal is wrong, so that it is not
/// known which recorded objects they refer to.
fn check_objects(evaluation: &Evaluation, facts: &PlanFacts, out: &mut Diagnostics) -> bool {
    let goal = facts.options.goal;
    if goal == PlanGoal::Change {
        lifecycle::check(evaluation, Some(facts), out);
    }
    // To destroy everything, the objects are refreshed first, as if they were to stay.
    let looks = match goal {
        PlanGoal::Change => true,
        PlanGoal::Destroy => facts.refreshes(),
        PlanGoal::Refresh => false,
    };
    let skips = evaluation.project().conventions().destroying_skips_imports;
    if looks && (goal == PlanGoal::Change || !skips) {
        import::check_values(evaluation, facts.scope.get(), out);
    }
    let before = out.error_count();
    check_moves::check(evaluation, facts.evaluated_scope(), out);
    if looks {
        removed::check(evaluation.project(), out);
    }
    out.error_count() == before
}

/// Returns the diagnostics of an evaluation as a plan with this goal reports them: failed conditions are errors only if the goal
/// is to change objects, and a destroy reports only errors.
fn reported(found: Diagnostics, goal: PlanGoal) -> Diagnostics {
    let mut all = Diagnostics::new();
    for mut one in found.into_vec() {
        let is_rule =
            [&codes::PRECONDITION_FAILED, &codes::POSTCONDITION_FAILED].contains(&one.code);
        if goal != PlanGoal::Change && is_rule {
            one.severity = one.severity.max(Severity::Warning);
        }
        if goal != PlanGoal::Destroy || one.severity == Severity::Error {
            all.push(one);
        }
    }
    all
}

impl Plan {
    /// Creates the plan of an evaluation, which gets its facts about resources from `facts`; `found` are the diagnostics of
    /// loading the project. Errors that do not depend on inputs come first: after errors, later stages report nothing, as most of
    /// it would be consequential.
    pub fn of(
        evaluation: Evaluation,
        facts: Arc<PlanFacts>,
        options: &ProjectOptions,
        found: Diagnostics,
    ) -> Plan {
        let mut diagnostics = found;
        let is_well = !diagnostics.has_errors();
        let inputs = RootInputs::Unknown;
        let mut unknown = options.clone();
        unknown.load.inputs = inputs;
        validate(evaluation.project(), &unknown, &mut diagnostics);
        if is_well && facts.options.goal != PlanGoal::Refresh {
            import::check(evaluation.project(), &mut diagnostics);
        }
        let needs = DependencyOrder::of(evaluation.project());
        let mut early = Diagnostics::new();
        let blocked = begin(&evaluation, &facts, &needs, &mut early);
        if !diagnostics.has_errors() {
            diagnostics.extend(early.into_vec());
        }
        let goal = facts.options.goal;
        let mut found = reported(evaluate(&evaluation, &facts), goal);
        configured::check(evaluation.project(), &facts, &diagnostics, &mut found);
        // Diagnostics about objects mean nothing where the objects themselves are not settled.
        let is_settled = !diagnostics.has_errors() && !found.has_errors();
        let is_astray = is_settled && !check_objects(&evaluation, &facts, &mut found);
        let is_sound = !diagnostics.has_errors();
        let gaps = OnceLock::new();
        let (changes, actions) = (Vec::new(), Vec::new());
        let mut plan = Plan { evaluation, facts, diagnostics, is_sound, gaps, actions, changes };
        plan.changes = plan.work_out(&needs, &mut found);
        if !is_astray {
            diagnostics::warn_forgotten(&plan.changes, goal, &plan.conventions(), &mut found);
        }
        if is_sound {
            if !found.has_errors() {
                plan.actions = match &plan.facts.options.invokes {
                    Some(target) => action::requested(&plan, target, &mut found),
                    None => {
                        let recorded = plan.recorded(options, &needs);
                        action::triggered(&plan, recorded.as_ref(), &mut found)
                    }
                };
            }
            let found = diagnostics::without_known_warnings(found, &plan.diagnostics);
            plan.diagnostics.extend(found);
        }
        if !plan.is_errored() {
            let modules = plan.modules();
            let outputs = plan.outputs();
            infinite::check(&outputs, &modules, &mut plan.diagnostics);
            plan.diagnostics.extend(blocked);
        }
        plan.diagnostics.resolve(plan.evaluation.project().sources());
        plan.evaluation.project().sources().sort(&mut plan.diagnostics);
        plan
    }

    /// Returns the conventions of the plan's edition.
    fn conventions(&self) -> Conventions {
        Conventions::of(self.evaluation.project().edition())
    }

    /// Returns an evaluation of the same project with all resources as recorded, for actions that run while everything is
    /// destroyed; `None` if no such action is declared.
    fn recorded(&self, options: &ProjectOptions, needs: &DependencyOrder) -> Option<Evaluation> {
        if self.goal() != PlanGoal::Destroy
            || !action::has_triggers(self, ActionTrigger::is_destroying)
        {
            return None;
        }
        let project = self.evaluation.project();
        let asked = PlanOptions { goal: PlanGoal::Refresh, ..self.facts.options.clone() };
        let facts = Arc::new(PlanFacts::with(project, asked, self.facts.answers.clone()));
        let evaluation = Evaluation::new(project.clone(), facts.facts(), options.run.clone());
        let mut ignored = Diagnostics::new();
        begin(&evaluation, &facts, needs, &mut ignored);
        evaluation.evaluate_where(Some(&is_call), &mut ignored);
        Some(evaluation)
    }

    /// Returns the changes of every declared instance and of every recorded object that is no longer declared, sorted by
    /// [`Change::order`].
    fn work_out(&self, needs: &DependencyOrder, out: &mut Diagnostics) -> Vec<Change> {
        let (evaluation, facts) = (&self.evaluation, &*self.facts);
        let project = evaluation.project();
        let modules = self.modules();
        let declared = modules.iter().map(|module| {
            let all = 0..module.module().resources.len();
            all.map(|at| module.instance_count(at)).sum::<usize>()
        });
        // There may be very many: no more room is reserved than needed.
        let mut changes = Vec::with_capacity(declared.sum());
        let mut common = ContextCache::default();
        if facts.options.goal == PlanGoal::Change {
            let created_first = needs.created_first(&|one| {
                facts.scope.get().is_none_or(|scope| scope.contains_declaration(one))
            });
            for module in &modules {
                for (at, resource) in module.module().resources.iter().enumerate() {
                    let owner = ChangeOwner::of(module, resource);
                    let name = DeclarationName::Resource(resource.own_name());
                    let whole = DeclarationAddress::new(module.node().path(), name);
                    let is_first = created_first.contains(&whole);
                    for instance in module.instances(at) {
                        let change = match resource.mode {
                            ResourceMode::Managed => {
                                self.change(&owner, resource, instance, is_first)
                            }
                            _ => Change::of_data(&owner, resource, instance),
                        };
                        changes.extend(change.map(|change| common.share(change)));
                    }
                }
            }
        }
        let removals = removed::collect(project);
        changes.extend(orphans::changes(evaluation, facts, &removals, evaluation.schemas()));
        if !changes.is_sorted_by(|one, next| one.order(next).is_le()) {
            // No two are equal, and an unstable sort allocates nothing.
            changes.sort_unstable_by(Change::order);
        }
        out.extend(facts.troubles());
        orphans::check_providers(evaluation, facts, &changes, out);
        protect::check(evaluation, &changes, out);
        if facts.options.goal == PlanGoal::Change && !out.has_errors() {
            cycle::check(facts, needs, &changes, out);
        }
        changes
    }

    /// Returns the change of a declared instance; `is_first` is true if a replacement is created before the old object is
    /// destroyed; `None` if `-target` or `-exclude` leaves it out of the plan, or if its recorded object has no planned
    /// change.
    fn change(
        &self,
        owner: &Arc<ChangeOwner>,
        resource: &Resource,
        instance: ResourceInstance,
        is_first: bool,
    ) -> Option<Change> {
        let facts = &*self.facts;
        if is_out_of_scope(facts.scope.get(), &instance.address) {
            return None;
        }
        let past = facts.prior().instance(&instance.address);
        let Some(decision) = facts.decision(&instance.address) else {
            let is_recorded = past.is_some_and(|past| past.current.is_some());
            return (!is_recorded)
                .then(|| Change::new(owner, resource, instance, Action::Create, None));
        };
        let is_tainted = || facts.prior().current(&instance.address).is_some_and(|one| one.tainted);
        let action = match decision.action {
            Action::DeleteThenCreate if resource.lifecycle().forgets_on_removal => {
                forget::replacement(is_first, is_tainted(), &self.conventions())
            }
            Action::DeleteThenCreate if is_first => Action::CreateThenDelete,
            action => action,
        };
        let from = past.filter(|past| past.current.is_some()).and_then(|past| past.from.as_ref());
        let importing = facts
            .imported(&instance.address)
            .map(|imported| ImportId { id: imported.id.clone(), is_hidden: imported.is_hidden });
        let (kind, name) = (resource.kind.clone(), resource.name.clone());
        let around = ChangeContext {
            action,
            reason: decision.reason,
            previous: from.cloned(),
            importing,
            replace_paths: decision.replace_paths,
            is_open: decision.is_open,
            private: decision.private,
            ..ChangeContext::of(owner.clone(), resource.mode, kind, name)
        };
        // An imported object keeps its known values, whatever dependents may rely on.
        let value = match around.importing.is_some() && resource.block().is_none() {
            true => decision.after,
            false => instance.value,
        };
        let instance = ResourceInstance { value, ..instance };
        Some(Change::with_context(instance, decision.before, around))
    }
}
