//! Value files: each name they set goes to the variable of that name. A name that no variable has is kept, as it may
//! be a slip.

use groma_folder::{Entered, Room, ValueEntry, entries, read_text};
use groma_syntax::Diagnostics;

use crate::given::{Collector, Given, Giver, Pending, unread};

impl Collector<'_> {
    /// Takes in the values of a file.
    pub(super) fn file(&mut self, path: &str, out: &mut Diagnostics) {
        let (texts, found) = (self.sources.len(), out.len());
        let Some((file, text)) = read_text(self.host, self.sources, path, out) else {
            return self.secrets.unread(texts, self.sources);
        };
        let room = Room { budget: &self.gatherer.constants.budget, shown: path };
        let is_json = path.ends_with(".json");
        // No function may be called there.
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

    fn entry(&mut self, path: &str, entry: ValueEntry) {
        let Some(variable) = self.variable(&entry.name) else {
            // Nobody asks for the value, so nothing is made of what is wrong with it.
            if !matches!(entry.value, Entered::Nothing) {
                self.strangers.push((entry.name, entry.name_place));
            }
            return;
        };
        let (value, pending) = match entry.value {
            Entered::Expression(expr) => (unread(variable), Some(Pending::Expression(expr))),
            Entered::Value(value) => (variable.take(value), None),
            Entered::Nothing => (unread(variable), None),
        };
        let origin = format!("\"{path}\"");
        let (place, by) = (Some(entry.place), Giver::File);
        let given = Given { value, place, origin, by, is_text: false, is_unread: false };
        self.set(variable, given, pending);
    }
}
