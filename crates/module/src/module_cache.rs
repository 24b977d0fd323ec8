//! Folders that were read for the roots of a workspace. The texts, trees and declarations of a folder are held once for all roots
//! that call it, as long as any does; after an edit the first root that is loaded reads the changed parts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use groma_runtime::Edition;
use groma_syntax::{Diagnostics, FileId, FolderNumbers, FolderTexts, PlaceNumbers, Source};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::amend::SoundModule;
use crate::declare::Module;
use crate::reuse::CachedFile;
use crate::schema::ProviderSchemas;

/// Number of folders in a [`ModuleStore`] above which those that no root refers to are removed for the first time.
const FIRST_SWEEP: usize = 64;

/// Estimated bytes of memory held per byte of text by its tree, declarations and lowered code.
const MEMORY_PER_TEXT_BYTE: usize = 4;

/// The key of a folder in a [`ModuleStore`]: its path, its edition, and true if query files belong to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FolderKey {
    /// The path, as displayed.
    pub(crate) dir: String,
    /// The edition with which it is read.
    pub(crate) edition: Edition,
    /// True if query files belong to it.
    pub(crate) queries: bool,
}

/// The result of the latest reading of a folder: texts, blocks, module and diagnostics.
pub(crate) struct CachedFolder {
    pub(crate) module: Arc<Module>,
    /// The module with its blocks, if reading them gave no diagnostic.
    pub(crate) sound: Option<SoundModule>,
    /// The texts, in the order of the module's files.
    pub(crate) texts: Arc<FolderTexts>,
    /// The positions of the texts, sorted by their names.
    pub(crate) by_name: Box<[u32]>,
    /// The blocks of files without diagnostics, in the order of the texts.
    pub(crate) files: Box<[Option<Arc<CachedFile>>]>,
    /// Parts of files whose declarations have diagnostics: they are read again.
    pub(crate) distrusted: FxHashSet<FileId>,
    /// The diagnostics of reading the folder.
    pub(crate) found: Diagnostics,
    /// Diagnostics that are reported only if there are no other errors.
    pub(crate) late: Diagnostics,
    pub(crate) schemas: ProviderSchemas,
}

impl CachedFolder {
    /// Returns true if the folder was read from exactly these texts.
    pub(crate) fn has_texts(&self, texts: &[Arc<Source>]) -> bool {
        let own = self.texts.texts();
        own.len() == texts.len() && own.iter().zip(texts).all(|(own, one)| Arc::ptr_eq(own, one))
    }

    /// Returns the index of the text with this file name among the folder's texts; `None` if there is none.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        let texts = self.texts.texts();
        let at = self.by_name.binary_search_by_key(&name, |at| texts[*at as usize].name()).ok()?;
        Some(self.by_name[at] as usize)
    }
}

/// Returns the indices of texts in the order of their names.
pub(crate) fn sorted_by_name(texts: &[Arc<Source>]) -> Box<[u32]> {
    let mut all: Box<[u32]> = (0..texts.len() as u32).collect();
    all.sort_unstable_by_key(|at| texts[*at as usize].name());
    all
}

/// An estimate of the memory that the folders of a [`ModuleStore`] take: their number, and the bytes of texts and modules.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StoreMemory {
    /// The count of folders.
    pub folders: usize,
    /// The bytes of texts, and of tables of their parts.
    pub texts: usize,
    /// The bytes of syntax trees, declarations, lowered code and diagnostics.
    pub modules: usize,
}

/// Store of the latest reading of each folder, shared by the roots of a workspace; a folder stays while a root refers to it.
#[derive(Default)]
pub struct ModuleStore {
    pub(crate) numbers: PlaceNumbers,
    folders: Mutex<StoredFolders>,
}

/// The folders of a [`ModuleStore`], and the number of folders above which those that no root refers to are removed next.
#[derive(Default)]
struct StoredFolders {
    known: FxHashMap<FolderKey, StoredFolder>,
    /// The number of folders at which unreferenced ones are removed.
    sweep: usize,
}

/// A folder of a [`ModuleStore`]: a weak reference to its latest reading, and the numbers reserved for its future parts.
struct StoredFolder {
    latest: Weak<CachedFolder>,
    /// The unused part numbers; empty while a thread reads the folder.
    numbers: FolderNumbers,
}

impl ModuleStore {
    /// Locks the store and returns its folders.
    fn folders(&self) -> MutexGuard<'_, StoredFolders> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the latest reading of a folder, if a root still refers to it.
    fn latest(&self, key: &FolderKey) -> Option<Arc<CachedFolder>> {
        self.folders().known.get(key)?.latest.upgrade()
    }

    /// Takes the numbers reserved for future parts of a folder's files out of the store. A second thread that reads the folder
    /// meanwhile gets new ones.
    pub(crate) fn take_numbers(&self, key: &FolderKey) -> FolderNumbers {
        let mut folders = self.folders();
        folders.known.get_mut(key).map(|own| std::mem::take(&mut own.numbers)).unwrap_or_default()
    }

    /// Stores the latest reading of a folder, and the numbers reserved for future parts of its files.
    fn set(&self, key: &FolderKey, latest: &Arc<CachedFolder>, numbers: FolderNumbers) {
        let mut folders = self.folders();
        let stored = StoredFolder { latest: Arc::downgrade(latest), numbers };
        folders.known.insert(key.clone(), stored);
        if folders.known.len() > folders.sweep.max(FIRST_SWEEP) {
            folders.known.retain(|_, own| own.latest.strong_count() > 0);
            folders.sweep = folders.known.len() * 2;
        }
    }

    /// Returns an estimate of the bytes that the stored folders hold, based on the lengths of their texts.
    pub fn memory(&self) -> StoreMemory {
        let mut all = StoreMemory::default();
        for folder in self.folders().known.values().filter_map(|own| own.latest.upgrade()) {
            let code: usize = folder.texts.texts().iter().map(|source| source.text().len()).sum();
            all.folders += 1;
            all.texts += folder.texts.held_bytes();
            all.modules +=
                code * MEMORY_PER_TEXT_BYTE + folder.found.held_bytes() + folder.late.held_bytes();
        }
        all
    }

    /// Removes the folders that no root refers to any more.
    pub fn sweep(&self) {
        self.folders().known.retain(|_, own| own.latest.strong_count() > 0);
    }
}

/// Cache of the folders that a root was loaded from, backed by a store that several roots may share.
#[derive(Default)]
pub struct ModuleCache {
    pub(crate) store: Arc<ModuleStore>,
    /// The folders of the last load.
    older: FxHashMap<FolderKey, Arc<CachedFolder>>,
    /// The folders of the current load.
    folders: FxHashMap<FolderKey, Arc<CachedFolder>>,
}

impl ModuleCache {
    /// Creates an empty cache for a root, backed by `store`.
    pub fn within(store: Arc<ModuleStore>) -> ModuleCache {
        ModuleCache { store, ..ModuleCache::default() }
    }

    /// Returns an empty cache with the same store.
    pub fn renewed(&self) -> ModuleCache {
        ModuleCache::within(self.store.clone())
    }

    /// Starts a load: folders of the previous load count as unused until they are read or kept again.
    pub fn begin_load(&mut self) {
        self.older = std::mem::take(&mut self.folders);
    }

    /// Ends a load: drops the folders of the previous load that this one did not use.
    pub fn end_load(&mut self) {
        self.older = FxHashMap::default();
    }

    /// Returns the readings of a folder with these provider schemas: the latest in the [`ModuleStore`] that all roots share, and
    /// the one of this cache's own root; neither if they were read with others.
    pub(crate) fn readings(
        &self,
        key: &FolderKey,
        schemas: &ProviderSchemas,
    ) -> impl Iterator<Item = Arc<CachedFolder>> {
        let own = self.folders.get(key).or_else(|| self.older.get(key)).cloned();
        let both = self.store.latest(key).into_iter().chain(own);
        both.filter(|one| one.schemas.is_same(schemas))
    }

    /// Adds the result of an earlier reading of a folder to the folders of the current load, without storing it again.
    pub(crate) fn hold(&mut self, key: FolderKey, folder: Arc<CachedFolder>) {
        self.folders.insert(key, folder);
    }

    /// Keeps a newly read folder for the current load, and stores it for other roots.
    pub(crate) fn keep(
        &mut self,
        key: FolderKey,
        folder: Arc<CachedFolder>,
        numbers: FolderNumbers,
    ) {
        self.store.set(&key, &folder, numbers);
        self.folders.insert(key, folder);
    }
}
