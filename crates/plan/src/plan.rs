//! A plan: the evaluation of a project, and its diagnostics. A plan with errors must not be applied, but still contains
//! everything that could be computed.

use std::sync::{Arc, OnceLock};

use groma_config::{DeclarationAddress, Incompleteness, InstanceAddress, ResourceMode};
use groma_project::{ConditionVerdict, Evaluation, ModuleInstance};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Value, sentence::plural};
use rustc_hash::FxHashSet;

use crate::change::{Action, Change, ChangeOwner, ContextCache};
use crate::facts::PlanFacts;
use crate::forget;
use crate::invocation::InvokedAction;
use crate::options::PlanGoal;
use crate::order::DependencyOrder;
use crate::prior::PriorInstance;
use crate::targets::TargetSelection;

/// The changes that carrying out a configuration would make.
pub struct Plan {
    pub(crate) evaluation: Evaluation,
    pub(crate) diagnostics: Diagnostics,
    /// True if there are no errors that are independent of inputs.
    pub(crate) is_sound: bool,
    pub(crate) gaps: OnceLock<Incompleteness>,
    pub(crate) facts: Arc<PlanFacts>,
    pub(crate) changes: Vec<Change>,
    pub(crate) actions: Vec<InvokedAction>,
}

impl Plan {
    /// Returns true if the plan has errors.
    pub fn is_errored(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// Returns true if the plan has errors, but none from loading and validating the code or reading the state: then the
    /// changes computed so far are meaningful.
    pub fn is_partial(&self) -> bool {
        self.is_errored() && self.is_sound
    }

    /// Returns everything that could not be evaluated and that the plan therefore does not cover.
    pub fn gaps(&self) -> &Incompleteness {
        self.gaps.get_or_init(|| self.evaluation.gaps().with_newer_constructs(&self.diagnostics))
    }

    /// Returns true if `-target` or `-exclude` limits the plan to nothing: to no instance and no data source.
    pub fn has_empty_scope(&self) -> bool {
        let has_some = |scope: &TargetSelection| {
            scope.has_data_sources()
                || self.changes.iter().any(|one| scope.contains_instance(&one.instance.address))
        };
        self.facts.scope.get().is_some_and(|scope| !has_some(scope))
    }

    /// Returns true if every change that applying would make is listed in the plan.
    pub fn is_complete(&self) -> bool {
        !self.is_errored() && self.gaps().is_empty() && !self.evaluation.is_waiting()
    }

    /// Adds an error to the plan's diagnostics if the plan is incomplete.
    pub fn demand_complete(&mut self) {
        if let Some(found) = self.gaps().diagnostic() {
            self.diagnostics.push(found);
        }
    }

    /// Adds an error to the plan's diagnostics if this plan, or the plan `base` it is compared with, is incomplete.
    pub fn demand_both_complete(&mut self, base: &Plan) {
        self.demand_complete();
        if base.is_complete() || self.gaps().diagnostic().is_some() {
            return;
        }
        let errors = base.diagnostics.error_count();
        let why = match base.gaps().summary() {
            _ if errors > 0 => format!("its code has {}", plural(errors, "error")),
            lacks if lacks.is_empty() => "it is not completely evaluated".to_owned(),
            lacks => lacks,
        };
        let detail = format!(
            "With --strict everything has to be read and decided, but the base of the comparison is not: {why}."
        );
        self.diagnostics.push(Diagnostic::error(&groma_config::codes::INCOMPLETE, detail));
    }

    /// Returns the plan's timestamp, the value of `plantimestamp()`; `None` if it is unknown, because the evaluation has no
    /// fixed time.
    pub(crate) fn time(&self) -> Option<String> {
        let mut silent = Diagnostics::new();
        let asked = self.evaluation.evaluate_text("plantimestamp()", "<time>", &mut silent);
        match asked.bare() {
            Value::String(time) => Some(time.to_string()),
            _ => None,
        }
    }

    /// Returns the diagnostics of loading, evaluating and planning.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Returns the evaluation of the project that the plan is made of.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Returns every instance of the project's modules, outer ones first.
    pub fn modules(&self) -> Vec<ModuleInstance> {
        modules_of(&self.evaluation)
    }

    /// Returns the goal of the plan: changing, destroying or refreshing objects.
    pub fn goal(&self) -> PlanGoal {
        self.facts.options.goal
    }

    /// Returns every declared instance of resources and data sources as if nothing existed yet, sorted by [`Change::order`]. If
    /// errors leave the plan open, faulty ones are omitted.
    pub fn declared(&self) -> Vec<Change> {
        let mut all = Vec::new();
        let mut common = ContextCache::default();
        for module in self.modules() {
            for (at, resource) in module.module().resources.iter().enumerate() {
                let action = match resource.mode {
                    ResourceMode::Managed => Action::Create,
                    ResourceMode::Data => Action::Read,
                    _ => continue,
                };
                let owner = ChangeOwner::of(&module, resource);
                for instance in module.instances(at) {
                    let verdict = instance.outcome.as_ref().map(|outcome| outcome.verdict);
                    if !self.is_errored()
                        || verdict.is_none_or(|verdict| verdict < ConditionVerdict::Fail)
                    {
                        let change = Change::new(&owner, resource, instance, action, None);
                        all.push(common.share(change));
                    }
                }
            }
        }
        all.sort_by(Change::order);
        all
    }

    /// Returns the changes of all instances: outer modules first, data before managed resources, then by names and keys.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns the change of the current object at an instance address; `None` if the plan has none.
    pub(crate) fn change_at(&self, address: &InstanceAddress) -> Option<&Change> {
        let at = self.changes.binary_search_by(|change| change.order_to_address(address)).ok()?;
        self.changes.get(at)
    }

    /// Returns the facts about resources that the plan was evaluated with.
    pub(crate) fn facts(&self) -> &PlanFacts {
        &self.facts
    }

    /// Returns true if a refresh would change recorded properties of objects besides their values: dependencies, order of
    /// replacement, or the setting not to destroy. The built-in provider stores nothing.
    fn is_recorded_anew(&self) -> bool {
        let project = self.evaluation.project();
        let needs = DependencyOrder::of(project);
        let created_first = needs.created_first(&|_| true);
        let let_go = forget::addresses(project);
        let prior = self.facts.prior();
        let is_same =
            |a: &PriorInstance, b: &PriorInstance| a.address.resource() == b.address.resource();
        // The instances are sorted, so those of a resource follow each other, and a refresh would record the same of each.
        prior.instances().chunk_by(is_same).any(|instances| {
            let Some(first) = instances.first() else { return false };
            let resource = DeclarationAddress::from(first.address.resource());
            if needs.position(&resource).is_none() {
                return false;
            }
            let dependencies = needs.resources_of(&resource);
            let is_made_first = created_first.contains(&resource);
            let is_kept = let_go.as_ref().is_some_and(|all| all.contains(&resource));
            let mut objects = instances.iter().filter_map(|past| prior.object(past.current?));
            objects.any(|object| {
                if object.is_made_first != is_made_first
                    || let_go.is_some() && object.is_kept != is_kept
                    || object.is_built_in() && object.private.is_some()
                {
                    return true;
                }
                let was: FxHashSet<&str> = object.dependencies.iter().map(|one| &**one).collect();
                // Recorded dependencies are kept beside the configured ones.
                !dependencies.iter().all(|one| was.contains(&**one))
            })
        })
    }

    /// Returns true if applying the plan would change anything.
    pub fn is_change(&self) -> bool {
        if self.facts.options.invokes.is_some() {
            return !self.actions.is_empty();
        }
        let is_refresh = self.facts.options.goal == PlanGoal::Refresh;
        self.changes.iter().any(Change::is_change)
            || is_refresh && self.is_recorded_anew()
            || self.changes_outputs()
    }

    /// Returns the actions that applying the plan would run, in the order of the resources that trigger them.
    pub fn actions(&self) -> &[InvokedAction] {
        &self.actions
    }
}

/// Returns every module instance of an evaluation, outer ones first.
pub(crate) fn modules_of(evaluation: &Evaluation) -> Vec<ModuleInstance> {
    let mut all = vec![evaluation.root()];
    let mut at = 0;
    while at < all.len() {
        let children: Vec<ModuleInstance> = all[at].children().collect();
        all.extend(children);
        at += 1;
    }
    all
}
