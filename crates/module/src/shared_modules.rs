//! Modules that were declared once, for all projects that call them. Their texts stand in the order in which they were added,
//! not in that in which they were read.

use std::sync::Arc;

use groma_runtime::Edition;
use groma_syntax::{Diagnostics, Sources};
use rustc_hash::FxHashMap;

use crate::declare::Module;
use crate::schema::ProviderSchemas;

/// Modules by their folder, as one edition declares them, and the texts of them all.
#[derive(Clone, Default)]
pub struct SharedModules {
    sources: Sources,
    modules: FxHashMap<(String, Edition), DeclaredModule>,
}

/// A module, and what was found while it was read.
#[derive(Clone)]
pub(crate) struct DeclaredModule {
    pub(crate) module: Arc<Module>,
    pub(crate) found: Diagnostics,
    pub(crate) late: Diagnostics,
    pub(crate) schemas: ProviderSchemas,
}

/// A folder that was read.
pub struct ReadFolder {
    pub(crate) key: (String, Edition),
    pub(crate) declared: DeclaredModule,
    pub(crate) sources: Sources,
}

impl ReadFolder {
    /// Returns what it declares.
    pub fn module(&self) -> &Arc<Module> {
        &self.declared.module
    }
}

impl SharedModules {
    /// Returns how many texts there are; those of the next folder are numbered from here.
    pub fn text_count(&self) -> usize {
        self.sources.len()
    }

    /// Takes in a folder whose texts are numbered from where these end.
    pub fn add(&mut self, read: ReadFolder) {
        self.sources.append(read.sources);
        self.modules.insert(read.key, read.declared);
    }

    /// Returns true if a folder was read as this edition.
    pub fn has(&self, dir: &str, edition: Edition) -> bool {
        self.modules.contains_key(&(dir.to_owned(), edition))
    }

    /// All texts.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The module in a folder, if it was read so.
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
