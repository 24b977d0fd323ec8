//! Every diagnostic code that only Packer templates have; what they share with modules stands in `folder`.

pub(crate) use groma_config::codes::{
    ARGUMENT_TWICE, ARGUMENT_TYPE, CONDITION_RESULT, DEFAULT_TYPE, DUPLICATE_DECLARATION,
    DYNAMIC_BLOCK, DYNAMIC_FOR_EACH, INVALID_NAME, MOCK, NO_FILES, SETTING_TYPE,
    UNDECLARED_VARIABLE, UNSUPPORTED_ARGUMENT, UNSUPPORTED_BLOCK, VALIDATION_FAILED, VALUES_JSON,
    VARIABLE_TYPE, VARIABLE_WITHOUT_VALUE, VERSION_CONSTRAINT,
};

groma_syntax::codes! {
    BUILD_WITHOUT_SOURCE, "build-without-source", "Build has no source",
        "A `build` block has to start from something. Name sources in `sources`, or add `source` blocks.";
    COMPONENT_ARGUMENTS, "component-arguments", "Arguments are refused",
        "The builder, provisioner or post-processor cannot take these arguments together or in this form. The \
         message gives the reason.";
    DATA_NEEDS_LOCAL, "data-needs-local", "Data comes before local values",
        "When data is read before local values, data cannot refer to them. Leave out \
         `-use-sequential-evaluation`, or write the value out.";
    DATA_UNREAD, "data-unread", "Data is not read",
        "Data of plugins is not read, since nobody is asked. Say with `--mock FILE` what it is, where it matters.";
    DURATION, "duration", "This is no duration",
        "A duration is a number with a unit, as in `\"90s\"` or `\"1h30m\"`.";
    FILTER_UNMATCHED, "filter-unmatched", "Filter names no source",
        "`only` and `except` list sources as `type.name`, and this names none of this build's. Correct it.";
    LOCAL_CHAIN, "local-chain", "Chain of local values is too long",
        "In sequential order Packer follows what a local value refers to ten values deep and gives up then. Leave out \
         `-use-sequential-evaluation`, or write the values in the order in which they need each other.";
    NO_BUILDS, "no-builds", "Template builds nothing",
        "Packer refuses to validate or to build a template without `build` blocks, though its console answers. Add a \
         `build` block that names its sources.";
    OLD_TEMPLATE, "old-template", "Template of the old JSON form",
        "The file is a template of the old JSON form, which is not evaluated. `packer hcl2_upgrade` turns it into \
         the present form.";
    OLD_TEMPLATE_STRING, "old-template-string", "Template string of the old form",
        "`{{ … }}` is how templates were written before expressions, and is left as it stands. If a value is \
         meant, write an expression.";
    ONLY_AND_EXCEPT, "only-and-except", "Both only and except",
        "`only` and `except` exclude each other. Keep one.";
    PATTERN, "pattern", "This is no pattern",
        "A pattern of build names is not well formed, mostly because a bracket is not closed.";
    PATTERN_UNMATCHED, "pattern-unmatched", "No build has such a name",
        "No build has a name that fits the pattern. `groma list` shows the names.";
    REFERENCE_CYCLE, "reference-cycle", "Values refer to each other",
        "Values refer to each other in a ring, so none can be worked out. Take one reference out.";
    REGISTRY_SETTING, "registry-setting", "Registry does not take this",
        "What `hcp_packer_registry` tells a registry has bounds, and this is beyond them. The message says which.";
    REQUIRED_PLUGIN, "required-plugin", "Plugin is not described rightly",
        "What is required of a plugin is an object with `source` and `version`. Complete it.";
    SECOND_BLOCK, "second-block", "Only one such block is allowed",
        "A build has at most one such block. Put both into one.";
    SENSITIVE_NAME, "sensitive-name", "Name is sensitive",
        "A source's name comes from a sensitive value and would be shown everywhere. Use another value.";
    SETTING_UNKNOWN, "setting-unknown", "Setting has to be known",
        "The setting has to be known before anything is built. Give the values that it depends on.";
    SOURCE_REFERENCE, "source-reference", "Source is not named rightly",
        "A source is named as `source.TYPE.NAME`, or as text without the word `source`. Correct it.";
    UNDECLARED_NAME, "undeclared-name", "Name is not declared",
        "The template declares nothing of this name. Check the spelling, or declare it.";
    UNDECLARED_SOURCE, "undeclared-source", "Source is not declared",
        "A build starts from a source that has no `source` block. Check the spelling, or add the block.";
    UNKNOWN_COMPONENT, "unknown-component", "Type of component is not known",
        "No builder, provisioner, post-processor or data source has this type. Check the spelling, or add its \
         plugin to `required_plugins`.";
    VALIDATION_MESSAGE, "validation-message", "Message of a validation is no sentence",
        "The message of a validation is at least one whole sentence, with a capital letter and an end mark.";
    VALIDATION_REFERENCE, "validation-reference", "Validation looks at something else than its variable",
        "A validation in a Packer template can look only at its own variable.";
    VALUES_NAME, "values-name", "Name of a value file",
        "How a file of values is read depends on its ending: `.pkrvars.hcl` or `.pkrvars.json`. Rename it.";
    VALUE_DEPTH, "value-depth", "Value nests too deeply",
        "The value nests deeper than is allowed. Make the data flatter.";
    VARIABLE_TYPE_EXPRESSION, "variable-type-expression", "This is no type",
        "This is not a type. Types are `string`, `number`, `bool`, `any`, and collections of them.";
    VERSION_UNMET, "version-unmet", "Another version of Packer is asked for",
        "The template asks for another version of Packer. Choose one that it accepts with `--dialect`, or change \
         `required_version`.";
}
