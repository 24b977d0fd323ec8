//! Modules that were declared once, for all projects that call them. Their texts are in the order of addition, not of reading.

use std::sync::Arc;

use groma_runtime::Edition;
use groma_syntax::{Diagnostics, Sources};
use rustc_hash::FxHashMap;

use crate::declare::Module;
use crate::schema::ProviderSchemas;

/// Modules that several roots share, by folder and edition, with all their texts.
#[derive(Clone, Default)]
pub struct SharedModules {
    sources: Sources,
    modules: FxHashMap<(String, Edition), DeclaredModule>,
}

/// A module, with the diagnostics and the provider schemas of its reading.
#[derive(Clone)]
pub(crate) struct DeclaredModule {
    pub(crate) module: Arc<Module>,
    pub(crate) found: Diagnostics,
    pub(crate) late: Diagnostics,
    pub(crate) schemas: ProviderSchemas,
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
        self.sources.append(read.sources);
        self.modules.insert(read.key, read.declared);
    }

    /// Returns true if the folder has been read with this edition, so that its module is shared.
    pub fn has(&self, dir: &str, edition: Edition) -> bool {
        self.modules.contains_key(&(dir.to_owned(), edition))
    }

    /// Returns the texts of all shared modules.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the module of a folder and adds its diagnostics to `out`, or to `late` those that count only if there are no
    /// other errors; `None` if it has not been read with this edition and these schemas.
    pub(crate) fn find(
        &self,
        dir: &str,
        edition: Edition,
        schemas: &ProviderSchemas,
        late: &mut Diagnostics,
        out: &mut Diagnostics,
    ) -> Option<Arc<Module>> {
        let declared = self.modules.get(&(dir.to_owned(), edition))?;
        if !declared.schemas.is_same(schemas) {
            return None;
        }
        out.extend(declared.found.iter().cloned());
        late.extend(declared.late.iter().cloned());
        Some(declared.module.clone())
    }
}
