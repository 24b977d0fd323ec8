//! Instances and outputs of two plans, side by side: each by its address, once the newer code's moves are followed.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_folder::{Mode, ResourceTarget, Target};
use groma_plan::{Action, Change, Common, OutputChange, Plan, followed, has_moves};
use groma_syntax::Diagnostics;
use groma_value::{Mark, Path, PathStep, Str, Type, Value, ops};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::comparison::unread::Unread;
use crate::comparison::values::{Causal, Differences};
use crate::comparison::{Comparison, Provenance, missing, rename};
use crate::model::Origin;

/// So many parts are told which lines they come from: who reads on knows by then.
const TOLD: usize = 1_000;
/// So many of each instance or output.
const PARTS: usize = 40;

/// Asks where differences come from, as long as that is told.
struct Teller<'p> {
    provenance: &'p mut dyn Provenance,
    /// How many parts are still told.
    left: usize,
    found: Vec<(String, Vec<Origin>)>,
}

impl Teller<'_> {
    fn tell(
        &mut self,
        key: &str,
        (before, after): (Option<&str>, Option<&str>),
        parts: &[(Path, &'static str)],
    ) {
        let asks = self.left.min(PARTS);
        self.left -= asks.min(parts.len());
        let mut told = Vec::new();
        for (at, (path, otherwise)) in parts.iter().enumerate() {
            let is_asked = at < asks;
            let lines = match is_asked {
                true => self.provenance.lines(before, after, path),
                false => Vec::new(),
            };
            let text = match lines.is_empty() {
                true if otherwise.is_empty() => continue,
                // That it differs no value tells.
                true if !is_asked && *otherwise == OTHER_CODE => Str::from(DIFFERS),
                true => Str::from(*otherwise),
                // Nobody says that it does.
                false if *otherwise == OTHER_CODE => {
                    format!("{DIFFERS}, from {}", lines.join(", ")).into()
                }
                false => format!("from {}", lines.join(", ")).into(),
            };
            told.push(Origin { path: path.clone(), text });
        }
        if !told.is_empty() {
            self.found.push((key.to_owned(), told));
        }
    }
}

/// What is said of an unknown that differs, where no line says why.
const OTHER_REASON: &str = "not known for another reason than before";
const DIFFERS: &str = "may differ";
const OTHER_CODE: &str = "may differ: what leads to it is written otherwise";

/// The parts that differ, with what is said of each where no line says it.
fn parts(found: &Differences, before: &Value, after: &Value) -> Vec<(Path, &'static str)> {
    let both_unknown = |path: &Path| {
        let is_unknown = |value: &Value| at(value, path).is_some_and(|part| !part.is_known());
        is_unknown(before) && is_unknown(after)
    };
    let certain = found.certain.iter().map(|path| match both_unknown(path) {
        true => (path.clone(), OTHER_REASON),
        false => (path.clone(), ""),
    });
    let open = found.open.iter().map(|path| (path.clone(), OTHER_CODE));
    certain.chain(open).collect()
}

/// The part of a value that a path leads to.
fn at(value: &Value, path: &Path) -> Option<Value> {
    let mut value = value.clone();
    for step in &path.0 {
        value = match step {
            PathStep::Attribute(name) => ops::attribute(&value, name).ok()?,
            PathStep::Index(key) => ops::index(&value, key).ok()?,
        };
    }
    Some(value)
}

/// Returns what the objects of an older plan are called in a newer one, by address, where they have moved.
pub fn moved_addresses(base: &Plan, head: &Plan) -> FxHashMap<String, String> {
    let before = base.declared();
    let moves = moves(&before, &head.declared(), head);
    let all = before.into_iter().zip(moves);
    all.filter_map(|(change, to)| Some((change.instance.address, to?))).collect()
}

/// Compares two plans.
pub(crate) fn compare(
    base: Arc<Plan>,
    head: Arc<Plan>,
    all: bool,
    provenance: &mut dyn Provenance,
) -> Comparison {
    let (before, after) = (base.declared(), head.declared());
    let moves = moves(&before, &after, &head);
    let moved: FxHashMap<String, String> = addresses(&before, &moves);
    let causal = Causal {
        before: base.evaluation().causes(),
        after: head.evaluation().causes(),
        moved: &moved,
        known: RefCell::default(),
    };
    let mut known = Earlier::of(before, moves);
    let mut common = Common::default();
    let mut teller = Teller { provenance, left: TOLD, found: Vec::new() };
    let (unread_before, unread_after) = (Unread::of(&base), Unread::of(&head));
    let mut changes = Vec::new();
    let mut incomparable = Vec::new();
    let mut unknown = BTreeSet::new();
    for mut change in after {
        let Some((was, is_moved)) = known.take(&change) else {
            if let Some(unread) = unread_before.covers(&change) {
                unknown.insert(unread);
                incomparable.push(change.instance.address);
                continue;
            }
            change.action = Action::Create;
            let address = &change.instance.address;
            teller.tell(address, (None, Some(address)), &[(Path::default(), "")]);
            changes.push(change);
            continue;
        };
        let found = Differences::of(&was.instance.value, &change.instance.value, &causal);
        let (from, to) = (&was.instance.address, &change.instance.address);
        let is_open = !found.open.is_empty();
        if is_open || !found.certain.is_empty() {
            let parts = parts(&found, &was.instance.value, &change.instance.value);
            teller.tell(to, (Some(from), Some(to)), &parts);
        }
        change.previous = is_moved.then_some(was.instance.address);
        change.before = Some(was.instance.value);
        change.action = match found.certain.is_empty() && !is_open {
            true => Action::NoOp,
            false => Action::Update,
        };
        change.is_open = found.certain.is_empty() && is_open;
        if all || change.action != Action::NoOp || change.previous.is_some() {
            changes.push(common.share(change));
        }
    }
    for mut change in known.left() {
        if let Some(unread) = unread_after.covers(&change) {
            unknown.insert(unread);
            incomparable.push(change.instance.address);
            continue;
        }
        let address = &change.instance.address;
        teller.tell(address, (Some(address), None), &[(Path::default(), "")]);
        let value = std::mem::replace(&mut change.instance.value, Value::NULL);
        (change.before, change.action) = (Some(value), Action::Delete);
        changes.push(change);
    }
    changes.sort_by(Change::order);
    incomparable.sort();
    let outputs = outputs(&base, &head, &causal, all, &mut teller);
    let renames = rename::find(&changes);
    let missing = missing::of(&base, &head, &unknown, teller.provenance);
    let mut origins = teller.found;
    origins.sort_by(|one, other| one.0.cmp(&other.0));
    Comparison { base, head, changes, outputs, incomparable, renames, origins, missing }
}

/// The instances of before, each until it is taken by what it is now.
struct Earlier {
    /// In the order of lists; with each, whether it has moved.
    all: Vec<Option<(Change, bool)>>,
    /// Which of these is to be found at an address; empty where nothing has moved, as both lists have one order then.
    at: FxHashMap<String, usize>,
    /// How many were passed already.
    passed: usize,
}

impl Earlier {
    /// `moves` says where each leads.
    fn of(before: Vec<Change>, moves: Vec<Option<String>>) -> Earlier {
        let mut at = FxHashMap::default();
        if moves.iter().any(Option::is_some) {
            for (number, (change, to)) in before.iter().zip(&moves).enumerate() {
                let address = to.clone().unwrap_or_else(|| change.instance.address.clone());
                at.insert(address, number);
            }
        }
        let all = before.into_iter().zip(moves).map(|(change, to)| {
            let is_moved = to.is_some_and(|to| to != change.instance.address);
            Some((change, is_moved))
        });
        Earlier { all: all.collect(), at, passed: 0 }
    }

    /// What an instance of now was. Instances come in the order of lists.
    fn take(&mut self, change: &Change) -> Option<(Change, bool)> {
        if !self.at.is_empty() {
            return self.all[*self.at.get(&change.instance.address)?].take();
        }
        while let Some(next) = self.all.get_mut(self.passed) {
            let order = next.as_ref().map(|(was, _)| was.order(change));
            match order {
                Some(Ordering::Greater) => return None,
                Some(Ordering::Equal) => {
                    self.passed += 1;
                    return next.take();
                }
                Some(Ordering::Less) | None => self.passed += 1,
            }
        }
        None
    }

    /// What nothing has taken, in the order of lists.
    fn left(self) -> impl Iterator<Item = Change> {
        self.all.into_iter().flatten().map(|(change, _)| change)
    }
}

/// Where each instance leads once the newer code's moves are followed; nothing for what does not move.
fn moves(before: &[Change], after: &[Change], head: &Plan) -> Vec<Option<String>> {
    let there: FxHashSet<&str> = after.iter().map(|one| one.instance.address.as_str()).collect();
    let is_there = |one: &Change| there.contains(one.instance.address.as_str());
    // By itself moves only what is not there any more.
    if !has_moves(head.evaluation().project()) && before.iter().all(is_there) {
        return vec![None; before.len()];
    }
    let target = |change: &Change| Target {
        modules: change.path().to_vec(),
        resource: Some(ResourceTarget {
            mode: change.mode,
            kind: change.kind.clone(),
            name: change.name.clone(),
            key: change.instance.key.clone(),
        }),
    };
    let managed: Vec<Target> =
        before.iter().filter(|one| one.mode == Mode::Managed).map(target).collect();
    let mut followed = followed(head.evaluation().project(), &managed).into_iter();
    let mut written = managed.iter();
    let all = before.iter().map(|change| {
        if change.mode != Mode::Managed {
            return None;
        }
        let (from, to) = (written.next()?, followed.next()?);
        (*from != to).then(|| to.to_string())
    });
    all.collect()
}

/// The addresses that have moved, with and without the keys of instances: causes are named in both ways.
fn addresses(before: &[Change], moves: &[Option<String>]) -> FxHashMap<String, String> {
    let mut found = FxHashMap::default();
    let whole = |address: &str| {
        address.strip_suffix(']').and_then(|at| Some(at.rsplit_once('[')?.0.to_owned()))
    };
    for (change, to) in before.iter().zip(moves) {
        let Some(to) = to else { continue };
        let from = &change.instance.address;
        let from_whole = whole(from).unwrap_or_else(|| from.clone());
        let to_whole = whole(to).unwrap_or_else(|| to.clone());
        found.entry(from_whole).or_insert(to_whole);
        found.insert(from.clone(), to.clone());
    }
    found
}

/// The outputs of the root, by name.
fn outputs(
    base: &Plan,
    head: &Plan,
    causal: &Causal<'_>,
    all: bool,
    teller: &mut Teller<'_>,
) -> Vec<OutputChange> {
    let mut silent = Diagnostics::new();
    let mut both: BTreeMap<Str, [Option<groma_project::OutputValue>; 2]> = BTreeMap::new();
    for (side, plan) in [base, head].into_iter().enumerate() {
        for output in plan.evaluation().outputs(&mut silent) {
            let name = output.name.clone();
            both.entry(name).or_default()[side] = Some(output);
        }
    }
    let mut found = Vec::new();
    for (name, [was, is]) in both {
        let is_hidden = |output: &Option<groma_project::OutputValue>| {
            output.as_ref().is_some_and(|output| {
                output.sensitive || output.value.marks().contains(&Mark::Sensitive)
            })
        };
        let sensitive = is_hidden(&was) || is_hidden(&is);
        let declared_sensitive = is.as_ref().or(was.as_ref()).is_some_and(|one| one.sensitive);
        let address = format!("output.{}", &*name);
        let mut differing = vec![(Path::default(), "")];
        let action = match (&was, &is) {
            (None, Some(_)) => Action::Create,
            (Some(_), None) => Action::Delete,
            (Some(was), Some(is)) => {
                let found = Differences::of(&was.value, &is.value, causal);
                differing = parts(&found, &was.value, &is.value);
                match differing.is_empty() && was.sensitive == is.sensitive {
                    true => Action::NoOp,
                    false => Action::Update,
                }
            }
            (None, None) => continue,
        };
        if action != Action::NoOp {
            let before = was.is_some().then_some(address.as_str());
            let after = is.is_some().then_some(address.as_str());
            teller.tell(&address, (before, after), &differing);
        }
        let value = |output: Option<groma_project::OutputValue>| {
            output.map_or(Value::null(Type::Dynamic), |output| output.value)
        };
        let (before, after) = (value(was), value(is));
        if all || action != Action::NoOp {
            found.push(OutputChange { name, action, before, after, sensitive, declared_sensitive });
        }
    }
    found
}
