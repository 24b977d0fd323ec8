//! The scope of a partial plan: the targets with their dependencies; for a destroy, the targets with their dependents.

use std::collections::BTreeSet;

use groma_config::{
    AddressPattern, DeclarationAddress, DeclarationName, InstanceAddress, InstanceKey,
    ModuleAddress, ModulePath, ResourceAddress, ResourceMode,
};
use groma_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::options::{PlanGoal, PlanOptions};
use crate::order::DependencyOrder;
use crate::prior::Prior;

/// The declarations and instances to which `-target` and `-exclude` limit a plan, called its scope.
#[derive(Debug)]
pub(crate) struct TargetSelection {
    /// The declarations in scope.
    declared: FxHashSet<DeclarationAddress>,
    /// The declarations that are named as targets, not only needed.
    named: FxHashSet<DeclarationAddress>,
    targets: OuterAddresses,
    excludes: OuterAddresses,
}

/// A set of addresses given to limit a plan, by `-target` or `-exclude`: each includes everything below it, a step without a key
/// all instances.
#[derive(Default, Debug)]
pub(crate) struct OuterAddresses {
    /// The module calls by the calling module instance: each stands for all of its instances.
    calls: FxHashMap<ModuleAddress, FxHashSet<Str>>,
    modules: FxHashSet<ModuleAddress>,
    resources: FxHashSet<ResourceAddress>,
    instances: FxHashSet<InstanceAddress>,
}

impl OuterAddresses {
    /// Creates the set of the given targets or excluded addresses, each of which includes everything below it.
    pub(crate) fn of(targets: &[AddressPattern]) -> OuterAddresses {
        let mut found = OuterAddresses::default();
        for target in targets {
            match (target.instance(), target.modules.split_last()) {
                (Some(instance), _) if *instance.key() == InstanceKey::None => {
                    found.resources.insert(instance.resource().clone());
                }
                (Some(instance), _) => {
                    found.instances.insert(instance);
                }
                (None, Some(((name, InstanceKey::None), outer))) => {
                    let outer: ModuleAddress = outer.iter().cloned().collect();
                    found.calls.entry(outer).or_default().insert(name.clone());
                }
                (None, Some(_)) => {
                    found.modules.insert(target.modules.clone());
                }
                (None, None) => {}
            }
        }
        found
    }

    /// Returns true if the set contains no address.
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
            && self.modules.is_empty()
            && self.resources.is_empty()
            && self.instances.is_empty()
    }

    /// Returns true if the set contains an instance, its resource, or a module that contains it.
    pub(crate) fn contains(&self, address: &InstanceAddress) -> bool {
        !self.instances.is_empty() && self.instances.contains(address)
            || self.contains_resource(address.resource())
    }

    /// Returns true if the set contains a resource with all of its instances, or a module that contains it.
    pub(crate) fn contains_resource(&self, address: &ResourceAddress) -> bool {
        !self.resources.is_empty() && self.resources.contains(address)
            || self.contains_module(address.module())
    }

    /// Returns true if the set contains a module instance, or another one that contains it.
    fn contains_module(&self, address: &ModuleAddress) -> bool {
        let steps = address.steps();
        let mut depths = 0..steps.len();
        !(self.calls.is_empty() && self.modules.is_empty())
            && depths.any(|depth| {
                let called = self.calls.get(&steps[..depth]);
                called.is_some_and(|names| names.contains(&steps[depth].0))
                    || self.modules.contains(&steps[..=depth])
            })
    }
}

/// A set of addresses given to limit a plan, of modules and resources and without keys: each includes everything below it.
struct OuterDeclarations {
    modules: FxHashSet<ModulePath>,
    resources: FxHashSet<DeclarationAddress>,
}

impl OuterDeclarations {
    /// Creates the set of the modules and resources that the given targets or excluded addresses name, without instance keys.
    fn of<'a>(targets: impl Iterator<Item = &'a AddressPattern>) -> OuterDeclarations {
        let (mut modules, mut resources) = (FxHashSet::default(), FxHashSet::default());
        for target in targets {
            let module = target.modules.without_keys();
            match &target.resource {
                Some(resource) => {
                    let name = DeclarationName::Resource(resource.without_keys());
                    resources.insert(DeclarationAddress::new(module, name));
                }
                None => {
                    modules.insert(module);
                }
            }
        }
        OuterDeclarations { modules, resources }
    }

    /// Returns true if the set contains a resource, or a module that contains it.
    fn contains(&self, address: &DeclarationAddress) -> bool {
        let names = address.module().names();
        let mut counts = 1..=names.len();
        !self.modules.is_empty() && counts.any(|count| self.modules.contains(&names[..count]))
            || self.resources.contains(address)
    }
}

impl TargetSelection {
    /// Returns the declarations and instances to which `-target` and `-exclude` in the options limit a plan; `None` if they do
    /// not limit it.
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
        let named = |patterns: OuterDeclarations| -> FxHashSet<DeclarationAddress> {
            let declared = needs.all().filter(|(_, _, kind)| is_meant(kind));
            let declared = declared.map(|(_, address, _)| address);
            let all = declared.chain(&recorded.names);
            all.filter(|one| patterns.contains(one)).cloned().collect()
        };
        let (targets, excludes) = (
            named(OuterDeclarations::of(options.targets.iter())),
            named(OuterDeclarations::of(options.excludes.iter())),
        );
        let spread = |from: &FxHashSet<DeclarationAddress>, forward: bool| {
            // Recorded dependencies count, whatever is configured now.
            if is_destroyed {
                return recorded.transitive_dependencies(from, forward);
            }
            let at = from.iter().filter_map(|one| needs.position(one));
            let more = if forward { needs.needed(at) } else { needs.needing(at) };
            let names = needs.all().filter(|(at, ..)| more.contains(at));
            let names = names.map(|(_, name, _)| name);
            from.iter().chain(names).cloned().collect::<FxHashSet<_>>()
        };
        let mut declared: FxHashSet<DeclarationAddress> = match options.targets.is_empty() {
            false => {
                let mut all = spread(&targets, !is_destroyed);
                all.extend(calls_around(&targets, needs));
                all
            }
            true => {
                let all = needs.all().map(|(_, name, _)| name);
                all.chain(&recorded.names).cloned().collect()
            }
        };
        // If single instances are excluded, the other instances of the resource stay.
        let whole = options.excludes.iter().filter(|target| !target.has_keys());
        let whole = named(OuterDeclarations::of(whole));
        let out = spread(&excludes, is_destroyed);
        let is_out = |one: &DeclarationAddress| whole.contains(one) || !excludes.contains(one);
        declared.retain(|one| !(out.contains(one) && is_out(one)));
        // An output is included if all its dependencies are; checks are not.
        let resources = || needs.all().filter(|(_, _, kind)| is_meant(kind));
        let made_of_some = needs.needing(resources().map(|(at, ..)| at));
        let missing = resources().filter(|(_, address, _)| !declared.contains(*address));
        let lack_some = needs.needing(missing.map(|(at, ..)| at));
        let outputs = needs
            .all()
            .filter(|(_, address, kind)| *kind == "output" && address.module().is_root());
        let mut follow = Vec::new();
        for (at, address, _) in outputs {
            if !is_destroyed && made_of_some.contains(&at) && !lack_some.contains(&at) {
                follow.push(at);
            }
            declared.remove(address);
        }
        let follow = needs.needed(follow);
        let followed = needs.all().filter(|(at, ..)| follow.contains(at));
        declared.extend(followed.map(|(_, name, _)| name.clone()));
        for (_, address, _) in needs.all().filter(|(_, _, kind)| *kind == "check") {
            declared.remove(address);
        }
        Some(TargetSelection {
            declared,
            named: targets,
            targets: OuterAddresses::of(&options.targets),
            excludes: OuterAddresses::of(&options.excludes),
        })
    }

    /// Returns true if a `-target` names an instance, or what contains it, and no `-exclude` does; without targets, only
    /// exclusions count.
    pub(crate) fn covers(&self, address: &InstanceAddress) -> bool {
        let is_chosen = self.targets.is_empty() || self.targets.contains(address);
        is_chosen && !self.excludes.contains(address)
    }

    /// Returns true if the plan, limited by `-target` or `-exclude`, contains at least one data source.
    pub(crate) fn has_data_sources(&self) -> bool {
        self.declared.iter().any(|one| one.mode() == Some(ResourceMode::Data))
    }

    /// Returns true if the plan, limited by `-target` or `-exclude`, contains a declaration.
    pub(crate) fn contains_declaration(&self, address: &DeclarationAddress) -> bool {
        self.declared.contains(address)
    }

    /// Returns true if the plan, limited by `-target` or `-exclude`, contains an instance: its declaration, and the keys in
    /// these options admit the instance.
    pub(crate) fn contains_instance(&self, address: &InstanceAddress) -> bool {
        if self.excludes.contains(address) {
            return false;
        }
        let whole = DeclarationAddress::from(address);
        self.declared.contains(&whole)
            && (!self.named.contains(&whole) || self.targets.contains(address))
    }

    /// Returns true if the plan, limited by `-target` or `-exclude`, contains the declaration of the object at an address,
    /// whatever the keys: the test for an object whose module instance is missing.
    pub(crate) fn contains_in_any_instance(&self, address: &InstanceAddress) -> bool {
        self.declared.contains(&DeclarationAddress::from(address))
    }

    /// Returns true if the plan, limited by `-target` or `-exclude`, contains deposed objects at an address: if there are
    /// targets, one must cover it, since dependencies of targets do not count.
    pub(crate) fn contains_deposed(&self, address: &InstanceAddress) -> bool {
        self.contains_instance(address)
            && (self.targets.is_empty() || self.targets.contains(address))
    }
}

/// Returns the calls of modules that contain undeclared targets, and the dependencies of these calls: they decide if the module
/// instance of a target still exists.
fn calls_around(
    targets: &FxHashSet<DeclarationAddress>,
    needs: &DependencyOrder,
) -> Vec<DeclarationAddress> {
    let gone = targets.iter().filter(|one| needs.position(one).is_none());
    let mut around: BTreeSet<usize> = BTreeSet::new();
    for target in gone {
        let mut module = Some(target.module().clone());
        while let Some(path) = module {
            let call = DeclarationAddress::of_module(&path);
            around.extend(call.and_then(|call| needs.position(&call)));
            module = path.caller();
        }
    }
    let calls = needs.needed(around);
    needs.all().filter(|(at, ..)| calls.contains(at)).map(|(_, name, _)| name.clone()).collect()
}

/// Returns true if `-target` or `-exclude` limits a plan and leaves out an instance.
pub(crate) fn is_out_of_scope(scope: Option<&TargetSelection>, address: &InstanceAddress) -> bool {
    scope.is_some_and(|scope| !scope.contains_instance(address))
}

/// The recorded objects and the dependencies among them, by declaration address.
#[derive(Default)]
struct RecordedDependencies {
    names: FxHashSet<DeclarationAddress>,
    /// The objects with their dependencies, each pair once.
    made_from: Vec<(DeclarationAddress, DeclarationAddress)>,
}

impl RecordedDependencies {
    /// Returns the dependencies among the objects of a prior state, as recorded there.
    fn of(prior: &Prior) -> RecordedDependencies {
        let mut found = RecordedDependencies::default();
        let mut recorded = RecordedNames::default();
        let mut seen: FxHashSet<(DeclarationAddress, &str)> = FxHashSet::default();
        for past in prior.instances() {
            let name = DeclarationAddress::from(&past.address);
            for object in past.objects().filter_map(|at| prior.object(at)) {
                for from in object.dependencies.iter() {
                    if seen.insert((name.clone(), from))
                        && let Some(from) = recorded.read(from)
                    {
                        found.made_from.push((name.clone(), from));
                    }
                }
            }
            found.names.insert(name);
        }
        found
    }

    /// Returns the transitive recorded dependencies of the given objects if `forward`, else their dependents; both with the
    /// objects.
    fn transitive_dependencies(
        &self,
        these: &FxHashSet<DeclarationAddress>,
        forward: bool,
    ) -> FxHashSet<DeclarationAddress> {
        let mut ties: FxHashMap<&DeclarationAddress, Vec<&DeclarationAddress>> =
            FxHashMap::default();
        for (made, from) in &self.made_from {
            let (one, other) = if forward { (made, from) } else { (from, made) };
            ties.entry(one).or_default().push(other);
        }
        let mut found = these.clone();
        let mut rest: Vec<&DeclarationAddress> = these.iter().collect();
        while let Some(at) = rest.pop() {
            for next in ties.get(at).into_iter().flatten() {
                if found.insert((*next).clone()) {
                    rest.push(next);
                }
            }
        }
        found
    }
}

/// A cache of parsed addresses that a state records as dependencies.
#[derive(Default)]
pub(crate) struct RecordedNames<'s>(FxHashMap<&'s str, Option<DeclarationAddress>>);

impl<'s> RecordedNames<'s> {
    /// Returns the declaration address in a text, parsed once; `None` if the text is not such an address.
    pub(crate) fn read(&mut self, text: &'s str) -> Option<DeclarationAddress> {
        self.0.entry(text).or_insert_with(|| DeclarationAddress::parse(text)).clone()
    }
}
