//! Every diagnostic code of plans and of recorded state.

pub(crate) use groma_module::codes::{DUPLICATE_IMPORT, IMPORT_ID};
pub(crate) use groma_project::codes::{
    ACTION_CONFIG, IMPORT_FOR_EACH, IMPORT_IDENTITY, IMPORT_KEY, IMPORT_TARGET,
    POSTCONDITION_FAILED, PRECONDITION_FAILED, UNDECIDED_ACTION,
};

groma_syntax::codes! {
    AMBIGUOUS_MOVE, "ambiguous-move", "Moves contradict each other",
        "Two `moved` blocks start at one address or end at one. Keep one of them.";
    CHANGE_RING, "change-ring", "Changes depend on each other in a cycle",
        "An object that is created before its old one is destroyed depends on something that can be destroyed only \
         after the old object. Apply the change in two steps.";
    FORGOTTEN, "forgotten", "Objects are forgotten",
        "These objects are removed from the state, but not destroyed. To manage one again, import it.";
    INFINITE_NUMBER, "infinite-number", "Infinite number cannot be stored",
        "A number is infinite, usually after a division by zero, and cannot be stored in a plan.";
    LIFECYCLE_DESTROY, "lifecycle-destroy", "true or false is needed here",
        "`destroy` is read before anything is evaluated, so it has to be the literal `true` or `false`.";
    MOVED_OUTSIDE, "moved-outside", "Moved object is outside of the plan",
        "A plan with `-target` or `-exclude` leaves out one end of a move. Include both ends.";
    MOVED_STILL_DECLARED, "moved-still-declared", "Moved object is still declared",
        "An object is moved away, but its old address is still declared. Rename the declaration, or remove the \
         `moved` block.";
    MOVE_BLOCKED, "move-blocked", "Objects that cannot move",
        "The state already has an object at the new address. Move or remove that one first.";
    MOVE_RING, "move-ring", "Moves form a cycle",
        "Moves lead back to where they start. Remove one of them.";
    NO_SUCH_ACTION, "no-such-action", "There is no such action",
        "`-invoke` names an action that is not declared, or an instance that it does not have. Check the address.";
    ORPHANED_ACTION, "orphaned-action", "Action of a removed resource does not run",
        "The configuration of the actions was removed together with the resource, so they do not run. Run them \
         before, or keep the declaration until the object is destroyed.";
    PARTIAL_PLAN, "partial-plan", "Only a part is planned",
        "With `-target` or `-exclude` the plan shows only a part of what the code means.";
    PREVENT_DESTROY, "prevent-destroy", "prevent_destroy cannot be determined from this",
        "`prevent_destroy` applies to every instance, removed ones included, so it can depend only on values that \
         are the same for all of them.";
    PROTECTED_RESOURCE, "protected-resource", "Protected resource would be destroyed",
        "The plan would destroy an object that `prevent_destroy` protects. Leave the object as it is, or remove the \
         setting.";
    PROVIDER_GONE, "provider-gone", "Provider configuration was removed",
        "An object has to be destroyed, but its provider configuration was removed. Restore it until the object is \
         destroyed, or forget the object with a `removed` block.";
    RECORDED_OBJECT, "recorded-object", "Recorded object cannot be read",
        "The state contains an object in an invalid form. Check where the state comes from.";
    REDUNDANT_MOVE, "redundant-move", "Move to the same address",
        "A `moved` block leads to where it starts. Remove it.";
    REMOVED_STILL_DECLARED, "removed-still-declared", "Removed object is still declared",
        "A `removed` block names an object that is still declared. Remove one of the two.";
    REPLACE_INCOMPLETE, "replace-incomplete", "Nothing to replace",
        "`-replace` takes the address of one instance, and this one matches several or none. Add a key.";
    STATE_ELSEWHERE, "state-elsewhere", "State is not read",
        "The state is stored in a remote backend, which is not read, so everything is planned for creation. Give a copy with `--state FILE`.";
    STATE_FILE, "state-file", "State cannot be used",
        "The file is not a valid state: it is not JSON, has another version, or is damaged.", may_be_new;
    STATE_MISSING, "state-missing", "There is no such state",
        "The file given with `--state` does not exist, so the state is taken to be empty. Check the name, or plan without a state with `--no-state`.";
    STATE_SKIPPED, "state-skipped", "Part of the state is not read",
        "A part of the state was not read; the message says why.";
    TRIGGER_INSTANCE, "trigger-instance", "Nothing can trigger a replacement",
        "`replace_triggered_by` names an instance that does not exist. Check the key.";
}
