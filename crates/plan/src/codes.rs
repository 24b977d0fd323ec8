//! Every diagnostic code of plans and of recorded state.

pub(crate) use groma_module::codes::{DUPLICATE_IMPORT, IMPORT_ID};
pub(crate) use groma_project::codes::{
    ACTION_CONFIG, IMPORT_FOR_EACH, IMPORT_IDENTITY, IMPORT_KEY, IMPORT_TARGET,
    POSTCONDITION_FAILED, PRECONDITION_FAILED, UNDECIDED_ACTION,
};

groma_syntax::codes! {
    AMBIGUOUS_MOVE, "ambiguous-move", "Moves contradict each other",
        "Two `moved` blocks start at one address or end at one. Keep one of them.";
    CHANGE_RING, "change-ring", "Changes wait for each other",
        "What is made before its old object goes waits for something that can go only after that object. Carry the \
         change out in two parts.";
    FORGOTTEN, "forgotten", "Objects are forgotten",
        "These objects leave the state and go on existing. To manage one again, import it.";
    INFINITE_NUMBER, "infinite-number", "Infinite number cannot be written down",
        "A number is infinite, mostly after a division by zero, and cannot be written into a plan.";
    LIFECYCLE_DESTROY, "lifecycle-destroy", "true or false is needed here",
        "`destroy` is read before anything is evaluated, so it has to be `true` or `false` and nothing else.";
    MOVED_OUTSIDE, "moved-outside", "Moved object is outside of the plan",
        "A plan with `-target` or `-exclude` leaves out one end of a move. Choose both ends.";
    MOVED_STILL_DECLARED, "moved-still-declared", "Moved object is still declared",
        "An object is to have moved away, and its old address is still declared. Rename the declaration, or \
         remove the `moved` block.";
    MOVE_BLOCKED, "move-blocked", "Objects that cannot move",
        "An object is to move to an address where another one is recorded. Move or remove that one first.";
    MOVE_RING, "move-ring", "Moves go in a ring",
        "Moves lead back to where they start. Remove one of them.";
    NO_SUCH_ACTION, "no-such-action", "There is no such action",
        "`-invoke` names an action that is not declared, or an instance that it does not have. Check the address.";
    ORPHANED_ACTION, "orphaned-action", "Action of an orphan does not run",
        "What is gone from the code goes together with what its actions were to be told, so they do not run. Run them \
         before, or keep the declaration until the object is gone.";
    PARTIAL_PLAN, "partial-plan", "Only a part is planned",
        "With `-target` or `-exclude` the plan shows only a part of what the code means.";
    PREVENT_DESTROY, "prevent-destroy", "prevent_destroy cannot be determined from this",
        "`prevent_destroy` holds for every instance, those that are gone included, so it can depend only on what \
         holds for all of them.";
    PROTECTED_RESOURCE, "protected-resource", "Protected resource would be destroyed",
        "The plan would destroy what `prevent_destroy` protects. Leave the object as it is, or take the setting \
         away.";
    PROVIDER_GONE, "provider-gone", "Provider configuration is gone",
        "An object is to be destroyed, and the provider configuration that made it was removed. Bring it back \
         until the object is gone, or forget the object with a `removed` block.";
    RECORDED_OBJECT, "recorded-object", "Recorded object cannot be read",
        "The state holds an object in a form that cannot be used. Check where the state comes from.";
    REDUNDANT_MOVE, "redundant-move", "Move to the same address",
        "A `moved` block leads to where it starts. Remove it.";
    REMOVED_STILL_DECLARED, "removed-still-declared", "Removed object is still declared",
        "A `removed` block names what is still declared. Remove one of the two.";
    REPLACE_INCOMPLETE, "replace-incomplete", "Nothing there to replace",
        "`-replace` names one instance, and the address means several or none. Add a key.";
    STATE_ELSEWHERE, "state-elsewhere", "State is not read",
        "The state is kept in a place that is not read, so everything seems new. Give a copy with `--state FILE`.";
    STATE_FILE, "state-file", "State cannot be used",
        "The file is no state that can be read: no JSON, of another version, or damaged.", may_be_new;
    STATE_MISSING, "state-missing", "There is no such state",
        "The file that `--state` names is not there, so nothing is taken to be recorded. Check the name, or say that there is no state with `--no-state`.";
    STATE_SKIPPED, "state-skipped", "Part of the state is not read",
        "A part of the recorded state is not looked at, and the message says why.";
    TRIGGER_INSTANCE, "trigger-instance", "Nothing there can trigger a replacement",
        "`replace_triggered_by` names an instance that is not there. Check the key.";
}
