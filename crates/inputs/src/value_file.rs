//! Variable files: each entry sets the variable of its name. A name without a variable is recorded, because it may be a typing
//! error.

use groma_config::{MemoryCharge, did_you_mean, read_text};
use groma_eval::Context;
use groma_functions::FunctionLibrary;
use groma_runtime::Host;
use groma_syntax::{Diagnostic, Diagnostics, FileId, Sources};
use rustc_hash::FxHashSet;

use crate::codes;
use crate::collector::{InputCollector, PendingInput};
use crate::conventions::CheckedInputs;
use crate::declared::DeclaredInputs;
use crate::given::{GivenInput, InputSource};
use crate::value_entries::{EnteredValue, ValueEntry, entries};

/// Reads a variable file and returns its id and its entries; `None` after an error, which is reported; `constants` are for
/// evaluating it, and `home` says in messages to which files blocks belong.
pub(crate) fn file_entries(
    host: &dyn Host,
    sources: &mut Sources,
    path: &str,
    home: &str,
    constants: (&FunctionLibrary, &Context),
    out: &mut Diagnostics,
) -> Option<(FileId, Vec<ValueEntry>)> {
    let (file, text) = read_text(host, sources, path, out)?;
    let room = MemoryCharge { budget: &constants.1.budget, shown: path };
    let is_json = path.ends_with(".json");
    Some((file, entries((file, &text), is_json, home, room, constants, out)?))
}

impl<D: DeclaredInputs> InputCollector<'_, D> {
    /// Reads a variable file and sets the variables that it names.
    pub(crate) fn file(&mut self, path: &str, out: &mut Diagnostics) {
        let (conventions, declared) = (self.conventions, self.declared);
        if conventions.needs_syntax_suffix && !path.ends_with(".hcl") && !path.ends_with(".json") {
            let detail = format!(
                "The syntax of a file of values follows from its extension, but \"{path}\" ends neither in .hcl nor in .json. Rename it to end in .pkrvars.hcl or .pkrvars.json."
            );
            out.push(Diagnostic::error(&codes::VALUES_NAME, detail));
            return;
        }
        let (texts, found) = (self.sources.len(), out.len());
        let (home, constants) = (conventions.block_home, declared.constants());
        let read = file_entries(self.host, self.sources, path, home, constants, out);
        let Some((file, entries)) = read else {
            return self.secrets.withhold_from(texts, self.sources);
        };
        self.secrets.file(file, &entries, found, self.sources, out);
        let mut seen: FxHashSet<String> = FxHashSet::default();
        for entry in entries {
            if conventions.refuses_repeated_names && !seen.insert(entry.name.clone()) {
                let detail = format!("\"{}\" is set twice in this file.", entry.name);
                out.push(Diagnostic::error(&codes::VALUES_JSON, detail).at(entry.name_place));
                continue;
            }
            self.entry(path, entry, out);
        }
    }

    /// Sets the variable that an entry of the variable file at `path` names; records a name without a variable as undeclared.
    fn entry(&mut self, path: &str, entry: ValueEntry, out: &mut Diagnostics) {
        let Some(variable) = self.declared.variable(&entry.name) else {
            let is_checked = self.conventions.checked == CheckedInputs::Each;
            match entry.value {
                EnteredValue::Expression(expr) if is_checked => {
                    self.evaluate(&entry.name, PendingInput::Expression(expr), out);
                }
                // An entry that could not be read has been reported.
                EnteredValue::Nothing if !is_checked => return,
                _ => {}
            }
            self.undeclared.push((entry.name, entry.name_place));
            return;
        };
        let (value, pending) = match entry.value {
            EnteredValue::Expression(expr) => {
                (D::unread(variable), Some(PendingInput::Expression(expr)))
            }
            EnteredValue::Value(value) => (D::take(variable, value), None),
            EnteredValue::Nothing => (D::unread(variable), None),
        };
        let given = GivenInput {
            value,
            place: Some(entry.place),
            origin: format!("\"{path}\""),
            by: InputSource::File,
            is_text: false,
            is_unread: false,
        };
        self.set(variable, given, pending, out);
    }

    /// Reports the names in variable files for which no variable is declared: a warning each, then one for all the rest.
    pub(crate) fn report_undeclared(&self, out: &mut Diagnostics) {
        let (shown, root) = (self.conventions.undeclared_shown, self.conventions.root);
        for (name, place) in self.undeclared.iter().take(shown) {
            let hint = did_you_mean(name, self.names());
            let detail = format!(
                "This file sets \"{name}\", but {root} declares no such variable, so the value is not used.{hint}"
            );
            out.push(Diagnostic::warning(&codes::UNDECLARED_VARIABLE, detail).at(*place));
        }
        let more = self.undeclared.get(shown..).unwrap_or_default();
        if let Some((_, place)) = more.first() {
            let names: Vec<&str> = more.iter().take(10).map(|(name, _)| name.as_str()).collect();
            let detail = format!(
                "The value files set {} more names that {root} does not declare: {}{}.",
                more.len(),
                names.join(", "),
                if more.len() > names.len() { " …" } else { "" }
            );
            out.push(Diagnostic::warning(&codes::UNDECLARED_VARIABLE, detail).at(*place));
        }
    }
}
