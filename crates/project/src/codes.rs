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
    ACTION_CONDITION, "action-condition", "Condition of a trigger cannot be used",
        "Whether an action runs is a condition that has to be true or false, and known before the plan is carried out.";
    ACTION_CONFIG, "action-config", "What an action is told is not known",
        "An action that runs by itself, or while something is destroyed, is told only what is known before. Carry out \
         what the value depends on first.";
    ACTION_INSTANCE, "action-instance", "There is no such action",
        "The action has no instance of this key. Check its `count` or `for_each`, and the key.";
    ACTION_RING, "action-ring", "Action needs what it is to run before",
        "An action that is to run before a resource is made needs that resource. Choose an event that comes \
         after.";
    ASSERTION_FAILED, "assertion-failed", "Assertion does not hold",
        "A `check` of the module does not hold; the message is the author's. The rest is evaluated all the same.";
    ASSERTION_UNDECIDED, "assertion-undecided", "Assertion cannot be decided yet",
        "The `check` depends on values that are not known from the code, so nothing can be said about it yet.";
    BACKEND_BELOW_ROOT, "backend-below-root", "Backend of a called module is not used",
        "Only the root module says where state is kept. The block counts where the module is used as a root.";
    CONSTANT_MARKED, "constant-marked", "Constant variable cannot be hidden",
        "A constant variable is read before anything is evaluated, so it cannot be sensitive or ephemeral. Remove \
         one of the two.";
    CONSTANT_WITHOUT_VALUE, "constant-without-value", "Constant variable has no value",
        "A constant variable is needed even to read the code. Give it a value.";
    DATA_FAILED, "data-failed", "Data cannot be read",
        "The data source was asked and has no answer. The message gives the reason.";
    DEPRECATED_ROOT_OUTPUT, "deprecated-root-output", "Output of the root cannot be deprecated",
        "A deprecation is for callers, and the root module has none. Remove `deprecated`.";
    EMPTY_PROVIDER, "empty-provider", "Empty provider block",
        "An empty `provider` block in a called module is the old way to say that the caller hands it over. Name \
         it in `required_providers` instead.";
    ENCRYPTION_ARGUMENT, "encryption-argument", "Wrong argument in an encryption block",
        "The key provider or method takes no such argument, or needs one that is missing. The message names it.";
    ENCRYPTION_KEYS, "encryption-keys", "This is not a provider of keys",
        "There is no provider of keys of this kind or name. Check the reference.";
    ENCRYPTION_METHOD, "encryption-method", "This is not a method of encryption",
        "There is no method of encryption of this kind or name, or it may not be used here. Check the reference.";
    ENCRYPTION_PASSPHRASE, "encryption-passphrase", "Passphrase cannot be used",
        "A passphrase is long enough, or keys come from another provider. Give exactly one of the two.";
    EPHEMERAL_OUTPUT, "ephemeral-output", "Output holds an ephemeral value",
        "Outputs are kept and handed on, and an ephemeral value cannot be kept. Declare the output `ephemeral = \
         true` where that is allowed.";
    EVALUATION_RING, "evaluation-ring", "Value is needed to work out itself",
        "To work the value out, the value itself is needed, by way of something that shows only in evaluation. It \
         stays unknown.";
    FACTS_LATER, "facts-later", "Value waits for an answer",
        "Whoever knows what a resource is has not answered yet. The value is unknown until they have; ask again then.";
    IMPORT_BELOW_ROOT, "import-below-root", "Import outside of the root",
        "Only the root module takes objects over. Move the `import` block there and write the whole address.", may_be_new;
    IMPORT_FOR_EACH, "import-for-each", "Import cannot repeat over this",
        "`for_each` of an import takes a collection that is known, not null and not sensitive.";
    IMPORT_IDENTITY, "import-identity", "This cannot be the identity of an import",
        "What tells an object apart is given as an object of known values, as the provider describes it.";
    IMPORT_ITSELF, "import-itself", "Import refers to what it takes over",
        "The id of an import cannot be read from the resource that it makes known. Write it out.";
    IMPORT_KEY, "import-key", "Import and resource do not fit together",
        "The key in the address of an import has to fit how the resource is repeated. Add, change or remove it.";
    IMPORT_PROVIDER, "import-provider", "Import does not choose the provider",
        "The resource is declared and says itself which provider it has. Remove `provider` from the import.";
    IMPORT_TARGET, "import-target", "Import into nothing",
        "The import names a resource or module that is not declared. Declare it, or remove the import.";
    INSTANCE_ADDRESS, "instance-address", "Not the address of an instance",
        "One instance is asked for, and the address does not name exactly one. Add or correct its key.";
    INSTANCE_UNKNOWN, "instance-unknown", "It is not known whether there is such an instance",
        "Whether the instance exists depends on something that is not known from the code. Give the values that \
         decide it.";
    INVALID_COUNT, "invalid-count", "Invalid count",
        "`count` is a whole number from 0 on, known before an apply, and not sensitive or ephemeral.";
    INVALID_ENABLED, "invalid-enabled", "Invalid enabled",
        "`enabled` has to be true or false, known before an apply, and not sensitive or ephemeral.";
    INVALID_FOR_EACH, "invalid-for-each", "Invalid for_each",
        "`for_each` is a map, an object or a set of texts, known before an apply, and not sensitive or ephemeral. \
         Turn lists into sets with `toset(…)`.";
    LIST_LIMIT, "list-limit", "Invalid limit",
        "The limit of a list is a number from 0 on.";
    MISSING_INPUT, "missing-input", "Module needs an input",
        "The called module has a variable without a default, and the `module` block does not set it. Add the \
         argument.";
    MISSING_PROVIDER, "missing-provider", "Module needs a provider configuration",
        "The called module expects a provider configuration from its caller. Hand it over in `providers`.";
    MODULE_MANIFEST, "module-manifest", "Installed modules cannot be listed",
        "The list of installed modules, written by `init`, cannot be read. Run `init` again.";
    MODULE_MAPPING_UNUSED, "module-mapping-unused", "Nothing is called from there",
        "It is said where a module lies, and no `module` block has this source. Check how the source is written.";
    MODULE_OUTDATED, "module-outdated", "Module has to be installed again",
        "What is installed does not fit the call any more: another source or version. Run `init` again.";
    MODULE_OUTSIDE, "module-outside", "Module lies outside of the root",
        "The module lies outside of the folder that may be read. Choose a wider one with `--root`, or allow it \
         with `--allow-read`.";
    MODULE_RING, "module-ring", "Module calls itself",
        "A module calls itself, perhaps through others, and would hold itself without end. Break the ring.";
    MODULE_WITH_PROVIDERS, "module-with-providers", "Module that configures providers is repeated",
        "A module that configures providers itself can be called only once, without `count`, `for_each` and \
         `depends_on`. Configure them in the root.";
    NEEDED_TOO_EARLY, "needed-too-early", "Value is needed before anything is evaluated",
        "The value is needed to read the code, before resources are looked at. Make it of variables, local values \
         and constants.";
    NOT_CONSTANT_INPUT, "not-constant-input", "Input has to be constant",
        "A constant variable of a called module is given a value that is not known before resources are looked \
         at. Make it of constants.";
    NOT_ENCRYPTED, "not-encrypted", "State or plans are not encrypted",
        "State or plans are kept readable. Keep this setting only while changing over.";
    NO_QUERIES, "no-queries", "There are no query files",
        "Query files exist only in some dialects and versions. Choose one that has them with `--dialect`.";
    NO_SUCH_INSTANCE, "no-such-instance", "There is no such instance",
        "Nothing of this address exists in the evaluated project. Check its name and key.";
    OUTPUT_TYPE, "output-type", "Value does not fit the output's type",
        "The value of the output cannot be converted to the type it is declared with. Change one of them.";
    OWN_PROVIDER, "own-provider", "Module configures this provider itself",
        "The module has a `provider` block of its own, so the caller cannot hand one over. Remove one of the two.";
    POSTCONDITION_FAILED, "postcondition-failed", "Postcondition does not hold",
        "What a `postcondition` promises does not hold; the message is the author's.";
    PRECONDITION_FAILED, "precondition-failed", "Precondition does not hold",
        "What a `precondition` asks for does not hold; the message is the author's.";
    PROVIDER_FOR_EACH_UNKNOWN, "provider-for-each-unknown", "Instances of a provider are not known",
        "The instances of a provider have to be known before anything is evaluated. Give values to what decides \
         them.";
    PROVIDER_INSTANCE, "provider-instance", "Provider configuration has no such instance",
        "The provider configuration has no instance of this key. Check its `for_each`, and the key.";
    PROVIDER_MISMATCH, "provider-mismatch", "Two different providers go by one name",
        "The caller hands over a configuration of another provider than the module means by this name. Declare \
         the same source in both.";
    PROVISIONER_EMPTY, "provisioner-empty", "Argument says nothing",
        "The argument of the provisioner is empty and would do nothing. Fill it in, or remove the provisioner.";
    REFERENCE_RING, "reference-ring", "References form a ring",
        "Declarations refer to each other in a ring, so none can come first. Take one reference out, or split \
         what is in the ring.";
    RESOURCE_REFUSED, "resource-refused", "Resource cannot be planned",
        "Whoever answers for the provider was asked what is planned, and refuses. The message gives the reason.";
    SENSITIVE_OUTPUT, "sensitive-output", "Output holds a sensitive value",
        "An output of the root module shows a sensitive value. Add `sensitive = true`, or use `nonsensitive(…)` \
         if it may be shown.";
    STORE_UNKNOWN, "store-unknown", "Flag of a store is not known yet",
        "Whether the value of a `store` is sensitive, and whether another value replaces the resource, has to be known \
         before the plan is carried out.";
    TOO_MANY_MODULES, "too-many-modules", "Too many modules",
        "More modules are called than are read, counting every way that leads to one. The rest is left out.";
    UNDECIDED_ACTION, "undecided-action", "Whether an action runs is not known",
        "Whether the action runs depends on something that was not looked at. Ask for more, or give more values.";
    UNDECIDED_INSTANCES, "undecided-instances", "Number of instances is not known",
        "How many instances there are depends on something that is not known from the code. Give the values that \
         decide it.";
    UNEXPECTED_PROVIDER, "unexpected-provider", "Provider is not declared where it is used",
        "The module uses or is handed a provider that it does not name in `required_providers`. Add it there.";
    UNKNOWN_INPUT, "unknown-input", "Module has no such input variable",
        "The called module declares no variable of this name. Check the spelling, or remove the argument.";
    VALUE_TOO_DEEP, "value-too-deep", "Value is nested too deeply",
        "The value nests deeper than is allowed and is left unknown. Make the data flatter.";
    WORKSPACE_NAME, "workspace-name", "Invalid workspace name",
        "The name of a workspace is made of letters, digits and `-_.~`. Choose another.";
}
