//! Value files: each entry sets the variable of that name. The file extension determines the syntax.

use groma_config::{EnteredValue, MemoryCharge, entries, read_text, scrub};
use groma_syntax::{Diagnostic, Diagnostics};
use rustc_hash::FxHashSet;

use super::{GivenOrigin, TemplateInputs};
use crate::codes;

impl TemplateInputs<'_> {
    /// Reads the values of a file.
    pub(super) fn file(&mut self, path: &str, out: &mut Diagnostics) {
        if !path.ends_with(".hcl") && !path.ends_with(".json") {
            let detail = format!(
                "The syntax of a file of values follows from its extension, but \"{path}\" ends neither in .hcl nor in .json. Rename it to end in .pkrvars.hcl or .pkrvars.json."
            );
            out.push(Diagnostic::error(&codes::VALUES_NAME, detail));
            return;
        }
        let (texts, found) = (self.sources.len(), out.len());
        let Some((file, text)) = read_text(self.host, self.sources, path, out) else {
            return self.secrets.unread(texts, self.sources);
        };
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let is_json = path.ends_with(".json");
        let budget = self.context.budget.clone();
        let room = MemoryCharge { budget: &budget, shown: path };
        let (constants, home) = ((&self.library, &self.context), "a *.pkr.hcl file");
        let Some(entries) = entries((file, &text), is_json, home, room, constants, out) else {
            return self.secrets.unread(texts, self.sources);
        };
        self.secrets.file(file, &entries, found, self.sources, out);
        for entry in entries {
            if !seen.insert(entry.name.clone()) {
                let detail = format!("\"{}\" is set twice in this file.", entry.name);
                out.push(Diagnostic::error(&codes::VALUES_JSON, detail).at(entry.name_place));
                continue;
            }
            let value = match entry.value {
                EnteredValue::Expression(expr) => {
                    let from = out.len();
                    let value = self.value(&expr, out);
                    scrub(from, self.sources, out);
                    value
                }
                EnteredValue::Value(value) => Some(value),
                EnteredValue::Nothing => None,
            };
            match self.variable(&entry.name) {
                Some(variable) => {
                    let origin = format!("\"{path}\"");
                    let whence = (GivenOrigin::File, Some(entry.place));
                    self.set(variable, value, whence, &origin, out);
                }
                None => self.strangers.push((entry.name, entry.name_place)),
            }
        }
    }
}
