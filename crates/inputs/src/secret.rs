//! Withholding of secret source texts: the entries of variable files that set a sensitive variable or an undeclared name, and
//! whole files that cannot be parsed if a sensitive variable exists.

use groma_syntax::{Diagnostics, FileId, Place, Sources, Span};
use groma_value::Str;
use groma_value::sentence::WITHHELD;
use rustc_hash::FxHashSet;

use crate::value_entries::ValueEntry;

/// The set of variable names whose values are secret: the sensitive variables, and every name that is not declared.
#[derive(Debug)]
pub struct SecretNames {
    /// The names that are not in the set. Undeclared names are secret, because their meaning is unknown.
    open: FxHashSet<Str>,
    /// True if any declared variable is sensitive.
    any: bool,
}

impl SecretNames {
    /// Creates the set from all declared variables, each with true if its value is hidden.
    pub fn of<'v>(variables: impl Iterator<Item = (&'v Str, bool)> + Clone) -> SecretNames {
        let any = variables.clone().any(|(_, hides)| hides);
        let open = variables.filter(|(_, hides)| !hides).map(|(name, _)| name.clone());
        SecretNames { open: open.collect(), any }
    }

    /// Returns true if a value of the variable with this name must not be shown.
    fn is_secret(&self, name: &str) -> bool {
        !self.open.contains(&Str::from(name))
    }

    /// Withholds the secret entries of a variable file from display, or the whole file after an error, and redacts the
    /// diagnostics in it from the index `from` on.
    pub fn file(
        &self,
        file: FileId,
        entries: &[ValueEntry],
        from: usize,
        sources: &mut Sources,
        out: &mut Diagnostics,
    ) {
        if self.any && out.len() > from {
            // After an error the boundaries of entries are uncertain.
            sources.withhold(whole(file, sources));
        }
        for entry in entries.iter().filter(|entry| self.is_secret(&entry.name)) {
            let span = Span::new(entry.name_place.span.start, entry.place.span.end);
            sources.withhold(Place::new(file, span));
        }
        scrub(from, sources, out);
    }

    /// Withholds the source text `file`, which is a value of the variable `name`, from display if that variable is secret.
    pub fn text(&self, name: &str, file: FileId, sources: &mut Sources) {
        if self.is_secret(name) {
            sources.withhold(whole(file, sources));
        }
    }

    /// Withholds the source texts from the index `first` on, which could not be parsed, from display if any variable is
    /// sensitive.
    pub fn withhold_from(&self, first: usize, sources: &mut Sources) {
        if self.any {
            let files: Vec<FileId> = sources.iter().skip(first).map(|(file, _)| file).collect();
            for file in files {
                sources.withhold(whole(file, sources));
            }
        }
    }
}

/// Redacts the diagnostics from the index `from` on whose places are withheld from display: only code and place remain.
pub fn scrub(from: usize, sources: &Sources, out: &mut Diagnostics) {
    out.withhold(from, WITHHELD, |found| found.place.is_some_and(|at| sources.is_withheld(at)));
}

/// Returns the place that covers the whole text of a file.
fn whole(file: FileId, sources: &Sources) -> Place {
    Place::new(file, Span::new(0, sources.get(file).text().len() as u32))
}
