//! Every diagnostic code of modules that are linked and evaluated.

pub(crate) use groma_config::codes::{
    CONDITION_RESULT, NO_FILES, VALIDATION_FAILED, VARIABLE_WITHOUT_VALUE,
};
pub(crate) use groma_decode::codes::{DEPRECATED_OUTPUT, DEPRECATED_VARIABLE};
pub(crate) use groma_module::codes::DEPRECATED_ATTRIBUTE;
pub(crate) use groma_module::codes::{
    IMPORT_ID, MODULE_NOT_FOUND, MODULE_NOT_INSTALLED, MODULE_SOURCE, RESOURCE_ARGUMENT,
    UNDECLARED_PROVIDER,
};

groma_syntax::codes! {
    ACTION_CONDITION, "action-condition", "Invalid condition of a trigger",
        "The condition of a trigger has to be true or false, and known before the apply.";
    ACTION_CONFIG, "action-config", "Configuration of an action is unknown",
        "The configuration of an action that runs alone or during a destroy has to be known before. Apply the \
         resources that the value depends on first.";
    ACTION_INSTANCE, "action-instance", "There is no such action",
        "The action has no instance of this key. Check its `count` or `for_each`, and the key.";
    ACTION_RING, "action-ring", "Action depends on a resource that it runs before",
        "An action that runs before a resource is created depends on that resource. Choose an event that comes \
         after.";
    ASSERTION_FAILED, "assertion-failed", "Assertion failed",
        "A `check` of the module failed; the message is the author's. Everything else is still evaluated.";
    ASSERTION_UNDECIDED, "assertion-undecided", "Assertion cannot be decided yet",
        "The `check` depends on values that are not known from the code, so it is undecided.";
    BACKEND_BELOW_ROOT, "backend-below-root", "Backend of a called module is not used",
        "Only the root module configures the backend. The block has an effect only if the module is used as a root.";
    CONSTANT_MARKED, "constant-marked", "Constant variable cannot be hidden",
        "A constant variable is read before anything is evaluated, so it cannot be sensitive or ephemeral. Remove \
         one of the two.";
    CONSTANT_WITHOUT_VALUE, "constant-without-value", "Constant variable has no value",
        "The value of a constant variable is needed to read the code. Give it a value.";
    DATA_FAILED, "data-failed", "Data cannot be read",
        "The data source could not be read. The message gives the reason.";
    DEPRECATED_ROOT_OUTPUT, "deprecated-root-output", "Output of the root cannot be deprecated",
        "A deprecation is for callers, but the root module has none. Remove `deprecated`.";
    EMPTY_PROVIDER, "empty-provider", "Empty provider block",
        "An empty `provider` block in a called module is the legacy way to declare that the caller passes the \
         provider. Name it in `required_providers` instead.";
    ENCRYPTION_ARGUMENT, "encryption-argument", "Wrong argument in an encryption block",
        "The key provider or method has no such argument, or needs one that is missing. The message names it.";
    ENCRYPTION_KEYS, "encryption-keys", "Not a key provider",
        "There is no key provider of this type or name. Check the reference.";
    ENCRYPTION_METHOD, "encryption-method", "Not an encryption method",
        "There is no encryption method of this type or name, or it may not be used here. Check the reference.";
    ENCRYPTION_PASSPHRASE, "encryption-passphrase", "Passphrase cannot be used",
        "The passphrase is too short, or both or neither of a passphrase and another key provider are given. Give exactly one of the two.";
    EPHEMERAL_OUTPUT, "ephemeral-output", "Output is ephemeral",
        "Outputs are stored and passed on, but an ephemeral value cannot be stored. Declare the output `ephemeral = \
         true` where that is allowed.";
    EVALUATION_RING, "evaluation-ring", "Value depends on itself",
        "The value depends on itself, in a way that shows only during evaluation. It is unknown.";
    FACTS_LATER, "facts-later", "Value waits for an answer",
        "The source of a resource's values has not answered yet. The value is unknown until then; evaluate it again.";
    IMPORT_BELOW_ROOT, "import-below-root", "Import outside of the root",
        "Only the root module can import objects. Move the `import` block there and write the full address.", may_be_new;
    IMPORT_FOR_EACH, "import-for-each", "Import cannot repeat over this",
        "`for_each` of an import takes a collection that is known, not null and not sensitive.";
    IMPORT_IDENTITY, "import-identity", "This cannot be the identity of an import",
        "The identity of an object is an object of known values, as the provider describes it.";
    IMPORT_ITSELF, "import-itself", "Import refers to the imported object",
        "The id of an import cannot be read from the resource that is imported. Write a literal id.";
    IMPORT_KEY, "import-key", "Import does not match the resource",
        "The key in the address of an import has to match the instances of the resource. Add, change or remove it.";
    IMPORT_PROVIDER, "import-provider", "Import does not choose the provider",
        "The resource is declared and determines its own provider. Remove `provider` from the import.";
    IMPORT_TARGET, "import-target", "Target of an import is not declared",
        "The import names a resource or module that is not declared. Declare it, or remove the import.";
    INSTANCE_ADDRESS, "instance-address", "Not the address of an instance",
        "One instance is needed, but the address does not name exactly one. Add or correct its key.";
    INSTANCE_UNKNOWN, "instance-unknown", "Existence of the instance is unknown",
        "Whether the instance exists depends on values that are not known from the code. Give these values.";
    INVALID_COUNT, "invalid-count", "Invalid count",
        "`count` has to be a whole number of 0 or more, known before an apply, and not sensitive or ephemeral.";
    INVALID_ENABLED, "invalid-enabled", "Invalid enabled",
        "`enabled` has to be true or false, known before an apply, and not sensitive or ephemeral.";
    INVALID_FOR_EACH, "invalid-for-each", "Invalid for_each",
        "`for_each` has to be a map, an object or a set of strings, known before an apply, and not sensitive or \
         ephemeral. Convert lists to sets with `toset(…)`.";
    LIST_LIMIT, "list-limit", "Invalid limit",
        "The limit of a list has to be a number of 0 or more.";
    MISSING_INPUT, "missing-input", "Module needs an input",
        "The called module has a variable without a default, but the `module` block does not set it. Add the \
         argument.";
    MISSING_PROVIDER, "missing-provider", "Module needs a provider configuration",
        "The called module expects a provider configuration from its caller. Pass it in `providers`.";
    MODULE_MANIFEST, "module-manifest", "Installed modules cannot be listed",
        "The list of installed modules, written by `init`, cannot be read. Run `init` again.";
    MODULE_MAPPING_UNUSED, "module-mapping-unused", "No module has this source",
        "The folder of a module source is given, but no `module` block has this source. Check how the source is written.";
    MODULE_OUTDATED, "module-outdated", "Module has to be installed again",
        "The installed module no longer matches the call: the source or version has changed. Run `init` again.";
    MODULE_OUTSIDE, "module-outside", "Module is outside of the root",
        "The module is outside of the folder that may be read. Choose a wider one with `--root`, or allow it with \
         `--allow-read`.";
    MODULE_RING, "module-ring", "Module calls itself",
        "A module calls itself, directly or through others, and would contain itself endlessly. Remove one of the calls.";
    MODULE_WITH_PROVIDERS, "module-with-providers", "Module that configures providers is repeated",
        "A module that configures providers itself can be called only once, without `count`, `for_each` and \
         `depends_on`. Configure them in the root.";
    NEEDED_TOO_EARLY, "needed-too-early", "Value is needed before anything is evaluated",
        "The value is needed to read the code, before resources are evaluated. Compute it from variables, local \
         values and constants.";
    NOT_CONSTANT_INPUT, "not-constant-input", "Input has to be constant",
        "A constant variable of a called module is given a value that is not known before resources are evaluated. \
         Compute it from constants.";
    NOT_ENCRYPTED, "not-encrypted", "State or plans are not encrypted",
        "State or plans are stored unencrypted. Keep this setting only during a migration.";
    NO_QUERIES, "no-queries", "There are no query files",
        "Query files exist only in some dialects and versions. Choose one that has them with `--dialect`.";
    NO_SUCH_INSTANCE, "no-such-instance", "There is no such instance",
        "Nothing of this address exists in the evaluated project. Check its name and key.";
    OUTPUT_TYPE, "output-type", "Value does not fit the output's type",
        "The value of the output cannot be converted to the type it is declared with. Change one of them.";
    OWN_PROVIDER, "own-provider", "Module configures this provider itself",
        "The module has a `provider` block of its own, so the caller cannot pass one. Remove one of the two.";
    POSTCONDITION_FAILED, "postcondition-failed", "Postcondition failed",
        "A `postcondition` failed; the message is the author's.";
    PRECONDITION_FAILED, "precondition-failed", "Precondition failed",
        "A `precondition` failed; the message is the author's.";
    PROVIDER_FOR_EACH_UNKNOWN, "provider-for-each-unknown", "Instances of a provider are not known",
        "The instances of a provider have to be known before anything is evaluated. Give values to the variables \
         that they depend on.";
    PROVIDER_INSTANCE, "provider-instance", "Provider configuration has no such instance",
        "The provider configuration has no instance of this key. Check its `for_each`, and the key.";
    PROVIDER_MISMATCH, "provider-mismatch", "Two different providers have one name",
        "The caller passes a configuration of a different provider than the one that has this name in the module. \
         Declare the same source in both.";
    PROVISIONER_EMPTY, "provisioner-empty", "Argument is empty",
        "The argument of the provisioner is empty, so it would do nothing. Set it, or remove the provisioner.";
    REFERENCE_RING, "reference-ring", "References form a cycle",
        "Declarations refer to each other in a cycle, so none can be evaluated first. Remove one of the references, \
         or split a declaration.";
    RESOURCE_REFUSED, "resource-refused", "Resource cannot be planned",
        "The provider's answers do not allow a plan of the resource. The message gives the reason.";
    SENSITIVE_OUTPUT, "sensitive-output", "Output holds a sensitive value",
        "An output of the root module shows a sensitive value. Add `sensitive = true`, or use `nonsensitive(…)` \
         if it may be shown.";
    STORE_UNKNOWN, "store-unknown", "Argument of a store is unknown",
        "Whether the value of a `store` is sensitive, and whether a new value replaces the resource, has to be known \
         before the apply.";
    TOO_MANY_MODULES, "too-many-modules", "Too many modules",
        "There are more module calls than the maximum, counting every path to a call. The rest is left out.";
    UNDECIDED_ACTION, "undecided-action", "Whether an action runs is unknown",
        "Whether the action runs depends on something that was not evaluated. Evaluate more, or give more values.";
    UNDECIDED_INSTANCES, "undecided-instances", "Number of instances is unknown",
        "The number of instances depends on values that are not known from the code. Give these values.";
    UNEXPECTED_PROVIDER, "unexpected-provider", "Provider is not declared where it is used",
        "The module uses or is passed a provider that it does not name in `required_providers`. Add it there.";
    UNKNOWN_INPUT, "unknown-input", "Module has no such input variable",
        "The called module declares no variable of this name. Check the spelling, or remove the argument.";
    VALUE_TOO_DEEP, "value-too-deep", "Value is nested too deeply",
        "The value nests deeper than allowed and is left unknown. Make the data flatter.";
    WORKSPACE_NAME, "workspace-name", "Invalid workspace name",
        "The name of a workspace consists of letters, digits and `-_.~`. Choose another.";
}
