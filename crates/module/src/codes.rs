//! Every diagnostic code of a module's declarations, taken by themselves.

pub(crate) use groma_config::codes::{
    DEFAULT_TYPE, DUPLICATE_DECLARATION, DYNAMIC_BLOCK, INVALID_NAME, UNSUPPORTED_ARGUMENT,
    UNSUPPORTED_BLOCK, VERSION_CONSTRAINT,
};
pub(crate) use groma_syntax::codes::{
    BLOCK_LABELS, DUPLICATE_ARGUMENT, MISSING_ARGUMENT, WRONG_JSON_VALUE,
};

groma_syntax::codes! {
    ACTION_TRIGGER, "action-trigger", "Invalid action_trigger",
        "An `action_trigger` names events and actions, each as a list that is written out. Compare it with the \
         message.", may_be_new;
    ARGUMENT_NOT_OVERRIDABLE, "argument-not-overridable", "Argument cannot be overridden",
        "An override file changes most arguments, and this one has to stay where it is declared. Change it there.";
    BACKEND_AND_CLOUD, "backend-and-cloud", "State is kept in two places",
        "State is kept in a backend or in the cloud. Remove one of the two blocks.";
    BACKEND_ARGUMENT, "backend-argument", "Backend does not take this",
        "The backend takes no such argument or block. Check the spelling and the kind of the backend.";
    BLOCK_COUNT, "block-count", "Wrong number of blocks",
        "A block of this type has to stand here a certain number of times. The message says how many there may \
         be.";
    CALLER_BY_NAME, "caller-by-name", "Action names its caller",
        "An action refers to a resource that has it run. Written as `caller` it is the very instance that does, and \
         nothing has to wait for itself.";
    CALLER_COUNTS, "caller-counts", "Action is counted by its caller",
        "How often an action exists depends on a resource that has it run, and is to be known before that. Let both \
         depend on a variable or a local value.";
    CHECK_DATA, "check-data", "More than one data source in a check",
        "A `check` has at most one `data` block of its own. Put the others beside the check.";
    CHECK_DATA_SETTING, "check-data-setting", "Data of a check does not take this",
        "The data of a check is read once and has no lifecycle of its own. Remove the argument or block.", may_be_new;
    CONSTANT_CONDITION, "constant-condition", "Condition checks nothing",
        "The condition refers to nothing, so it is always true or always false. Let it look at what it is to \
         check.";
    DEPENDS_ON_ITEM, "depends-on-item", "Only references can be depended on",
        "`depends_on` lists whole resources, data sources and modules, as references without quotes. Remove what \
         follows the address.";
    DEPRECATED_ATTRIBUTE, "deprecated-attribute", "Attribute is deprecated",
        "The provider advises against using this attribute. Look in its documentation for what replaces it.";
    DEPRECATED_WITHOUT_ADVICE, "deprecated-without-advice", "Deprecation says nothing",
        "The text of `deprecated` is what users get to read, and it is empty. Say what to use instead.";
    DESTROY_REFERENCE, "destroy-reference", "Reference cannot be used while destroying",
        "A provisioner that runs while its resource is destroyed can look only at `self`, `count.index` and \
         `each.key`: everything else may be gone.";
    DUPLICATE_IMPORT, "duplicate-import", "Imported twice",
        "Two `import` blocks take over into the same address. Remove one of them.";
    DUPLICATE_PROVIDER, "duplicate-provider", "Provider configured twice",
        "A module has one configuration of a provider for each alias. Give one of the two another alias, or \
         remove it.";
    EMPTY_CHECK, "empty-check", "Check without assertions",
        "A `check` without `assert` blocks checks nothing. Add one.";
    ENCRYPTION_NAME, "encryption-name", "Invalid name in an encryption block",
        "The name cannot be used in an `encryption` block: it takes letters, digits, underscores and dashes.";
    ENCRYPTION_TWICE, "encryption-twice", "Encryption is declared twice",
        "A key provider or method is declared twice under one name. Rename or remove one.";
    EXPERIMENT, "experiment", "There are no experiments in this edition",
        "Experiments can be switched on only in versions that are made for them. Remove the argument.", may_be_new;
    EXTRA_ATTRIBUTE, "extra-attribute", "Attribute is not part of the type",
        "An object is given an attribute that the variable's type does not have, so it is dropped. Often the name \
         is misspelt.";
    IGNORE_CHANGES, "ignore-changes", "Invalid ignore_changes",
        "`ignore_changes` lists names of attributes of this resource, without quotes, or is the word `all`.", may_be_new;
    IMPORT_ADDRESS, "import-address", "This cannot be taken over",
        "Only managed resources can be taken over. Name one with `to`.";
    IMPORT_ID, "import-id", "This cannot be the id of an import",
        "The id of an import is text that is not empty, and known without the object itself. Write what the \
         provider calls the object.";
    INCOMPLETE_REFERENCE, "incomplete-reference", "Reference does not name a value",
        "The reference ends too early to mean a value: a kind or type has to be followed by a name. Complete it.", may_be_new;
    INSTANCE_KEY, "instance-key", "Instance key is missing or not wanted",
        "A resource or module with `count` or `for_each` is many, and one is chosen by its key; without them \
         there is no key. Add or remove it.";
    INSTANCE_SELF_REFERENCE, "instance-self-reference", "Declaration refers to itself",
        "A resource's arguments cannot refer to the resource itself, not even to another instance. Use local \
         values for what they share.";
    INVALID_ADDRESS, "invalid-address", "This is not an address",
        "An address names a resource, data source or module, as in `module.a.aws_instance.b[\"c\"]`. Mend its \
         form.";
    LANGUAGE_EDITION, "language-edition", "Unknown language edition",
        "There is one edition of the language, and this asks for another. Remove the argument.", may_be_new;
    MISPLACED_REFERENCE, "misplaced-reference", "Reference has no meaning here",
        "What is referred to exists only in other places, such as `each` in a block with `for_each` or `self` in \
         a provisioner. Use something that is known here.";
    MODULE_NOT_FOUND, "module-not-found", "Module cannot be found",
        "The directory that the source of the module names does not exist. Check the path: it starts from the \
         calling file's folder.";
    MODULE_NOT_INSTALLED, "module-not-installed", "Module is not installed",
        "The module comes from elsewhere and is not here, so nothing is known of it. Run `init` of your program, \
         or say with `--module 'SOURCE=DIR'` where it lies.";
    MODULE_SOURCE, "module-source", "Module source is not valid",
        "Where a module comes from is a local path that starts with `./` or `../`, a registry address or a URL, \
         written as plain text. Mend the source or its version.";
    MOVE_KINDS, "move-kinds", "Resources and modules cannot become each other",
        "A `moved` block leads from a resource to a resource, or from a module to a module. Correct one of its \
         addresses.";
    NOTHING_TO_OVERRIDE, "nothing-to-override", "Nothing to override",
        "The override file changes something that no other file declares. Check the name, or declare it in a file \
         that is no override.";
    NOT_CONSTANT, "not-constant", "A constant is needed here",
        "This is read before anything is evaluated, so it cannot refer to anything or call a function. Write the \
         value out.";
    NOT_MOVABLE, "not-movable", "This cannot be moved",
        "An address of the `moved` block cannot be read, or what it names cannot move. Ephemeral resources and parts of \
         objects do not.";
    NOT_OVERRIDABLE, "not-overridable", "Block cannot stand in an override file",
        "A block of this type has no meaning in an override file. Move it to another file.", may_be_new;
    NO_SUCH_ATTRIBUTE, "no-such-attribute", "Resource has no such attribute",
        "The resource has no attribute of this name, as far as its schema is known. Check the spelling and the \
         provider's version.", may_be_new;
    OVERRIDE_TARGET, "override-target", "This cannot be overridden here",
        "An `override_…` block of a test names what it replaces as a reference, and this cannot be replaced, or \
         is already.";
    PACKER_TEMPLATE, "packer-template", "A Packer template is no module",
        "The folder holds a template of Packer, and what was asked is a question about modules. Use `groma list` \
         or `groma check`.";
    PROVIDER_ALIAS, "provider-alias", "Invalid alias of a provider",
        "The alias of a provider is a plain name in quotes. Choose one of letters, digits, underscores and \
         dashes.";
    PROVIDER_FOR_EACH, "provider-for-each", "Provider cannot be repeated like this",
        "A provider that is repeated with `for_each` needs an alias, and a dialect that knows this. Follow the \
         message.";
    PROVIDER_GIVEN_TWICE, "provider-given-twice", "Provider is given twice",
        "In `providers` each configuration of the called module is set once. Remove one of the two.";
    PROVIDER_META, "provider-meta", "Blocks have no place here",
        "A `provider_meta` block holds arguments only. Write blocks as objects.";
    PROVIDER_NAME, "provider-name", "Invalid name of a provider",
        "Names of providers are made of small letters, digits and dashes. Correct the name.";
    PROVIDER_REFERENCE, "provider-reference", "This does not name a provider configuration",
        "Here a provider configuration is named, as `aws` or `aws.west`, without quotes and without anything \
         else.";
    PROVIDER_REQUIRED_TWICE, "provider-required-twice", "Provider is required under two names",
        "Two names in `required_providers` stand for the same source. Keep one.";
    PROVIDER_REQUIREMENT, "provider-requirement", "Provider requirement is not valid",
        "What is required of a provider is an object that is written out, as in `{ source = \"hashicorp/aws\", \
         version = \"~> 5.0\" }`.";
    PROVIDER_SAME_KEYS, "provider-same-keys", "Resource and its provider share their keys",
        "A resource and its provider repeat over the same keys, so a key that goes takes away the provider before \
         the resource can be destroyed. Give the provider keys that stay longer.";
    PROVIDER_VERSION, "provider-version", "Versions of a provider belong to required_providers",
        "The `version` argument of a `provider` block is out of use. Put the versions into `required_providers`.";
    PROVISIONER_CHOICE, "provisioner-choice", "Exactly one of several arguments is needed",
        "Some arguments of the provisioner exclude each other, and exactly one is needed. Keep one.";
    PROVISIONER_GONE, "provisioner-gone", "Provisioner no longer exists",
        "The provisioner was removed from all programs. Set machines up in their image, or use `local-exec` or \
         `remote-exec`.";
    PROVISIONER_KEYWORD, "provisioner-keyword", "A keyword is needed here",
        "The argument takes one of a few words, without quotes. The message lists them.", may_be_new;
    QUOTED_KEYWORD, "quoted-keyword", "Keyword in quotes",
        "A keyword is written without quotes. Remove them.";
    QUOTED_REFERENCE, "quoted-reference", "Reference in quotes",
        "A reference is written without quotes. Remove them.";
    READ_ONLY_ARGUMENT, "read-only-argument", "Argument cannot be set",
        "The provider works this attribute out, so it cannot be set. Remove it; it can be read after an apply.";
    REMOVED_ADDRESS, "removed-address", "This cannot be declared as removed",
        "The address cannot stand in a `removed` block: it names a resource or module as a whole, and nothing \
         that is ephemeral. Mend it, or remove the block.";
    REMOVED_PROVISIONER, "removed-provisioner", "Provisioner has no place here",
        "Only a provisioner that runs on destroying (`when = destroy`) makes sense in a `removed` block of a \
         resource.";
    REMOVED_PROVISIONER_NOT_RUN, "removed-provisioner-not-run", "Provisioner never runs",
        "The object is forgotten and not destroyed, so its provisioner never runs. Remove it, or set `destroy = \
         true`.";
    REMOVED_WITHOUT_LIFECYCLE, "removed-without-lifecycle", "Removed object is only forgotten",
        "A `removed` block without `lifecycle` forgets the object, which goes on existing. Say which is meant \
         with `lifecycle { destroy = … }`.";
    REPLACE_TRIGGERED_BY, "replace-triggered-by", "Invalid replace_triggered_by",
        "`replace_triggered_by` lists managed resources of this module or their attributes. Remove what is none.";
    REQUIRED_VERSION, "required-version", "Version requirement is not met",
        "The module asks for another version of the program. Choose one that it accepts with `--dialect`, or \
         change `required_version`.";
    RESERVED_BLOCK, "reserved-block", "This block type is reserved here",
        "The block type is kept for later and cannot be used here. Remove the block.";
    RESERVED_IN_PROVIDER, "reserved-in-provider", "Provider block does not take this",
        "The name is kept for the language and cannot be used in a `provider` block. Remove it.";
    RESERVED_VARIABLE_NAME, "reserved-variable-name", "Reserved variable name",
        "A `module` block uses this name for itself, so no variable can be called so. Choose another.";
    RESOURCE_ARGUMENT, "resource-argument", "Resource does not take this",
        "The built-in resource or data source takes no such argument or block. Its page lists what it takes.", may_be_new;
    RESOURCE_TYPE, "resource-type", "Unknown resource type",
        "The provider has no resource or data source of this type. Check the spelling, and whose it is.", may_be_new;
    SELF_REFERENCE, "self-reference", "Declaration refers to itself",
        "A value is made of itself. Refer to what it is made of instead, for example through a local value.";
    SETTINGS_TWICE, "settings-twice", "Setting is given twice",
        "A module has at most one such block. Put both into one.";
    TEST_KEYWORD, "test-keyword", "A keyword is needed here",
        "The setting of a test takes one of a few words, without quotes. The message lists them.";
    TEST_OBJECT, "test-object", "An object is needed here",
        "The setting of a test takes an object: names and their values.";
    TEST_OPTIONS, "test-options", "Options of the plan exclude each other",
        "Two options of a run's plan exclude each other. Remove one.";
    TEST_PROVIDER_VERSION, "test-provider-version", "Version has no place here",
        "The module under test says which version of a provider is used. Remove the argument from the test.";
    TEST_REFERENCES, "test-references", "References are needed here",
        "The setting of a test takes a list of references that is written out. Remove quotes and computed parts.";
    TRIGGER_REFERENCE, "trigger-reference", "Nothing there can trigger a replacement",
        "`replace_triggered_by` names a resource that is not there. Check the spelling.";
    TWO_REPETITIONS, "two-repetitions", "More than one kind of repetition",
        "`count`, `for_each` and `enabled` exclude each other. Keep one.";
    UNDECLARED_PROVIDER, "undeclared-provider", "Provider is not declared",
        "The provider or its configuration is not declared in this module. Add it to `required_providers`, or add \
         a `provider` block with the alias.";
    UNDECLARED_REFERENCE, "undeclared-reference", "Reference to something that is not declared",
        "The module declares nothing of this name. Check the spelling, or declare it.", may_be_new;
    UNKNOWN_BACKEND, "unknown-backend", "Unknown kind of backend",
        "There is no backend of this kind. The message lists those there are.", may_be_new;
    UNKNOWN_PROVISIONER, "unknown-provisioner", "Unknown provisioner",
        "There is no provisioner of this kind. The message lists those there are.", may_be_new;
    UNREADABLE_SCHEMA, "unreadable-schema", "Schema cannot be read",
        "What is known of the provider's resources cannot be read, so it counts as not there. Fetch the schemas \
         anew.";
    VALIDATION_WITHOUT_VARIABLE, "validation-without-variable", "Validation does not look at its variable",
        "A `validation` has to look at the variable it belongs to. Refer to it in the condition.";
}
