//! What of the texts that values come from may be shown: not the line that sets a sensitive variable or an undeclared
//! name, and where a variable is sensitive, not what cannot be told from its value either, such as a file that is broken.

use groma_syntax::{Diagnostics, FileId, Place, Sources, Span};
use groma_value::Str;
use groma_value::sentence::WITHHELD;
use rustc_hash::FxHashSet;

use crate::value_entries::ValueEntry;

/// The names of variables whose values may be shown; all others are secret.
#[derive(Debug)]
pub struct SecretNames {
    /// Those that may be shown. An undeclared name is not among them: what it means is not known.
    open: FxHashSet<Str>,
    /// True if a declared variable hides its value.
    any: bool,
}

impl SecretNames {
    /// Creates the set from all declared variables, each with true if its value is hidden.
    pub fn of<'v>(variables: impl Iterator<Item = (&'v Str, bool)> + Clone) -> SecretNames {
        let any = variables.clone().any(|(_, hides)| hides);
        let open = variables.filter(|(_, hides)| !hides).map(|(name, _)| name.clone());
        SecretNames { open: open.collect(), any }
    }

    /// Returns true if values of that name are secret.
    fn is_secret(&self, name: &str) -> bool {
        !self.open.contains(&Str::from(name))
    }

    /// Withholds secret values of a variables file, and the findings in it from the mark `from` on.
    pub fn file(
        &self,
        file: FileId,
        entries: &[ValueEntry],
        from: usize,
        sources: &mut Sources,
        out: &mut Diagnostics,
    ) {
        if self.any && out.len() > from {
            // Where one entry ends and the next begins is a guess then.
            sources.withhold(whole(file, sources));
        }
        for entry in entries.iter().filter(|entry| self.is_secret(&entry.name)) {
            let span = Span::new(entry.name_place.span.start, entry.place.span.end);
            sources.withhold(Place::new(file, span));
        }
        scrub(from, sources, out);
    }

    /// Withholds a text that consists of one variable's value, if that is secret.
    pub fn text(&self, name: &str, file: FileId, sources: &mut Sources) {
        if self.is_secret(name) {
            sources.withhold(whole(file, sources));
        }
    }

    /// Withholds all texts from number `first` on, which are files that could not be parsed.
    pub fn unread(&self, first: usize, sources: &mut Sources) {
        for number in first..sources.len() {
            if self.any {
                let file = FileId(number as u32);
                sources.withhold(whole(file, sources));
            }
        }
    }
}

/// Redacts the findings from the mark `from` on in withheld texts to their code and place.
pub fn scrub(from: usize, sources: &Sources, out: &mut Diagnostics) {
    out.withhold(from, WITHHELD, |found| found.place.is_some_and(|at| sources.is_withheld(at)));
}

/// Withholds a whole text.
fn whole(file: FileId, sources: &Sources) -> Place {
    Place::new(file, Span::new(0, sources.get(file).text().len() as u32))
}
