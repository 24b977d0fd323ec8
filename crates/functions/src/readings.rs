//! What texts were read as in a run: YAML documents and regular expressions. Modules are called many times and loops run
//! many times, so the same text comes again; it is read once. What a call is charged does not depend on that.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_value::{Str, Value};
use rustc_hash::FxHashMap;

use crate::families::pattern::{Classes, Pattern};

/// So many bytes of documents are kept at most; their values are some ten times as large.
const DOCUMENT_BYTES: usize = 1 << 20;

/// So many documents.
const DOCUMENTS: usize = 1 << 10;

/// So many patterns: while they search, each may take a few megabytes.
const PATTERNS: usize = 32;

/// How a document is read: the same text is the same value then.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Manner {
    /// As older editions read scalars.
    pub(crate) older: bool,
    /// `<<` takes a list of mappings too.
    pub(crate) merges_lists: bool,
    /// How deep it may nest.
    pub(crate) nesting: usize,
    /// For how many values it may stand.
    pub(crate) elements: usize,
}

/// What was read already. Cloning shares it.
#[derive(Clone, Debug)]
pub struct Readings(Option<Arc<Mutex<Kept>>>);

#[derive(Default)]
struct Kept {
    documents: FxHashMap<(Str, Manner), Value>,
    /// How many bytes of text they have.
    bytes: usize,
    /// By their texts, and whether names of Unicode classes need not be exact.
    patterns: FxHashMap<(String, Classes), Arc<Pattern>>,
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} documents, {} patterns", self.documents.len(), self.patterns.len())
    }
}

impl Default for Readings {
    fn default() -> Readings {
        Readings(Some(Arc::default()))
    }
}

impl Readings {
    /// Keeps nothing.
    pub const FORGETFUL: Readings = Readings(None);

    fn kept(&self) -> Option<MutexGuard<'_, Kept>> {
        self.0.as_ref().map(|kept| kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The value of a document, which `read` finds out.
    pub(crate) fn document<E>(
        &self,
        text: &Str,
        manner: Manner,
        read: impl FnOnce() -> Result<Value, E>,
    ) -> Result<Value, E> {
        let key = (text.clone(), manner);
        if let Some(known) = self.kept().and_then(|kept| kept.documents.get(&key).cloned()) {
            return Ok(known);
        }
        let value = read()?;
        if let Some(mut kept) = self.kept() {
            let bytes = kept.bytes + text.len();
            if bytes <= DOCUMENT_BYTES && kept.documents.len() < DOCUMENTS {
                kept.bytes = bytes;
                kept.documents.insert(key, value.clone());
            }
        }
        Ok(value)
    }

    /// The program of a pattern, which `compile` makes.
    pub(crate) fn pattern<E>(
        &self,
        text: &str,
        classes: Classes,
        compile: impl FnOnce() -> Result<Pattern, E>,
    ) -> Result<Arc<Pattern>, E> {
        let key = (text.to_owned(), classes);
        if let Some(known) = self.kept().and_then(|kept| kept.patterns.get(&key).cloned()) {
            return Ok(known);
        }
        let pattern = Arc::new(compile()?);
        if let Some(mut kept) = self.kept()
            && kept.patterns.len() < PATTERNS
            && pattern.is_small()
        {
            kept.patterns.insert(key, pattern.clone());
        }
        Ok(pattern)
    }
}
