//! The arguments of one component, evaluated. The builder of it knows how they came to be; rules only look at them.

use std::collections::BTreeMap;

use groma_value::{Str, Value};

/// The arguments of a component.
#[derive(Clone, Debug, Default)]
pub struct ComponentConfig {
    values: BTreeMap<Str, Value>,
    /// Arguments that count as empty while data is not read.
    empty: Vec<Str>,
}

impl ComponentConfig {
    /// The value of an argument.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// Every argument that is set, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Str, &Value)> {
        self.values.iter()
    }

    /// Every argument with its name, for making an object of them.
    pub(crate) fn into_values(self) -> BTreeMap<Str, Value> {
        self.values
    }

    /// Returns true if Packer would see nothing where the value is not known.
    pub(crate) fn is_left_empty(&self, name: &str) -> bool {
        self.empty.iter().any(|empty| &**empty == name)
    }

    /// Sets an argument.
    pub(crate) fn insert(&mut self, name: Str, value: Value) {
        self.values.insert(name, value);
    }

    /// Sets an argument whose value Packer would not see.
    pub(crate) fn insert_empty(&mut self, name: &Str, value: Value) {
        self.empty.push(name.clone());
        self.insert(name.clone(), value);
    }
}
