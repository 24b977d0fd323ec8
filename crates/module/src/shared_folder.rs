//! Folders that are read and declared once, for all projects that call them. Each is read separately, on any thread; its file
//! numbers are reserved before, so that they do not depend on the order of completion.

use std::sync::Arc;

use groma_eval::{EvaluationBasis, NamedValues};
use groma_runtime::{Budget, Edition, Host, MeteredHost, Quota};
use groma_syntax::{Diagnostics, Source, Sources};

use crate::load::ModuleLoader;
use crate::parsed::ParsedFiles;
use crate::schema::ProviderSchemas;
use crate::shared_modules::{DeclaredModule, ReadFolder};

/// A folder that is to be read as a module which several roots share, with everything that reading it needs.
pub struct SharedFolder {
    /// The path of the folder, as displayed.
    pub dir: String,
    /// The names of its files.
    pub names: Vec<String>,
    /// The host that reads it.
    pub host: Arc<dyn Host>,
    /// The edition with which it is read.
    pub edition: Edition,
    /// The schemas that apply to its blocks.
    pub schemas: ProviderSchemas,
    /// The limits of reading it. Each project that calls it is charged what reading has taken.
    pub quota: Quota,
    /// Files that are parsed already.
    pub parsed: ParsedFiles,
}

impl SharedFolder {
    /// Returns the maximum number of texts that reading the folder can yield.
    pub fn max_texts(&self) -> usize {
        let names = self.names.iter().map(String::as_str);
        groma_config::select(names, self.edition.dialect).len()
    }

    /// Reads the folder as a module; numbers its texts from `first`.
    pub fn read(&self, first: usize) -> ReadFolder {
        let budget = Budget::new(self.quota);
        let constants =
            EvaluationBasis { budget: budget.clone(), ..EvaluationBasis::bare(self.edition) };
        let constants = constants.with_scope(Arc::new(NamedValues::new()));
        let host = MeteredHost::new(self.host.clone(), budget.clone());
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
        // An unreadable file has no text, but keeps its number.
        while sources.len() < self.max_texts() {
            sources.add(Source::new("", ""));
        }
        let schemas = self.schemas.clone();
        // A module that was not read to its end is shared with no project: each reads it again, and reaches its own limit.
        let spent = budget.ended().is_none().then(|| budget.spending());
        let declared = DeclaredModule { module, found, late, schemas, spent };
        ReadFolder { key: (self.dir.clone(), self.edition), declared, sources }
    }
}
