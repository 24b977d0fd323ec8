//! Data model of a review, independent of its origin. The old and the new object may both contain unknowns: the prior values of a
//! plan are known, those of an older revision need not be.

use std::sync::Arc;

use groma_config::{Incompleteness, InstanceKey, ResourceMode, UndecidedCount};
use groma_impact::{ChangeCause, OutsideChange};
use groma_plan::{Action, ChangeReason, ImportId, PlanGoal};
use groma_runtime::Dialect;
use groma_value::schema::BlockSchema;
use groma_value::{Path, Str, Value};

use crate::reasons::UnknownReasons;

/// Instances and outputs that may change for the same causes.
#[derive(Clone, Debug)]
pub struct PossibleGroup {
    /// The differences between the revisions that cause them; empty if they were not searched for.
    pub because: Vec<ChangeCause>,
    /// The instances, by position among the items of the review.
    pub items: Vec<usize>,
    /// The outputs, by position among the outputs of the review.
    pub outputs: Vec<usize>,
}

impl PossibleGroup {
    /// Returns the number of instances and outputs in the group.
    pub fn count(&self) -> usize {
        self.items.len() + self.outputs.len()
    }
}

/// Declarations with an unknown number of instances that differ between two revisions for the same causes.
#[derive(Clone, Debug)]
pub struct UncountedGroup {
    /// The differences that cause it; empty if none was found.
    pub because: Vec<ChangeCause>,
    /// The declarations, as listed among the gaps.
    pub declared: Vec<UndecidedCount>,
}

/// A plan or a comparison in the form in which it is displayed: changes of instances and outputs, remarks, and what could not
/// be evaluated.
#[derive(Clone, Default, Debug)]
pub struct Review {
    /// The goal of the plan.
    pub goal: PlanGoal,
    /// The program that would apply the plan; `None` if no plan is to be applied.
    pub program: Option<Dialect>,
    /// The changes of instances in display order; unchanged ones may be included.
    pub items: Vec<ResourceItem>,
    /// The changes since the objects were recorded, if a program reports them.
    pub drift: Vec<ResourceItem>,
    /// The changes of outputs, by name.
    pub outputs: Vec<OutputItem>,
    /// The actions that would run.
    pub invoked: Vec<ActionItem>,
    /// The parts that could not be evaluated.
    pub gaps: Incompleteness,
    /// The number of instances without a schema, which are known only as written.
    pub without_schema: usize,
    /// The possible changes, by cause; only in a comparison.
    pub possible: Vec<PossibleGroup>,
    /// The declarations with an unknown number of instances that differ, by cause; only in a comparison.
    pub uncounted: Vec<UncountedGroup>,
    /// The number of declarations whose change cannot be determined; only in a comparison.
    pub unknown: usize,
    /// The instances with changes that `ignore_changes` suppresses; only in a comparison.
    pub ignored: Vec<Str>,
    /// The number of instances that may change and are omitted because all their differences are unknown.
    pub open: usize,
    /// The remarks after the items.
    pub remarks: Vec<ReviewRemark>,
    /// True if the program that made the plan reports it as incomplete.
    pub is_incomplete: bool,
    /// The command that shows the whole review, for a shortened comment.
    pub command: Option<String>,
    /// Sentences on the comparison of two revisions.
    pub notes: Vec<String>,
    /// The changes outside of resource bodies.
    pub outside: Vec<OutsideChange>,
    /// True if the review is partial because of errors.
    pub is_partial: bool,
    /// True if the plan is limited to targets, and nothing in them changes.
    pub has_empty_scope: bool,
    /// True if two plan documents are compared.
    pub is_of_documents: bool,
    /// True if two revisions of the code are compared.
    pub is_comparison: bool,
    /// The causes of unknowns in old objects.
    pub before: UnknownReasons,
    /// The causes of unknowns in new objects.
    pub after: UnknownReasons,
}

/// A remark about an address, displayed after the changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewRemark {
    /// The address.
    pub address: Str,
    /// The rest of the sentence after the address.
    pub text: String,
}

/// The mode, type, name, module and schema of a resource, which all of its instances share.
#[derive(Clone, Debug)]
pub struct SharedDeclaration {
    /// The resource mode.
    pub mode: ResourceMode,
    /// The resource type.
    pub kind: Str,
    /// The name of the resource.
    pub name: Str,
    /// The address of its module instance; empty for the root.
    pub module: Str,
    /// The schema of its body, if known: it distinguishes blocks from attributes.
    pub shape: Option<Arc<BlockSchema>>,
}

/// The change of one resource instance in a review, with the values before and after.
#[derive(Clone, Debug)]
pub struct ResourceItem {
    /// The address of the instance, with every key.
    pub address: Str,
    /// The declaration of the instance.
    pub declared: Arc<SharedDeclaration>,
    /// The key of the instance.
    pub key: InstanceKey,
    /// The action.
    pub action: Action,
    /// The reason for the action, if known.
    pub reason: Option<ChangeReason>,
    /// The previous address, if the object has moved.
    pub previous: Option<Str>,
    /// The id by which the object is imported, if it is.
    pub importing: Option<ImportId>,
    /// The key of a deposed object.
    pub deposed: Option<Str>,
    /// The parts that force a replacement.
    pub replace_paths: Vec<Path>,
    /// The old object.
    pub before: Option<Value>,
    /// The new object.
    pub after: Option<Value>,
    /// True if only the provider can decide the action.
    pub is_open: bool,
    /// True if the change is only possible: values that neither revision knows may differ.
    pub is_possible: bool,
    /// The causes of the differences, if found: of the whole item first, then by path.
    pub origins: Vec<DifferenceOrigin>,
}

/// The cause of the difference at a path of a value, as text.
#[derive(Clone, Debug)]
pub struct DifferenceOrigin {
    /// The differing part; empty for the whole.
    pub path: Path,
    /// A few words, such as a place, displayed as a comment after the difference.
    pub text: Str,
}

/// The change of one output in a review, with the values before and after.
#[derive(Clone, Debug)]
pub struct OutputItem {
    /// The name of the output, preceded by the module's address if it is not an output of the root.
    pub name: Str,
    /// The action.
    pub action: Action,
    /// The old value; null if it is new.
    pub before: Value,
    /// The new value; null if it is removed.
    pub after: Value,
    /// True if its value is hidden.
    pub sensitive: bool,
    /// True if the change is only possible.
    pub is_possible: bool,
    /// The causes of the difference, if found.
    pub origins: Vec<DifferenceOrigin>,
}

/// The text displayed as the event of an action that was requested explicitly.
pub(crate) const REQUESTED_EVENT: &str = "as requested";
/// The text displayed as the trigger of an action that the `-invoke` flag requested.
pub(crate) const FLAG_TRIGGER: &str = "-invoke";

/// An action, in the sense of an `action` block, that applying the plan would run.
#[derive(Clone, Debug)]
pub struct ActionItem {
    /// The address of the action, with every instance key.
    pub address: Str,
    /// The declaration of the action.
    pub declared: Arc<SharedDeclaration>,
    /// The event that triggers it, such as `after_create`.
    pub event: &'static str,
    /// The address of the instance that triggers it.
    pub triggered_by: Str,
    /// The configuration for the provider.
    pub config: Value,
}

/// The number of changes of each kind in a review.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ActionCounts {
    /// Objects to import.
    pub import: usize,
    /// Objects to create, including replacements.
    pub add: usize,
    /// Objects to update in place.
    pub change: usize,
    /// Objects to destroy, including replaced ones.
    pub destroy: usize,
    /// Objects that are removed from the state without being destroyed.
    pub forget: usize,
    /// Objects to replace.
    pub replace: usize,
    /// Replaced objects that are forgotten instead of destroyed.
    pub forget_replaced: usize,
    /// Data sources to read during apply.
    pub read: usize,
    /// Objects that only move.
    pub moved: usize,
    /// Outputs that change.
    pub outputs: usize,
    /// Actions to invoke.
    pub invoke: usize,
    /// Instances and outputs that may change.
    pub possible: usize,
    /// Changes that cannot be determined.
    pub unknown: usize,
}

impl ActionCounts {
    /// Adds the counts of another review to these counts.
    pub(crate) fn extend(&mut self, other: &ActionCounts) {
        let ActionCounts { import, add, change, destroy, forget, replace, read, moved, .. } =
            *other;
        let ActionCounts { forget_replaced, outputs, invoke, possible, unknown, .. } = *other;
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
            (&mut self.unknown, unknown),
        ];
        each.into_iter().for_each(|(own, more)| *own += more);
    }
}

impl ResourceItem {
    /// Returns true if the provider decides between an update and a replacement. An import whose id is unknown leaves nothing to
    /// decide.
    pub fn is_provider_decided(&self) -> bool {
        self.is_open
            && self.action == Action::Update
            && self.importing.as_ref().is_none_or(|one| one.id.is_some())
    }

    /// Returns true if the change is displayed: it has an action, or the object was moved or is imported.
    pub fn is_shown(&self) -> bool {
        self.action != Action::NoOp || self.previous.is_some() || self.importing.is_some()
    }
}

impl Review {
    /// Returns the changes of instances that are displayed.
    pub fn shown(&self) -> impl Iterator<Item = &ResourceItem> {
        self.items.iter().filter(|item| item.is_shown())
    }

    /// Returns the displayed changes of instances that are certain, not only possible.
    pub fn certain(&self) -> impl Iterator<Item = &ResourceItem> {
        self.shown().filter(|item| !item.is_possible)
    }

    /// Returns the outputs that are certain to change.
    pub fn changed_outputs(&self) -> impl Iterator<Item = &OutputItem> {
        self.outputs.iter().filter(|output| output.action != Action::NoOp && !output.is_possible)
    }

    /// Returns the number of displayed instances and outputs that depend on a mock.
    pub fn mocked(&self) -> usize {
        let values = self.shown().filter_map(|item| item.after.as_ref());
        let values = values.chain(self.changed_outputs().map(|output| &output.after));
        values.filter(|value| value.summary().mocked).count()
    }

    /// Returns true if the review has nothing to display.
    pub fn is_empty(&self) -> bool {
        self.shown().next().is_none()
            && self.changed_outputs().next().is_none()
            && self.possible.is_empty()
            && self.invoked.is_empty()
            && self.remarks.is_empty()
            && self.outside.is_empty()
    }

    /// Returns the number of displayed changes of each kind.
    pub fn counts(&self) -> ActionCounts {
        let mut counts = ActionCounts {
            outputs: self.changed_outputs().count(),
            invoke: self.invoked.len(),
            possible: self.possible.iter().map(PossibleGroup::count).sum(),
            unknown: self.unknown,
            ..ActionCounts::default()
        };
        for item in self.certain() {
            counts.import += usize::from(item.importing.is_some());
            match item.action {
                // A data source is only read, whatever its action.
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
