//! Opening of roots of any kind in a workspace.

use std::sync::Arc;

use groma_config::{FileKind, FilePurpose, dialect_of};
use groma_module::EditionEvidence;
use groma_packer::TemplateOptions;
use groma_project::{LoadOptions, LoadPurpose, RootInputs, RunOptions};
use groma_runtime::{Edition, file_path};

use super::{Root, RootKind};
use crate::Workspace;

/// The identity of a root in a workspace: its path and its kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct RootId {
    /// The folder of a module, the folder or the file of a Packer template, or the path of a test file.
    pub dir: String,
    /// The kind of the root.
    pub kind: RootKind,
}

impl RootKind {
    /// Returns the kind of the root at a path: of a test file by its name, otherwise by the edition if it is given, or else by
    /// the names of the file or the files in the folder.
    pub fn at(
        path: &str,
        edition: Option<Edition>,
        names: impl FnOnce() -> Vec<String>,
    ) -> RootKind {
        let has_modules = match edition {
            _ if FileKind::has_purpose(path, FilePurpose::Test) => return RootKind::Test,
            Some(edition) => edition.dialect.has_modules(),
            None if FileKind::is_template(path) => false,
            None => dialect_of(names().iter().map(String::as_str)).has_modules(),
        };
        if has_modules { RootKind::Module } else { RootKind::Template }
    }
}

/// Converts the load and run options of a root to those of a Packer template.
pub(crate) fn template_options(load: &LoadOptions, run: RunOptions) -> TemplateOptions {
    let LoadOptions { edition, mocks, purpose, inputs, .. } = load;
    let is_judged = *inputs == RootInputs::Given && *purpose != LoadPurpose::Evaluate;
    let RunOptions { assignments, now, seed, limits, budget, readings, cwd, .. } = run;
    TemplateOptions {
        edition: edition.filter(|edition| !edition.dialect.has_modules()),
        assignments,
        now,
        seed,
        limits,
        budget,
        readings,
        mocks: mocks.clone(),
        cwd,
        strict: is_judged,
        judging: is_judged && *purpose == LoadPurpose::Check,
        evaluates_data: *purpose == LoadPurpose::Plan,
        ..TemplateOptions::default()
    }
}

impl Workspace {
    /// Opens a root of any kind and returns its current snapshot; for a Packer template `last`, an earlier snapshot with the
    /// same options, if nothing that it has read has changed.
    pub fn open(
        &self,
        id: &RootId,
        load: &LoadOptions,
        run: &dyn Fn() -> RunOptions,
        last: Option<&dyn Root>,
    ) -> Arc<dyn Root> {
        match id.kind {
            RootKind::Module => Arc::new(self.root_for(&id.dir, load, run)),
            RootKind::Template => {
                let mut options = template_options(load, run());
                options.open_environment = self.has_open_environment;
                let last = last.and_then(|last| last.template().ok());
                let evidence = load.edition.map(|edition| EditionEvidence {
                    edition,
                    reason: load.evidence.clone(),
                    is_guess: false,
                });
                let template = self.template_again(&id.dir, &options, last);
                Arc::new(template.with_evidence(evidence))
            }
            RootKind::Test => {
                let module = self.root_for(&module_of_test(&id.dir), load, run);
                Arc::new(module.test_file(&id.dir))
            }
        }
    }
}

/// Returns the folder of the module that a test file tests: its own, or the one above a folder `tests`.
fn module_of_test(path: &str) -> String {
    let folder = file_path::parent(path);
    match file_path::last(&folder) == TESTS {
        true => file_path::parent(&folder),
        false => folder,
    }
}

/// The name of the folder in a module's directory that contains test files by default.
pub(super) const TESTS: &str = "tests";
