//! Every diagnostic code of the rules. Users know a rule by its slug: that is the name to allow or deny.

pub(crate) use groma_config::codes::UNDECLARED_VARIABLE;
pub(crate) use groma_module::codes::EXTRA_ATTRIBUTE;

groma_syntax::codes! {
    ATTEMPT_IN_VAIN, "attempt-in-vain", "Nothing here can fail",
        "`try` and `can` catch errors of evaluation. The expression here always has a value, which may be null, so \
         the fallback is never used. To replace null, use `coalesce` or a condition.";
    COMMENT_STYLE, "comment-style", "Comment does not begin with #",
        "Comments can begin in three ways, and the style of the language is to use `#` only. Write `#`.";
    DECLARED_TYPE, "declared-type", "Declared type does not fit",
        "The value that is iterated over or interpolated has a declared type for which this fails as soon as there \
         is an element. Terraform and OpenTofu report it only when planning. Fix the expression or the type.";
    DUPLICATE_ELEMENT, "duplicate-element", "Element occurs twice in the set",
        "A set contains each element once, so the second one has no effect. Remove it, or write what was meant.";
    EMPTY_LIST_COMPARISON, "empty-list-comparison", "Comparison with an empty list",
        "`[]` is an empty tuple, and no list, set or map equals a tuple. To know whether something is empty, compare its length \
         with 0.";
    FULL_CLONE, "full-clone", "Whole repository is cloned",
        "A module in a git repository is cloned with its whole history unless its source says otherwise. Add \
         `depth=1` to the source.";
    HOPELESS_ATTEMPT, "hopeless-attempt", "This always fails",
        "The declared type has no such attribute, so the expression in `try` or `can` always fails. Declare the \
         attribute, perhaps as optional, or remove the expression.";
    IMPLIED_DEPENDENCY, "implied-dependency", "Dependency is implied already",
        "An argument refers to the same resource, which makes it a dependency. Remove it from `depends_on`.";
    LEGACY_INDEX, "legacy-index", "Index after a dot",
        "Before 0.12 an index was written after a dot, as in `list.0`. Write it in brackets: `list[0]`.";
    LEGACY_SPLAT, "legacy-splat", "Splat after a dot",
        "Before 0.12 a splat was written after a dot, as in `list.*.id`. Write it in brackets: `list[*].id`.";
    LIST_AT_ROOT, "list-at-root", "JSON file is a list",
        "Terraform and OpenTofu read a list of objects as they read one object, but other tools may not. Make it one object.";
    LONE_INTERPOLATION, "lone-interpolation", "Interpolation around a whole value",
        "A string that consists of a single interpolation is the value inside, whatever its type. Write only the \
         expression.";
    LOOKUP_WITHOUT_DEFAULT, "lookup-without-default", "Lookup without a default",
        "`lookup` is for keys that may be missing; without a default it fails for these as brackets do. Write \
         `map[key]`, or give a default.";
    LOST_MOVE, "lost-move", "Move leads nowhere",
        "A `moved` block leads to an address that is not declared, so the object moves there and is destroyed by the \
         next apply. Correct the address, or remove the block.";
    MISSING_REQUIRED_VERSION, "missing-required-version", "No version of the program is required",
        "Without `required_version` in a `terraform` block an older version may read the code and fail on something \
         that it does not know. State the versions that the module was written for.";
    MODULE_STRUCTURE, "module-structure", "Not the standard structure of a module",
        "By convention variables are in variables.tf, outputs in outputs.tf, and main.tf is the entry point for readers.";
    MODULE_WITHOUT_VERSION, "module-without-version", "Module of a registry without a version",
        "Without `version` every `init` takes the newest version, even one with breaking changes. State the versions \
         that the code works with.";
    NAMING_CONVENTION, "naming-convention", "Name breaks the convention",
        "Names of declarations should follow the configured convention: by default, lower-case words separated by \
         underscores.";
    OUTPUT_WITHOUT_DESCRIPTION, "output-without-description", "Output has no description",
        "The description tells users of the module what the output is.";
    PROVIDER_WITHOUT_REQUIREMENT, "provider-without-requirement", "Provider is not required with source and version",
        "What `required_providers` does not state for a provider, `init` assumes: the source from its name, and the \
         newest version. State both.";
    REMOTE_WORKSPACE, "remote-workspace", "Workspace of a remote run",
        "Terraform 1.0 calls every workspace `default` in a run of the `remote` backend. Use a variable, or require a later \
         version.";
    REPEATED_KEY, "repeated-key", "Key occurs twice in the object",
        "An object contains each key once; if it is written several times, the last value is used. Remove the others.";
    SAME_RESULTS, "same-results", "Both results are the same",
        "The result is the same whatever the condition is. Write only the result, or what was meant.";
    SECRET_IN_TEXT, "secret-in-text", "Secret in the code",
        "Anyone who can read the code or its history knows the secret. Revoke it, and take the new one from a \
         sensitive variable or a secret store.";
    SETTLED_CONDITION, "settled-condition", "Condition is always the same",
        "Whatever the inputs are, this is always true or always false. Remove it, or compare what was meant.";
    UNPINNED_SOURCE, "unpinned-source", "Module source is not pinned",
        "A source without a revision, or with a branch, can be different code at each `init`. Give a tag or a \
         commit.";
    UNUSED_DATA, "unused-data", "Data source is not used",
        "Nothing in the module refers to it, but it is read in every run. Remove it.";
    UNUSED_LOCAL, "unused-local", "Local value is not used",
        "Nothing in the module refers to it. Remove it, or use it where it was meant.";
    UNUSED_OUTPUT, "unused-output", "Output of a module is not used",
        "The module is local to the root that calls it, and nothing there refers to the output. Remove it, or use it \
         where it was meant.";
    UNUSED_PROVIDER_ALIAS, "unused-provider-alias", "Provider configuration is not used",
        "Nothing in the module uses the configuration with this alias. Remove it, unless recorded resources still need it.";
    UNUSED_REQUIREMENT, "unused-requirement", "Required provider is not used",
        "Nothing in the module or below it uses the provider, but every `init` installs it. Remove it.";
    UNUSED_VARIABLE, "unused-variable", "Variable is not used",
        "Nothing in the module refers to it, so what callers give it has no effect. Remove it, or use it where it was \
         meant.";
    VARIABLE_WITHOUT_DESCRIPTION, "variable-without-description", "Variable has no description",
        "The description tells users of the module what the variable is for.";
    VARIABLE_WITHOUT_TYPE, "variable-without-type", "Variable has no type",
        "Without a type every value is accepted, and errors show far from where the value was given. Declare the type.";
    VERSION_TOO_LOW, "version-too-low", "Allowed versions cannot read the code",
        "`required_version` allows versions that lack a feature that the module uses; these report errors in the \
         code. Require the version that the message names.";
}
