//! What there is to review, however it was found out. Both sides of an item may hold unknowns: what a plan goes on from
//! is known, and what an older revision plans need not be.

use std::sync::Arc;

use groma_config::{Incompleteness, InstanceKey, ResourceMode, UndecidedCount};
use groma_impact::{BesideChange, ChangeCause};
use groma_plan::{Action, ChangeReason, ImportId, PlanGoal};
use groma_runtime::Dialect;
use groma_value::schema::BlockSchema;
use groma_value::{Path, Str, Value};

use crate::reasons::UnknownReasons;

/// Instances and outputs that may change for the same reason.
#[derive(Clone, Debug)]
pub struct PossibleGroup {
    /// The differences between the revisions that lead to them; empty where they were not looked for.
    pub because: Vec<ChangeCause>,
    /// The instances, by their numbers among the items of the review.
    pub items: Vec<usize>,
    /// The outputs, by their numbers among the outputs of the review.
    pub outputs: Vec<usize>,
}

impl PossibleGroup {
    /// Returns how many instances and outputs there are.
    pub fn count(&self) -> usize {
        self.items.len() + self.outputs.len()
    }
}

/// Declarations whose instances cannot be counted and that are not the same in two revisions, for one cause.
#[derive(Clone, Debug)]
pub struct UncountedGroup {
    /// The differences that lead there; empty where none was found.
    pub because: Vec<ChangeCause>,
    /// The declarations, as they stand among the gaps.
    pub declared: Vec<UndecidedCount>,
}

/// All that there is to review.
#[derive(Clone, Default, Debug)]
pub struct Review {
    /// The goal of the plan.
    pub goal: PlanGoal,
    /// The program that would carry the plan out; `None` where none is to be carried out.
    pub program: Option<Dialect>,
    /// The changes of instances, in the order in which they are shown. Unchanged ones may be among them.
    pub items: Vec<ResourceItem>,
    /// The changes since the objects were recorded, where a program reports them.
    pub drift: Vec<ResourceItem>,
    /// The changes of outputs, by name.
    pub outputs: Vec<OutputItem>,
    /// The actions that would run.
    pub invoked: Vec<ActionItem>,
    /// The parts that could not be looked at.
    pub gaps: Incompleteness,
    /// The number of instances that are known only as they are written, because their schema is not at hand.
    pub unshaped: usize,
    /// The changes that are only possible, by cause: two revisions are compared.
    pub possible: Vec<PossibleGroup>,
    /// The declarations whose instances cannot be counted and that differ, by cause: two revisions are compared.
    pub uncounted: Vec<UncountedGroup>,
    /// The number of declarations whose change cannot be told: two revisions are compared.
    pub untold: usize,
    /// The instances of which a change is ignored, as `ignore_changes` asks for: two revisions are compared.
    pub ignored: Vec<Str>,
    /// The number of instances that may change and are not shown, because all that differs is not known.
    pub open: usize,
    /// The remarks after the items.
    pub remarks: Vec<ReviewRemark>,
    /// True if the program that has made the plan says that it is not all, and no more of it.
    pub is_incomplete: bool,
    /// The command that shows all of it, where a comment has no room for it.
    pub command: Option<String>,
    /// Sentences on how two revisions were compared.
    pub notes: Vec<String>,
    /// The changes beside the resources.
    pub beside: Vec<BesideChange>,
    /// True if errors leave the rest open.
    pub is_partial: bool,
    /// True if only a part was asked for, and there is nothing in it.
    pub is_untargeted: bool,
    /// True if two documents of plans are compared.
    pub is_of_documents: bool,
    /// True if two revisions of the code are compared, and no plan is told.
    pub is_comparison: bool,
    /// The reasons of unknowns in old objects.
    pub before: UnknownReasons,
    /// The reasons of unknowns in new objects.
    pub after: UnknownReasons,
}

/// A remark on something that is not an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewRemark {
    /// The address.
    pub address: Str,
    /// The words behind that.
    pub text: String,
}

/// The part that all instances of a resource share.
#[derive(Clone, Debug)]
pub struct SharedDeclaration {
    /// The kind of object.
    pub mode: ResourceMode,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// The address of its module instance, empty for the root.
    pub module: Str,
    /// The schema of its body, where that is known: it tells blocks from attributes.
    pub shape: Option<Arc<BlockSchema>>,
}

/// The change of one instance.
#[derive(Clone, Debug)]
pub struct ResourceItem {
    /// Its address, with every instance key.
    pub address: Str,
    /// The declaration of the instance.
    pub declared: Arc<SharedDeclaration>,
    /// The key of the instance.
    pub key: InstanceKey,
    /// The action.
    pub action: Action,
    /// The reason why.
    pub reason: Option<ChangeReason>,
    /// The place where it was before, if that was somewhere else.
    pub previous: Option<Str>,
    /// By which id an object is taken over, if one is.
    pub importing: Option<ImportId>,
    /// By what a deposed object is known.
    pub deposed: Option<Str>,
    /// The parts that cannot be changed in place.
    pub replace_paths: Vec<Path>,
    /// The old object.
    pub before: Option<Value>,
    /// The new object.
    pub after: Option<Value>,
    /// True if only the provider can say that it is so.
    pub is_open: bool,
    /// True if it may change and may not: two revisions are compared, and values that neither knows may differ.
    pub is_possible: bool,
    /// The place where the difference comes from, if it was found: whole items first, then by path.
    pub origins: Vec<DifferenceOrigin>,
}

/// The place where a difference comes from.
#[derive(Clone, Debug)]
pub struct DifferenceOrigin {
    /// The part that differs for that reason; empty for the whole.
    pub path: Path,
    /// A few words, such as a place: they stand behind the difference in a comment.
    pub text: Str,
}

/// The change of an output.
#[derive(Clone, Debug)]
pub struct OutputItem {
    /// Its name; with an address before it where it is none of the root module.
    pub name: Str,
    /// The action.
    pub action: Action,
    /// The old value, null where there was none.
    pub before: Value,
    /// The new value, null where it goes.
    pub after: Value,
    /// True if it is not to be shown.
    pub sensitive: bool,
    /// True if it may change and may not, as for instances.
    pub is_possible: bool,
    /// The place where the difference comes from, if it was found.
    pub origins: Vec<DifferenceOrigin>,
}

/// When an action runs that was asked for by itself.
pub(crate) const ASKED: &str = "as requested";
/// What has it run, where that is no resource.
pub(crate) const BY_FLAG: &str = "-invoke";

/// An action that would run.
#[derive(Clone, Debug)]
pub struct ActionItem {
    /// Its address, with every instance key.
    pub address: Str,
    /// The declaration.
    pub declared: Arc<SharedDeclaration>,
    /// When it runs: `after create`.
    pub event: &'static str,
    /// The instance that triggers it.
    pub triggered_by: Str,
    /// The configuration for the provider.
    pub config: Value,
}

/// The number of actions of each kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ActionCounts {
    /// Taken over.
    pub import: usize,
    /// Made, those that replace another one too.
    pub add: usize,
    /// Changed in place.
    pub change: usize,
    /// Destroyed, those that are replaced too.
    pub destroy: usize,
    /// No longer managed.
    pub forget: usize,
    /// Replaced.
    pub replace: usize,
    /// Replaced, and no longer managed in place of destroyed.
    pub forget_replaced: usize,
    /// Read while the plan is carried out.
    pub read: usize,
    /// Only moved.
    pub moved: usize,
    /// Outputs that change.
    pub outputs: usize,
    /// Actions that run.
    pub invoke: usize,
    /// Instances and outputs that may change.
    pub possible: usize,
    /// Things of which a change cannot be told.
    pub untold: usize,
}

impl ActionCounts {
    /// Takes in those of another review.
    pub(crate) fn extend(&mut self, other: &ActionCounts) {
        let ActionCounts { import, add, change, destroy, forget, replace, read, moved, .. } =
            *other;
        let ActionCounts { forget_replaced, outputs, invoke, possible, untold, .. } = *other;
        let each = [
            (&mut self.import, import),
            (&mut self.add, add),
            (&mut self.change, change),
            (&mut self.destroy, destroy),
            (&mut self.forget, forget),
            (&mut self.replace, replace),
            (&mut self.forget_replaced, forget_replaced),
            (&mut self.read, read),
            (&mut self.moved, moved),
            (&mut self.outputs, outputs),
            (&mut self.invoke, invoke),
            (&mut self.possible, possible),
            (&mut self.untold, untold),
        ];
        each.into_iter().for_each(|(own, more)| *own += more);
    }
}

impl ResourceItem {
    /// Returns true if the provider decides if it changes in place or is replaced. Before it is known what is taken
    /// over, there is nothing to decide.
    pub fn is_provider_decided(&self) -> bool {
        self.is_open
            && self.action == Action::Update
            && self.importing.as_ref().is_none_or(|one| one.id.is_some())
    }

    /// Returns true if there is something to see: something is done, or it has moved, or it is taken over.
    pub fn is_shown(&self) -> bool {
        self.action != Action::NoOp || self.previous.is_some() || self.importing.is_some()
    }
}

impl Review {
    /// The items that there is something to see of.
    pub fn shown(&self) -> impl Iterator<Item = &ResourceItem> {
        self.items.iter().filter(|item| item.is_shown())
    }

    /// The items that there is something to see of and that do not only may change.
    pub fn certain(&self) -> impl Iterator<Item = &ResourceItem> {
        self.shown().filter(|item| !item.is_possible)
    }

    /// The outputs that change for certain.
    pub fn changed_outputs(&self) -> impl Iterator<Item = &OutputItem> {
        self.outputs.iter().filter(|output| output.action != Action::NoOp && !output.is_possible)
    }

    /// Returns how many of the instances and outputs that are shown rest on a mock.
    pub fn mocked(&self) -> usize {
        let values = self.shown().filter_map(|item| item.after.as_ref());
        let values = values.chain(self.changed_outputs().map(|output| &output.after));
        values.filter(|value| value.summary().mocked).count()
    }

    /// Returns true if there is nothing to see at all.
    pub fn is_empty(&self) -> bool {
        self.shown().next().is_none()
            && self.changed_outputs().next().is_none()
            && self.possible.is_empty()
            && self.invoked.is_empty()
            && self.remarks.is_empty()
            && self.beside.is_empty()
    }

    /// Returns how many of each there are.
    pub fn counts(&self) -> ActionCounts {
        let mut counts = ActionCounts {
            outputs: self.changed_outputs().count(),
            invoke: self.invoked.len(),
            possible: self.possible.iter().map(PossibleGroup::count).sum(),
            untold: self.untold,
            ..ActionCounts::default()
        };
        for item in self.certain() {
            counts.import += usize::from(item.importing.is_some());
            match item.action {
                // Whatever it asks for, it is only read.
                Action::Create | Action::Update | Action::Delete
                    if item.declared.mode == ResourceMode::Data =>
                {
                    counts.read += 1;
                }
                Action::NoOp => counts.moved += usize::from(item.importing.is_none()),
                Action::Create => counts.add += 1,
                Action::Read => counts.read += 1,
                Action::Update => counts.change += 1,
                Action::Delete => counts.destroy += 1,
                Action::Forget => counts.forget += 1,
                Action::DeleteThenCreate | Action::CreateThenDelete => {
                    counts.add += 1;
                    counts.destroy += 1;
                    counts.replace += 1;
                }
                Action::ForgetThenCreate | Action::CreateThenForget => {
                    counts.add += 1;
                    counts.forget += 1;
                    counts.replace += 1;
                    counts.forget_replaced += 1;
                }
            }
        }
        counts
    }
}
