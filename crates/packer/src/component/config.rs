//! The evaluated arguments of a component. How they were evaluated does not matter to the rules that check them.

use std::collections::BTreeMap;

use groma_value::{Str, Value};

/// The evaluated arguments of a component, by name.
#[derive(Clone, Debug, Default)]
pub struct ComponentConfig {
    values: BTreeMap<Str, Value>,
    /// Arguments that count as empty because data is not read.
    empty: Vec<Str>,
}

impl ComponentConfig {
    /// Returns the value of an argument, if it is set.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// Returns every argument that is set with its value, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Str, &Value)> {
        self.values.iter()
    }

    /// Converts the arguments that are set to a map of values by name.
    pub(crate) fn into_values(self) -> BTreeMap<Str, Value> {
        self.values
    }

    /// Returns true if Packer sees an argument as empty because its unknown value depends on data that is not read.
    pub(crate) fn is_left_empty(&self, name: &str) -> bool {
        self.empty.iter().any(|empty| &**empty == name)
    }

    /// Sets the value of an argument.
    pub(crate) fn insert(&mut self, name: Str, value: Value) {
        self.values.insert(name, value);
    }

    /// Sets an argument to an unknown value that Packer sees as empty, because data is not read.
    pub(crate) fn insert_empty(&mut self, name: &Str, value: Value) {
        self.empty.push(name.clone());
        self.insert(name.clone(), value);
    }
}
