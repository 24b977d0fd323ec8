//! Errors in the inspected code, so that rules do not report consequences of them. Nothing is found in a file with syntax
//! errors, and findings at an error's source range are dropped.

use std::sync::Arc;

use groma_config::codes::UNSUPPORTED_BLOCK;
use groma_module::declare::Module;
use groma_syntax::{Diagnostics, Phase, Place, Severity, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The places of a project's errors, by file, for dropping findings that may be consequences of them.
#[derive(Debug, Default)]
pub(crate) struct ErrorRanges {
    /// Files with syntax errors.
    broken: FxHashSet<Arc<str>>,
    /// Files with unresolved references.
    lost: FxHashSet<Arc<str>>,
    /// The spans of errors.
    places: FxHashMap<Arc<str>, Vec<Span>>,
    /// True if there is an error, also one without a place.
    is_any: bool,
}

impl ErrorRanges {
    /// Collects the places of the errors among a project's diagnostics.
    pub(crate) fn of(found: &Diagnostics, sources: &Sources) -> ErrorRanges {
        let mut trouble = ErrorRanges::default();
        // A diagnostic that an earlier stop of the program would hide is no error, but counts.
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

    /// Returns true if the project has any error.
    pub(crate) fn is_any(&self) -> bool {
        self.is_any
    }

    /// Returns true if every file of a module was parsed completely, so that declarations that are not found do not exist.
    pub(crate) fn has_read(&self, module: &Module, sources: &Sources) -> bool {
        let mut files = module.files.iter().map(|file| sources.get(*file).name());
        files.all(|name| !self.broken.contains(name))
    }

    /// Returns true if every file of a module was parsed completely and every reference in it resolves.
    pub(crate) fn has_resolved(&self, module: &Module, sources: &Sources) -> bool {
        let mut files = module.files.iter().map(|file| sources.get(*file).name());
        files.all(|name| !self.lost.contains(name)) && self.has_read(module, sources)
    }

    /// Returns true if there is no error in any file of a module.
    pub(crate) fn is_clean(&self, module: &Module, sources: &Sources) -> bool {
        let mut files = module.files.iter().map(|file| sources.get(*file).name());
        files.all(|name| !self.places.contains_key(name))
    }

    /// Returns true if a finding at a place may be the consequence of an error: it touches one, or its file has syntax errors.
    pub(crate) fn covers(&self, place: Place, sources: &Sources) -> bool {
        let (source, place) = sources.at(place);
        let touches = |span: &Span| span.start < place.span.end && place.span.start < span.end;
        self.broken.contains(source.name())
            || self.places.get(source.name()).is_some_and(|all| all.iter().any(touches))
    }
}
