//! A plan: the evaluation of a project, and what was found on the way. Where there are errors it is
//! not to be carried out, but it still says all that could be told.

use std::sync::OnceLock;

use groma_folder::Gaps;
use groma_project::{Evaluation, Inputs, ModuleInstance, Options, validate};
use groma_syntax::Diagnostics;
use groma_value::Value;
use groma_value::json::{Layout, Text};

use crate::action::{self, Invoked};
use crate::change::{Change, Owner};
use crate::{import, infinite, json, lifecycle, moved};

/// What carrying out a configuration would change.
pub struct Plan {
    evaluation: Evaluation,
    diagnostics: Diagnostics,
    /// Whether nothing is wrong whatever the inputs are.
    is_sound: bool,
    gaps: OnceLock<Gaps>,
    actions: Vec<Invoked>,
}

impl Plan {
    /// Plans an evaluation. `found` is what loading the project found. What is wrong whatever the
    /// inputs are comes first: while there are errors, later stages report nothing, as most of it
    /// would only follow.
    pub fn of(evaluation: Evaluation, options: &Options, found: Diagnostics) -> Plan {
        let mut diagnostics = found;
        let is_well = !diagnostics.has_errors();
        let inputs = Inputs::Unknown;
        let unknown = Options { inputs, ..options.clone() };
        validate(evaluation.project(), &unknown, &mut diagnostics);
        if is_well {
            import::check(evaluation.project(), &mut diagnostics);
        }
        let mut found = Diagnostics::new();
        evaluation.evaluate_all(&mut found);
        if !diagnostics.has_errors() && !found.has_errors() {
            lifecycle::check(&evaluation, &mut found);
            import::check_values(&evaluation, &mut found);
            moved::check(&evaluation, &mut found);
        }
        let is_sound = !diagnostics.has_errors();
        let gaps = OnceLock::new();
        let mut plan = Plan { evaluation, diagnostics, is_sound, gaps, actions: Vec::new() };
        if is_sound && !found.has_errors() {
            plan.actions = action::triggered(&plan, &mut found);
        }
        if is_sound {
            plan.diagnostics.extend(found.into_vec());
        }
        if !plan.is_errored() {
            let modules = plan.modules();
            infinite::check(&plan.evaluation, &modules, &mut plan.diagnostics);
        }
        plan.diagnostics.sort_by_place();
        plan
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
    pub fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        for module in self.modules() {
            for (at, resource) in module.module().resources.iter().enumerate() {
                let owner = Owner::of(&module, resource);
                let instances = module.instances(at);
                changes.extend(instances.filter_map(|i| Change::of(&owner, resource, i)));
            }
        }
        changes.sort_by(Change::order);
        changes
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
