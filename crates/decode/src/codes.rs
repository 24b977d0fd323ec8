//! Every diagnostic code of bodies and of given values.

pub(crate) use groma_config::codes::{
    ARGUMENT_TYPE, DYNAMIC_FOR_EACH, VALIDATION_FAILED, VARIABLE_TYPE,
};
pub(crate) use groma_module::codes::{BLOCK_COUNT, DEPRECATED_ATTRIBUTE, READ_ONLY_ARGUMENT};
pub(crate) use groma_syntax::codes::{BLOCK_LABELS, MISSING_ARGUMENT};

groma_syntax::codes! {
    DEPRECATED_ARGUMENT, "deprecated-argument", "Argument is deprecated",
        "The provider advises against setting this argument. Its documentation says what to use instead.";
    DEPRECATED_OUTPUT, "deprecated-output", "Output is deprecated",
        "The author of the called module advises against using this output. The message says what to use instead.";
    DEPRECATED_VARIABLE, "deprecated-variable", "Variable is deprecated",
        "The author of the module advises against setting this variable. The message says what to do instead.";
    EPHEMERAL_ARGUMENT, "ephemeral-argument", "Ephemeral value in a resource",
        "An ephemeral value is never stored, but the argument of a resource is. Use a write-only argument, or \
         another value.";
    EPHEMERAL_VALUE, "ephemeral-value", "Ephemeral value where it would be stored",
        "An ephemeral value is given to a variable that is not ephemeral. Add `ephemeral = true` to the variable.";
    ERROR_MESSAGE, "error-message", "Error message is not text",
        "The message of a rule has to be a known string that may be shown. Leave out anything else.";
    HIDDEN_MESSAGE, "hidden-message", "Error message contains a hidden value",
        "The message of a rule contains a sensitive or ephemeral value and will not be shown. Leave the value out.";
    VARIABLE_NULL, "variable-null", "Variable cannot be null",
        "The variable is declared with `nullable = false` and has no default, so it cannot be null. Give another \
         value.";
}
