//! Every diagnostic code of lowering and evaluation. What is found by lowering is often reported only when it runs.

groma_syntax::codes! {
    AMBIGUOUS_KEY, "ambiguous-key", "Ambiguous key",
        "A key that looks like a reference is ambiguous. Write `(a.b) = …` for its value, `\"a.b\" = …` for the \
         string.";
    ARGUMENT, "argument", "Invalid function argument",
        "A function was given a value that it cannot use: it has the wrong type, is null, or is out of range. The \
         message says which argument and why.";
    ARGUMENT_COUNT, "argument-count", "Wrong number of arguments",
        "The function takes a different number of arguments. `groma functions NAME` shows how many.";
    CALL_FAILED, "call-failed", "Function call failed",
        "The arguments have the right types, but the function has no result for them. The message gives the reason.";
    CONDITION, "condition", "Condition is not true or false",
        "The expression before `?` or after `if` has to be true or false. Write a comparison.";
    CONDITIONAL_TYPES, "conditional-types", "Results of different types",
        "Both results of a conditional have to convert to one type. Convert them, for example with `tostring(…)`, or \
         give objects the same attributes.";
    DUPLICATE_KEY, "duplicate-key", "Duplicate key",
        "A `for` expression yields the same key twice. Make the keys differ, or group the results with `...` after \
         the value.";
    EXPANSION, "expansion", "Argument cannot be expanded",
        "The value before `...` in a call has to be a list, set or tuple: its elements become the arguments.";
    FINDINGS, "findings", "More findings than are shown",
        "There are so many findings that the rest is not shown. Fix the ones that are shown first; much of the rest \
         may follow from them.";
    INTERPOLATION, "interpolation", "Value cannot be put into a template",
        "The value in `${…}` within a string has to be a string, a number or a bool. Encode other values, for \
         example with `jsonencode(…)` or `join(…)`.";
    LEFT_OUT, "left-out", "Function is not part of this build",
        "The function exists, but this build does not include it. Use the full command.";
    LIMIT_CANCELLED, "limit-cancelled", "Run was cancelled",
        "The run was cancelled by its caller. Results up to then are still shown.";
    LIMIT_EVALUATION, "limit-evaluation", "Evaluation takes too many steps",
        "One expression takes more steps than allowed, usually because of nested loops. Iterate over smaller \
         collections.";
    LIMIT_INSTANCES, "limit-instances", "Run has too many instances",
        "The run has more instances than allowed. Check `count` and `for_each`, or allow more with `--limit \
         instances=NUMBER`.";
    LIMIT_MEMORY, "limit-memory", "Run takes too much memory",
        "The values of the run take more memory than allowed. Make them smaller, or allow more with `--memory \
         SIZE`.";
    LIMIT_NESTING, "limit-nesting", "Nested too deeply",
        "The value or the evaluation nests deeper than allowed. Make the data flatter.";
    LIMIT_OUTPUT, "limit-output", "Output is too long",
        "The output is longer than allowed, usually because a value contains another one many times. Print a part of \
         it, or allow more with `--limit output=SIZE`.";
    LIMIT_SIZE, "limit-size", "Value is too large",
        "The value would become larger than allowed. Use smaller collections or strings.";
    LIMIT_SOURCES, "limit-sources", "Run reads too much",
        "The files are larger in total than allowed. Leave out files that are not needed, or allow more with \
         `--limit sources=SIZE`.";
    LIMIT_STEPS, "limit-steps", "Run takes too many steps",
        "The whole run takes more steps than allowed. Use smaller collections, or allow more with `--limit \
         steps=NUMBER`.";
    LIMIT_TIME, "limit-time", "Run takes too long",
        "The run takes longer than allowed. Allow more time, or evaluate less.";
    NEWER_EDITION, "newer-edition", "Edition is newer than any known one",
        "The code is read as an edition that is newer than any known one, and uses something that the known ones do \
         not have. It may be new in that edition. Its result is unknown, and everything else is read as in the newest \
         known edition.", may_be_new;
    NOT_ITERABLE, "not-iterable", "Nothing to iterate over",
        "A `for` expression iterates over lists, sets, tuples, maps and objects, but not over other values or null.";
    NO_ATTRIBUTE, "no-attribute", "No such attribute",
        "The value has no attribute of this name. Check the spelling, or use `try(…)` if it may be missing.";
    NO_ELEMENT, "no-element", "No such element",
        "The collection has no such index or key. Check it with `contains(keys(…), …)` or `length(…)`, or use \
         `lookup(…)` or `try(…)`.";
    OBJECT_KEY, "object-key", "Invalid key",
        "A key of an object or map has to be a string that is not null. Convert or replace it.";
    OPERAND, "operand", "Invalid operand",
        "An operator was given a value that it cannot use, such as a string that is not a number. Convert it, or use \
         another operator.";
    OPERATION, "operation", "Operation failed",
        "The operator has no result for these values, as in a division by zero.";
    SPLAT_OF_NULL, "splat-of-null", "Splat of null",
        "`[*]` after a null list has no elements to iterate over. Use `coalesce(…, [])`, or check for null before.";
    SPLAT_OF_UNLIKE, "splat-of-unlike", "Splat gives elements of different types",
        "The part after `[*]` has different types for different elements of a list, usually because there is another \
         `[*]` and one element is null. Write a `for` expression.";
    TYPE_EXPRESSION, "type-expression", "Not a type",
        "This is not a type. Types are `string`, `number`, `bool`, `any`, and `list(…)`, `set(…)`, `map(…)`, \
         `object({…})` and `tuple([…])` of them.";
    TYPE_VALUE, "type-value", "A type is not a value",
        "A type is used where a value is needed. Types can be used in the `type` of a variable and in the few \
         functions that take one.";
    UNDEFINED_NAME, "undefined-name", "Undefined name",
        "There is no such name here. Check the spelling, and which names can be used in this place.";
    UNKNOWN_FUNCTION, "unknown-function", "Unknown function",
        "There is no function of this name in the chosen dialect and version. Check the spelling, or choose \
         another with `--dialect`.", may_be_new;
}
