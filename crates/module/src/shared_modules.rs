//! Folders that are read and declared once, for all projects that call them. Each is read apart from the others, on any
//! thread; the numbers of its texts are set aside for it before, so that they do not depend on which was done first.

use std::sync::Arc;

use groma_eval::{EvaluationBasis, NamedValues};
use groma_runtime::{Budget, Edition, Host, MeteredHost};
use groma_syntax::{Diagnostics, Source, Sources};
use rustc_hash::FxHashMap;

use crate::declare::Module;
use crate::load::ModuleLoader;
use crate::parsed::ParsedFiles;
use crate::schema::ProviderSchemas;

/// Modules by their folder, as one edition declares them, and the texts of them all.
#[derive(Default)]
pub struct SharedModules {
    sources: Sources,
    modules: FxHashMap<(String, Edition), DeclaredModule>,
}

/// A module, and what was found while it was read.
struct DeclaredModule {
    module: Arc<Module>,
    found: Diagnostics,
    late: Diagnostics,
    schemas: ProviderSchemas,
}

/// A folder that is to be read.
pub struct SharedFolder {
    /// The folder, as its files are shown.
    pub dir: String,
    /// The files that it holds.
    pub names: Vec<String>,
    /// The host that reads it.
    pub host: Arc<dyn Host>,
    /// As what it is read.
    pub edition: Edition,
    /// The schemas that its blocks follow.
    pub schemas: ProviderSchemas,
    /// The budget of the run.
    pub budget: Budget,
    /// Files that were parsed before.
    pub parsed: ParsedFiles,
}

/// A folder that was read.
pub struct ReadFolder {
    key: (String, Edition),
    declared: DeclaredModule,
    sources: Sources,
}

impl SharedFolder {
    /// Returns how many texts it has at most.
    pub fn room(&self) -> usize {
        let names = self.names.iter().map(String::as_str);
        groma_config::select(names, self.edition.dialect).len()
    }

    /// Reads it; its texts are numbered from `first`.
    pub fn read(&self, first: usize) -> ReadFolder {
        let constants =
            EvaluationBasis { budget: self.budget.clone(), ..EvaluationBasis::bare(self.edition) };
        let constants = constants.with_scope(Arc::new(NamedValues::new()));
        let host = MeteredHost::new(self.host.clone(), self.budget.clone());
        let mut sources = Sources::starting_at(first);
        let (mut found, mut late) = (Diagnostics::new(), Diagnostics::new());
        let mut loader = ModuleLoader {
            host: &host,
            edition: self.edition,
            constants: &constants,
            schemas: &self.schemas,
            sources: &mut sources,
            queries: false,
            kept: None,
            shared: None,
            parsed: &self.parsed,
            late: &mut late,
        };
        let module = loader.load(&self.dir, &self.names, &mut found);
        // A file that cannot be read has no text, and its number stays its own.
        while sources.len() < self.room() {
            sources.add(Source::new("", ""));
        }
        let schemas = self.schemas.clone();
        let declared = DeclaredModule { module, found, late, schemas };
        ReadFolder { key: (self.dir.clone(), self.edition), declared, sources }
    }
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
