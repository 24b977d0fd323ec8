//! Likely renames: an object that is destroyed and one that is created with the same type and the same known values, if no other
//! pair is possible. They are only hints: without a `moved` block the object is replaced.

use std::collections::BTreeMap;

use groma_config::{InstanceAddress, InstanceKey, ModuleAddress, ResourceAddress, ResourceMode};
use groma_plan::{Action, Change};
use groma_value::{Str, Value, json};
use rustc_hash::{FxHashMap, FxHashSet};

/// The old and the new address of a likely rename of an instance or a whole module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RenameHint {
    /// The address of the destroyed object or module.
    pub from: String,
    /// The address of the created object or module.
    pub to: String,
}

/// A `moved` block that would keep a renamed object or module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MovedBlock {
    /// The address of the module that contains the block, without keys; empty for the root.
    pub module: String,
    /// The old address, relative to that module.
    pub from: String,
    /// The new address, relative to that module.
    pub to: String,
}

/// A destroyed instance and the created one that matches it.
type Pair<'c> = (&'c Change, &'c Change);

/// A step of a module path: the name of the call and the key.
type Step = (Str, InstanceKey);

/// An object within a module: the steps to it, its type, name and key, and its known content.
type InnerObject<'c> = (&'c [Step], &'c str, &'c str, &'c InstanceKey, &'c str);

/// The likely renames of a comparison, and the `moved` blocks that would keep the objects.
#[derive(Default)]
pub(crate) struct RenameCandidates {
    /// Hints in the order of addresses.
    pub(crate) told: Vec<RenameHint>,
    /// `moved` blocks, those of outer modules first.
    pub(crate) blocks: Vec<MovedBlock>,
}

/// Returns the likely renames among the objects that changes destroy and create, with the `moved` blocks for them.
pub(crate) fn find(changes: &[Change]) -> RenameCandidates {
    let mut alike: BTreeMap<(&ModuleAddress, &str, String), [Vec<&Change>; 2]> = BTreeMap::new();
    // Equal objects in different modules are matched by the steps that their module paths share.
    let mut known: Vec<(&Change, usize, String)> = Vec::new();
    for change in changes.iter().filter(|change| change.mode == ResourceMode::Managed) {
        let Some((side, value)) = side(change) else { continue };
        if let Some(told) = known_content(value) {
            known.push((change, side, told.clone()));
            let key = (change.path(), &*change.kind, told);
            alike.entry(key).or_default()[side].push(change);
        }
    }
    let mut pairs: Vec<Pair<'_>> = Vec::new();
    for [gone, come] in alike.into_values() {
        pairs.extend(paired(&gone, &come));
    }
    let taken: FxHashSet<&InstanceAddress> =
        pairs.iter().flat_map(|(gone, come)| [address(gone), address(come)]).collect();
    known.retain(|(change, ..)| !taken.contains(address(change)));
    let mut found = RenameCandidates::default();
    for (from, to) in modules(changes, &known) {
        let (from, to) = (ModuleAddress::from(from), ModuleAddress::from(to));
        let above = ModuleAddress::from(from[..from.len() - 1].to_vec());
        let last = |way: &ModuleAddress| {
            way.last().cloned().into_iter().collect::<ModuleAddress>().to_string()
        };
        let (module, from_step) = (above.without_keys().to_string(), last(&from));
        found.blocks.push(MovedBlock { module, from: from_step, to: last(&to) });
        found.told.push(RenameHint { from: from.to_string(), to: to.to_string() });
    }
    found.blocks.extend(blocks(changes, &pairs));
    let rename = |(gone, come): Pair<'_>| RenameHint {
        from: address(gone).to_string(),
        to: address(come).to_string(),
    };
    found.told.extend(pairs.into_iter().map(rename));
    found.told.sort();
    found.blocks.sort();
    found.blocks.dedup();
    found
}

/// Returns the address of the changed instance.
fn address(change: &Change) -> &InstanceAddress {
    &change.instance.address
}

/// Returns 0 for a destroyed and 1 for a created object, with the object's value; `None` for any other change.
fn side(change: &Change) -> Option<(usize, &Value)> {
    match (change.action, &change.before) {
        (Action::Delete, Some(before)) => Some((0, before)),
        (Action::Create, _) => Some((1, &change.instance.value)),
        _ => None,
    }
}

/// Returns pairs of destroyed and created objects with equal content: a single pair, or the instances of two resources by key.
/// Empty if other pairs are possible.
fn paired<'c>(gone: &[&'c Change], come: &[&'c Change]) -> Vec<Pair<'c>> {
    if let ([from], [to]) = (gone, come) {
        return vec![(from, to)];
    }
    let is_one = |all: &[&Change]| all.windows(2).all(|two| two[0].name == two[1].name);
    if gone.len() != come.len() || !is_one(gone) || !is_one(come) {
        return Vec::new();
    }
    let by_key = |all: &[&'c Change]| -> BTreeMap<&'c InstanceKey, &'c Change> {
        all.iter().map(|one| (one.instance.address.key(), *one)).collect()
    };
    let (gone, come) = (by_key(gone), by_key(come));
    match gone.keys().eq(come.keys()) {
        true => gone.into_values().zip(come.into_values()).collect(),
        false => Vec::new(),
    }
}

/// Returns pairs of an old and a new module path that look renamed: everything destroyed below one is created below the other,
/// and nothing else; `known` are the changes with 0 for destroyed and 1 for created, and the object's known content.
fn modules(changes: &[Change], known: &[(&Change, usize, String)]) -> Vec<(Vec<Step>, Vec<Step>)> {
    // Groups of paths that differ in one step only.
    let mut alike: BTreeMap<(&[Step], InnerObject<'_>), [Vec<Step>; 2]> = BTreeMap::new();
    for (change, side, told) in known {
        let path = change.path();
        for at in 0..path.len() {
            let key = change.instance.address.key();
            let own = (&path[at + 1..], &*change.kind, &*change.name, key, &**told);
            let entry = alike.entry((&path[..at], own)).or_default();
            entry[*side].push(path[at].clone());
        }
    }
    let mut candidates: BTreeMap<(&[Step], Step, Step), usize> = BTreeMap::new();
    for ((above, _), [gone, come]) in alike {
        if let ([from], [to]) = (&gone[..], &come[..])
            && from != to
        {
            *candidates.entry((above, from.clone(), to.clone())).or_default() += 1;
        }
    }
    let mut counts: FxHashMap<(usize, &[Step]), usize> = FxHashMap::default();
    for change in changes.iter().filter(|change| change.mode == ResourceMode::Managed) {
        let Some((side, _)) = side(change) else { continue };
        let path = change.path();
        for at in 0..path.len() {
            *counts.entry((side, &path[..=at])).or_default() += 1;
        }
    }
    let mut found: Vec<(Vec<Step>, Vec<Step>)> = Vec::new();
    for ((above, from, to), count) in candidates {
        let way = |step: Step| -> Vec<Step> { above.iter().cloned().chain([step]).collect() };
        let (from, to) = (way(from), way(to));
        let is_all = |side: usize, way: &[Step]| counts.get(&(side, way)) == Some(&count);
        let is_within = found.iter().any(|(outer, _)| from.starts_with(outer));
        if is_all(0, &from) && is_all(1, &to) && !is_within {
            found.push((from, to));
        }
    }
    found
}

/// Returns the `moved` blocks for pairs of a deleted and a created instance that are probably one: one block for a whole resource
/// if all its instances among `changes` are paired and keep their keys, otherwise one for each pair.
fn blocks(changes: &[Change], pairs: &[Pair<'_>]) -> Vec<MovedBlock> {
    let mut whole: BTreeMap<(&ResourceAddress, &str), Vec<&Pair<'_>>> = BTreeMap::new();
    for pair in pairs {
        let (gone, come) = pair;
        let key = (gone.instance.address.resource(), &*come.name);
        whole.entry(key).or_default().push(pair);
    }
    let mut of_resource: FxHashMap<&ResourceAddress, [usize; 2]> = FxHashMap::default();
    for change in changes.iter().filter(|change| change.mode == ResourceMode::Managed) {
        let Some((side, _)) = side(change) else { continue };
        of_resource.entry(change.instance.address.resource()).or_default()[side] += 1;
    }
    let mut found = Vec::new();
    for ((resource, to), pairs) in whole {
        let (kind, from) = (&*resource.name().kind, &*resource.name().name);
        let count = |change: &Change, side: usize| {
            of_resource.get(change.instance.address.resource()).map_or(0, |counts| counts[side])
        };
        let key = |change: &Change| change.instance.address.key().clone();
        let keeps_keys = pairs.iter().all(|(gone, come)| key(gone) == key(come));
        let (gone, come) = pairs[0];
        let is_whole = count(gone, 0) == pairs.len() && count(come, 1) == pairs.len();
        let above = gone.path().without_keys().to_string();
        let own = |name: &str, key: Option<&InstanceKey>| {
            format!("{kind}.{name}{}", key.map(InstanceKey::suffix).unwrap_or_default())
        };
        if keeps_keys && is_whole && from != to {
            let (from, to) = (own(from, None), own(to, None));
            found.push(MovedBlock { module: above, from, to });
            continue;
        }
        found.extend(pairs.iter().map(|(gone, come)| MovedBlock {
            module: above.clone(),
            from: own(from, Some(gone.instance.address.key())),
            to: own(to, Some(come.instance.address.key())),
        }));
    }
    found
}

/// Returns the known content of an object value as a text to compare; `None` if nothing in it is known.
fn known_content(value: &Value) -> Option<String> {
    let (bare, _) = value.unmark_deep();
    let Value::Object(object) = &bare else { return None };
    let is_shown = object.iter().any(|(_, value)| value.is_known() && !value.is_null());
    is_shown.then(|| json::plain(&bare))
}
