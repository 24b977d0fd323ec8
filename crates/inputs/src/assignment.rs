//! Values and variable files that the caller passes, in addition to files that are read without being named.

use groma_value::{Value, identical};

/// An input from the caller: a variable's text or value, or a variable file.
#[derive(Clone, Debug)]
pub enum InputAssignment {
    /// A variable's text, as `-var name=text` gives it.
    Variable {
        /// The variable's name.
        name: String,
        /// The text as given, to be parsed by the variable's type.
        text: String,
    },
    /// The path of a variable file, as `-var-file path` gives it.
    File(String),
    /// A value that needs no parsing, to be converted to the variable's type.
    Value {
        /// The variable's name.
        name: String,
        /// The value.
        value: Value,
    },
}

impl PartialEq for InputAssignment {
    fn eq(&self, other: &InputAssignment) -> bool {
        match (self, other) {
            (
                InputAssignment::Variable { name, text },
                InputAssignment::Variable { name: theirs, text: other },
            ) => (name, text) == (theirs, other),
            (InputAssignment::File(path), InputAssignment::File(other)) => path == other,
            (
                InputAssignment::Value { name, value },
                InputAssignment::Value { name: theirs, value: other },
            ) => name == theirs && identical(value, other),
            _ => false,
        }
    }
}
