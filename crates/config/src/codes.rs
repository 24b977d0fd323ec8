//! Every diagnostic code of the files of a folder, and those that modules and Packer templates share: their crates do not
//! know each other.

pub(crate) use groma_syntax::codes::MISSING_ARGUMENT;

groma_syntax::codes! {
    ARGUMENT_TWICE, "argument-twice", "Argument is set twice",
        "The same argument is set in two places that belong together. Keep one of them.";
    ARGUMENT_TYPE, "argument-type", "Argument has a value of the wrong type",
        "The value cannot be converted to the type that the argument has. The message says what it is and what is \
         wanted.";
    BLOCK_IN_VALUES, "block-in-values", "Block in a value file",
        "A file of values holds only `name = value`. Declare variables and everything else in the code itself.";
    CONDITION_RESULT, "condition-result", "Condition is neither true nor false",
        "A condition has to be true or false, and this is something else, such as null or text. Write a \
         comparison.";
    DEFAULT_TYPE, "default-type", "Default does not fit the variable's type",
        "A variable's default has to fit its type, and null fits only if the variable is nullable. Change the \
         default or the type.";
    DUPLICATE_BLOCK, "duplicate-block", "Block may stand here only once",
        "This block may stand here once. Put what both hold into one.";
    DUPLICATE_DECLARATION, "duplicate-declaration", "Declared twice",
        "Two declarations of one kind have the same name in this module. Rename or remove one of them.";
    DYNAMIC_BLOCK, "dynamic-block", "Invalid dynamic block",
        "A `dynamic` block has one label, `for_each`, and one `content` block; `iterator` and `labels` may be \
         added.";
    DYNAMIC_FOR_EACH, "dynamic-for-each", "Dynamic block cannot repeat over this",
        "A `dynamic` block repeats over a collection that is known and not null. Give it a list, set, map or \
         object.";
    INCOMPLETE, "incomplete", "Not everything was read and decided",
        "With `--strict` everything has to be read and decided, and here something is not. Give the missing \
         value, install the module, or leave out the flag.";
    INVALID_NAME, "invalid-name", "Invalid name",
        "A name starts with a letter or underscore and goes on with letters, digits, underscores and dashes. \
         Choose another.";
    MOCK, "mock", "Mock is not valid",
        "A mock file says what to take for an answer that nobody is asked for, and this part of one is not in its \
         form, or fits nothing in the code. The page of `--mock` has its blocks.";
    NOT_TEXT, "not-text", "File is not text",
        "The file holds bytes that no text has. Rename it if it does not belong to the module.";
    NO_DIRECTORY, "no-directory", "Directory cannot be read",
        "The directory cannot be listed. Check its path and its permissions.";
    NO_FILES, "no-files", "There is nothing to read",
        "Nothing in this place is code that could be read. Check the path and the endings of the files.";
    SCHEMA_VERSION, "schema-version", "Schemas are of another version",
        "The schemas at hand for a provider are of a version that the code does not ask for, so nothing is judged by them. \
         Pack the schemas of a version that fits.";
    SETTING_TYPE, "setting-type", "Setting has the wrong type",
        "The setting has to be of another type, as the message says.";
    UNDECLARED_VARIABLE, "undeclared-variable", "Value for an undeclared variable",
        "A value is given for a variable that is not declared. Check the spelling, declare the variable, or \
         remove the value.";
    UNREADABLE_FILE, "unreadable-file", "File cannot be read",
        "The file is there and cannot be read. Check its permissions.";
    UNSUPPORTED_ARGUMENT, "unsupported-argument", "Unsupported argument",
        "No argument of this name exists here. Check the spelling and the block it stands in; the page of the \
         block lists its arguments.", may_be_new;
    UNSUPPORTED_BLOCK, "unsupported-block", "Unsupported block type",
        "No block of this type can stand here. Check the spelling, and in which block or file it belongs.", may_be_new;
    VALIDATION_FAILED, "validation-failed", "Value breaks a validation rule",
        "The value does not meet a `validation` of its variable; the message is the module author's. Give another \
         value.";
    VALUES_JSON, "values-json", "Value file is not valid JSON",
        "A file of values in JSON holds one object: names and their values. Mend its form.";
    VARIABLE_TYPE, "variable-type", "Value does not fit the variable's type",
        "The given value cannot be converted to the variable's type. Give one that fits; on the command line, \
         lists and objects are written as expressions.";
    VARIABLE_WITHOUT_VALUE, "variable-without-value", "Variable has no value",
        "The variable has no default and was given no value. Set it with `-var 'NAME=…'`, in a file of values, or \
         in the environment.";
    VERSION_CONSTRAINT, "version-constraint", "This is not a version constraint",
        "Versions are asked for as in `\">= 1.5\"` or `\"~> 1.5.0\"`: an operator and a version, several \
         separated by commas.";
}
