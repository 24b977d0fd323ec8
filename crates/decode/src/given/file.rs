//! Value files: each entry sets the variable of that name. A name without a variable is recorded, because it may be a typing
//! error.

use groma_config::{EnteredValue, MemoryCharge, ValueEntry, entries, read_text};
use groma_syntax::Diagnostics;

use crate::given::{GivenInput, InputCollector, InputSource, PendingInput, unread};

impl InputCollector<'_> {
    /// Reads the values of a file.
    pub(super) fn file(&mut self, path: &str, out: &mut Diagnostics) {
        let (texts, found) = (self.sources.len(), out.len());
        let Some((file, text)) = read_text(self.host, self.sources, path, out) else {
            return self.secrets.unread(texts, self.sources);
        };
        let room = MemoryCharge { budget: &self.gatherer.constants.budget, shown: path };
        let is_json = path.ends_with(".json");
        // Functions are not allowed there.
        let library = self.gatherer.library.closed();
        let constants = (&library, self.gatherer.constants);
        let home = "a file of the module";
        let Some(entries) = entries((file, &text), is_json, home, room, constants, out) else {
            return self.secrets.unread(texts, self.sources);
        };
        self.secrets.file(file, &entries, found, self.sources, out);
        for entry in entries {
            self.entry(path, entry);
        }
    }

    /// Adds one entry of a value file.
    fn entry(&mut self, path: &str, entry: ValueEntry) {
        let Some(variable) = self.variable(&entry.name) else {
            // The value is not evaluated, so errors in it have no consequence.
            if !matches!(entry.value, EnteredValue::Nothing) {
                self.strangers.push((entry.name, entry.name_place));
            }
            return;
        };
        let (value, pending) = match entry.value {
            EnteredValue::Expression(expr) => {
                (unread(variable), Some(PendingInput::Expression(expr)))
            }
            EnteredValue::Value(value) => (variable.take(value), None),
            EnteredValue::Nothing => (unread(variable), None),
        };
        let origin = format!("\"{path}\"");
        let (place, by) = (Some(entry.place), InputSource::File);
        let given = GivenInput { value, place, origin, by, is_text: false, is_unread: false };
        self.set(variable, given, pending);
    }
}
