//! Names for the console's completion: those that the code declares, and the attributes of known values. A sensitive value
//! offers no names, not even its keys.

use std::collections::BTreeSet;

use groma::functions::FunctionLibrary;
use groma::{Value, values::Mark};
use groma_syntax::Diagnostics;

use super::OpenedRoot;
use crate::console::complete::NameSource;

impl OpenedRoot {
    /// Returns the dotted names, such as `var.size`, that completion offers as references in this root; computed once.
    fn names(&self) -> &[String] {
        self.names.get_or_init(|| self.root.completions(&self.scope))
    }

    /// Returns the step that follows `prefix` in every dotted name that begins with it, sorted, each once.
    pub(super) fn steps(&self, prefix: &str) -> Vec<String> {
        let rests = self.names().iter().filter_map(|name| name.strip_prefix(prefix));
        let steps: BTreeSet<&str> = rests.filter_map(|rest| rest.split('.').next()).collect();
        steps.into_iter().map(String::from).collect()
    }
}

impl NameSource for OpenedRoot {
    fn roots(&self) -> Vec<String> {
        self.steps("")
    }

    fn members(&self, reference: &str) -> Vec<String> {
        let names = self.steps(&format!("{reference}."));
        if !names.is_empty() || reference.is_empty() {
            return names;
        }
        let value = self.evaluate(reference, "<completion>", &mut Diagnostics::new());
        if value.marks().contains(&Mark::Sensitive) {
            return names;
        }
        match value.bare() {
            Value::Object(object) => object.iter().map(|(name, _)| name.to_string()).collect(),
            Value::Map(map) => map.entries().iter().map(|(key, _)| key.to_string()).collect(),
            _ => names,
        }
    }

    fn functions(&self) -> Vec<String> {
        let library = FunctionLibrary::of(self.edition()).with_console();
        library.names().into_iter().map(String::from).collect()
    }
}
