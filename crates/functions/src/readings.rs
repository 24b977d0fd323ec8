//! The cache of parsed texts: YAML documents and regular expressions. Modules are called many times and loops repeat, so the
//! same text is read again; it is parsed once. The charge of a call does not depend on the cache.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_value::{Str, Value};
use rustc_hash::FxHashMap;

use crate::families::pattern::{ClassRules, Pattern};

/// Maximum total size in bytes of the texts of the YAML documents in a [`ReadingCache`]; their values are about ten times as
/// large.
const DOCUMENT_BYTES: usize = 1 << 20;

/// Maximum number of YAML documents in a [`ReadingCache`].
const DOCUMENTS: usize = 1 << 10;

/// Maximum number of regular expressions in a [`ReadingCache`], since each may use a few megabytes while it searches.
const PATTERNS: usize = 32;

/// The rules and limits for reading a YAML document, which determine its value together with the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct YamlSettings {
    /// True if scalars are read as in older editions.
    pub(crate) older: bool,
    /// True if `<<` also accepts a list of mappings.
    pub(crate) merges_lists: bool,
    /// Maximum depth of nesting.
    pub(crate) nesting: usize,
    /// Maximum number of values in the document.
    pub(crate) elements: usize,
}

/// A cache of parsed YAML documents and compiled regular expressions, shared by its clones.
#[derive(Clone, Debug)]
pub struct ReadingCache(Option<Arc<Mutex<CacheContent>>>);

/// The content of a [`ReadingCache`]: YAML documents and regular expressions by their texts and the rules for reading them.
#[derive(Default)]
struct CacheContent {
    documents: FxHashMap<(Str, YamlSettings), Value>,
    /// The number of bytes of the documents' texts.
    bytes: usize,
    /// The compiled patterns, by their texts and the rules for character classes.
    patterns: FxHashMap<(String, ClassRules), Arc<Pattern>>,
}

impl std::fmt::Debug for CacheContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} documents, {} patterns", self.documents.len(), self.patterns.len())
    }
}

impl Default for ReadingCache {
    fn default() -> ReadingCache {
        ReadingCache(Some(Arc::default()))
    }
}

impl ReadingCache {
    /// A cache that stores nothing, so that every text is parsed again.
    pub const DISABLED: ReadingCache = ReadingCache(None);

    /// Locks the cached documents and regular expressions; `None` for a cache that stores nothing.
    fn lock(&self) -> Option<MutexGuard<'_, CacheContent>> {
        self.0.as_ref().map(|content| content.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the value of a YAML document: from the cache, or as `read` yields it.
    pub(crate) fn document<E>(
        &self,
        text: &Str,
        settings: YamlSettings,
        read: impl FnOnce() -> Result<Value, E>,
    ) -> Result<Value, E> {
        let key = (text.clone(), settings);
        if let Some(known) = self.lock().and_then(|content| content.documents.get(&key).cloned()) {
            return Ok(known);
        }
        let value = read()?;
        if let Some(mut content) = self.lock() {
            let bytes = content.bytes + text.len();
            if bytes <= DOCUMENT_BYTES && content.documents.len() < DOCUMENTS {
                content.bytes = bytes;
                content.documents.insert(key, value.clone());
            }
        }
        Ok(value)
    }

    /// Returns the compiled regular expression of a text by these rules for classes: from the cache, or as `compile` yields it.
    pub(crate) fn pattern<E>(
        &self,
        text: &str,
        classes: ClassRules,
        compile: impl FnOnce() -> Result<Pattern, E>,
    ) -> Result<Arc<Pattern>, E> {
        let key = (text.to_owned(), classes);
        if let Some(known) = self.lock().and_then(|content| content.patterns.get(&key).cloned()) {
            return Ok(known);
        }
        let pattern = Arc::new(compile()?);
        if let Some(mut content) = self.lock()
            && content.patterns.len() < PATTERNS
            && pattern.is_small()
        {
            content.patterns.insert(key, pattern.clone());
        }
        Ok(pattern)
    }
}
