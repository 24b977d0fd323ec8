//! A value or a value file that the caller gives, beside those that are found without being named.

use groma_value::{Value, identical};

/// An input from the command line: a variable's text or value, or a variables file.
#[derive(Clone, Debug)]
pub enum InputAssignment {
    /// `-var name=text`.
    Variable {
        /// The variable's name.
        name: String,
        /// The text as given; the variable's type says how it is read.
        text: String,
    },
    /// `-var-file path`.
    File(String),
    /// A value that needs not be read any more; the variable's type says what becomes of it.
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
