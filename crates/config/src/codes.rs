//! Diagnostic codes of the files of a directory, and those that modules and Packer templates share, because their crates do not
//! know each other.

pub(crate) use groma_syntax::codes::MISSING_ARGUMENT;

groma_syntax::codes! {
    ARGUMENT_TWICE, "argument-twice", "Argument is set twice",
        "The same argument is set twice. Keep one of them.";
    ARGUMENT_TYPE, "argument-type", "Argument has a value of the wrong type",
        "The value cannot be converted to the type of the argument. The message gives both types.";
    CONDITION_RESULT, "condition-result", "Condition is neither true nor false",
        "A condition has to be true or false, not null or another type. Write a comparison.";
    DEFAULT_TYPE, "default-type", "Default does not fit the variable's type",
        "A variable's default has to fit its type, and null fits only if the variable is nullable. Change the \
         default or the type.";
    DUPLICATE_BLOCK, "duplicate-block", "Block may occur only once",
        "This block may occur only once here. Merge the two.";
    DUPLICATE_DECLARATION, "duplicate-declaration", "Declared twice",
        "Two declarations of one kind have the same name in this module. Rename or remove one of them.";
    DYNAMIC_BLOCK, "dynamic-block", "Invalid dynamic block",
        "A `dynamic` block has one label, `for_each`, and one `content` block; `iterator` and `labels` may be \
         added.";
    DYNAMIC_FOR_EACH, "dynamic-for-each", "Dynamic block cannot repeat over this",
        "A `dynamic` block repeats over a collection that is known and not null. Give it a list, set, map or \
         object.";
    INCOMPLETE, "incomplete", "Not everything was read and decided",
        "With `--strict` everything has to be read and decided, and something was not. Give the missing value, \
         install the module, or leave out the flag.";
    INVALID_NAME, "invalid-name", "Invalid name",
        "A name starts with a letter or underscore and goes on with letters, digits, underscores and dashes. \
         Choose another.";
    MOCK, "mock", "Mock is not valid",
        "A mock file gives values that only a provider or an apply could know. This part of one is not valid, or \
         matches nothing in the code. The page of `--mock` describes its blocks.";
    NOT_TEXT, "not-text", "File is not text",
        "The file contains bytes that are not text. Rename it if it does not belong to the module.";
    NO_DIRECTORY, "no-directory", "Directory cannot be read",
        "The directory cannot be listed. Check its path and its permissions.";
    NO_FILES, "no-files", "There is nothing to read",
        "There is no code here to read. Check the path and the extensions of the files.";
    SCHEMA_VERSION, "schema-version", "Schemas are for another version",
        "The available schemas of a provider are for a version that the code does not allow, so they are not used. \
         Pack the schemas of an allowed version.";
    SETTING_TYPE, "setting-type", "Setting has the wrong type",
        "The setting has the wrong type; the message says which it needs.";
    UNDECLARED_VARIABLE, "undeclared-variable", "Value for an undeclared variable",
        "A value is given for a variable that is not declared. Check the spelling, declare the variable, or \
         remove the value.";
    UNREADABLE_FILE, "unreadable-file", "File cannot be read",
        "The file exists but cannot be read. Check its permissions.";
    UNSUPPORTED_ARGUMENT, "unsupported-argument", "Unsupported argument",
        "There is no argument of this name here. Check the spelling and the block that it is in; the page of the \
         block lists its arguments.", may_be_new;
    UNSUPPORTED_BLOCK, "unsupported-block", "Unsupported block type",
        "Blocks of this type are not allowed here. Check the spelling, and which block or file it belongs in.", may_be_new;
    VALIDATION_FAILED, "validation-failed", "Value breaks a validation rule",
        "The value does not meet a `validation` of its variable; the message is the module author's. Give another \
         value.";
    VARIABLE_TYPE, "variable-type", "Value does not fit the variable's type",
        "The given value cannot be converted to the variable's type. Give one that fits; on the command line, \
         lists and objects are written as expressions.";
    VARIABLE_WITHOUT_VALUE, "variable-without-value", "Variable has no value",
        "The variable has no default and was given no value. Set it with `-var 'NAME=…'`, in a file of values, or \
         in the environment.";
    VERSION_CONSTRAINT, "version-constraint", "This is not a version constraint",
        "A version constraint is an operator and a version, such as `\">= 1.5\"` or `\"~> 1.5.0\"`; several are \
         separated by commas.";
}
