//! A load in progress, and its first phases: the directory is listed, the edition selected, the root module read.

use std::sync::Arc;

use groma_config::path;
use groma_eval::{Context, EvaluationBasis, NamedValues};
use groma_functions::FunctionLibrary;
use groma_module::declare::{DeclarationReader, Module};
use groma_module::dialect::Conventions;
use groma_module::load::ModuleLoader;
use groma_module::{EditionEvidence, ModuleCache, ModuleStore, ProviderSchemas, SharedModules};
use groma_runtime::{Budget, Edition, Host, MeteredHost, Semantics};
use groma_syntax::{Diagnostic, Sources};

use crate::codes;
use crate::load_findings::LoadFindings;
use crate::options::{LoadPurpose, ProjectOptions};

/// A cache of modules that is kept between loads of one project.
#[derive(Default)]
pub struct LoadCache {
    pub(super) modules: ModuleCache,
}

impl LoadCache {
    /// Creates the cache of a project whose modules are in a store, which other projects may share.
    pub fn within(store: Arc<ModuleStore>) -> LoadCache {
        LoadCache { modules: ModuleCache::within(store) }
    }

    /// Returns an empty cache that uses the same store of modules.
    pub fn renewed(&self) -> LoadCache {
        LoadCache { modules: self.modules.renewed() }
    }
}

/// A load of a project in progress, with what its phases share: options, host, edition, the texts read and the diagnostics found.
pub(super) struct ProjectLoad<'a> {
    pub(super) dir: String,
    pub(super) options: &'a ProjectOptions,
    /// The host without budget accounting.
    pub(super) uncounted: Arc<dyn Host>,
    pub(super) host: Arc<dyn Host>,
    /// The names of the files of the directory; `None` if it cannot be listed.
    pub(super) names: Option<Vec<String>>,
    pub(super) evidence: EditionEvidence,
    pub(super) conventions: Conventions,
    pub(super) semantics: Arc<Semantics>,
    /// The context of constants.
    pub(super) constants: Context,
    pub(super) sources: Sources,
    pub(super) kept: Option<&'a mut LoadCache>,
    pub(super) shared: Option<&'a SharedModules>,
    pub(super) found: LoadFindings,
    /// True if the code is judged as the program would, which refuses to continue where answers could still be given.
    pub(super) judging: bool,
}

impl<'a> ProjectLoad<'a> {
    /// Starts a load: lists the directory and selects the edition; `kept` holds what an earlier load left, `shared` the modules
    /// that several roots share.
    pub(super) fn begin(
        dir: &str,
        options: &'a ProjectOptions,
        host: Arc<dyn Host>,
        (mut kept, shared): (Option<&'a mut LoadCache>, Option<&'a SharedModules>),
    ) -> ProjectLoad<'a> {
        if let Some(kept) = &mut kept {
            kept.modules.begin_load();
        }
        let uncounted = host.clone();
        let host: Arc<dyn Host> = Arc::new(MeteredHost::new(host, options.run.budget.clone()));
        let dir = path::normal(dir);
        let mut found = LoadFindings::default();
        let names = groma_config::list(&*host, &dir, &mut found.declared);
        let evidence = match options.load.edition {
            Some(edition) => EditionEvidence {
                edition,
                reason: options.load.evidence.clone(),
                is_guess: options.load.is_guess,
            },
            None => {
                let names = names.as_deref().unwrap_or_default();
                EditionEvidence::of(&*host, &dir, names, &options.load.parsed)
            }
        };
        let edition = evidence.edition;
        let conventions = Conventions::of(edition);
        if options.load.queries && !conventions.has_actions {
            let detail = format!(
                "There are no query files in {edition}; they came with Terraform 1.14. Select that version with --dialect, or leave out the flag."
            );
            found.declared.push(Diagnostic::error(&codes::NO_QUERIES, detail));
        }
        let sources = shared.map_or_else(Sources::new, |shared| shared.sources().clone());
        ProjectLoad {
            dir,
            options,
            uncounted,
            host,
            names,
            evidence,
            conventions,
            semantics: Semantics::of(edition),
            constants: constants(edition, &options.run.budget),
            sources,
            kept,
            shared,
            found,
            judging: options.load.purpose != LoadPurpose::Evaluate,
        }
    }

    /// Returns a loader that reads module directories as this load does; with `queries`, it also reads query files.
    pub(super) fn loader(&mut self, queries: bool) -> ModuleLoader<'_> {
        ModuleLoader {
            host: &*self.host,
            edition: self.evidence.edition,
            constants: &self.constants,
            schemas: &self.options.load.schemas,
            sources: &mut self.sources,
            queries,
            kept: self.kept.as_deref_mut().map(|kept| &mut kept.modules),
            shared: self.shared,
            parsed: &self.options.load.parsed,
            late: &mut self.found.late,
        }
    }

    /// Returns a reader of declarations with the schemas, edition and constants of this load.
    pub(super) fn reader(&self) -> DeclarationReader<'_> {
        reader(&self.options.load.schemas, self.conventions, self.evidence.edition, &self.constants)
    }

    /// Reads the root module, and its test files if the code is to be checked.
    pub(super) fn read_root(&mut self) -> Arc<Module> {
        let mut out = std::mem::take(&mut self.found.declared);
        let options = self.options;
        let queries = options.load.queries && self.conventions.has_actions;
        let (dir, names) = (self.dir.clone(), self.names.clone());
        let mut loader = self.loader(queries);
        let root = match &names {
            Some(names) => loader.load(&dir, names, &mut out),
            None => Arc::default(),
        };
        options.load.parsed.forget();
        if let Some(names) = names.filter(|_| options.load.purpose == LoadPurpose::Check) {
            loader.tests(&dir, &names, &mut out);
        }
        self.found.declared = out;
        // Numbers of inputs stand before those of called modules, whatever the inputs are.
        self.sources.reserve();
        root
    }
}

/// Returns a reader of declarations with these provider schemas and conventions, and with `constants` for evaluating constant
/// expressions.
pub(super) fn reader<'r>(
    schemas: &'r ProviderSchemas,
    conventions: Conventions,
    edition: Edition,
    constants: &'r Context,
) -> DeclarationReader<'r> {
    let library = FunctionLibrary::of(edition);
    DeclarationReader { library, conventions, constants, schemas }
}

/// Returns the evaluation context of constant expressions, in which no names are visible.
pub(super) fn constants(edition: Edition, budget: &Budget) -> Context {
    let basis = EvaluationBasis { budget: budget.clone(), ..EvaluationBasis::bare(edition) };
    basis.with_scope(Arc::new(NamedValues::new()))
}
