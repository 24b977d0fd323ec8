//! Comparison of the instances and outputs of two plans, matched by address once the newer code's moves are followed. Certain and
//! possible differences are in one list, in which the possible ones are marked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_config::{
    DeclarationAddress, InstanceAddress, ResourceMode, UndecidedAddress, without_keys,
};
use groma_module::declare::IgnoredChanges;
use groma_plan::{Action, Change, ContextCache, OutputChange, Plan};
use groma_project::OutputValue;
use groma_syntax::Diagnostics;
use groma_value::{Mark, Path, Str, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::broken::{BrokenFiles, file_of};
use crate::compared_address::ComparedAddress;
use crate::differences::ValueDifferences;
use crate::errors::ErrorChanges;
use crate::matching::{EarlierInstances, InstanceMatching};
use crate::missing::{self, MissingReport};
use crate::origins::{ChangeCause, DifferenceOrigins};
use crate::outside::{self, OutsideChange};
use crate::renames::{self, MovedBlock, RenameCandidates, RenameHint};
use crate::unread::UnreadDeclarations;

/// Maximum number of differing parts of a comparison whose causes are searched for; others have no causes.
const MAX_EXPLAINED_PARTS: usize = 1_000;
/// Maximum number of differing parts of each instance or output whose causes are searched for.
const MAX_PARTS: usize = 40;

/// The differences between two plans of a root that both start from an empty state: the effect of a code change. The older plan
/// supplies the prior values, the newer plan the planned ones.
pub struct Comparison {
    pub(crate) base: Arc<Plan>,
    pub(crate) head: Arc<Plan>,
    /// In the order of a plan's changes; unchanged instances are included only on request.
    pub(crate) changes: Vec<Change>,
    pub(crate) outputs: Vec<OutputChange>,
    pub(crate) possible: Vec<PossibleChange>,
    pub(crate) ignored: Vec<InstanceAddress>,
    pub(crate) incomparable: Vec<InstanceAddress>,
    pub(crate) renames: Vec<RenameHint>,
    pub(crate) moved_blocks: Vec<MovedBlock>,
    /// The differing parts, by address.
    pub(crate) parts: FxHashMap<ComparedAddress, Vec<DifferingPart>>,
    pub(crate) missing: MissingReport,
    pub(crate) outside: Vec<OutsideChange>,
    pub(crate) open_inputs: Option<Vec<Str>>,
    pub(crate) errors: ErrorChanges,
}

/// A request to plan one of two compared revisions a second time, with data that only the first plans of both yield.
pub enum SecondPlan {
    /// The older revision, whose objects get their addresses in the newer one, by old address: fingerprints include addresses.
    Base(FxHashMap<InstanceAddress, InstanceAddress>),
    /// The newer revision, in which `ignore_changes` of these instances keeps the values of the older one.
    Head(Arc<FxHashMap<InstanceAddress, Value>>),
}

/// A change of an instance or output that is only possible: it depends on an unknown value, and on code or data that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PossibleChange {
    /// The address of the instance or of the output.
    pub address: ComparedAddress,
    /// The differences between the revisions that cause it; empty if they were not searched for.
    pub because: Vec<ChangeCause>,
}

/// A part of an instance or an output that differs or may differ.
#[derive(Clone, Debug)]
pub struct DifferingPart {
    /// The path of the part; empty for the whole.
    pub path: Path,
    /// True if it may turn out equal.
    pub is_possible: bool,
    /// The differences between the revisions that cause it.
    pub because: Vec<ChangeCause>,
}

impl Comparison {
    /// Compares the plans of two revisions of a root, listing unchanged instances only if `all` is true; `again` plans a
    /// revision once more if the first plans require other arguments.
    pub fn between(
        mut base: Plan,
        mut head: Plan,
        all: bool,
        again: impl Fn(SecondPlan) -> Plan,
    ) -> Comparison {
        let mut matching = InstanceMatching::of(&base, &head);
        let moved = matching.moved_addresses();
        if !moved.is_empty() {
            base = again(SecondPlan::Base(moved));
            matching = matching.with_base(&base);
        }
        let mut ignored = Vec::new();
        let held = ignored_values(&matching, &head);
        if !held.is_empty() {
            let held = Arc::new(held);
            head = again(SecondPlan::Head(held.clone()));
            let before = std::mem::replace(&mut matching.after, head.declared());
            // An instance that only refers to such an instance ignores nothing.
            let all = differing(&before, &matching.after);
            let all = all.filter(|address| held.contains_key(*address));
            ignored = all.cloned().collect();
        }
        let comparison = compare(Arc::new(base), Arc::new(head), matching, all);
        Comparison { ignored, ..comparison }
    }

    /// Adds an error to the newer plan if either plan is incomplete.
    pub fn demand_complete(&mut self) {
        if let Some(head) = Arc::get_mut(&mut self.head) {
            head.demand_both_complete(&self.base);
        }
        self.errors = ErrorChanges::between(&self.base, &self.head);
    }

    /// Returns the errors of both plans: those that they share, and those of one alone.
    pub fn errors(&self) -> &ErrorChanges {
        &self.errors
    }

    /// Records that root variables without a given value are unknown in both plans; `without_value` are those without a
    /// default.
    pub fn set_open_inputs(&mut self, without_value: Vec<Str>) {
        self.open_inputs = Some(without_value);
    }

    /// Returns the variables with neither a default nor a value, if inputs without a value are unknown, and equal, in both plans;
    /// `None` if they are not.
    pub fn open_inputs(&self) -> Option<&[Str]> {
        self.open_inputs.as_deref()
    }

    /// Returns the addresses of the instances with changes that `ignore_changes` suppresses, in the order of a plan's changes.
    pub fn ignored(&self) -> &[InstanceAddress] {
        &self.ignored
    }

    /// Returns the plan of the older revision, which supplies the prior values.
    pub fn base(&self) -> &Arc<Plan> {
        &self.base
    }

    /// Returns the plan of the newer revision, which supplies the planned values.
    pub fn head(&self) -> &Arc<Plan> {
        &self.head
    }

    /// Returns the changes of instances that differ or may differ, with unchanged ones if the comparison was made with `all`,
    /// in the order of a plan's changes.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns the outputs of the root that differ or may differ, with unchanged ones if the comparison was made with `all`,
    /// sorted by name.
    pub fn outputs(&self) -> &[OutputChange] {
        &self.outputs
    }

    /// Returns the changes that are only possible: those of instances in the order of a plan's changes, then outputs by name.
    pub fn possible(&self) -> &[PossibleChange] {
        &self.possible
    }

    /// Returns the addresses of instances of one plan of which it is unknown if the other plan has them, sorted by their texts.
    pub fn incomparable(&self) -> &[InstanceAddress] {
        &self.incomparable
    }

    /// Returns the pairs of destroyed and created objects or modules that are likely renames, by address.
    pub fn renames(&self) -> &[RenameHint] {
        &self.renames
    }

    /// Returns the `moved` blocks that would keep likely renames, each with the file that declares the new address.
    pub fn moved_blocks(&self) -> Vec<(String, MovedBlock)> {
        let (project, sources) =
            (self.head.evaluation().project(), self.head.evaluation().sources());
        let file = |block: &MovedBlock| {
            let dot = if block.module.is_empty() { "" } else { "." };
            let address = without_keys(&format!("{}{dot}{}", block.module, block.to));
            let address = DeclarationAddress::parse(&address)?;
            let (node, declaration) = project.declared(&address)?;
            let place = sources.resolve(declaration.place(node.module()));
            Some(sources.at(place).0.name().to_owned())
        };
        let blocks = self.moved_blocks.iter();
        blocks.filter_map(|block| Some((file(block)?, block.clone()))).collect()
    }

    /// Returns the differing parts of an instance or an output.
    pub fn parts(&self, address: &ComparedAddress) -> &[DifferingPart] {
        self.parts.get(address).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns true if all differences of an instance or output are only possible.
    pub fn is_possible(&self, address: &ComparedAddress) -> bool {
        let parts = self.parts(address);
        !parts.is_empty() && parts.iter().all(|part| part.is_possible)
    }

    /// Returns notes on modules, files and declarations that may have changed but could not be read in one plan or both.
    pub fn notes(&self) -> &[missing::ImpactNote] {
        &self.missing.notes
    }

    /// Returns what the newer plan could not read or count, without instances that are uncounted in the same way in the older
    /// one.
    pub fn gaps(&self) -> groma_config::Incompleteness {
        self.missing.changed(self.head.gaps().clone())
    }

    /// Returns the causes of differences that affect a declaration with an unknown number of instances, by its address in the
    /// newer plan.
    pub fn uncounted_reason(&self, address: &UndecidedAddress) -> &[ChangeCause] {
        self.missing.undecided.get(address).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the number of modules and files that could not be read, and of declarations that could not be read or counted.
    pub fn unknown_count(&self) -> usize {
        self.missing.count()
    }

    /// Returns the changes outside of resource bodies, by kind and address.
    pub fn outside(&self) -> &[OutsideChange] {
        &self.outside
    }

    /// Returns true if any instance, output or code outside of resource bodies differs or may differ between the revisions.
    pub fn is_change(&self) -> bool {
        self.changes.iter().any(|one| one.action != Action::NoOp || one.previous.is_some())
            || self.outputs.iter().any(|one| one.action != Action::NoOp)
            || !self.outside.is_empty()
    }

    /// Returns true if any instance, output or code outside of resource bodies is certain to differ between the revisions.
    pub fn is_certain_change(&self) -> bool {
        if !self.outside.is_empty() {
            return true;
        }
        let is_moved = |one: &Change| one.previous.is_some();
        self.changes.iter().any(|one| one.action != Action::NoOp && !one.is_open || is_moved(one))
            || self.outputs.iter().any(|one| {
                one.action != Action::NoOp && !self.is_possible(&ComparedAddress::output(&one.name))
            })
    }
}

/// A collector of the differing parts of instances and outputs, which searches the causes of the first [`MAX_EXPLAINED_PARTS`].
struct CauseFinder {
    origins: DifferenceOrigins,
    broken: BrokenFiles,
    /// The number of parts whose causes may still be searched for.
    left: usize,
    parts: FxHashMap<ComparedAddress, Vec<DifferingPart>>,
    possible: Vec<PossibleChange>,
}

impl CauseFinder {
    /// Records, under the address `key`, the parts `found` to differ between the objects `before` and `after`, with their causes;
    /// returns true if all of them are only possible.
    fn record(
        &mut self,
        key: &ComparedAddress,
        (before, after): (Option<&ComparedAddress>, Option<&ComparedAddress>),
        found: ValueDifferences,
    ) -> bool {
        let certain = found.certain.into_iter().map(|path| (path, false));
        let all = certain.chain(found.open.into_iter().map(|path| (path, true)));
        let asks = self.left.min(MAX_PARTS);
        let mut told = Vec::new();
        for (at, (path, mut is_possible)) in all.enumerate() {
            let because = match at < asks {
                true => {
                    self.left -= 1;
                    self.origins.causes(before, after, &path)
                }
                false => Vec::new(),
            };
            // A broken file may explain any difference whose cause is unknown.
            let is_doubtful = || {
                let is_astray = |cause: &ChangeCause| self.broken.has_place(&cause.place);
                because.is_empty() || because.iter().any(is_astray)
            };
            is_possible |= !self.broken.is_empty() && is_doubtful();
            told.push(DifferingPart { path, is_possible, because });
        }
        let is_possible = told.iter().all(|part| part.is_possible);
        if is_possible {
            let mut because: Vec<ChangeCause> = Vec::new();
            for cause in told.iter().flat_map(|part| &part.because) {
                if !because.contains(cause) {
                    because.push(cause.clone());
                }
            }
            self.possible.push(PossibleChange { address: key.clone(), because });
        }
        self.parts.insert(key.clone(), told);
        is_possible
    }

    /// Returns the file that should declare an address which one revision lacks, the newer one if `is_lost_in_head`, if errors in
    /// that file keep declarations of that revision from being loaded.
    fn broken_file_of(&self, is_lost_in_head: bool, address: &ComparedAddress) -> Option<String> {
        if self.broken.is_empty() {
            return None;
        }
        let files = self.origins.files(!is_lost_in_head, address);
        files.into_iter().find(|file| self.broken.contains(is_lost_in_head, file))
    }
}

/// Returns the prior values of instances whose `ignore_changes` may keep an attribute, by address in the newer plan.
fn ignored_values(matching: &InstanceMatching, head: &Plan) -> FxHashMap<InstanceAddress, Value> {
    let mut ignoring = FxHashSet::default();
    for module in head.modules() {
        for (at, resource) in module.module().resources.iter().enumerate() {
            if resource.mode == ResourceMode::Managed
                && !matches!(resource.lifecycle().ignored, IgnoredChanges::Nothing)
            {
                ignoring.extend(module.instances(at).map(|instance| instance.address));
            }
        }
    }
    if ignoring.is_empty() {
        return FxHashMap::default();
    }
    let mut before: FxHashMap<&InstanceAddress, &Change> = FxHashMap::default();
    for (change, to) in matching.before.iter().zip(&matching.moves) {
        let address = to.as_ref().unwrap_or(&change.instance.address);
        if ignoring.contains(address) {
            before.insert(address, change);
        }
    }
    let mut found = FxHashMap::default();
    for change in &matching.after {
        let address = &change.instance.address;
        let Some(was) = before.get(address) else { continue };
        if !ValueDifferences::of(&was.instance.value, &change.instance.value).is_empty() {
            found.insert(address.clone(), was.instance.value.clone());
        }
    }
    found
}

/// Returns the addresses of the instances that differ between two plans of one revision.
fn differing<'c>(
    one: &'c [Change],
    other: &'c [Change],
) -> impl Iterator<Item = &'c InstanceAddress> {
    let alike = one.iter().zip(other).filter(|(one, other)| {
        one.instance.address == other.instance.address
            && one.instance.value.marks() == other.instance.value.marks()
            && !ValueDifferences::of(&one.instance.value, &other.instance.value).is_empty()
    });
    alike.map(|(one, _)| &one.instance.address)
}

/// Returns the difference between an object and a missing one: a single path, that of the whole object.
fn whole() -> ValueDifferences {
    ValueDifferences { certain: vec![Path::default()], open: Vec::new() }
}

/// Returns the comparison of two plans with matched instances, with the unchanged ones only if `all` is true.
fn compare(base: Arc<Plan>, head: Arc<Plan>, matching: InstanceMatching, all: bool) -> Comparison {
    let mut plans = ComparedInstances::of(base, head, all);
    let InstanceMatching { before, after, moves } = matching;
    let moved = before.iter().zip(&moves).filter_map(|(change, to)| {
        Some((to.as_ref()?.without_keys(), change.instance.address.without_keys()))
    });
    let found = plans.outside(&outside::MovedDeclarations::of(moved));
    let mut known = EarlierInstances::of(before, moves);
    plans.compare(after, &mut known);
    plans.remove(known);
    plans.finish(found)
}

/// The state of comparing two plans: the changes found so far, and the instances that cannot be compared.
struct ComparedInstances {
    base: Arc<Plan>,
    head: Arc<Plan>,
    /// True if unchanged instances are listed, too.
    all: bool,
    teller: CauseFinder,
    changes: Vec<Change>,
    common: ContextCache,
    /// The addresses of instances that cannot be compared.
    incomparable: Vec<InstanceAddress>,
    /// The modules and declarations whose instances only one side knows.
    unknown: FxHashSet<DeclarationAddress>,
    /// The files that one side does not read in full.
    lost: BTreeSet<String>,
}

impl ComparedInstances {
    /// Returns a comparison of two plans in which no instance is compared yet; with `all`, it will list unchanged ones, too.
    fn of(base: Arc<Plan>, head: Arc<Plan>, all: bool) -> ComparedInstances {
        let origins = DifferenceOrigins::of(&base, &head);
        let broken = BrokenFiles::of(&base, &head);
        let (parts, possible) = (FxHashMap::default(), Vec::new());
        ComparedInstances {
            base,
            head,
            all,
            teller: CauseFinder { origins, broken, left: MAX_EXPLAINED_PARTS, parts, possible },
            changes: Vec::new(),
            common: ContextCache::default(),
            incomparable: Vec::new(),
            unknown: FxHashSet::default(),
            lost: BTreeSet::new(),
        }
    }

    /// Returns the changes outside of resource bodies, except declarations that one side lacks because it cannot read a file in
    /// full.
    fn outside(&mut self, moves: &outside::MovedDeclarations) -> Vec<OutsideChange> {
        let mut found = outside::changes(&self.base, &self.head, moves);
        found.retain(|one| {
            let file = file_of(&one.place);
            let is_lost = match (&one.before, &one.after) {
                (Some(_), None) => self.teller.broken.contains(true, file),
                (None, Some(_)) => self.teller.broken.contains(false, file),
                _ => false,
            };
            if is_lost {
                self.lost.insert(file.to_owned());
            }
            !is_lost
        });
        found
    }

    /// Compares the instances of the newer plan with their counterparts in the older one.
    fn compare(&mut self, after: Vec<Change>, known: &mut EarlierInstances) {
        let unread = UnreadDeclarations::of(&self.base);
        for mut change in after {
            let Some((was, is_moved)) = known.take(&change) else {
                if self.is_comparable(&change, false, &unread) {
                    let address = &ComparedAddress::from(change.instance.address.clone());
                    change.is_open = self.teller.record(address, (None, Some(address)), whole());
                    change.action = Action::Create;
                    self.changes.push(change);
                }
                continue;
            };
            let found = ValueDifferences::of(&was.instance.value, &change.instance.value);
            (change.action, change.is_open) =
                match (found.certain.is_empty(), found.open.is_empty()) {
                    (true, true) => (Action::NoOp, false),
                    (is_open, _) => (Action::Update, is_open),
                };
            if change.action != Action::NoOp {
                let [from, to] =
                    [&was, &change].map(|one| ComparedAddress::from(one.instance.address.clone()));
                change.is_open = self.teller.record(&to, (Some(&from), Some(&to)), found);
            }
            change.previous = is_moved.then_some(was.instance.address);
            change.before = Some(was.instance.value);
            if self.all || change.action != Action::NoOp || change.previous.is_some() {
                self.changes.push(self.common.share(change));
            }
        }
    }

    /// Adds, as deletions, the instances of the older plan that the newer one does not have.
    fn remove(&mut self, known: EarlierInstances) {
        let unread = UnreadDeclarations::of(&self.head);
        for mut change in known.unmatched() {
            if !self.is_comparable(&change, true, &unread) {
                continue;
            }
            let address = &ComparedAddress::from(change.instance.address.clone());
            change.is_open = self.teller.record(address, (Some(address), None), whole());
            let value = std::mem::replace(&mut change.instance.value, Value::NULL);
            (change.before, change.action) = (Some(value), Action::Delete);
            self.changes.push(change);
        }
    }

    /// Returns true if an instance that one side lacks, the newer one if `is_lost_in_head`, is certainly missing there, and
    /// records it as incomparable otherwise; `unread` are the declarations whose instances that side does not know.
    fn is_comparable(
        &mut self,
        change: &Change,
        is_lost_in_head: bool,
        unread: &UnreadDeclarations,
    ) -> bool {
        let address = &change.instance.address;
        if let Some(unread) = unread.covering_address(change) {
            self.unknown.insert(unread);
        } else if let Some(file) =
            self.teller.broken_file_of(is_lost_in_head, &address.clone().into())
        {
            self.lost.insert(file);
        } else {
            return true;
        }
        self.incomparable.push(address.clone());
        false
    }

    /// Returns the comparison with the given changes outside of resource bodies, once all instances are compared.
    fn finish(self, outside: Vec<OutsideChange>) -> Comparison {
        let ComparedInstances { base, head, all, mut teller, mut changes, .. } = self;
        let (mut incomparable, unknown, mut lost) = (self.incomparable, self.unknown, self.lost);
        changes.sort_by(Change::order);
        incomparable.sort_by_cached_key(ToString::to_string);
        let outputs = outputs(&base, &head, all, &mut teller, &mut lost);
        let RenameCandidates { told: renames, blocks: moved_blocks } = renames::find(&changes);
        let missing = missing::of(&base, &head, (&unknown, &lost), &mut teller.origins);
        let CauseFinder { parts, possible, .. } = teller;
        Comparison {
            errors: ErrorChanges::between(&base, &head),
            base,
            head,
            changes,
            outputs,
            possible,
            ignored: Vec::new(),
            incomparable,
            renames,
            moved_blocks,
            parts,
            missing,
            outside,
            open_inputs: None,
        }
    }
}

/// Returns two plans' root outputs that may differ, or all with `all`; adds to `lost` the files whose errors hide one.
fn outputs(
    base: &Plan,
    head: &Plan,
    all: bool,
    teller: &mut CauseFinder,
    lost: &mut BTreeSet<String>,
) -> Vec<OutputChange> {
    let mut silent = Diagnostics::new();
    let mut both: BTreeMap<Str, [Option<OutputValue>; 2]> = BTreeMap::new();
    for (side, plan) in [base, head].into_iter().enumerate() {
        for output in plan.evaluation().outputs(&mut silent) {
            let name = output.name.clone();
            both.entry(name).or_default()[side] = Some(output);
        }
    }
    let mut found = Vec::new();
    for (name, [was, is]) in both {
        let is_hidden = |output: &Option<OutputValue>| {
            output.as_ref().is_some_and(|output| {
                output.sensitive || output.value.marks().contains(&Mark::Sensitive)
            })
        };
        let sensitive = is_hidden(&was) || is_hidden(&is);
        let declared_sensitive = is.as_ref().or(was.as_ref()).is_some_and(|one| one.sensitive);
        let (action, differing) = match (&was, &is) {
            (None, Some(_)) => (Action::Create, whole()),
            (Some(_), None) => (Action::Delete, whole()),
            (Some(was), Some(is)) if was.sensitive != is.sensitive => (Action::Update, whole()),
            (Some(was), Some(is)) => {
                // If both outputs are declared sensitive, it is not visible if their values are.
                let [was, is] = [was, is].map(|one| match one.sensitive {
                    true => one.value.clone().sensitive(),
                    false => one.value.clone(),
                });
                let found = ValueDifferences::of(&was, &is);
                (if found.is_empty() { Action::NoOp } else { Action::Update }, found)
            }
            (None, None) => continue,
        };
        if action != Action::NoOp {
            let address = ComparedAddress::output(&name);
            let is_lost_in_head = match action {
                Action::Create => Some(false),
                Action::Delete => Some(true),
                _ => None,
            };
            let file = is_lost_in_head.and_then(|is_head| teller.broken_file_of(is_head, &address));
            if let Some(file) = file {
                lost.insert(file);
                continue;
            }
            let before = was.is_some().then_some(&address);
            let after = is.is_some().then_some(&address);
            teller.record(&address, (before, after), differing);
        }
        let value = |output: Option<OutputValue>| {
            output.map_or(Value::null(Type::Dynamic), |output| output.value)
        };
        let (before, after) = (value(was), value(is));
        if all || action != Action::NoOp {
            found.push(OutputChange { name, action, before, after, sensitive, declared_sensitive });
        }
    }
    found
}
