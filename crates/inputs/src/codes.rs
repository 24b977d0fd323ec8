//! Diagnostic codes about values of input variables.

pub(crate) use groma_config::codes::UNDECLARED_VARIABLE;

groma_syntax::codes! {
    BLOCK_IN_VALUES, "block-in-values", "Block in a value file",
        "A file of values contains only `name = value`. Declare variables and everything else in the code itself.";
    VALUES_JSON, "values-json", "Value file is not valid JSON",
        "A JSON file of values contains one object: names and their values. Fix its structure.";
    VALUES_NAME, "values-name", "Name of a value file",
        "How a file of values is read depends on its extension: `.pkrvars.hcl` or `.pkrvars.json`. Rename it.";
    VARIABLE_NAME_BLANK, "variable-name-blank", "Space in a variable's name",
        "The name in `-var` contains a space, usually before the equals sign. Write `NAME=VALUE` without spaces.";
}
