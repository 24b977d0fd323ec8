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
        "An `action_trigger` names events and actions, each as a literal list. The message says what is wrong.", may_be_new;
    ARGUMENT_NOT_OVERRIDABLE, "argument-not-overridable", "Argument cannot be overridden",
        "An override file can change most arguments, but not this one. Change it where it is declared.";
    BACKEND_AND_CLOUD, "backend-and-cloud", "State is stored in two places",
        "State is stored in a backend or in the cloud, not in both. Remove one of the two blocks.";
    BACKEND_ARGUMENT, "backend-argument", "Unsupported backend setting",
        "The backend has no such argument or block. Check the spelling and the type of the backend.";
    BLOCK_COUNT, "block-count", "Wrong number of blocks",
        "There are too few or too many blocks of this type. The message says how many are allowed.";
    CALLER_BY_NAME, "caller-by-name", "Action names its caller",
        "An action refers to a resource that triggers it. Write `caller`, which is the very instance that triggers \
         it and causes no cycle.";
    CALLER_COUNTS, "caller-counts", "Instances of an action depend on its caller",
        "The number of instances of an action depends on a resource that triggers it, but has to be known before. \
         Let both depend on a variable or a local value.";
    CHECK_DATA, "check-data", "More than one data source in a check",
        "A `check` may contain only one `data` block. Move the others out of the check.";
    CHECK_DATA_SETTING, "check-data-setting", "Unsupported setting in the data source of a check",
        "The data source of a check is read once and has no lifecycle. Remove the argument or block.", may_be_new;
    CONSTANT_CONDITION, "constant-condition", "Condition checks nothing",
        "The condition refers to nothing, so it is always true or always false. Refer to the value that it should \
         check.";
    DEPENDS_ON_ITEM, "depends-on-item", "Only references can be depended on",
        "`depends_on` lists whole resources, data sources and modules, as references without quotes. Remove what \
         follows the address.";
    DEPRECATED_ATTRIBUTE, "deprecated-attribute", "Attribute is deprecated",
        "The provider advises against using this attribute. Its documentation says what to use instead.";
    DEPRECATED_WITHOUT_ADVICE, "deprecated-without-advice", "Deprecation message is empty",
        "The message in `deprecated` is shown to users, and it is empty. Say what to use instead.";
    DESTROY_REFERENCE, "destroy-reference", "Reference cannot be used while destroying",
        "A provisioner that runs while its resource is destroyed can refer only to `self`, `count.index` and \
         `each.key`: everything else may already be destroyed.";
    DUPLICATE_IMPORT, "duplicate-import", "Imported twice",
        "Two `import` blocks import to the same address. Remove one of them.";
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
        "Experiments can be enabled only in experimental versions. Remove the argument.", may_be_new;
    EXTRA_ATTRIBUTE, "extra-attribute", "Attribute is not part of the type",
        "An object has an attribute that the variable's type does not have, so it is dropped. Often the name is \
         misspelt.";
    IGNORE_CHANGES, "ignore-changes", "Invalid ignore_changes",
        "`ignore_changes` lists names of attributes of this resource, without quotes, or is the word `all`.", may_be_new;
    IMPORT_ADDRESS, "import-address", "This cannot be imported",
        "Only managed resources can be imported. Name one with `to`.";
    IMPORT_ID, "import-id", "This cannot be the id of an import",
        "The id of an import has to be a non-empty string that is known without the object itself. Write the id that \
         the provider uses for the object.";
    INCOMPLETE_REFERENCE, "incomplete-reference", "Reference does not name a value",
        "The reference ends too early: a type has to be followed by a name. Complete it.", may_be_new;
    INSTANCE_KEY, "instance-key", "Missing or unexpected instance key",
        "A resource or module with `count` or `for_each` has several instances, and a key selects one; without them \
         there is no key. Add or remove it.";
    INSTANCE_SELF_REFERENCE, "instance-self-reference", "Declaration refers to itself",
        "A resource's arguments cannot refer to the resource itself, not even to another instance. Use local \
         values for what they share.";
    INVALID_ADDRESS, "invalid-address", "This is not an address",
        "An address names a resource, data source or module, as in `module.a.aws_instance.b[\"c\"]`. Correct it.";
    LANGUAGE_EDITION, "language-edition", "Unknown language edition",
        "There is only one edition of the language, and this requires another. Remove the argument.", may_be_new;
    MISPLACED_REFERENCE, "misplaced-reference", "Reference is not available here",
        "The reference is available only in other places, such as `each` in a block with `for_each` or `self` in a \
         provisioner. Use something that is available here.";
    MODULE_NOT_FOUND, "module-not-found", "Module cannot be found",
        "The directory in the source of the module does not exist. Check the path: it is relative to the folder of \
         the calling file.";
    MODULE_NOT_INSTALLED, "module-not-installed", "Module is not installed",
        "The module is not local and not installed, so its contents are unknown. Run `init`, or give its folder with \
         `--module 'SOURCE=DIR'`.";
    MODULE_SOURCE, "module-source", "Module source is not valid",
        "The source of a module is a local path that starts with `./` or `../`, a registry address or a URL, as a \
         literal string. Correct the source or its version.";
    MOVE_KINDS, "move-kinds", "Resource moves to a module, or module to a resource",
        "A `moved` block leads from a resource to a resource, or from a module to a module. Correct one of its \
         addresses.";
    NOTHING_TO_OVERRIDE, "nothing-to-override", "Nothing to override",
        "The override file changes something that no other file declares. Check the name, or declare it in a file \
         that is not an override file.";
    NOT_CONSTANT, "not-constant", "A constant is needed here",
        "This is read before anything is evaluated, so it cannot refer to anything or call a function. Write a \
         literal value.";
    NOT_MOVABLE, "not-movable", "This cannot be moved",
        "An address of the `moved` block is not valid, or its object cannot be moved. Ephemeral resources and \
         attributes cannot.";
    NOT_OVERRIDABLE, "not-overridable", "Block is not allowed in an override file",
        "A block of this type is not allowed in an override file. Move it to another file.", may_be_new;
    NO_SUCH_ATTRIBUTE, "no-such-attribute", "Resource has no such attribute",
        "The resource has no attribute of this name, as far as its schema is known. Check the spelling and the \
         provider's version.", may_be_new;
    OVERRIDE_TARGET, "override-target", "This cannot be overridden here",
        "An `override_…` block of a test refers to the object that it replaces; this one cannot be replaced, or \
         already is.";
    PACKER_TEMPLATE, "packer-template", "A Packer template is not a module",
        "The folder contains a Packer template, but this command is for modules. Use `groma list` or `groma check`.";
    PROVIDER_ALIAS, "provider-alias", "Invalid alias of a provider",
        "The alias of a provider is a plain name in quotes. Choose one of letters, digits, underscores and \
         dashes.";
    PROVIDER_FOR_EACH, "provider-for-each", "Invalid for_each of a provider",
        "A provider with `for_each` needs an alias, and a dialect that supports it. Follow the message.";
    PROVIDER_GIVEN_TWICE, "provider-given-twice", "Provider is given twice",
        "In `providers` each configuration of the called module is set once. Remove one of the two.";
    PROVIDER_META, "provider-meta", "Blocks are not allowed here",
        "A `provider_meta` block takes only arguments. Write blocks as objects.";
    PROVIDER_NAME, "provider-name", "Invalid name of a provider",
        "Names of providers consist of lower-case letters, digits and dashes. Correct the name.";
    PROVIDER_REFERENCE, "provider-reference", "Not a reference to a provider configuration",
        "A provider configuration is referenced as `aws` or `aws.west`, without quotes and without anything else.";
    PROVIDER_REQUIRED_TWICE, "provider-required-twice", "Provider is required under two names",
        "Two names in `required_providers` have the same source. Keep one.";
    PROVIDER_REQUIREMENT, "provider-requirement", "Provider requirement is not valid",
        "The requirement of a provider is a literal object, as in `{ source = \"hashicorp/aws\", version = \"~> \
         5.0\" }`.";
    PROVIDER_SAME_KEYS, "provider-same-keys", "Resource and its provider share their keys",
        "A resource and its provider have the same `for_each`, so if a key is removed, the provider no longer exists \
         when the resource has to be destroyed. Give the provider keys that remain longer.";
    PROVIDER_VERSION, "provider-version", "Versions of a provider belong to required_providers",
        "The `version` argument of a `provider` block is deprecated. Write the version in `required_providers`.";
    PROVISIONER_CHOICE, "provisioner-choice", "Exactly one of several arguments is needed",
        "Some arguments of the provisioner exclude each other, and exactly one is needed. Keep one.";
    PROVISIONER_GONE, "provisioner-gone", "Provisioner no longer exists",
        "The provisioner was removed from Terraform and OpenTofu. Configure machines in their image, or use \
         `local-exec` or `remote-exec`.";
    PROVISIONER_KEYWORD, "provisioner-keyword", "A keyword is needed here",
        "The argument takes one of a few keywords, without quotes. The message lists them.", may_be_new;
    QUOTED_KEYWORD, "quoted-keyword", "Keyword in quotes",
        "A keyword is written without quotes. Remove them.";
    QUOTED_REFERENCE, "quoted-reference", "Reference in quotes",
        "A reference is written without quotes. Remove them.";
    READ_ONLY_ARGUMENT, "read-only-argument", "Argument cannot be set",
        "The provider computes this attribute, so it cannot be set. Remove it; it can be read after an apply.";
    REMOVED_ADDRESS, "removed-address", "This cannot be declared as removed",
        "The address is not valid in a `removed` block: it has to name a whole resource or module that is not \
         ephemeral. Correct it, or remove the block.";
    REMOVED_PROVISIONER, "removed-provisioner", "Provisioner is not allowed here",
        "Only a provisioner that runs on destroying (`when = destroy`) makes sense in a `removed` block of a \
         resource.";
    REMOVED_PROVISIONER_NOT_RUN, "removed-provisioner-not-run", "Provisioner never runs",
        "The object is only forgotten, not destroyed, so its provisioner never runs. Remove it, or set `destroy = \
         true`.";
    REMOVED_WITHOUT_LIFECYCLE, "removed-without-lifecycle", "Removed object is only forgotten",
        "A `removed` block without `lifecycle` only forgets the object, which continues to exist. State which is \
         meant with `lifecycle { destroy = … }`.";
    REPLACE_TRIGGERED_BY, "replace-triggered-by", "Invalid replace_triggered_by",
        "`replace_triggered_by` lists managed resources of this module or their attributes. Remove anything else.";
    REQUIRED_VERSION, "required-version", "Version requirement is not met",
        "The module requires another version of the program. Select a matching one with `--dialect`, or change \
         `required_version`.";
    RESERVED_BLOCK, "reserved-block", "This block type is reserved here",
        "The block type is reserved for future use. Remove the block.";
    RESERVED_IN_PROVIDER, "reserved-in-provider", "Reserved name in a provider block",
        "The name is reserved by the language and cannot be used in a `provider` block. Remove it.";
    RESERVED_VARIABLE_NAME, "reserved-variable-name", "Reserved variable name",
        "A `module` block uses this name for itself, so no variable can be called so. Choose another.";
    RESOURCE_ARGUMENT, "resource-argument", "Unsupported setting of a resource",
        "The built-in resource or data source has no such argument or block. Its page lists its arguments.", may_be_new;
    RESOURCE_TYPE, "resource-type", "Unknown resource type",
        "The provider has no resource or data source of this type. Check the spelling and the provider.", may_be_new;
    SELF_REFERENCE, "self-reference", "Declaration refers to itself",
        "A value is computed from itself. Refer to the values that it is computed from instead, for example through a local value.";
    SETTINGS_TWICE, "settings-twice", "Setting is given twice",
        "A module may have only one such block. Merge the two.";
    TEST_KEYWORD, "test-keyword", "A keyword is needed here",
        "The setting of a test takes one of a few keywords, without quotes. The message lists them.";
    TEST_OBJECT, "test-object", "An object is needed here",
        "The setting of a test takes an object: names and their values.";
    TEST_OPTIONS, "test-options", "Options of the plan exclude each other",
        "Two options of a run's plan exclude each other. Remove one.";
    TEST_PROVIDER_VERSION, "test-provider-version", "Version is not allowed here",
        "The module under test determines the versions of providers. Remove the argument from the test.";
    TEST_REFERENCES, "test-references", "References are needed here",
        "The setting of a test takes a literal list of references. Remove quotes and computed parts.";
    TRIGGER_REFERENCE, "trigger-reference", "Nothing can trigger a replacement",
        "`replace_triggered_by` names a resource that does not exist. Check the spelling.";
    TWO_REPETITIONS, "two-repetitions", "More than one kind of repetition",
        "`count`, `for_each` and `enabled` exclude each other. Keep one.";
    UNDECLARED_PROVIDER, "undeclared-provider", "Provider is not declared",
        "The provider or its configuration is not declared in this module. Add it to `required_providers`, or add \
         a `provider` block with the alias.";
    UNDECLARED_REFERENCE, "undeclared-reference", "Reference to something that is not declared",
        "The module declares nothing of this name. Check the spelling, or declare it.", may_be_new;
    UNKNOWN_BACKEND, "unknown-backend", "Unknown backend type",
        "There is no backend of this type. The message lists the existing ones.", may_be_new;
    UNKNOWN_PROVISIONER, "unknown-provisioner", "Unknown provisioner",
        "There is no provisioner of this type. The message lists the existing ones.", may_be_new;
    UNREADABLE_SCHEMA, "unreadable-schema", "Schema cannot be read",
        "The schemas of the provider cannot be read, so they are not used. Fetch them again.";
    VALIDATION_WITHOUT_VARIABLE, "validation-without-variable", "Validation does not refer to its variable",
        "A `validation` has to check the variable that it belongs to. Refer to it in the condition.";
}
