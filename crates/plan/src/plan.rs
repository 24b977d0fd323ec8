//! A plan: the evaluation of a project, and what was found on the way. Where there are errors it is
//! not to be carried out, but it still says all that could be told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use groma_folder::{Gaps, Mode};
use groma_module::declare::Resource;
use groma_project::{Evaluation, Inputs, ModuleInstance, Options, ResourceInstance, validate};
use groma_runtime::Dialect;
use groma_syntax::{Diagnostics, Severity};
use groma_value::Value;
use groma_value::json::{Layout, Text};

use crate::action::{self, Invoked};
use crate::change::{Action, Change, Owner};
use crate::codes;
use crate::facts::PlanFacts;
use crate::options::Goal;
use crate::order::Needs;
use crate::output::{self, OutputChange};
use crate::prior::{self, Prior};
use crate::targets::{self, Scope, without_keys};
use crate::{
    gone, import, infinite, json, lifecycle, locate, moved, moves, protect, removed, told,
};

/// What carrying out a configuration would change.
pub struct Plan {
    evaluation: Evaluation,
    diagnostics: Diagnostics,
    /// Whether nothing is wrong whatever the inputs are.
    is_sound: bool,
    gaps: OnceLock<Gaps>,
    facts: Arc<PlanFacts>,
    changes: Vec<Change>,
    actions: Vec<Invoked>,
}

/// Finds out what was there before, where it has gone, and what of all that is planned.
fn begin(evaluation: &Evaluation, facts: &PlanFacts, needs: &Needs, out: &mut Diagnostics) {
    let project = evaluation.project();
    let options = &facts.options;
    if let Some(state) = locate::load(evaluation, &options.state, out) {
        let mut slots = prior::slots(&state);
        moves::follow(project, &mut slots, out);
        facts.begin_with(Prior::of(Arc::new(state), slots));
    }
    if let Some(scope) = Scope::of(needs, facts.prior(), options) {
        told::partial(facts, out);
        let _ = facts.scope.set(scope);
    }
    if !out.has_errors() {
        facts.take_over(import::gather(evaluation));
    }
    told::replaced(facts, out);
}

/// What is told of what an evaluation found: where nothing is made, a broken rule stops nothing, and where all goes only
/// errors matter.
fn told(found: Diagnostics, goal: Goal) -> Diagnostics {
    let mut all = Diagnostics::new();
    for mut one in found.into_vec() {
        let is_rule =
            [&codes::PRECONDITION_FAILED, &codes::POSTCONDITION_FAILED].contains(&one.code);
        if goal != Goal::Change && is_rule {
            one.severity = one.severity.max(Severity::Warning);
        }
        if goal != Goal::Destroy || one.severity == Severity::Error {
            all.push(one);
        }
    }
    all
}

impl Plan {
    /// Plans an evaluation, whose facts are `facts`. `found` is what loading the project found. What is wrong whatever
    /// the inputs are comes first: while there are errors, later stages report nothing, as most of it would only follow.
    pub fn of(
        evaluation: Evaluation,
        facts: Arc<PlanFacts>,
        options: &Options,
        found: Diagnostics,
    ) -> Plan {
        let mut diagnostics = found;
        let is_well = !diagnostics.has_errors();
        let inputs = Inputs::Unknown;
        let mut unknown = options.clone();
        unknown.load.inputs = inputs;
        validate(evaluation.project(), &unknown, &mut diagnostics);
        if is_well {
            import::check(evaluation.project(), &mut diagnostics);
        }
        let needs = Needs::of(evaluation.project());
        let mut early = Diagnostics::new();
        begin(&evaluation, &facts, &needs, &mut early);
        if !diagnostics.has_errors() {
            diagnostics.extend(early.into_vec());
        }
        let mut found = Diagnostics::new();
        let goal = facts.options.goal;
        match facts.scope.get() {
            // Where all goes as it is recorded, only what is given has to be right.
            _ if goal == Goal::Destroy && !facts.options.refreshes => {
                evaluation.evaluate_where(Some(&|one| one.starts_with("var.")), &mut found);
            }
            Some(scope) => evaluation.evaluate_where(Some(&|one| scope.wants(one)), &mut found),
            None => evaluation.evaluate_all(&mut found),
        }
        let mut found = told(found, goal);
        if !diagnostics.has_errors() && !found.has_errors() {
            if goal == Goal::Change {
                lifecycle::check(&evaluation, Some(&facts), &mut found);
                import::check_values(&evaluation, &mut found);
            }
            moved::check(&evaluation, &mut found);
            removed::check(evaluation.project(), &mut found);
        }
        let is_sound = !diagnostics.has_errors();
        let gaps = OnceLock::new();
        let (changes, actions) = (Vec::new(), Vec::new());
        let mut plan = Plan { evaluation, facts, diagnostics, is_sound, gaps, actions, changes };
        plan.changes = plan.work_out(&needs, &mut found);
        if is_sound {
            if !found.has_errors() {
                plan.actions = action::triggered(&plan, &mut found);
            }
            plan.diagnostics.extend(found.into_vec());
        }
        if !plan.is_errored() {
            let modules = plan.modules();
            let outputs = plan.outputs();
            infinite::check(&outputs, &modules, &mut plan.diagnostics);
        }
        plan.diagnostics.resolve(plan.evaluation.project().sources());
        plan.diagnostics.sort_by_place();
        plan
    }

    /// What becomes of every instance, and of what is gone.
    fn work_out(&self, needs: &Needs, out: &mut Diagnostics) -> Vec<Change> {
        let (evaluation, facts) = (&self.evaluation, &*self.facts);
        let project = evaluation.project();
        let mut changes = Vec::new();
        if facts.options.goal == Goal::Change {
            let made_first = needs
                .made_first(project, &|one| facts.scope.get().is_none_or(|scope| scope.wants(one)));
            for module in self.modules() {
                for (at, resource) in module.module().resources.iter().enumerate() {
                    let owner = Owner::of(&module, resource);
                    let around = module.node().address();
                    let whole = match around.is_empty() {
                        true => resource.address(),
                        false => format!("{around}.{}", resource.address()),
                    };
                    let is_first = made_first.contains(&*whole);
                    for instance in module.instances(at) {
                        changes.extend(match resource.mode {
                            Mode::Managed => self.change(&owner, resource, instance, is_first),
                            _ => Change::of_data(&owner, resource, instance),
                        });
                    }
                }
            }
        }
        let removals = removed::collect(project);
        changes.extend(gone::changes(evaluation, facts, &removals, evaluation.schemas()));
        changes.sort_by(Change::order);
        out.extend(facts.troubles());
        gone::check_providers(evaluation, facts, &changes, out);
        protect::check(evaluation, &changes, out);
        told::forgotten(&changes, out);
        changes
    }

    /// What becomes of a declared instance.
    fn change(
        &self,
        owner: &Arc<Owner>,
        resource: &Resource,
        instance: ResourceInstance,
        is_first: bool,
    ) -> Option<Change> {
        let facts = &*self.facts;
        if targets::is_left(facts.scope.get(), &instance.address) {
            return None;
        }
        let slot = facts.prior().slot(&instance.address);
        let Some(decision) = facts.decision(&instance.address) else {
            let is_recorded = slot.is_some_and(|slot| slot.current.is_some());
            return (!is_recorded)
                .then(|| Change::new(owner, resource, instance, Action::Create, None));
        };
        let action = match decision.action {
            Action::DeleteThenCreate if is_first => Action::CreateThenDelete,
            action => action,
        };
        let from = slot.filter(|slot| slot.current.is_some()).and_then(|slot| slot.from.as_ref());
        let importing = facts.imported(&instance.address).map(|imported| imported.id.clone());
        let change = Change::new(owner, resource, instance, action, decision.reason);
        Some(Change {
            before: decision.before,
            previous: from.map(ToString::to_string),
            importing,
            replace_paths: decision.replace_paths,
            is_open: decision.is_open,
            ..change
        })
    }

    /// Whether the configuration is wrong.
    pub fn is_errored(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// Whether all that is wrong shows only once values are known: then what was planned until there says something.
    pub fn is_partial(&self) -> bool {
        self.is_errored() && self.is_sound
    }

    /// What could not be looked at, so that the plan says nothing of it.
    pub fn gaps(&self) -> &Gaps {
        self.gaps.get_or_init(|| self.evaluation.gaps())
    }

    /// Whether all that would be done is told.
    pub fn is_complete(&self) -> bool {
        !self.is_errored() && self.gaps().is_empty()
    }

    /// Makes it an error if the plan is not all there is to say.
    pub fn demand_complete(&mut self) {
        if let Some(found) = self.gaps().diagnostic() {
            self.diagnostics.push(found);
        }
    }

    /// The time that the plan is made for, if the clock is pinned.
    pub(crate) fn time(&self) -> Option<String> {
        let mut silent = Diagnostics::new();
        let asked = self.evaluation.evaluate_text("plantimestamp()", "<time>", &mut silent);
        match asked.bare() {
            Value::String(time) => Some(time.to_string()),
            _ => None,
        }
    }

    /// What was found.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// What is planned.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Every module instance, the outer ones first.
    pub fn modules(&self) -> Vec<ModuleInstance> {
        let mut all = vec![self.evaluation.root()];
        let mut at = 0;
        while at < all.len() {
            let children: Vec<ModuleInstance> = all[at].children().collect();
            all.extend(children);
            at += 1;
        }
        all
    }

    /// What becomes of every instance, in the order of lists.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What was there before.
    pub(crate) fn facts(&self) -> &PlanFacts {
        &self.facts
    }

    /// What becomes of the outputs of the root module, by name.
    pub fn outputs(&self) -> Vec<OutputChange> {
        output::changes(self)
    }

    /// Whether a refresh would record objects otherwise: what they were made from may be written otherwise now.
    fn is_recorded_anew(&self) -> bool {
        let needs = Needs::of(self.evaluation.project());
        let prior = self.facts.prior();
        let mut known: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        prior.slots().iter().any(|slot| {
            let Some(object) = slot.current.and_then(|at| prior.object(at)) else { return false };
            let whole = without_keys(&slot.address);
            if needs.position(&whole).is_none() {
                return false;
            }
            let now = known.entry(whole).or_insert_with_key(|whole| needs.resources_of(whole));
            let was: BTreeSet<&str> = object.dependencies.iter().map(|one| &**one).collect();
            was != *now
        })
    }

    /// Whether carrying it out would change anything.
    pub fn is_change(&self) -> bool {
        let is_refresh = self.facts.options.goal == Goal::Refresh;
        let is_tofu = self.evaluation.project().edition().dialect == Dialect::OpenTofu;
        // Terraform records what it knows of outputs when it refreshes, and leaves the rest.
        let counts = |output: &OutputChange| {
            let is_recorded = output.action != Action::Delete && output.after.is_wholly_known();
            output.action != Action::NoOp && (is_tofu || !is_refresh || is_recorded)
        };
        self.changes.iter().any(Change::is_change)
            || is_refresh && (self.facts.takes_over() || self.is_recorded_anew())
            || self.outputs().iter().any(counts)
    }

    /// The actions that would run, in the order of lists of the resources that trigger them.
    pub fn actions(&self) -> &[Invoked] {
        &self.actions
    }

    /// The plan as JSON.
    pub fn json(&self) -> String {
        let mut text = Text::new(Layout::Compact);
        self.write_json(&mut text);
        text.into_string()
    }

    /// Writes the plan as JSON; text with a reader hands it on piece by piece, so that the whole never stands in memory.
    pub fn write_json(&self, out: &mut Text<'_>) {
        json::document(self, out);
    }
}
