//! What becomes of the outputs of the root module: they are compared with the recorded ones.

use std::collections::BTreeMap;

use groma_syntax::Diagnostics;
use groma_value::{Str, Value, ops};

use crate::change::Action;
use crate::options::Goal;
use crate::plan::Plan;

/// An output and what becomes of it.
#[derive(Clone, Debug)]
pub struct OutputChange {
    /// Its name.
    pub name: Str,
    /// What is done.
    pub action: Action,
    /// What was recorded, null where nothing was.
    pub before: Value,
    /// Its value, null where it goes.
    pub after: Value,
    /// Whether it is not to be shown, as it was or as it will be.
    pub sensitive: bool,
    /// Whether its declaration says so.
    pub declared_sensitive: bool,
}

/// What becomes of them, by name.
pub(crate) fn changes(plan: &Plan) -> Vec<OutputChange> {
    let facts = plan.facts();
    let (prior, goal, scope) = (facts.prior(), facts.options.goal, facts.scope.get());
    let mut found = BTreeMap::new();
    if goal != Goal::Destroy {
        let declared = &plan.evaluation().project().root().outputs;
        let wanted = declared
            .iter()
            .filter(|one| scope.is_none_or(|scope| scope.wants(&format!("output.{}", &*one.name))));
        for declared in wanted {
            let Some(output) = plan.evaluation().output(&declared.name, &mut Diagnostics::new())
            else {
                continue;
            };
            let recorded = prior.output(&output.name);
            let before = recorded.map_or(Value::NULL, |recorded| recorded.value.clone());
            let was_sensitive = recorded.is_some_and(|recorded| recorded.sensitive);
            let (after, _) = output.value.unmark_deep();
            let action = match (before.is_null(), after.is_null()) {
                (true, true) => Action::NoOp,
                (true, false) => Action::Create,
                _ if after.is_wholly_known()
                    && ops::same(&before, &after)
                    && was_sensitive == output.sensitive =>
                {
                    Action::NoOp
                }
                _ => Action::Update,
            };
            let change = OutputChange {
                name: output.name.clone(),
                action,
                before,
                after: output.value,
                sensitive: output.sensitive || was_sensitive,
                declared_sensitive: output.sensitive,
            };
            found.insert(output.name, change);
        }
    }
    // Where only a part is planned, what is no longer declared stays.
    let gone = prior.outputs().iter().filter(|(name, _)| {
        let is_declared = plan.evaluation().project().root().output_names().any(|one| *one == **name);
        scope.is_none() && (goal == Goal::Destroy || !is_declared)
    });
    for (name, recorded) in gone {
        let change = OutputChange {
            name: name.clone(),
            action: Action::Delete,
            before: recorded.value.clone(),
            after: Value::NULL,
            sensitive: recorded.sensitive,
            declared_sensitive: recorded.sensitive,
        };
        found.insert(name.clone(), change);
    }
    found.into_values().collect()
}
