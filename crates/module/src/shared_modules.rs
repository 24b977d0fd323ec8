//! Modules that were declared once, for all projects that call them. Their texts are in the order of addition, not of reading.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_runtime::{Budget, BudgetSpending, Edition};
use groma_syntax::{Diagnostics, Sources};
use rustc_hash::FxHashMap;

use crate::declare::Module;
use crate::schema::ProviderSchemas;

/// Modules that several roots share, by folder and edition, with all their texts.
#[derive(Clone, Default)]
pub struct SharedModules {
    sources: Sources,
    modules: FxHashMap<(String, Edition), SharedModule>,
}

/// A shared module, with the numbers of its texts and the mark that a project has called it, which clones share.
#[derive(Clone)]
struct SharedModule {
    declared: DeclaredModule,
    texts: Range<usize>,
    is_used: Arc<AtomicBool>,
}

/// Modules that are no longer shared, to be dropped when the caller decides, as this takes time.
pub struct RemovedModules {
    /// The paths of their folders.
    pub dirs: Vec<String>,
    #[expect(dead_code, reason = "they are there to be dropped")]
    modules: Vec<SharedModule>,
    #[expect(dead_code, reason = "their texts are there to be dropped")]
    sources: Sources,
}

/// A module, with the diagnostics and the provider schemas of its reading.
#[derive(Clone)]
pub(crate) struct DeclaredModule {
    pub(crate) module: Arc<Module>,
    pub(crate) found: Diagnostics,
    pub(crate) late: Diagnostics,
    pub(crate) schemas: ProviderSchemas,
    /// The amounts that reading it has taken from a budget; `None` if it was ended by a limit.
    pub(crate) spent: Option<BudgetSpending>,
}

/// The result of reading a folder: its module and texts, with its path and edition.
pub struct ReadFolder {
    pub(crate) key: (String, Edition),
    pub(crate) declared: DeclaredModule,
    pub(crate) sources: Sources,
}

impl ReadFolder {
    /// Returns the module that was read from the folder.
    pub fn module(&self) -> &Arc<Module> {
        &self.declared.module
    }
}

impl SharedModules {
    /// Returns the number of texts; those of the next folder are numbered from here.
    pub fn text_count(&self) -> usize {
        self.sources.len()
    }

    /// Adds a folder that has been read; its texts must be numbered from [`SharedModules::text_count`].
    pub fn add(&mut self, read: ReadFolder) {
        let first = self.sources.len();
        self.sources.append(read.sources);
        let (texts, is_used) = (first..self.sources.len(), Arc::new(AtomicBool::new(true)));
        self.modules.insert(read.key, SharedModule { declared: read.declared, texts, is_used });
    }

    /// Returns true if the folder has been read with this edition, so that its module is shared.
    pub fn has(&self, dir: &str, edition: Edition) -> bool {
        self.modules.contains_key(&(dir.to_owned(), edition))
    }

    /// Returns the module of a folder; `None` if it has not been read with this edition.
    pub fn module(&self, dir: &str, edition: Edition) -> Option<&Arc<Module>> {
        Some(&self.modules.get(&(dir.to_owned(), edition))?.declared.module)
    }

    /// Removes the modules that no project has called, in any clone, since they were added or since the last call of this
    /// function. The numbers of the other texts stay the same.
    pub fn remove_unused(&mut self) -> RemovedModules {
        self.remove(|_, one| !one.is_used.swap(false, Ordering::Relaxed))
    }

    /// Removes the modules except those of the folders and editions for which `keeps` is true. The numbers of the other texts
    /// stay the same.
    pub fn retain(&mut self, keeps: impl Fn(&str, Edition) -> bool) -> RemovedModules {
        self.remove(|(dir, edition), _| !keeps(dir, *edition))
    }

    /// Removes the modules for which `is_removed` is true, and their texts.
    fn remove(
        &mut self,
        is_removed: impl Fn(&(String, Edition), &SharedModule) -> bool,
    ) -> RemovedModules {
        let before = self.sources.clone();
        let removed = self.modules.extract_if(|key, one| is_removed(key, one));
        let (keys, modules): (Vec<_>, Vec<_>) = removed.unzip();
        self.sources.clear(modules.iter().map(|one| one.texts.clone()));
        let dirs = keys.into_iter().map(|(dir, _)| dir).collect();
        RemovedModules { dirs, modules, sources: before }
    }

    /// Returns the texts of all shared modules.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the module of a folder, charges its reading to a budget, and adds its diagnostics to `out`, or to `late` those that
    /// count only if there are no other errors; `None` if it has not been read with this edition and these schemas, or if the
    /// budget does not allow its reading.
    pub(crate) fn find(
        &self,
        (dir, edition): (&str, Edition),
        schemas: &ProviderSchemas,
        budget: &Budget,
        late: &mut Diagnostics,
        out: &mut Diagnostics,
    ) -> Option<Arc<Module>> {
        let SharedModule { declared, is_used, .. } =
            self.modules.get(&(dir.to_owned(), edition))?;
        is_used.store(true, Ordering::Relaxed);
        if !declared.schemas.is_same(schemas) {
            return None;
        }
        budget.take_spending(declared.spent?).ok()?;
        out.extend(declared.found.iter().cloned());
        late.extend(declared.late.iter().cloned());
        Some(declared.module.clone())
    }
}
