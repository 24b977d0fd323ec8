//! Workspaces: the open texts of an editor or service over a host, and the roots loaded from both. When a root is requested
//! again, only changed files are read; if nothing has changed, the same snapshot is returned.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_eval::{ChangedFile, ChangedFiles, OtherFiles};
use groma_module::{ModuleStore, is_code};
use groma_plan::RemoteFacts;
use groma_project::{
    Evaluation, Facts, LoadCache, LoadOptions, LoadPurpose, Project, ProjectOptions,
    ProviderAnswers, RunOptions,
};
use groma_runtime::{Budget, Edition, Host, OverlayHost, Texts, absolute, file_path};
use groma_syntax::Diagnostics;
use rustc_hash::FxHashMap;

use crate::answer_digest::HeldDigests;
use crate::finding_memory::{FindingMemory, RootMemory};
use crate::kept_graph::KeptGraph;
use crate::recording_host::{HostChange, RecordingHost, SharedRealPaths};
use crate::touched_paths::TouchedPaths;
use crate::{Snapshot, TemplateSnapshot};

/// The open texts of an editor, which are read in place of a host's files, and the cached roots that are loaded from both.
pub struct Workspace {
    pub(crate) host: Arc<dyn Host>,
    /// The answers of providers, if any is asked.
    answers: Option<Arc<dyn ProviderAnswers>>,
    /// The answers used for evaluations if no provider is asked.
    unasked: Arc<dyn ProviderAnswers>,
    pub(crate) texts: Mutex<Arc<Texts>>,
    /// The versions of documents that were changed by edits.
    pub(crate) versions: Mutex<FxHashMap<String, i32>>,
    pub(crate) roots: Mutex<FxHashMap<RootKey, Arc<Mutex<WorkspaceRoot>>>>,
    /// The modules of the open roots, each held once.
    pub(crate) modules: Arc<ModuleStore>,
    /// In watched mode, the paths that have changed since the last load of each open root.
    pub(crate) touched: Option<Mutex<FxHashMap<RootKey, TouchedPaths>>>,
    /// The cached call graphs, by top directory.
    pub(crate) graphs: Mutex<FxHashMap<String, KeptGraph>>,
    /// True if a template's variable is unknown if its default reads an environment variable that is not set.
    pub(crate) has_open_environment: bool,
}

/// The key of a cached root: its directory, and the purpose for which it is loaded, since a check and a plan of one directory
/// have separate caches.
pub(crate) type RootKey = (String, LoadPurpose);

/// The data of a root that are kept between two snapshots: the last snapshot, and caches for the next load.
#[derive(Default)]
pub(crate) struct WorkspaceRoot {
    kept: LoadCache,
    pub(crate) memory: Arc<FindingMemory>,
    real_paths: SharedRealPaths,
    digests: Arc<HeldDigests>,
    last: Option<LastSnapshot>,
}

impl WorkspaceRoot {
    /// Returns the last snapshot of the root; `None` before its first load.
    pub(crate) fn snapshot(&self) -> Option<&Snapshot> {
        self.last.as_ref().map(|last| &last.snapshot)
    }

    /// Returns the last snapshot of the root, and the host that recorded what was read for it; `None` before its first load.
    pub(crate) fn last(&self) -> Option<(&Snapshot, &RecordingHost)> {
        self.last.as_ref().map(|last| (&last.snapshot, &*last.host))
    }
}

/// The last snapshot of a root, with the options, the host and the open texts from which it was loaded.
struct LastSnapshot {
    snapshot: Snapshot,
    options: LoadOptions,
    host: Arc<RecordingHost>,
    texts: Arc<Texts>,
}

impl LastSnapshot {
    /// Returns the last snapshot, changed to the options `run`, or `None` if the root has to be loaded again; if the open
    /// `texts` or the inputs differ from the last ones, it gets `files`, the record of files that functions may read at
    /// unknown paths, and `memory`, the view of cached findings. The caller ensures that no file read for it has changed.
    fn without_load(
        &self,
        run: &RunOptions,
        texts: &Arc<Texts>,
        files: &Arc<OtherFiles>,
        memory: &RootMemory,
    ) -> Option<Snapshot> {
        if self.snapshot.has_ended() {
            return None;
        }
        let is_held = Arc::ptr_eq(&self.texts, texts);
        match self.snapshot.assignments() == run.assignments {
            true if is_held => Some(self.snapshot.clone()),
            // Files that are read at unknown paths may have changed all the same.
            true => Some(self.snapshot.with_files(files.clone(), memory.clone())),
            // Other inputs are read from the same texts; other texts are those of a load.
            false if is_held => self.snapshot.with_inputs(run, memory.clone()),
            false => None,
        }
    }
}

/// Loads a root again, reading only files that have changed since they were put into the cache `kept`; if its edition is no
/// longer `before`, loads it once more without reusing anything. Returns the project and the diagnostics of loading.
fn load_again(
    dir: &str,
    options: &ProjectOptions,
    host: &Arc<RecordingHost>,
    kept: &mut LoadCache,
    before: Option<Edition>,
) -> (Arc<Project>, Diagnostics) {
    let mut found = Diagnostics::new();
    let project = Project::load_again(dir, options, host.clone(), kept, &mut found);
    if before.is_none_or(|edition| edition == project.edition()) {
        return (project, found);
    }
    (*kept, found) = (kept.renewed(), Diagnostics::new());
    let project = Project::load_again(dir, options, host.clone(), kept, &mut found);
    (project, found)
}

/// Returns the record of the files that functions may read at unknown paths, by which plans are compared: the host's files, with
/// an editor's open texts in place of some.
fn other_files(host: &Arc<dyn Host>, texts: Arc<Texts>) -> Arc<OtherFiles> {
    let host = Arc::as_ptr(host).addr();
    let read = texts.clone();
    let versions = move |path: &str| {
        let bytes = read.get(path)?;
        Some(vec![String::from_utf8(bytes.to_vec()).ok()])
    };
    let find = move || {
        let file = |(path, text): (&String, &Arc<[u8]>)| {
            let mut state = DefaultHasher::new();
            text.hash(&mut state);
            ChangedFile {
                path: path.clone(),
                content: state.finish(),
                is_code: is_code(path),
                is_folder: false,
            }
        };
        let mut files: Vec<ChangedFile> = texts.iter().map(file).collect();
        files.sort_unstable();
        ChangedFiles { rest: host as u64, files }
    };
    Arc::new(OtherFiles::with_versions(find, versions))
}

/// Locks a mutex, even if a thread has panicked while it held the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workspace {
    /// Creates a workspace over a host, without open texts.
    pub fn new(host: impl Host + 'static) -> Workspace {
        Workspace::over(Arc::new(host))
    }

    /// Creates a workspace over a shared host, without open texts.
    pub fn over(host: Arc<dyn Host>) -> Workspace {
        Workspace {
            host,
            answers: None,
            unasked: Arc::new(RemoteFacts),
            texts: Mutex::default(),
            versions: Mutex::default(),
            roots: Mutex::default(),
            modules: Arc::default(),
            touched: None,
            graphs: Mutex::default(),
            has_open_environment: false,
        }
    }

    /// Returns the workspace set for code that is run on other machines: a variable of a Packer template is unknown if its
    /// default reads an environment variable that is not set here.
    pub fn with_open_environment(self) -> Workspace {
        Workspace { has_open_environment: true, ..self }
    }

    /// Returns the workspace in watched mode: the caller reports every change of the host by [`Workspace::changed`], as an
    /// editor does. Loading a root then reads only reported paths again; otherwise it checks everything that it has read before.
    ///
    /// ```
    /// use groma::{LoadOptions, MemoryHost, Workspace};
    ///
    /// let host = MemoryHost::new().with_file("main.tf", "locals { a = 1 }");
    /// let workspace = Workspace::new(host).watched();
    /// let snapshot = workspace.root(".", &LoadOptions::default());
    /// workspace.changed(&["main.tf"]);
    /// // The file was read again, and is what it was.
    /// assert!(workspace.root(".", &LoadOptions::default()).is_same(&snapshot));
    /// ```
    pub fn watched(self) -> Workspace {
        Workspace { touched: Some(Mutex::default()), ..self }
    }

    /// Records that files or directories of the host were changed, created or removed. Open texts need no report. Without
    /// [`Workspace::watched`] this has no effect, because every load checks everything.
    pub fn changed(&self, paths: &[&str]) {
        let Some(touched) = &self.touched else { return };
        let all: Vec<String> =
            paths.iter().map(|path| file_path::clean(&absolute(&*self.host, path))).collect();
        lock(touched).values_mut().for_each(|root| all.iter().for_each(|path| root.add(path)));
        lock(&self.graphs).values_mut().for_each(|graph| graph.changed(&all));
    }

    /// Records that anything in the host may have changed: the next load of each root checks everything that it has read.
    pub fn all_changed(&self) {
        let Some(touched) = &self.touched else { return };
        lock(touched).values_mut().for_each(TouchedPaths::add_everything);
        lock(&self.graphs).clear();
    }

    /// Returns the paths of files that were reported as changed since the last load of a root, `before`, and of open texts
    /// that differ in `now`; `None` without watched mode or an earlier load.
    fn touched_since(
        &self,
        root: &RootKey,
        before: Option<&LastSnapshot>,
        now: &Texts,
    ) -> Option<TouchedPaths> {
        let mut touched = TouchedPaths::default();
        touched
            .add_all(std::mem::take(lock(self.touched.as_ref()?).entry(root.clone()).or_default()));
        let before = &before?.texts;
        let is_held = |texts: &Texts, path: &String, text: &Arc<[u8]>| {
            texts.get(path).is_some_and(|known| Arc::ptr_eq(known, text))
        };
        let fresh = now.iter().filter(|(path, text)| !is_held(before, path, text));
        let gone = before.iter().filter(|(path, _)| !now.contains_key(*path));
        fresh.chain(gone).for_each(|(path, _)| touched.add(&file_path::clean(path)));
        Some(touched)
    }

    /// Returns the workspace set to take what providers would answer about resources from `answers`. Without them, only the
    /// states that other configurations have written are read.
    pub fn with_answers(self, answers: Arc<dyn ProviderAnswers>) -> Workspace {
        Workspace { answers: Some(answers), ..self }
    }

    /// Sets the open text of a path, which is read in place of the host's file. Existing snapshots do not change.
    pub fn set(&self, path: &str, text: impl Into<Vec<u8>>) {
        let path = absolute(&*self.host, path);
        let bytes: Vec<u8> = text.into();
        Arc::make_mut(&mut *lock(&self.texts)).insert(path, bytes.into());
    }

    /// Removes the open text of a path, so that the host's file is read again; returns true if there was one.
    pub fn remove(&self, path: &str) -> bool {
        let path = absolute(&*self.host, path);
        lock(&self.versions).remove(&path);
        Arc::make_mut(&mut *lock(&self.texts)).remove(&path).is_some()
    }

    /// Returns the current snapshot of the root module in a directory, loaded with default run options.
    pub fn root(&self, dir: &str, options: &LoadOptions) -> Snapshot {
        self.root_for(dir, options, &RunOptions::default)
    }

    /// Returns the current snapshot of the root module in a directory: the last one if neither files nor inputs have changed,
    /// else a new one, evaluated with the options that `run` returns.
    pub fn root_for(
        &self,
        dir: &str,
        options: &LoadOptions,
        run: &dyn Fn() -> RunOptions,
    ) -> Snapshot {
        let dir = file_path::clean(dir);
        let key = (dir.clone(), options.purpose);
        let root = lock(&self.roots).entry(key.clone()).or_default().clone();
        // Other roots are not blocked by this one.
        let mut root = lock(&root);
        let texts = lock(&self.texts).clone();
        let files = other_files(&self.host, texts.clone());
        let laid = Arc::new(OverlayHost { below: self.host.clone(), texts });
        let WorkspaceRoot { kept, memory, real_paths, digests, last } = &mut *root;
        digests.prune();
        let before = last.take().filter(|last| last.options.is_same(options));
        let touched = self.touched_since(&key, before.as_ref(), &laid.texts);
        // Files that values and findings have read until now are recorded, and compared from here on.
        let compared = before.as_ref().and_then(|last| {
            last.snapshot.evaluation().supersede();
            last.snapshot.memory().map(RootMemory::following)
        });
        let compared = compared.unwrap_or_else(|| RootMemory::of(memory));
        lock(real_paths).begin(before.is_none());
        let change = before.as_ref().map(|last| {
            let mut real = lock(real_paths);
            let known = touched.as_ref().map(|touched| (touched, &mut *real));
            last.host.change(&laid, known)
        });
        let run = run();
        if let (Some(last), Some(HostChange::Nothing)) = (&before, change)
            && let Some(snapshot) = last.without_load(&run, &laid.texts, &files, &compared)
        {
            lock(real_paths).end();
            let is_same = snapshot.is_same(&last.snapshot);
            if is_same {
                last.snapshot.evaluation().resume();
            }
            root.last = before.map(|last| match is_same {
                true => last,
                false => LastSnapshot { snapshot: snapshot.clone(), ..last },
            });
            return snapshot;
        }
        let options = ProjectOptions { load: options.clone(), run };
        let texts = laid.texts.clone();
        let mut host = RecordingHost::new(laid).with_text_digests(digests.clone());
        if self.touched.is_some() {
            host = host.with_real_paths(real_paths.clone());
        }
        if let (Some(last), Some(touched)) = (&before, touched) {
            let sources = last.snapshot.project().sources();
            host = host.with_unread_files(&last.host, sources, touched, real_paths.clone());
        }
        let host = Arc::new(host);
        if before.is_none() {
            // The caches are valid for one dialect and its schemas.
            *kept = LoadCache::within(self.modules.clone());
            *memory = Arc::default();
        }
        let edition = before.as_ref().map(|last| last.snapshot.edition());
        let (project, mut found) = load_again(&dir, &options, &host, kept, edition);
        host.loaded();
        // A query that has read a changed file has to be evaluated again.
        let same = before.filter(|_| change != Some(HostChange::Data));
        let answers = self.answers.as_ref().unwrap_or(&self.unasked).clone();
        let overrides = groma_mock::overrides(&project, &mut found);
        let facts = Facts::answered_by(answers).with_overrides(overrides);
        let run = options.run.clone();
        let evaluation = match &same {
            Some(last) => {
                host.keep(&last.host);
                let older = last.snapshot.evaluation();
                Evaluation::following_in_same_files(older, project, facts, run)
            }
            None => Evaluation::new(project, facts, run),
        };
        let memory = if same.is_some() { compared } else { RootMemory::of(memory) };
        let load = options.load.clone();
        let snapshot = Snapshot::new(&dir, evaluation, options, found, host.clone());
        let snapshot = snapshot.with_read_files(files).with_memory(memory);
        let snapshot = snapshot.answered_by(self.answers.clone());
        let last = LastSnapshot { snapshot: snapshot.clone(), options: load, host, texts };
        root.last = Some(last);
        snapshot
    }

    /// Loads the Packer template at a path, with a new budget, and returns its snapshot.
    pub fn template(
        &self,
        path: &str,
        options: &groma_packer::TemplateOptions,
    ) -> TemplateSnapshot {
        // Each load has a budget of its own.
        let mut options = options.clone();
        options.budget = Budget::new(*options.budget.quota());
        self.load_template(path, options)
    }

    /// Returns the current snapshot of the Packer template at a path: `last` if nothing that it has read has changed, else a new
    /// one. The options are those of `last`, whose budget a new one takes from, too.
    pub fn template_again(
        &self,
        path: &str,
        options: &groma_packer::TemplateOptions,
        last: Option<&TemplateSnapshot>,
    ) -> TemplateSnapshot {
        match last.filter(|last| last.is_valid(&self.overlay())) {
            Some(last) => last.clone(),
            None => self.load_template(path, options.clone()),
        }
    }

    /// Loads the Packer template at a path with a host that records the files that are read, and returns its snapshot.
    fn load_template(
        &self,
        path: &str,
        options: groma_packer::TemplateOptions,
    ) -> TemplateSnapshot {
        let host = Arc::new(RecordingHost::new(Arc::new(self.overlay())));
        let mut found = Diagnostics::new();
        let template = groma_packer::Template::load(path, &options, host.clone(), &mut found);
        let evaluation = groma_packer::TemplateEvaluation::new(template, options);
        TemplateSnapshot::new(path, evaluation, found, host)
    }

    /// Returns a host that reads the open texts in place of the files at their paths.
    fn overlay(&self) -> OverlayHost {
        OverlayHost { below: self.host.clone(), texts: lock(&self.texts).clone() }
    }
}
