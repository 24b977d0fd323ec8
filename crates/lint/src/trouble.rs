//! What is wrong with the code that the rules look at, so that none of them says what only the error makes so. In a file
//! that is not the language as a whole nothing is found, and what stands where an error is told is left to the error.

use std::sync::Arc;

use groma_config::codes::UNSUPPORTED_BLOCK;
use groma_module::declare::Module;
use groma_syntax::{Diagnostics, Phase, Place, Severity, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The errors in the code, by file.
#[derive(Debug, Default)]
pub(crate) struct ErrorRanges {
    /// Files that were not understood as a whole.
    broken: FxHashSet<Arc<str>>,
    /// Files in which a reference leads nowhere.
    lost: FxHashSet<Arc<str>>,
    /// The place where errors are told.
    places: FxHashMap<Arc<str>, Vec<Span>>,
    is_any: bool,
}

impl ErrorRanges {
    pub(crate) fn of(found: &Diagnostics, sources: &Sources) -> ErrorRanges {
        let mut trouble = ErrorRanges::default();
        // What a program that stops earlier does not come to is told without being an error.
        for one in found.iter().filter(|one| one.severity != Severity::Warning) {
            trouble.is_any |= one.severity == Severity::Error;
            let Some(place) = one.place else { continue };
            let (source, place) = sources.at(place);
            let name: Arc<str> = source.name().into();
            if one.phase == Phase::Resolve {
                trouble.lost.insert(name.clone());
            }
            if one.severity != Severity::Error {
                continue;
            }
            let is_unread =
                groma_syntax::codes::ALL.contains(&one.code) || one.code == &UNSUPPORTED_BLOCK;
            if is_unread {
                trouble.broken.insert(name.clone());
            }
            trouble.places.entry(name).or_default().push(place.span);
        }
        trouble
    }

    /// Returns true if there is any.
    pub(crate) fn is_any(&self) -> bool {
        self.is_any
    }

    /// Returns true if every file of a module was understood as a whole, so that what is not in it is not there.
    pub(crate) fn has_read(&self, module: &Module, sources: &Sources) -> bool {
        let mut files = module.files.iter().map(|file| sources.get(*file).name());
        files.all(|name| !self.broken.contains(name))
    }

    /// Returns true if every reference in a module leads somewhere, too.
    pub(crate) fn has_resolved(&self, module: &Module, sources: &Sources) -> bool {
        let mut files = module.files.iter().map(|file| sources.get(*file).name());
        files.all(|name| !self.lost.contains(name)) && self.has_read(module, sources)
    }

    /// Returns true if nothing in a module is wrong.
    pub(crate) fn is_clean(&self, module: &Module, sources: &Sources) -> bool {
        let mut files = module.files.iter().map(|file| sources.get(*file).name());
        files.all(|name| !self.places.contains_key(name))
    }

    /// Returns true if what is found at a place may be the doing of an error.
    pub(crate) fn covers(&self, place: Place, sources: &Sources) -> bool {
        let (source, place) = sources.at(place);
        let touches = |span: &Span| span.start < place.span.end && place.span.start < span.end;
        self.broken.contains(source.name())
            || self.places.get(source.name()).is_some_and(|all| all.iter().any(touches))
    }
}
