//! Every diagnostic code that is specific to Packer templates; those shared with modules are in `folder`.

pub(crate) use groma_config::codes::{
    ARGUMENT_TWICE, ARGUMENT_TYPE, CONDITION_RESULT, DEFAULT_TYPE, DUPLICATE_DECLARATION,
    DYNAMIC_BLOCK, DYNAMIC_FOR_EACH, INVALID_NAME, MOCK, NO_FILES, SETTING_TYPE,
    UNSUPPORTED_ARGUMENT, UNSUPPORTED_BLOCK, VALIDATION_FAILED, VARIABLE_TYPE,
    VARIABLE_WITHOUT_VALUE, VERSION_CONSTRAINT,
};

groma_syntax::codes! {
    BUILD_WITHOUT_SOURCE, "build-without-source", "Build has no source",
        "A `build` block needs at least one source. Name sources in `sources`, or add `source` blocks.";
    COMPONENT_ARGUMENTS, "component-arguments", "Arguments are refused",
        "The builder, provisioner or post-processor does not accept these arguments together or in this form. The \
         message gives the reason.";
    DATA_NEEDS_LOCAL, "data-needs-local", "Data sources come before local values",
        "When data sources are read before local values, they cannot refer to them. Leave out \
         `-use-sequential-evaluation`, or use a literal value.";
    DATA_UNREAD, "data-unread", "Data source is not read",
        "Data sources of plugins are not read, because no plugin is run. Where the values matter, give them with `--mock FILE`.";
    DURATION, "duration", "This is not a duration",
        "A duration is a number with a unit, as in `\"90s\"` or `\"1h30m\"`.";
    FILTER_UNMATCHED, "filter-unmatched", "Filter matches no source",
        "`only` and `except` list sources as `type.name`, and this is not one of this build's sources. Correct it.";
    LOCAL_CHAIN, "local-chain", "Chain of local values is too long",
        "With sequential evaluation Packer follows references between local values at most ten levels deep. Leave \
         out `-use-sequential-evaluation`, or write the values in the order of their dependencies.";
    NO_BUILDS, "no-builds", "Template builds nothing",
        "Packer cannot validate or build a template without `build` blocks, although its console works. Add a \
         `build` block that names its sources.";
    OLD_TEMPLATE, "old-template", "Template in the legacy JSON format",
        "The file is a template in the legacy JSON format, which is not evaluated. `packer hcl2_upgrade` converts it \
         to HCL.";
    OLD_TEMPLATE_STRING, "old-template-string", "Legacy template string",
        "`{{ … }}` is the legacy template syntax and is left unchanged. If a value is meant, write an expression.";
    ONLY_AND_EXCEPT, "only-and-except", "Both only and except",
        "`only` and `except` exclude each other. Keep one.";
    PATTERN, "pattern", "This is not a pattern",
        "A pattern of build names is malformed, usually because a bracket is not closed.";
    PATTERN_UNMATCHED, "pattern-unmatched", "No build matches",
        "No build has a name that matches the pattern. `groma list` shows the names.";
    REFERENCE_CYCLE, "reference-cycle", "Values refer to each other",
        "Values refer to each other in a cycle, so none can be evaluated. Remove one of the references.";
    REGISTRY_SETTING, "registry-setting", "Registry does not accept this",
        "The metadata in `hcp_packer_registry` exceeds a limit of the registry. The message says which.";
    REQUIRED_PLUGIN, "required-plugin", "Invalid plugin requirement",
        "The requirement of a plugin is an object with `source` and `version`. Complete it.";
    SECOND_BLOCK, "second-block", "Only one such block is allowed",
        "A build may have only one such block. Merge the two.";
    SENSITIVE_NAME, "sensitive-name", "Name is sensitive",
        "A source's name comes from a sensitive value and would be shown everywhere. Use another value.";
    SETTING_UNKNOWN, "setting-unknown", "Setting has to be known",
        "The setting has to be known before anything is built. Give the values that it depends on.";
    SOURCE_REFERENCE, "source-reference", "Invalid reference to a source",
        "A source is written as `source.TYPE.NAME`, or as a string without the word `source`. Correct it.";
    UNDECLARED_NAME, "undeclared-name", "Name is not declared",
        "The template declares nothing of this name. Check the spelling, or declare it.";
    UNDECLARED_SOURCE, "undeclared-source", "Source is not declared",
        "A build starts from a source that has no `source` block. Check the spelling, or add the block.";
    UNKNOWN_COMPONENT, "unknown-component", "Unknown component type",
        "No builder, provisioner, post-processor or data source has this type. Check the spelling, or add its \
         plugin to `required_plugins`.";
    VALIDATION_MESSAGE, "validation-message", "Validation message is not a sentence",
        "The message of a validation must be at least one full sentence, with a capital letter and a final punctuation mark.";
    VALIDATION_REFERENCE, "validation-reference", "Validation refers to more than its variable",
        "A validation in a Packer template can refer only to its own variable.";
    VALUE_DEPTH, "value-depth", "Value nests too deeply",
        "The value nests deeper than is allowed. Make the data flatter.";
    VARIABLE_TYPE_EXPRESSION, "variable-type-expression", "This is not a type",
        "This is not a type. Types are `string`, `number`, `bool`, `any`, and collections of them.";
    VERSION_UNMET, "version-unmet", "Another version of Packer is required",
        "The template requires another version of Packer. Select a matching one with `--dialect`, or change \
         `required_version`.";
}
