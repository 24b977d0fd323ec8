//! Every diagnostic code of lowering and evaluation. What is found by lowering is often reported only when it runs.

groma_syntax::codes! {
    AMBIGUOUS_KEY, "ambiguous-key", "Ambiguous key",
        "A key that reads like a reference is a plain name unless it stands in parentheses. Write `(a.b) = …` for \
         its value, `\"a.b\" = …` for the text.";
    ARGUMENT, "argument", "Argument does not fit",
        "A function was given a value that it cannot work with: of another type, null, or out of range. The \
         message says which argument and why.";
    ARGUMENT_COUNT, "argument-count", "Wrong number of arguments",
        "The function takes another number of arguments. `groma functions NAME` shows which.";
    CALL_FAILED, "call-failed", "Function call failed",
        "The arguments are of the right types, and yet the function has no result for them. The message gives the \
         reason.";
    CONDITION, "condition", "Condition is not true or false",
        "What stands before `?` or after `if` has to be true or false. Write a comparison.";
    CONDITIONAL_TYPES, "conditional-types", "Results of different types",
        "Both results of a conditional have to fit one type. Make them alike, with `tostring(…)` or by giving \
         objects the same attributes.";
    DUPLICATE_KEY, "duplicate-key", "Key made twice",
        "A `for` expression makes the same key twice. Make the keys differ, or group the results with `...` after \
         the value.";
    EXPANSION, "expansion", "Argument cannot be expanded",
        "What stands before `…` in a call, written `...`, has to be a list, set or tuple: its elements become the \
         arguments.";
    FINDINGS, "findings", "More was found than is shown",
        "So much was found that the rest is not shown. Mend what is shown first; much of the rest may follow from \
         it.";
    INTERPOLATION, "interpolation", "No text in a template",
        "What stands in `${…}` within text has to be text, a number or a bool. Encode other values, as with \
         `jsonencode(…)` or `join(…)`.";
    LEFT_OUT, "left-out", "Function is not part of this build",
        "The function exists and this program was built without it. Use the full command.";
    LIMIT_CANCELLED, "limit-cancelled", "Run was cancelled",
        "Whoever started the run has ended it. What was worked out before is still shown.";
    LIMIT_EVALUATION, "limit-evaluation", "Evaluation takes too many steps",
        "One expression takes more steps than is allowed, mostly because loops are nested. Walk over smaller \
         collections.";
    LIMIT_INSTANCES, "limit-instances", "Run makes too many instances",
        "The run makes more instances than it may. Check `count` and `for_each`, or allow more with `--limit \
         instances=NUMBER`.";
    LIMIT_MEMORY, "limit-memory", "Run takes too much memory",
        "The values of the run take more memory than they may. Make them smaller, or allow more with `--limit \
         memory=SIZE`.";
    LIMIT_NESTING, "limit-nesting", "Nested too deeply",
        "The value or the evaluation nests deeper than is allowed, which protects the program that works it out. \
         Make the data flatter.";
    LIMIT_OUTPUT, "limit-output", "Answer is too long",
        "What is to be written is longer than it may be, mostly because a value holds another one many times. Ask for a \
         part of it, or allow more with `--limit output=SIZE`.";
    LIMIT_SIZE, "limit-size", "Value is too large",
        "The value would become larger than is allowed. Make smaller collections or texts.";
    LIMIT_SOURCES, "limit-sources", "Run reads too much",
        "The files to be read are larger together than may be read. Leave out what does not belong, or allow more \
         with `--limit sources=SIZE`.";
    LIMIT_STEPS, "limit-steps", "Run takes too many steps",
        "The whole run takes more steps than it may. Make the collections smaller that it walks over, or allow \
         more with `--limit steps=NUMBER`.";
    LIMIT_TIME, "limit-time", "Run takes too long",
        "The run takes longer than it was allowed. Allow more time, or ask for less.";
    NEWER_EDITION, "newer-edition", "Edition is newer than what is known",
        "The code is read as an edition that is newer than all whose behaviour is known here, and uses something that \
         these do not have. It may be new there. What it leads to is unknown, and everything else is read as the newest \
         known edition reads it.", may_be_new;
    NOT_ITERABLE, "not-iterable", "Nothing to iterate over",
        "A `for` expression walks over lists, sets, tuples, maps and objects, and this is none, or is null.";
    NO_ATTRIBUTE, "no-attribute", "No such attribute",
        "The value has no attribute of this name. Check the spelling, or use `try(…)` if it may be missing.";
    NO_ELEMENT, "no-element", "No such element",
        "The collection has no such index or key. Check it with `contains(keys(…), …)` or `length(…)`, or use \
         `lookup(…)` or `try(…)`.";
    OBJECT_KEY, "object-key", "Key does not fit",
        "A key of an object or map has to be text that is not null. Convert or replace it.";
    OPERAND, "operand", "Operand does not fit",
        "An operator was given a value that it cannot work with, such as text that is no number. Convert it, or \
         use another operator.";
    OPERATION, "operation", "Operation failed",
        "The operator has no result for these values, as in a division by zero.";
    SPLAT_OF_NULL, "splat-of-null", "Splat of null",
        "`[*]` after a null list has nothing to walk over. Use `coalesce(…, [])`, or check for null before.";
    SPLAT_OF_UNLIKE, "splat-of-unlike", "Splat gives unlike elements",
        "What stands after `[*]` gives results of different types for the elements of a list, mostly because `[*]` \
         follows again and one element is null. Write a `for` expression.";
    TYPE_EXPRESSION, "type-expression", "Not a type",
        "This is not a type. Types are `string`, `number`, `bool`, `any`, and `list(…)`, `set(…)`, `map(…)`, \
         `object({…})` and `tuple([…])` of them.";
    TYPE_VALUE, "type-value", "A type is not a value",
        "A type stands where a value is needed. Types stand in the `type` of a variable and in the few functions \
         that take one.";
    UNDEFINED_NAME, "undefined-name", "Undefined name",
        "Nothing of this name can be used here. Check the spelling, and what the place lets one refer to.";
    UNKNOWN_FUNCTION, "unknown-function", "Unknown function",
        "There is no function of this name in the chosen dialect and version. Check the spelling, or choose \
         another with `--dialect`.", may_be_new;
}
