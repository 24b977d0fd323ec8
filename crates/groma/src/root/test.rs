//! Test files of a module and the modules that their runs test, each read once for a snapshot.

use std::sync::{Arc, OnceLock, PoisonError};

use groma_config::{FileKind, FilePurpose, path};
use groma_eval::{Context, EvaluationBasis, NamedValues};
use groma_module::TestReader;
use groma_project::LoadPurpose;
use groma_runtime::file_path;
use groma_syntax::{Diagnostics, Source, Sources};

use super::opening::TESTS;
use super::test_texts::TestText;
use super::{NoAnswer, RootKind};
use crate::Snapshot;
use crate::place::FileSyntax;

/// A test file of a module, with the snapshot of the module. Its runs are not made: a run is the module that it tests, with the
/// run's assignments and overrides. Clones share it.
#[derive(Clone)]
pub struct TestSnapshot {
    pub(super) name: Arc<str>,
    pub(super) module: Snapshot,
    pub(super) text: Arc<TestText>,
}

impl Snapshot {
    /// Returns the test files of the module, in the order in which they run: those of its directory, then those of the directory
    /// `tests` in it.
    ///
    /// ```
    /// use groma::{LoadOptions, MemoryHost, Workspace};
    ///
    /// let workspace = Workspace::new(MemoryHost::new());
    /// workspace.set("main.tf", "variable \"n\" {}\noutput \"twice\" {\n  value = var.n * 2\n}\n");
    /// workspace.set("tests/a.tftest.hcl", "run \"a\" {\n  variables {\n    n = 4\n  }\n}\n");
    /// let snapshot = workspace.root(".", &LoadOptions::default());
    ///
    /// let tests = snapshot.test_files();
    /// let run = &tests[0].runs()[0];
    /// let module = tests[0].module_of(run).expect("it is the tested one");
    /// let assignments = run.assignments().expect("the value rests on no other run");
    /// let given = module.with(groma::RunOptions { assignments, ..Default::default() });
    /// assert_eq!(given.plain_json(&given.evaluate("var.n * 2").value), "8");
    /// ```
    pub fn test_files(&self) -> Vec<TestSnapshot> {
        self.test_names().into_iter().map(|name| self.test_file(&name)).collect()
    }

    /// Returns the test file at a path as a test of this module, even if it is not in a directory where tests are found by
    /// default.
    pub fn test_file(&self, path: &str) -> TestSnapshot {
        let name = file_path::clean(path);
        let text = {
            let known = || self.tests().files.lock().unwrap_or_else(PoisonError::into_inner);
            let text = known().get(&name).cloned();
            text.unwrap_or_else(|| {
                let made = Arc::new(self.read_test(&name));
                known().entry(name.clone()).or_insert(made).clone()
            })
        };
        TestSnapshot { name: name.into(), module: self.clone(), text }
    }

    /// Returns the purpose for which the module was loaded, such as a check or a plan.
    pub(super) fn purpose(&self) -> LoadPurpose {
        self.origin().0.load.purpose
    }

    /// Loads the module in the directory `other` for evaluation, with this root's options and edition but without assignments to
    /// variables.
    fn load_module(&self, other: &str) -> Snapshot {
        let (options, host) = self.origin();
        let mut options = options.clone();
        (options.load.edition, options.load.is_guess) = (Some(self.edition()), false);
        options.load.purpose = LoadPurpose::Evaluate;
        options.load.root.get_or_insert_with(|| self.dir().to_owned());
        options.run.assignments = Vec::new();
        Snapshot::load(other, options, host.clone())
    }

    /// Returns the paths of the test files that run by default: those in the module's directory, then those in its `tests`
    /// directory.
    fn test_names(&self) -> Vec<String> {
        if self.purpose() == LoadPurpose::Check {
            // They were read with the module.
            let all =
                self.file_names().filter(|name| FileKind::has_purpose(name, FilePurpose::Test));
            let mut names: Vec<String> = all.map(str::to_owned).collect();
            let own = file_path::clean(self.dir());
            names.sort_by_key(|name| (file_path::parent(name) != own, name.clone()));
            return names;
        }
        let (host, dialect) = (self.project().host(), self.edition().dialect);
        let mut found = Vec::new();
        for folder in [file_path::clean(self.dir()), path::join(self.dir(), TESTS)] {
            let entries = host.list(&folder).unwrap_or_default();
            let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
            let tests = groma_config::tests(names, dialect).into_iter();
            found.extend(tests.map(|file| file_path::join(&folder, &file.name)));
        }
        found
    }

    /// Reads the test file with the path `name`: from the texts that loading has read if it is among them, otherwise from the
    /// host.
    fn read_test(&self, name: &str) -> TestText {
        let project = self.project();
        let (mut sources, mut found) = (project.sources().clone(), Diagnostics::new());
        let read = |sources: &mut Sources, found: &mut Diagnostics| {
            groma_config::read_text(&**project.host(), sources, name, found).map(|(file, _)| file)
        };
        let file = self.file(name).or_else(|| read(&mut sources, &mut found));
        let file = file.unwrap_or_else(|| sources.add(Source::new(name, "")));
        let syntax = Arc::new(FileSyntax::parse(name, sources.get(file).text(), file));
        let constants = constants(self);
        let reader = TestReader {
            edition: self.edition(),
            constants: &constants,
            schemas: project.schemas(),
        };
        let is_own = FileKind::of(name).is_some_and(|kind| kind.owner.is_some());
        let blocks = reader.read(&syntax.body(), file, is_own, &mut found);
        let own = match &*syntax {
            FileSyntax::Native(parse) => &parse.diagnostics,
            FileSyntax::Json(parse) => &parse.diagnostics,
        };
        found.extend(own.iter().cloned());
        found.sort_by_place();
        TestText { file, sources, syntax, blocks, found, names: OnceLock::new() }
    }
}

/// Returns an evaluation context without any names, for expressions that have to be constant.
fn constants(snapshot: &Snapshot) -> Context {
    let budget = snapshot.budget().clone();
    let basis = EvaluationBasis { budget, ..EvaluationBasis::bare(snapshot.edition()) };
    basis.with_scope(Arc::new(NamedValues::new()))
}

impl TestSnapshot {
    /// Returns the module that a run tests, by the `source` in the run's `module` block; without a source the module of the test
    /// file.
    ///
    /// # Errors
    /// If the source is not a local directory that can be listed.
    pub(super) fn module_at(&self, source: Option<&str>) -> Result<Snapshot, NoAnswer> {
        let Some(source) = source else { return Ok(self.module.clone()) };
        if !(source.starts_with("./") || source.starts_with("../")) {
            return Err(NoAnswer::of(RootKind::Test, "does not install the modules of its runs"));
        }
        let dir = path::join(self.module.dir(), source);
        let known = || self.module.tests().modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(snapshot) = known().get(&dir) {
            return Ok(snapshot.clone());
        }
        let host = self.module.project().host();
        if host.list(&dir).is_err() {
            return Err(NoAnswer::of(RootKind::Test, "names a module that cannot be read"));
        }
        let made = self.module.load_module(&dir);
        Ok(known().entry(dir).or_insert(made).clone())
    }
}
