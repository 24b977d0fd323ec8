//! Loading of many roots at once. Shared modules are read and declared once; then each root is loaded by itself, on all threads.
//! No message depends on the order of completion.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use groma_functions::ReadingCache;
use groma_module::ProviderSchemas;
use groma_module::{
    EditionEvidence, Module, ParsedFiles, RemovedModules, SharedFolder, SharedModules,
};
use groma_project::ProjectOptions;
use groma_runtime::{Budget, Edition, Host, Quota, file_path, map_on_threads};
use groma_syntax::Diagnostics;
use groma_value::Value;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::Snapshot;
use crate::answer_digest::hex_digest;
use crate::recording_host::{HostReading, RecordingHost};

/// A root to be loaded in a batch: its directory, its options and its host.
pub struct RootToLoad {
    /// The root's directory, as diagnostics display it.
    pub dir: String,
    /// The options with which the root is loaded and evaluated.
    pub options: ProjectOptions,
    /// The host of the root's files.
    pub host: Arc<dyn Host>,
}

/// A holder of the modules that [`load_all`] has read: dropping them takes time, so the caller decides when.
pub struct ReadModules(#[expect(dead_code, reason = "it is there to be dropped")] BatchRemains);

/// The data of a finished batch that is still to be dropped.
struct BatchRemains {
    /// The version of the kept code when the batch began.
    version: u64,
    /// The kept modules, and those that were read for the batch.
    shared: SharedModules,
    records: FolderReadings,
    /// The roots, each with its position in the batch and its hosts.
    #[expect(dead_code, reason = "they are there to be dropped")]
    roots: Vec<(usize, (RootToLoad, RecordedHosts))>,
}

/// The host that records what a root reads, if it is recorded, and the root's own host below it.
type RecordedHosts = (Option<Arc<RecordingHost>>, Arc<dyn Host>);

/// The key of a directory in a batch: its path, and the edition with which it is read.
type FolderKey = (String, String);

/// Maximum number of source texts kept for later batches; beyond it they are dropped and read again.
const KEPT_TEXTS: usize = 20_000;

/// Number of roots after which kept modules that none of these roots has called are dropped: neighbouring roots share modules
/// that later ones do not call.
const UNUSED_ROOTS: u32 = 96;

/// Loads every root, calls `look` with its index and its snapshot, and returns the results of `look` in the order of the roots,
/// with the modules that were read.
pub fn load_all<T: Send>(
    roots: Vec<RootToLoad>,
    threads: usize,
    look: impl Fn(usize, Snapshot) -> T + Sync,
) -> (Vec<T>, ReadModules) {
    let code = SharedCode::default();
    let (found, remains) =
        code.load_batch(roots, threads, |at, root| look(at, root.load().snapshot));
    (found, ReadModules(remains))
}

/// A loader of batches of roots, which keeps the modules that roots share from one batch to the next. Only modules that more
/// than one root has called are kept between batches, as long as further roots call them, so memory depends on the code that
/// neighbouring roots share and the sizes of the batches in progress, not on the number of roots.
#[derive(Default)]
pub struct SharedCode {
    kept: Mutex<KeptCode>,
    /// True if everything that is read is recorded.
    records: bool,
}

/// The state that [`SharedCode`] keeps between batches: the shared modules, and the calls of all roots so far, which decide the
/// modules to keep.
#[derive(Default)]
struct KeptCode {
    common: CommonCode,
    /// The number of the root that first called a directory, by a digest of its name and edition.
    callers: FxHashMap<u64, u32>,
    /// Directories that a second root has called, to be read into `common` by the next batch that begins.
    waiting: BTreeMap<FolderKey, PendingFolder>,
    /// The number of roots loaded when unused modules were last dropped.
    looked: u32,
    /// The number of roots loaded so far.
    count: u32,
    /// True while a batch adds directories to a copy of `common`. One at a time does, since texts are numbered in the order of
    /// adding.
    is_growing: bool,
}

/// The modules kept between batches, each called by several roots, with the recorded readings of each directory.
#[derive(Clone, Default)]
struct CommonCode {
    modules: SharedModules,
    readings: Arc<FolderReadings>,
    /// Increased when texts are added or all are dropped: numbers of texts are the same only within a version.
    version: u64,
}

/// The records of what batches have read from module directories before they load roots, by directory.
type FolderReadings = BTreeMap<String, Arc<FolderRecord>>;

/// The record of what was read from a directory: the host that records it, and the readings, collected on first use.
struct FolderRecord {
    host: Arc<RecordingHost>,
    group: OnceLock<Arc<ReadingGroup>>,
}

impl FolderRecord {
    /// Returns all recorded readings of the directory as a group, collected on first use.
    fn group(&self) -> Arc<ReadingGroup> {
        self.group.get_or_init(|| Arc::new(ReadingGroup::new(self.host.readings()))).clone()
    }
}

/// Requests to a host with the digests of its answers, recorded together, and a digest of them all that identifies the group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadingGroup {
    /// The digest of all readings: 128 bits in hexadecimal.
    pub id: String,
    /// The readings, sorted by kind and name.
    pub readings: Vec<HostReading>,
}

impl ReadingGroup {
    /// Creates a group of recorded readings and computes the digest that identifies it.
    pub fn new(readings: Vec<HostReading>) -> ReadingGroup {
        ReadingGroup { id: hex_digest(&readings), readings }
    }
}

/// A recorder of what is read from a host for a root that is not loaded in a batch, such as a Packer template.
pub struct ReadingRecorder(Arc<RecordingHost>);

impl ReadingRecorder {
    /// Creates a recorder of requests to a host, with nothing recorded yet.
    pub fn new(host: Arc<dyn Host>) -> ReadingRecorder {
        ReadingRecorder(Arc::new(RecordingHost::new(host)))
    }

    /// Returns the host that records: it passes each request on, and keeps it with a digest of the answer.
    pub fn host(&self) -> Arc<dyn Host> {
        self.0.clone()
    }

    /// Returns everything that was read so far as a group.
    pub fn group(&self) -> Arc<ReadingGroup> {
        Arc::new(ReadingGroup::new(self.0.readings()))
    }
}

/// A root of a batch that is ready to be loaded: the modules that it calls are read.
pub struct RootLoader<'b> {
    root: &'b RootToLoad,
    own: Option<&'b Arc<RecordingHost>>,
    folders: [&'b FolderReadings; 2],
    shared: &'b SharedModules,
}

impl<'b> RootLoader<'b> {
    /// Returns the budget of the root's run, with which it can be cancelled or limited.
    pub fn budget(&self) -> Budget {
        self.root.options.run.budget.clone()
    }

    /// Loads the root, using the modules that were read for the batch.
    pub fn load(self) -> LoadedRoot<'b> {
        let RootLoader { root, own, folders, shared } = self;
        let (options, host) = (root.options.clone(), root.host.clone());
        let snapshot = Snapshot::load_sharing(&root.dir, options, host, shared);
        LoadedRoot { snapshot, own: own.cloned(), folders }
    }
}

/// A loaded root of a batch: its snapshot, and the records of what was read for it.
pub struct LoadedRoot<'b> {
    /// The snapshot of the loaded root.
    pub snapshot: Snapshot,
    own: Option<Arc<RecordingHost>>,
    folders: [&'b FolderReadings; 2],
}

impl LoadedRoot<'_> {
    /// Returns everything that was read for the root so far: its own readings, then those of its module directories, which
    /// batches read before they load roots. Empty unless the code [records](SharedCode::recording).
    pub fn readings(&self) -> Vec<Arc<ReadingGroup>> {
        let Some(own) = &self.own else { return Vec::new() };
        let project = self.snapshot.project();
        let dirs: BTreeSet<&str> = project
            .files()
            .map(|file| {
                let name = project.sources().get(file).name();
                name.rsplit_once('/').map_or(".", |(dir, _)| dir)
            })
            .collect();
        let folders = dirs.into_iter().filter_map(|dir| {
            self.folders.iter().find_map(|readings| readings.get(dir)).map(|record| record.group())
        });
        let own = Arc::new(ReadingGroup::new(own.readings()));
        std::iter::once(own).chain(folders).collect()
    }
}

/// A module directory of a batch that is still to be read, with the host and the options for reading it.
#[derive(Clone)]
struct PendingFolder {
    dir: String,
    /// The names of its files; `None` if it is still to be listed.
    names: Option<Vec<String>>,
    host: Arc<dyn Host>,
    edition: Edition,
    schemas: ProviderSchemas,
    quota: Quota,
    parsed: ParsedFiles,
    /// The number of the root for which it is read.
    root: u32,
}

impl PendingFolder {
    /// Creates the entry for a root's own directory with the code files `names`, to be listed first if `None`, and read from
    /// `host`; `number` is that of the root among the roots of all batches.
    fn of_root(
        root: &RootToLoad,
        names: Option<Vec<String>>,
        host: &Arc<dyn Host>,
        edition: Edition,
        number: u32,
    ) -> PendingFolder {
        let load = &root.options.load;
        PendingFolder {
            dir: file_path::clean(&root.dir),
            names,
            host: host.clone(),
            edition,
            schemas: load.schemas.clone(),
            quota: *root.options.run.budget.quota(),
            parsed: load.parsed.clone(),
            root: number,
        }
    }

    /// Creates the entry for a directory that this one calls, with the path `path` relative to it.
    fn called(&self, path: &str) -> PendingFolder {
        let (dir, parsed) = (file_path::join(&self.dir, path), ParsedFiles::default());
        PendingFolder { dir, names: None, parsed, ..self.clone() }
    }

    /// Returns the key of the directory in the batch: its path and edition.
    fn key(&self) -> FolderKey {
        (self.dir.clone(), self.edition.to_string())
    }

    /// Lists the directory and returns it ready to be read, with the host that records this if `records` is true; `None` if it
    /// cannot be listed, which loading a root reports.
    fn listed(&self, records: bool) -> Option<(SharedFolder, Option<Arc<RecordingHost>>)> {
        let known = self.names.clone().filter(|_| !records);
        let recording = records.then(|| Arc::new(RecordingHost::new(self.host.clone())));
        let host: Arc<dyn Host> = match &recording {
            Some(recording) => recording.clone(),
            None => self.host.clone(),
        };
        let names = known.or_else(|| names(&*host, &self.dir))?;
        let PendingFolder { dir, edition, schemas, quota, parsed, .. } = self.clone();
        Some((SharedFolder { dir, names, host, edition, schemas, quota, parsed }, recording))
    }
}

/// Reads directories, and all that their module calls lead to, into `shared`, adds their records to `records`, if given, and
/// returns the called directories, one for each call.
fn read_all(
    mut waiting: BTreeMap<FolderKey, PendingFolder>,
    threads: usize,
    shared: &mut SharedModules,
    mut records: Option<&mut FolderReadings>,
) -> Vec<PendingFolder> {
    let mut all_calls = Vec::new();
    // The calls of a directory are known once it is read.
    while !waiting.is_empty() {
        let pending: Vec<PendingFolder> = std::mem::take(&mut waiting).into_values().collect();
        let listed = map_on_threads(&pending, threads, |folder| folder.listed(records.is_some()));
        let mut first = shared.text_count();
        let mut numbered = Vec::with_capacity(listed.len());
        for (pending, listed) in pending.into_iter().zip(listed) {
            let Some((folder, recording)) = listed else { continue };
            let own = first;
            first += folder.max_texts();
            if let (Some(records), Some(host)) = (&mut records, recording) {
                let record = FolderRecord { host, group: OnceLock::new() };
                records.insert(folder.dir.clone(), Arc::new(record));
            }
            numbered.push((pending, folder, own));
        }
        let read = map_on_threads(&numbered, threads, |(_, folder, first)| folder.read(*first));
        let known: FxHashSet<(&str, Edition)> =
            numbered.iter().map(|(_, folder, _)| (&*folder.dir, folder.edition)).collect();
        for ((pending, ..), read) in numbered.iter().zip(&read) {
            for path in calls(read.module()) {
                let called = pending.called(&path);
                let is_known = shared.has(&called.dir, called.edition)
                    || known.contains(&(&*called.dir, called.edition));
                if !is_known {
                    waiting.entry(called.key()).or_insert_with(|| called.clone());
                }
                all_calls.push(called);
            }
        }
        read.into_iter().for_each(|read| shared.add(read));
    }
    all_calls
}

impl SharedCode {
    /// Creates a loader of batches that records everything that it reads for their roots.
    pub fn recording() -> SharedCode {
        SharedCode { records: true, ..SharedCode::default() }
    }

    /// Reads the modules of a batch of roots on the calling thread, and returns the results of `ask` for each root and its
    /// position, in the order of the roots.
    pub fn ask_batch<T: Send>(
        &self,
        roots: Vec<RootToLoad>,
        ask: impl Fn(usize, RootLoader<'_>) -> T + Sync,
    ) -> Vec<T> {
        let (answers, remains) = self.load_batch(roots, 1, ask);
        self.keep(&remains);
        answers
    }

    /// Reads the modules of a batch and calls `ask` for each root, on `threads` threads; returns the results, and the data of the
    /// batch for the caller to drop.
    fn load_batch<T: Send>(
        &self,
        mut roots: Vec<RootToLoad>,
        threads: usize,
        ask: impl Fn(usize, RootLoader<'_>) -> T + Sync,
    ) -> (Vec<T>, BatchRemains) {
        let (common, count) = self.begin_batch(roots.len(), threads);
        let readings = ReadingCache::default();
        let mut recorded = Vec::with_capacity(roots.len());
        for root in &mut roots {
            root.options.run.readings = readings.clone();
            let bare = root.host.clone();
            let own = self.records.then(|| Arc::new(RecordingHost::new(bare.clone())));
            if let Some(own) = &own {
                root.host = own.clone();
            }
            recorded.push((own, bare));
        }
        let (mut waiting, mut called) = (BTreeMap::new(), Vec::new());
        for (at, (names, evidence)) in
            map_on_threads(&roots, threads, listed).into_iter().enumerate()
        {
            let (root, (_, bare)) = (&mut roots[at], &recorded[at]);
            let load = &mut root.options.load;
            if let Some(evidence) = evidence {
                (load.edition, load.evidence) = (Some(evidence.edition), evidence.reason);
                load.is_guess = evidence.is_guess;
            }
            let (Some(edition), Some(_)) = (load.edition, &names) else { continue };
            let number = count.saturating_add(at as u32);
            let pending = PendingFolder::of_root(root, names, bare, edition, number);
            if !common.modules.has(&pending.dir, edition) {
                waiting.entry(pending.key()).or_insert(pending.clone());
            }
            called.push(pending);
        }
        let (mut shared, mut records) = (common.modules, FolderReadings::new());
        let own_records = self.records.then_some(&mut records);
        called.extend(read_all(waiting, threads, &mut shared, own_records));
        self.kept().add_calls(called);
        let folders = [&records, &*common.readings];
        let roots: Vec<_> = roots.into_iter().zip(recorded).enumerate().collect();
        let found = map_on_threads(&roots, threads, |(at, (root, (own, _)))| {
            ask(*at, RootLoader { root, own: own.as_ref(), folders, shared: &shared })
        });
        (found, BatchRemains { version: common.version, shared, records, roots })
    }

    /// Locks the code kept between batches, ignoring the panic of another holder.
    fn kept(&self) -> MutexGuard<'_, KeptCode> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a batch of `size` roots: reads on `threads` threads the directories that several roots have called and that are
    /// not kept between batches yet, unless another batch is adding some; returns the kept code and the number that the
    /// batch's first root has among the roots of all batches.
    fn begin_batch(&self, size: usize, threads: usize) -> (CommonCode, u32) {
        let mut kept = self.kept();
        let count = kept.count;
        kept.count = count.saturating_add(u32::try_from(size).unwrap_or(u32::MAX));
        let (waiting, dropped) = match kept.is_growing {
            true => (BTreeMap::new(), None),
            false => (kept.take_waiting(), kept.take_unused()),
        };
        let mut common = kept.common.clone();
        kept.is_growing |= !waiting.is_empty();
        drop(kept);
        drop(dropped);
        if waiting.is_empty() {
            return (common, count);
        }
        let readings = self.records.then(|| Arc::make_mut(&mut common.readings));
        read_all(waiting, threads, &mut common.modules, readings);
        (self.put_grown(common), count)
    }

    /// Keeps the modules of a finished batch that more than one root has called, and those that they call in turn, for later
    /// batches. If other modules were kept since the batch began, the numbers of its texts are taken, and its modules wait to be
    /// read once more.
    fn keep(&self, batch: &BatchRemains) {
        let mut kept = self.kept();
        let wanted = kept.take_wanted(batch);
        if wanted.is_empty() {
            return;
        }
        let mut common = kept.common.clone();
        kept.is_growing = true;
        drop(kept);
        let before = std::mem::replace(&mut common.modules, batch.shared.clone());
        common.modules.retain(|dir, edition| {
            before.has(dir, edition) || wanted.contains(&(dir.to_owned(), edition))
        });
        let read = wanted.into_iter().filter_map(|(dir, _)| batch.records.get_key_value(&dir));
        let read = read.map(|(dir, record)| (dir.clone(), record.clone()));
        Arc::make_mut(&mut common.readings).extend(read);
        self.put_grown(common);
    }

    /// Puts back the kept code to which a batch has added directories, and returns it as its next version.
    fn put_grown(&self, common: CommonCode) -> CommonCode {
        let common = CommonCode { version: common.version + 1, ..common };
        let mut kept = self.kept();
        kept.is_growing = false;
        kept.common = common.clone();
        common
    }
}

impl KeptCode {
    /// Records the directories that roots call, each with the number of the calling root. A directory that a second root calls
    /// will be read for later batches.
    fn add_calls(&mut self, called: Vec<PendingFolder>) {
        for called in called {
            if self.common.modules.has(&called.dir, called.edition) {
                continue;
            }
            let key = called.key();
            let digest = BuildHasherDefault::<FxHasher>::default().hash_one(&key);
            if *self.callers.entry(digest).or_insert(called.root) != called.root {
                self.waiting.entry(key).or_insert(called);
            }
        }
    }

    /// Takes the directories that more than one root has called and whose code is not kept between batches yet, to be read.
    /// Drops the kept code if it has more than [`KEPT_TEXTS`] texts.
    fn take_waiting(&mut self) -> BTreeMap<FolderKey, PendingFolder> {
        if self.common.modules.text_count() > KEPT_TEXTS {
            self.common = CommonCode { version: self.common.version + 1, ..CommonCode::default() };
            self.callers = FxHashMap::default();
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain(|_, called| !self.common.modules.has(&called.dir, called.edition));
        waiting
    }

    /// Takes the directories that more than one root has called and that a finished batch has read, and returns them with those
    /// that they call in turn, except those that are kept; none if the numbers of the batch's texts are taken.
    fn take_wanted(&mut self, batch: &BatchRemains) -> FxHashSet<(String, Edition)> {
        let (mut wanted, common, shared) =
            (FxHashSet::default(), &self.common.modules, &batch.shared);
        if self.is_growing || self.common.version != batch.version {
            return wanted;
        }
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        let (read, unread): (BTreeMap<_, _>, _) =
            waiting.partition(|(_, folder)| shared.has(&folder.dir, folder.edition));
        self.waiting = unread;
        let mut pending: Vec<PendingFolder> = read.into_values().collect();
        while let Some(folder) = pending.pop() {
            if let Some(module) = shared.module(&folder.dir, folder.edition)
                && !common.has(&folder.dir, folder.edition)
                && wanted.insert((folder.dir.clone(), folder.edition))
            {
                pending.extend(calls(module).iter().map(|path| folder.called(path)));
            }
        }
        wanted
    }

    /// Takes the modules that no root has called for [`UNUSED_ROOTS`] roots, for the caller to drop; `None` if it is too early.
    fn take_unused(&mut self) -> Option<RemovedModules> {
        if self.count.saturating_sub(self.looked) < UNUSED_ROOTS {
            return None;
        }
        self.looked = self.count;
        let removed = self.common.modules.remove_unused();
        if !self.common.readings.is_empty() && !removed.dirs.is_empty() {
            let readings = Arc::make_mut(&mut self.common.readings);
            removed.dirs.iter().for_each(|dir| drop(readings.remove(dir)));
        }
        Some(removed)
    }
}

/// Returns the names of a root's code files, `None` for a template or a directory that cannot be listed, and the evidence for
/// its edition, `None` if the options name the edition.
fn listed(root: &RootToLoad) -> (Option<Vec<String>>, Option<EditionEvidence>) {
    let names = names(&*root.host, &root.dir);
    let evidence = match (&root.options.load.edition, &names) {
        (None, Some(names)) => {
            let parsed = &root.options.load.parsed;
            Some(EditionEvidence::of(&*root.host, &root.dir, names, parsed))
        }
        _ => None,
    };
    let edition = root.options.load.edition.or(evidence.as_ref().map(|one| one.edition));
    // A template has no modules.
    let is_template = edition.is_some_and(|edition| !edition.dialect.has_modules());
    (names.filter(|_| !is_template), evidence)
}

/// Returns the names of the code files in a directory; `None` if it cannot be listed.
fn names(host: &dyn Host, dir: &str) -> Option<Vec<String>> {
    // The failure is reported when the root is loaded.
    groma_config::list(host, dir, &mut Diagnostics::new())
}

/// Returns the local sources of the calls in a module, such as `../net`, as written.
fn calls(module: &Module) -> Vec<String> {
    let sources = module.calls.iter().filter_map(|call| call.source.as_ref());
    let texts = sources.filter_map(|source| match source.constant()?.bare() {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    });
    texts.filter(|text| text.starts_with("./") || text.starts_with("../")).collect()
}
