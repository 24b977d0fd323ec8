//! Orphaned objects: recorded and no longer declared. They are destroyed or forgotten, with a reason. If it cannot be decided
//! that an object is declared (its module is not available, or its number of instances is unknown), it is kept.

use std::collections::BTreeMap;

use groma_config::{InstanceKey, ModuleAddress, ResourceMode, ResourceName};
use groma_module::ProviderSchemas;
use groma_module::declare::{Repetition, Resource};
use groma_module::dialect::Conventions;
use groma_project::{Evaluation, ModuleInstance, ResourceInstance};
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Str, Value};

use rustc_hash::FxHashMap;

use crate::apply_moves;
use crate::change::{Action, Change, ChangeContext, ContextCache};
use crate::codes;
use crate::compare::hide;
use crate::facts::PlanFacts;
use crate::forget::ForgetSetting;
use crate::options::PlanGoal;
use crate::prior::{PriorInstance, shape};
use crate::reason::ChangeReason;
use crate::removed::RemovedBlocks;
use crate::state::{RecordedInstance, ResourceEntry, StateProvider};
use crate::targets::is_out_of_scope;

/// The relation of a recorded address to the declarations: declared, gone for a reason, or undecidable.
enum OrphanReason<'m> {
    /// The address is declared.
    Declared(&'m Resource),
    /// The address is not declared, for this reason; with its resource, if that is still declared.
    Gone(ChangeReason, Option<&'m Resource>),
    /// It cannot be decided if the address is declared; with its resource, if that is.
    Open(Option<&'m Resource>),
}

impl<'m> OrphanReason<'m> {
    /// Returns the declared resource to which a recorded address belongs, if any.
    fn resource(&self) -> Option<&'m Resource> {
        match self {
            OrphanReason::Declared(resource) => Some(resource),
            OrphanReason::Gone(_, resource) | OrphanReason::Open(resource) => *resource,
        }
    }
}

/// Returns the changes of recorded objects that are no longer declared.
pub(crate) fn changes(
    evaluation: &Evaluation,
    facts: &PlanFacts,
    removals: &RemovedBlocks,
    schemas: &ProviderSchemas,
) -> Vec<Change> {
    let mut found = Vec::new();
    if facts.options.goal == PlanGoal::Refresh {
        check_readable(facts);
        return found;
    }
    let mut common = ContextCache::default();
    let root = evaluation.root();
    let mut finder = InstanceFinder::of(root);
    let edition = evaluation.project().edition();
    let conventions = Conventions::of(edition);
    for past in facts.prior().instances() {
        let scope = facts.scope.get();
        let is_all = facts.options.goal == PlanGoal::Destroy;
        let is_kept = is_out_of_scope(scope, &past.address);
        if is_kept
            && (is_all || !scope.is_some_and(|scope| scope.contains_in_any_instance(&past.address)))
        {
            continue;
        }
        let module = finder.module(past.address.module());
        let relation = relation_of(&finder.root, module.as_ref(), past);
        // If a module instance is gone, the programs plan all of its declared objects or none.
        if is_kept && !matches!(relation, OrphanReason::Gone(ChangeReason::NoModule, _)) {
            continue;
        }
        let is_declared = matches!(relation, OrphanReason::Declared(_));
        let removal = match is_all || is_declared {
            true => None,
            false => removals.destroys(&past.address),
        };
        let let_go = |object: &RecordedInstance| {
            let is_anew = is_declared && object.deposed.is_none() && facts.refreshes();
            ForgetSetting::of(object, relation.resource(), removal, is_anew, &conventions)
        };
        let gone = OrphanObject { facts, past, schemas, edition };
        let mut goes = |object: &RecordedInstance, reason: Option<ChangeReason>| {
            let (action, reason) = match let_go(object) {
                Some(by) => (Action::Forget, by.reason(reason, &conventions)),
                None => (Action::Delete, reason),
            };
            found.extend(gone.change(object, action, reason, &mut common));
        };
        if let Some(current) = past.current.and_then(|at| facts.prior().object(at)) {
            match relation {
                _ if is_all => goes(current, None),
                OrphanReason::Gone(reason, _) => goes(current, Some(reason)),
                OrphanReason::Declared(_) | OrphanReason::Open(_) => {}
            }
        }
        let looks_closely = scope.is_none_or(|scope| scope.contains_deposed(&past.address));
        let deposed = past.deposed.iter().filter(|_| looks_closely);
        for deposed in deposed.filter_map(|at| facts.prior().object(*at)) {
            goes(deposed, None);
        }
    }
    found
}

/// Reports objects recorded by a newer schema, declared or not: a refresh reads them all.
fn check_readable(facts: &PlanFacts) {
    for past in facts.prior().instances() {
        if is_out_of_scope(facts.scope.get(), &past.address) {
            continue;
        }
        let objects = past.objects().filter_map(|at| facts.prior().object(at));
        if let Some(why) = objects.filter_map(RecordedInstance::newer).next() {
            facts.report(&past.address, &why, None);
        }
    }
}

/// An index of all module instances by address.
struct InstanceFinder {
    root: ModuleInstance,
    all: FxHashMap<ModuleAddress, ModuleInstance>,
    /// The last result.
    known: Option<(ModuleAddress, Option<ModuleInstance>)>,
}

impl InstanceFinder {
    /// Returns an index of the module instances below `root`.
    fn of(root: ModuleInstance) -> InstanceFinder {
        let mut all = FxHashMap::default();
        let mut rest = vec![root.clone()];
        while let Some(module) = rest.pop() {
            rest.extend(module.children());
            all.insert(module.path().clone(), module);
        }
        InstanceFinder { root, all, known: None }
    }

    /// Returns the module instance at an address, if it exists. The last answer is kept.
    fn module(&mut self, modules: &ModuleAddress) -> Option<ModuleInstance> {
        if let Some((known, module)) = &self.known
            && known == modules
        {
            return module.clone();
        }
        let found = self.all.get(modules).cloned();
        self.known = Some((modules.clone(), found.clone()));
        found
    }
}

/// Returns the relation of a recorded address to the declarations; `module` is the address's module instance, if that exists.
fn relation_of<'m>(
    root: &'m ModuleInstance,
    module: Option<&'m ModuleInstance>,
    past: &PriorInstance,
) -> OrphanReason<'m> {
    let wanted = past.address.resource().name();
    let none = match past.from {
        Some(_) => ChangeReason::NoMoveTarget,
        None => ChangeReason::NoResource,
    };
    let Some(module) = module else {
        return match missing_module(root, past.address.module(), wanted) {
            None => OrphanReason::Open(None),
            Some(Some(resource)) => OrphanReason::Gone(ChangeReason::NoModule, Some(resource)),
            Some(None) => OrphanReason::Gone(none, None),
        };
    };
    let Some(at) =
        module.module().resource_position(ResourceMode::Managed, &wanted.kind, &wanted.name)
    else {
        return OrphanReason::Gone(none, None);
    };
    let resource = &module.module().resources[at];
    if module.is_declared(at, past.address.key()) {
        return OrphanReason::Declared(resource);
    }
    if module.has_unknown_instances(at) {
        return OrphanReason::Open(Some(resource));
    }
    let reason = match (past.address.key(), &resource.repetition) {
        (InstanceKey::None, Repetition::Enabled(_)) => ChangeReason::EnabledFalse,
        (InstanceKey::Number(_), Repetition::Count(_)) => ChangeReason::CountIndex,
        (InstanceKey::Text(_), Repetition::Each(_)) => ChangeReason::EachKey,
        _ => ChangeReason::WrongRepetition,
    };
    OrphanReason::Gone(reason, Some(resource))
}

/// Looks up the declaration of a resource whose module instance is gone: `Some(None)` if it is not declared, `None` if that is
/// not known.
fn missing_module<'m>(
    root: &'m ModuleInstance,
    modules: &[(Str, InstanceKey)],
    wanted: &ResourceName,
) -> Option<Option<&'m Resource>> {
    let mut at = Some(root.clone());
    let mut node = root.node();
    for (name, key) in modules {
        let Some(call) = node.module().call_position(name) else { return Some(None) };
        if let Some(module) = &at
            && module.has_unknown_call_instances(call)
        {
            return None;
        }
        // Declarations of a module that is not available are unknown.
        let child = node.child(call)?;
        at = at.and_then(|module| module.child(call, key));
        node = child;
    }
    let declared = node.module();
    let at = declared.resource_position(ResourceMode::Managed, &wanted.kind, &wanted.name);
    Some(at.map(|at| &*declared.resources[at]))
}

/// The recorded objects at an address that is not declared.
struct OrphanObject<'a> {
    facts: &'a PlanFacts,
    past: &'a PriorInstance,
    schemas: &'a ProviderSchemas,
    edition: Edition,
}

impl OrphanObject<'_> {
    /// Returns the change of one of the recorded objects; `None` if nothing is to be done with it.
    fn change(
        &self,
        object: &RecordedInstance,
        action: Action,
        reason: Option<ChangeReason>,
        common: &mut ContextCache,
    ) -> Option<Change> {
        let entry: &ResourceEntry = &object.entry;
        let address = &self.past.address;
        let wanted = address.resource().name();
        let schema = shape(object, &wanted.kind, self.schemas, self.edition);
        let shape = schema.as_ref().map(|schema| &*schema.block);
        if object.is_built_in() && shape.is_none() {
            let why = format!("the built-in provider has no resource type {}", &*wanted.kind);
            self.facts.report(&self.past.address, &why, None);
            return None;
        }
        let before = match self.facts.prior().value(object, shape) {
            Ok(before) => before,
            Err(why) => {
                self.facts.report(&self.past.address, &why, None);
                return None;
            }
        };
        // Nothing exists any more.
        let before = before?;
        let before = hide(&before, shape);
        let owner = common.recorded(
            address.module(),
            &entry.provider.source,
            schema.as_ref().map(|schema| &schema.block),
        );
        let instance = ResourceInstance {
            address: address.clone(),
            value: Value::NULL,
            is_whole: true,
            reading: None,
            outcome: None,
        };
        let (kind, name) = (wanted.kind.clone(), wanted.name.clone());
        let is_all = self.facts.options.goal == PlanGoal::Destroy;
        let from = self.past.from.as_ref().filter(|_| !is_all);
        let around = ChangeContext {
            action,
            reason,
            previous: from.cloned(),
            deposed: object.deposed.clone(),
            ..ChangeContext::of(owner, ResourceMode::Managed, kind, name)
        };
        Some(common.share(Change::with_context(instance, Some(before), around)))
    }
}

/// Reports objects that the plan destroys although the provider configuration that is needed for it no longer exists.
pub(crate) fn check_providers(
    evaluation: &Evaluation,
    facts: &PlanFacts,
    changes: &[Change],
    out: &mut Diagnostics,
) {
    let project = evaluation.project();
    let mut missing = BTreeMap::new();
    for change in changes.iter().filter(|change| change.action == Action::Delete) {
        let Some(past) = facts.prior().instance(&change.instance.address) else { continue };
        for object in past.objects().filter_map(|at| facts.prior().object(at)) {
            let StateProvider { modules, source, alias } = &object.entry.provider;
            let is_plain = modules.is_empty() && alias.is_none();
            if is_plain || object.is_built_in() {
                continue;
            }
            let modules: ModuleAddress =
                modules.iter().map(|name| (name.clone(), InstanceKey::None)).collect();
            let is_there = apply_moves::node(project.tree(), &modules)
                .is_some_and(|node| node.module().providers.iter().any(|one| one.alias == *alias));
            if !is_there {
                // They are reported in the order of their texts.
                missing.insert(change.instance.address.to_string(), source.clone());
            }
        }
    }
    for (address, source) in missing {
        let detail = format!(
            "{address} has to be destroyed, but the configuration of its provider ({source}) was removed. Restore the configuration until the object is destroyed, or forget the object with a removed block."
        );
        out.push(Diagnostic::error(&codes::PROVIDER_GONE, detail));
    }
}
