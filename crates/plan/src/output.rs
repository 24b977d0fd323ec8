//! Changes of the root module's outputs against the recorded ones.

use std::collections::BTreeMap;

use groma_config::{DeclarationAddress, DeclarationName, ModulePath};
use groma_module::declare::Output;
use groma_syntax::Diagnostics;
use groma_value::{Str, Value, ops};

use crate::change::Action;
use crate::options::PlanGoal;
use crate::plan::Plan;

/// A root module output and its planned action.
#[derive(Clone, Debug)]
pub struct OutputChange {
    /// The name of the output.
    pub name: Str,
    /// The action.
    pub action: Action,
    /// The recorded value, null if there is none.
    pub before: Value,
    /// The planned value, null if it is removed.
    pub after: Value,
    /// True if the old or the new value is sensitive.
    pub sensitive: bool,
    /// True if it is declared sensitive.
    pub declared_sensitive: bool,
}

impl Plan {
    /// Returns the changes of the root module's outputs, sorted by name.
    pub fn outputs(&self) -> Vec<OutputChange> {
        changes(self)
    }

    /// Returns true if applying the plan would change a recorded output.
    pub(crate) fn changes_outputs(&self) -> bool {
        let is_refresh = self.goal() == PlanGoal::Refresh;
        let counts_all = self.facts().conventions().refresh_counts_all_outputs;
        // A refresh records the known outputs and may leave the others.
        let counts = |output: &OutputChange| {
            let is_recorded = output.action != Action::Delete && output.after.is_wholly_known();
            output.action != Action::NoOp && (counts_all || !is_refresh || is_recorded)
        };
        self.outputs().iter().any(counts)
    }
}

/// Returns the changes of the root module's outputs against the recorded ones, sorted by name.
fn changes(plan: &Plan) -> Vec<OutputChange> {
    let facts = plan.facts();
    let (prior, goal, scope) = (facts.prior(), facts.options.goal, facts.scope.get());
    if facts.options.invokes.is_some() {
        return Vec::new();
    }
    let mut found = BTreeMap::new();
    let is_destroyed = goal == PlanGoal::Destroy;
    let refreshes = facts.refreshes();
    if !is_destroyed || refreshes {
        let declared = &plan.evaluation().project().root().outputs;
        let wanted = declared
            .iter()
            .filter(|one| scope.is_none_or(|scope| scope.contains_declaration(&address_of(one))));
        for declared in wanted {
            let Some(output) = plan.evaluation().output(&declared.name, &mut Diagnostics::new())
            else {
                continue;
            };
            let recorded = prior.output(&output.name);
            let before = recorded.map_or(Value::NULL, |recorded| recorded.value.clone());
            let was_sensitive = recorded.is_some_and(|recorded| recorded.sensitive);
            let (after, _) = output.value.unmark_deep();
            if is_destroyed {
                // An output is removed together with its present value.
                let (before, sensitive) = match after.is_wholly_known() {
                    true => (after, output.sensitive),
                    false => (before, was_sensitive),
                };
                if !before.is_null() {
                    let gone = deleted_output(&output.name, before, sensitive);
                    found.insert(output.name, gone);
                }
                continue;
            }
            let action = match (recorded, after.is_null()) {
                (_, true) if before.is_null() => Action::NoOp,
                (None, _) => Action::Create,
                _ if after.is_wholly_known()
                    && ops::same(&before, &after)
                    && was_sensitive == output.sensitive =>
                {
                    Action::NoOp
                }
                _ => Action::Update,
            };
            // If nothing is done it keeps its recorded value.
            let after = match (recorded, action) {
                (Some(recorded), Action::NoOp) if before.is_null() => {
                    Value::null(recorded.ty.clone())
                }
                (None, Action::NoOp) => Value::NULL,
                _ => output.value,
            };
            let change = OutputChange {
                name: output.name.clone(),
                action,
                before,
                after,
                sensitive: output.sensitive || was_sensitive,
                declared_sensitive: output.sensitive,
            };
            found.insert(output.name, change);
        }
    }
    // In a partial plan undeclared outputs are kept.
    let root = plan.evaluation().project().root();
    let is_declared = |name: &str| root.output_names().any(|one| one == name);
    for (name, recorded) in prior.outputs() {
        let stays = is_declared(name) && (!is_destroyed || refreshes);
        if scope.is_none() && !stays {
            found.insert(
                name.clone(),
                deleted_output(name, recorded.value.clone(), recorded.sensitive),
            );
        }
    }
    found.into_values().collect()
}

/// Returns the deletion of an output that is no longer declared, or that a destroy removes; `sensitive` is true if its value
/// `before` is.
fn deleted_output(name: &Str, before: Value, sensitive: bool) -> OutputChange {
    OutputChange {
        name: name.clone(),
        action: Action::Delete,
        before,
        after: Value::NULL,
        sensitive,
        declared_sensitive: sensitive,
    }
}

/// Returns the address of an output of the root module.
fn address_of(output: &Output) -> DeclarationAddress {
    DeclarationAddress::new(ModulePath::ROOT, DeclarationName::Output(output.name.clone()))
}
