//! Diagnostics about a plan as a whole: partial plans, forgotten objects, requests without effect.

use groma_config::{InstanceKey, first_of};
use groma_module::dialect::Conventions;
use groma_syntax::{Diagnostic, Diagnostics, Severity};

use rustc_hash::FxHashSet;

use crate::change::{Action, Change};
use crate::codes;
use crate::facts::PlanFacts;
use crate::options::PlanGoal;
use crate::targets::TargetSelection;

/// Maximum number of addresses that a diagnostic about the plan lists; further ones are counted.
const MAX_LISTED: usize = 10;

/// Warns that `-target` or `-exclude` limits the plan, and lists objects that moved to an address outside of these limits.
pub(crate) fn warn_partial(facts: &PlanFacts, scope: &TargetSelection, out: &mut Diagnostics) {
    let detail = "Only what -target or -exclude selects is planned, with its dependencies; everything else is left as it is, whatever the code says.";
    out.push(Diagnostic::warning(&codes::PARTIAL_PLAN, detail));
    let mut outside = Vec::new();
    for past in facts.prior().instances() {
        let (Some(from), to) = (&past.from, &past.address) else { continue };
        if !(scope.covers(from) && scope.covers(to)) {
            outside.push(format!("{from} to {to}"));
        }
    }
    if !outside.is_empty() {
        let detail = format!(
            "Both ends of a move have to be planned, and one is left out here: {}. Select the old and the new addresses too.",
            first_of(&outside, ", ", MAX_LISTED)
        );
        out.push(Diagnostic::error(&codes::MOVED_OUTSIDE, detail));
    }
}

/// Warns of objects that are no longer managed. Some programs do not mention those replaced by another object or removed by a
/// destroy.
pub(crate) fn warn_forgotten(
    changes: &[Change],
    goal: PlanGoal,
    conventions: &Conventions,
    out: &mut Diagnostics,
) {
    let is_shown = |change: &&Change| match change.action {
        Action::Forget => {
            conventions.lists_all_forgotten || goal != PlanGoal::Destroy || change.deposed.is_some()
        }
        action => action.forgets() && conventions.lists_all_forgotten,
    };
    let gone = changes.iter().filter(is_shown);
    let names: Vec<String> = gone
        .map(|change| match &change.deposed {
            Some(key) => format!("{} (deposed {})", change.instance.address, &**key),
            None => change.instance.address.to_string(),
        })
        .collect();
    if !names.is_empty() {
        let detail = format!(
            "These objects are not destroyed, but no longer managed: {}. To manage one again, import it.",
            first_of(&names, ", ", MAX_LISTED)
        );
        out.push(Diagnostic::warning(&codes::FORGOTTEN, detail));
    }
}

/// Warns of `-replace` addresses without an instance key, where all recorded instances of the resource have keys.
pub(crate) fn check_replacements(facts: &PlanFacts, out: &mut Diagnostics) {
    for target in &facts.options.replaces {
        let Some(address) = target.instance() else { continue };
        if *address.key() != InstanceKey::None || facts.prior().instance(&address).is_some() {
            continue;
        }
        let keys = facts.prior().keys(address.resource()).iter();
        let near: Vec<String> = keys.map(|key| format!("{address}{key}")).collect();
        if !near.is_empty() {
            let detail = format!(
                "{address} has several instances; -replace takes the address of one: {}.",
                first_of(&near, ", ", MAX_LISTED)
            );
            out.push(Diagnostic::warning(&codes::REPLACE_INCOMPLETE, detail));
        }
    }
}

/// Returns the diagnostics of an evaluation without those warnings that an earlier evaluation has reported in `before` already.
pub(crate) fn without_known_warnings(found: Diagnostics, before: &Diagnostics) -> Vec<Diagnostic> {
    let identity = |one: &Diagnostic| (one.place, one.code.slug, one.detail.to_string());
    let warnings = before.iter().filter(|one| one.severity == Severity::Warning);
    let known: FxHashSet<_> = warnings.map(identity).collect();
    let mut all = found.into_vec();
    all.retain(|one| one.severity != Severity::Warning || !known.contains(&identity(one)));
    all
}
