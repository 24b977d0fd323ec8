//! Every diagnostic code of the rules. A rule is known to its users by the slug: it is what they allow or deny.

pub(crate) use groma_config::codes::UNDECLARED_VARIABLE;
pub(crate) use groma_module::codes::EXTRA_ATTRIBUTE;

groma_syntax::codes! {
    ATTEMPT_IN_VAIN, "attempt-in-vain", "Nothing here can fail",
        "`try` and `can` catch what fails when it is evaluated. What is tried here always has a value, which may be \
         null, so the fallback is never used. To replace null, use `coalesce` or a condition.";
    COMMENT_STYLE, "comment-style", "Comment does not begin with #",
        "Three signs begin a comment, and the language's own style knows `#` alone. Write `#`.";
    DECLARED_TYPE, "declared-type", "Declared type does not fit",
        "What is walked over or written into a text has a declared type, and with that this fails as soon as there is \
         something to walk over. The programs say so only when they plan. Mend the expression, or the type.";
    DUPLICATE_ELEMENT, "duplicate-element", "Element stands in the set twice",
        "A set holds each element once, so the second one changes nothing. Remove it, or write what was meant.";
    EMPTY_LIST_COMPARISON, "empty-list-comparison", "Comparison with an empty list",
        "`[]` is an empty tuple, and no list, set or map equals a tuple. To know whether something is empty, compare its length \
         with 0.";
    FULL_CLONE, "full-clone", "Whole repository is cloned",
        "A module in a repository is brought with all of the history, unless its source asks for less. Add `depth=1` to the \
         source.";
    HOPELESS_ATTEMPT, "hopeless-attempt", "This always fails",
        "`try` and `can` are for what may fail, and the declared type has no such attribute, so this always does. \
         Declare the attribute, perhaps as optional, or remove the attempt.";
    IMPLIED_DEPENDENCY, "implied-dependency", "Dependency is implied already",
        "An argument refers to the same resource, which makes it a dependency. Remove it from `depends_on`.";
    LEGACY_INDEX, "legacy-index", "Key behind a dot",
        "Before 0.12 a key was written behind a dot, as in `list.0`. Write it in brackets: `list[0]`.";
    LEGACY_SPLAT, "legacy-splat", "Splat behind a dot",
        "Before 0.12 a splat was written behind a dot, as in `list.*.id`. Write it in brackets: `list[*].id`.";
    LIST_AT_ROOT, "list-at-root", "JSON file is a list",
        "The programs read a list of objects as they read one object, and other tools may not. Make it one object.";
    LONE_INTERPOLATION, "lone-interpolation", "Interpolation around a whole value",
        "A text that is one interpolation and nothing else is the value inside, whatever its type. Write the \
         expression alone.";
    LOOKUP_WITHOUT_DEFAULT, "lookup-without-default", "Lookup without a default",
        "`lookup` is for keys that may be absent, and without a default it fails for these as brackets do. Write \
         `map[key]`, or give a default.";
    LOST_MOVE, "lost-move", "Move leads nowhere",
        "A `moved` block leads to an address that nothing declares, so what is recorded moves there and is destroyed by \
         the next apply. Correct the address, or remove the block.";
    MISSING_REQUIRED_VERSION, "missing-required-version", "No version of the program is required",
        "Without `required_version` in a `terraform` block an older program may read the code, and fail on what it does not \
         know. Say which versions the module was written for.";
    MODULE_STRUCTURE, "module-structure", "Not the standard structure of a module",
        "By convention variables stand in variables.tf, outputs in outputs.tf, and main.tf is where a reader begins.";
    MODULE_WITHOUT_VERSION, "module-without-version", "Module of a registry without a version",
        "Without `version` every `init` takes the newest version that there is, also one that changes what exists. Say which \
         versions will do.";
    NAMING_CONVENTION, "naming-convention", "Name breaks the convention",
        "Names of declarations have the form that was chosen for them: lower-case words with underscores between them, unless \
         the settings say otherwise.";
    OUTPUT_WITHOUT_DESCRIPTION, "output-without-description", "Output has no description",
        "Whoever calls the module learns from the description what the output is.";
    PROVIDER_WITHOUT_REQUIREMENT, "provider-without-requirement", "Provider is not required with source and version",
        "What `required_providers` does not say of a provider, `init` makes up: the source from its name, and the newest \
         version. Give both.";
    REMOTE_WORKSPACE, "remote-workspace", "Workspace of a remote run",
        "Terraform 1.0 calls every workspace `default` in a run of the `remote` backend. Use a variable, or require a later \
         version.";
    REPEATED_KEY, "repeated-key", "Key stands in the object twice",
        "An object holds each key once, and of several values the last one counts. Remove what does not count.";
    SAME_RESULTS, "same-results", "Both results are the same",
        "Whatever the condition is, the result is the same. Write the result alone, or what was meant.";
    SECRET_IN_TEXT, "secret-in-text", "Secret stands in the code",
        "Whoever reads the code knows it now, and so does its history. Replace the secret, and take the new one from \
         a sensitive variable or a secret store.";
    SETTLED_CONDITION, "settled-condition", "Condition is always the same",
        "Whatever the inputs are, this is always true or always false. Remove it, or compare what was meant.";
    UNPINNED_SOURCE, "unpinned-source", "Module source is not pinned",
        "A source in a repository that names no revision, or a branch that moves, is other code with each `init`. Name a tag \
         or a commit.";
    UNUSED_DATA, "unused-data", "Data source is not used",
        "Nothing in the module refers to it, and yet it is read in every run. Remove it.";
    UNUSED_LOCAL, "unused-local", "Local value is not used",
        "Nothing in the module refers to it. Remove it, or use it where it was meant.";
    UNUSED_OUTPUT, "unused-output", "Output of a module is not used",
        "The module lies in the folder of the root that calls it, and nothing there refers to the output. Remove it, or \
         use it where it was meant.";
    UNUSED_PROVIDER_ALIAS, "unused-provider-alias", "Provider configuration is not used",
        "Nothing in the module uses the configuration with this alias. Remove it, unless recorded resources still need it.";
    UNUSED_REQUIREMENT, "unused-requirement", "Required provider is not used",
        "Nothing in the module or below it uses the provider, and yet every `init` installs it. Remove it.";
    UNUSED_VARIABLE, "unused-variable", "Variable is not used",
        "Nothing in the module refers to it, so what callers give it has no effect. Remove it, or use it where it was \
         meant.";
    VARIABLE_WITHOUT_DESCRIPTION, "variable-without-description", "Variable has no description",
        "Whoever calls the module learns from the description what the variable is for.";
    VARIABLE_WITHOUT_TYPE, "variable-without-type", "Variable has no type",
        "Without a type every value will do, and what is wrong with one shows far from where it was given. Declare the type.";
    VERSION_TOO_LOW, "version-too-low", "Versions are allowed that cannot read the code",
        "`required_version` allows versions that do not have what the module uses, so whoever has one of them gets an \
         error about the code. Ask for the version that the message names.";
}
