//! The scope of a partial plan: the targets with their dependencies; for a destroy, the targets with their dependents.

use std::collections::{BTreeMap, BTreeSet};

use groma_address::text::{module_and_rest, modules_around, without_keys};
use groma_config::AddressPattern;
use groma_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::options::{PlanGoal, PlanOptions};
use crate::order::DependencyOrder;
use crate::prior::Prior;

/// The scope of a partial plan.
#[derive(Debug)]
pub(crate) struct TargetSelection {
    /// The declarations in scope, by address without keys.
    declared: FxHashSet<String>,
    /// The declarations that are named as targets, not only needed.
    named: FxHashSet<String>,
    targets: OuterAddresses,
    excludes: OuterAddresses,
}

/// Addresses that include everything below them.
#[derive(Debug)]
struct OuterAddresses(FxHashSet<String>);

impl OuterAddresses {
    /// Collects the addresses.
    fn of(targets: impl Iterator<Item: ToString>) -> OuterAddresses {
        OuterAddresses(targets.map(|target| target.to_string()).collect())
    }

    /// Returns true if an address is one of these or below one. An address without a key includes all instances.
    fn hold(&self, address: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let ends = address.match_indices(['.', '[']).map(|(at, _)| &address[..at]);
        ends.chain([address]).any(|outer| self.0.contains(outer))
    }
}

impl TargetSelection {
    /// Returns the scope of a plan; `None` if it is everything.
    pub(crate) fn of(
        needs: &DependencyOrder,
        prior: &Prior,
        options: &PlanOptions,
    ) -> Option<TargetSelection> {
        let is_whole = options.targets.is_empty() && options.excludes.is_empty();
        if is_whole || options.invokes.is_some() {
            return None;
        }
        let is_destroyed = options.goal == PlanGoal::Destroy;
        let recorded = RecordedDependencies::of(prior);
        let is_meant = |kind| matches!(kind, "resource" | "data");
        let named = |patterns: OuterAddresses| -> FxHashSet<String> {
            let declared = needs.all().filter(|(_, _, kind)| is_meant(kind));
            let declared = declared.map(|(_, address, _)| address);
            let all = declared.chain(recorded.names.iter().map(String::as_str));
            all.filter(|one| patterns.hold(one)).map(str::to_owned).collect()
        };
        let fixed_all = |targets: &[AddressPattern]| {
            OuterAddresses::of(targets.iter().map(AddressPattern::without_keys))
        };
        let (targets, excludes) =
            (named(fixed_all(&options.targets)), named(fixed_all(&options.excludes)));
        let spread = |from: &FxHashSet<String>, forward: bool| -> FxHashSet<String> {
            // Recorded dependencies count, whatever is configured now.
            if is_destroyed {
                return recorded.tied(from, forward);
            }
            let at = from.iter().filter_map(|one| needs.position(one));
            let more = if forward { needs.needed(at) } else { needs.needing(at) };
            let names = needs.all().filter(|(at, ..)| more.contains(at));
            from.iter().cloned().chain(names.map(|(_, name, _)| name.to_owned())).collect()
        };
        let mut declared: FxHashSet<String> = match options.targets.is_empty() {
            false => {
                let mut all = spread(&targets, !is_destroyed);
                all.extend(calls_around(&targets, needs));
                all
            }
            true => {
                let all = needs.all().map(|(_, name, _)| name.to_owned());
                all.chain(recorded.names.iter().cloned()).collect()
            }
        };
        // If single instances are excluded, the other instances of the resource stay.
        let whole = options.excludes.iter().filter(|target| !target.has_keys());
        let whole = named(OuterAddresses::of(whole.map(AddressPattern::without_keys)));
        let out = spread(&excludes, is_destroyed);
        let is_out = |one: &String| whole.contains(one) || !excludes.contains(one);
        declared.retain(|one| !(out.contains(one) && is_out(one)));
        // An output is included if all its dependencies are; checks are not.
        let resources = || needs.all().filter(|(_, _, kind)| is_meant(kind));
        let made_of_some = needs.needing(resources().map(|(at, ..)| at));
        let missing = resources().filter(|(_, address, _)| !declared.contains(*address));
        let lack_some = needs.needing(missing.map(|(at, ..)| at));
        let outputs = needs
            .all()
            .filter(|(_, address, kind)| *kind == "output" && !address.starts_with("module."));
        let mut follow = Vec::new();
        for (at, address, _) in outputs {
            if !is_destroyed && made_of_some.contains(&at) && !lack_some.contains(&at) {
                follow.push(at);
            }
            declared.remove(address);
        }
        let follow = needs.needed(follow);
        let followed = needs.all().filter(|(at, ..)| follow.contains(at));
        declared.extend(followed.map(|(_, name, _)| name.to_owned()));
        for (_, address, _) in needs.all().filter(|(_, _, kind)| *kind == "check") {
            declared.remove(address);
        }
        let all = |targets: &[AddressPattern]| OuterAddresses::of(targets.iter().cloned());
        Some(TargetSelection {
            declared,
            named: targets,
            targets: all(&options.targets),
            excludes: all(&options.excludes),
        })
    }

    /// Returns true if an address is named as a target.
    pub(crate) fn covers(&self, target: &AddressPattern) -> bool {
        let address = target.to_string();
        let is_chosen = self.targets.0.is_empty() || self.targets.hold(&address);
        is_chosen && !self.excludes.hold(&address)
    }

    /// Returns true if data sources are read.
    pub(crate) fn reads(&self) -> bool {
        let is_data = |one: &String| module_and_rest(one).1.starts_with("data.");
        self.declared.iter().any(is_data)
    }

    /// Returns true if a declaration is in scope.
    pub(crate) fn wants(&self, address: &str) -> bool {
        self.declared.contains(address)
    }

    /// Returns true if an instance of a declaration in scope is planned.
    pub(crate) fn holds(&self, address: &str) -> bool {
        if self.excludes.hold(address) {
            return false;
        }
        let whole = without_keys(address);
        self.declared.contains(&whole)
            && (!self.named.contains(&whole) || self.targets.hold(address))
    }

    /// Returns true if an object of a missing module instance is planned: any key matches.
    pub(crate) fn holds_any(&self, address: &str) -> bool {
        self.declared.contains(&without_keys(address))
    }

    /// Returns true if deposed objects at an address are planned: only those of named targets are.
    pub(crate) fn holds_deposed(&self, address: &str) -> bool {
        self.holds(address) && (self.targets.0.is_empty() || self.targets.hold(address))
    }
}

/// Returns the module calls around orphaned targets, with their dependencies: the existence of a module decides about its
/// objects.
fn calls_around(targets: &FxHashSet<String>, needs: &DependencyOrder) -> Vec<String> {
    let gone = targets.iter().filter(|one| needs.position(one).is_none());
    let modules: BTreeSet<&str> = gone.flat_map(|one| modules_around(one)).collect();
    let calls = needs.needed(modules.into_iter().filter_map(|one| needs.position(one)));
    needs.all().filter(|(at, ..)| calls.contains(at)).map(|(_, name, _)| name.to_owned()).collect()
}

/// Returns true if an address is one of the targets or below one.
pub(crate) fn is_covered(targets: &[AddressPattern], address: &str) -> bool {
    OuterAddresses::of(targets.iter().cloned()).hold(address)
}

/// Returns true if an instance is outside the scope.
pub(crate) fn is_left(scope: Option<&TargetSelection>, address: &str) -> bool {
    scope.is_some_and(|scope| !scope.holds(address))
}

/// The recorded dependencies among objects.
struct RecordedDependencies {
    names: BTreeSet<String>,
    /// The dependencies of each object.
    made_from: BTreeMap<String, BTreeSet<Str>>,
}

impl RecordedDependencies {
    /// Reads the dependencies of a prior state.
    fn of(prior: &Prior) -> RecordedDependencies {
        let mut found = RecordedDependencies { names: BTreeSet::new(), made_from: BTreeMap::new() };
        for slot in prior.slots() {
            let Some(target) = &slot.target else { continue };
            let name = target.without_keys().to_string();
            for object in slot.objects().filter_map(|at| prior.object(at)) {
                if !object.dependencies.is_empty() {
                    let from = found.made_from.entry(name.clone()).or_default();
                    from.extend(object.dependencies.iter().cloned());
                }
            }
            found.names.insert(name);
        }
        found
    }

    /// Returns the given objects with their transitive dependencies if `forward`, else with their dependents.
    fn tied(&self, these: &FxHashSet<String>, forward: bool) -> FxHashSet<String> {
        let mut ties: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for (made, from) in &self.made_from {
            for from in from {
                let (one, other) = if forward { (&**made, &**from) } else { (&**from, &**made) };
                ties.entry(one).or_default().push(other);
            }
        }
        let mut found = these.clone();
        let mut rest: Vec<&str> = these.iter().map(String::as_str).collect();
        while let Some(at) = rest.pop() {
            for next in ties.get(at).into_iter().flatten() {
                if found.insert((*next).to_owned()) {
                    rest.push(next);
                }
            }
        }
        found
    }
}
