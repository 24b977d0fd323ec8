//! Value files: each name they set goes to the variable of that name. A name that no variable has is kept, as it may
//! be a slip.

use groma_syntax::Diagnostics;

use super::entry::{Entered, Entry, entries};
use super::secret::scrub;
use super::{Collector, Given, constant, unread};
use crate::load::{affords, read_text};

impl Collector<'_> {
    /// Takes in the values of a file.
    pub(super) fn file(&mut self, path: &str, out: &mut Diagnostics) {
        let (texts, found) = (self.sources.len(), out.len());
        let Some((file, text)) = read_text(self.host, self.sources, path, out) else {
            return self.secrets.unread(texts, self.sources);
        };
        if !affords(&self.gatherer.constants.budget, path, &text, out) {
            return self.secrets.unread(texts, self.sources);
        }
        let is_json = path.ends_with(".json");
        let entries = entries((file, &text), is_json, "a file of the module", out);
        self.secrets.file(file, &entries, found, self.sources, out);
        for entry in entries {
            self.entry(path, entry, out);
        }
    }

    fn entry(&mut self, path: &str, entry: Entry, out: &mut Diagnostics) {
        let before = out.len();
        let (value, failed) = match entry.value {
            Entered::Expression(expr) => {
                let value = constant(&expr, self.gatherer, out);
                scrub(before, self.sources, out);
                (value, out.len() > before)
            }
            Entered::Value(value) => (Some(value), false),
            Entered::Nothing => (None, true),
        };
        let Some(variable) = self.variable(&entry.name) else {
            // What is wrong with the value is said already.
            if !failed {
                self.strangers.push((entry.name, entry.name_place));
            }
            return;
        };
        let given = Given {
            value: value.map_or_else(|| unread(variable), |value| variable.take(value)),
            place: Some(entry.place),
            origin: format!("\"{path}\""),
            is_text: false,
        };
        self.values.insert(variable.name.clone(), given);
    }
}
