//! Many roots at once. The modules that they call are read and declared once, however many roots do; then each root is
//! loaded apart from the others, on all threads. No message depends on which was done first.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use groma_functions::ReadingCache;
use groma_module::ProviderSchemas;
use groma_module::{EditionEvidence, ParsedFiles, SharedFolder, SharedModules};
use groma_project::ProjectOptions;
use groma_runtime::{Budget, Edition, Host, file_path};
use groma_syntax::Diagnostics;
use groma_value::Value;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::Snapshot;
use crate::recording_host::{HostReading, RecordingHost, hex_digest};

/// Code as deep as may be needs one megabyte; without optimization frames are several times as large.
const STACK: usize = 16 << 20;

/// A root that is to be looked at.
pub struct RootToLoad {
    /// Its folder, as its files are shown.
    pub dir: String,
    /// The options that it is loaded and run with.
    pub options: ProjectOptions,
    /// The host that reads it.
    pub host: Arc<dyn Host>,
}

/// The modules that were read for many roots. Dropping it takes time; a caller that is waited for does so later.
pub struct ReadModules(#[expect(dead_code, reason = "it is there to be dropped")] SharedModules);

/// A folder and the edition that it is read as, in the order of names.
type FolderKey = (String, String);

/// The maximum number of texts that are kept for roots of later batches. Past it the kept code is dropped and read again.
const KEPT_TEXTS: usize = 20_000;

/// Loads every root and returns what `look` makes of its number and its snapshot, in the order of the roots.
pub fn look_at_all<T: Send>(
    roots: Vec<RootToLoad>,
    threads: usize,
    look: impl Fn(usize, Snapshot) -> T + Sync,
) -> (Vec<T>, ReadModules) {
    let mut code = SharedCode::default();
    let (found, shared) =
        code.load_batch(roots, threads, |at, root| look(at, root.load().snapshot));
    (found, ReadModules(shared))
}

/// Code that roots of several batches share. Only modules that more than one root has called are kept from batch to batch,
/// so the memory follows the shared code and the size of a batch, not the number of roots.
#[derive(Default)]
pub struct SharedCode {
    common: SharedModules,
    /// The recorded readings of each folder of `common`.
    common_readings: FolderReadings,
    /// The number of the root that first called a folder, by a digest of the folder's name and edition.
    callers: FxHashMap<u64, u32>,
    /// Folders that a second root has called: they join `common` before the next batch.
    waiting: BTreeMap<FolderKey, PendingFolder>,
    /// The number of roots loaded so far.
    count: u32,
    records: bool,
}

/// The recording hosts of folders, by the folder's name.
type FolderReadings = BTreeMap<String, Arc<FolderRecord>>;

/// A folder's recording host, and its readings once they are asked for.
struct FolderRecord {
    host: Arc<RecordingHost>,
    group: OnceLock<Arc<ReadingGroup>>,
}

impl FolderRecord {
    fn group(&self) -> Arc<ReadingGroup> {
        self.group.get_or_init(|| Arc::new(ReadingGroup::new(self.host.readings()))).clone()
    }
}

/// Readings of a host that were recorded together, with a digest that identifies them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadingGroup {
    /// The digest of all readings, of 128 bits in hexadecimal.
    pub id: String,
    /// The readings, in the order of kinds and names.
    pub readings: Vec<HostReading>,
}

impl ReadingGroup {
    /// A group of these readings.
    pub fn new(readings: Vec<HostReading>) -> ReadingGroup {
        ReadingGroup { id: hex_digest(&readings), readings }
    }
}

/// A root of a batch whose modules are read.
pub struct RootLoader<'b> {
    root: &'b RootToLoad,
    own: Option<&'b Arc<RecordingHost>>,
    folders: [&'b FolderReadings; 2],
    shared: &'b SharedModules,
}

impl<'b> RootLoader<'b> {
    /// The budget of the root.
    pub fn budget(&self) -> Budget {
        self.root.options.run.budget.clone()
    }

    /// Loads the root.
    pub fn load(self) -> LoadedRoot<'b> {
        let RootLoader { root, own, folders, shared } = self;
        let (options, host) = (root.options.clone(), root.host.clone());
        let snapshot = Snapshot::load_sharing(&root.dir, options, host, shared);
        LoadedRoot { snapshot, own: own.cloned(), folders }
    }
}

/// A root of a batch that is loaded.
pub struct LoadedRoot<'b> {
    /// The root, as it was loaded.
    pub snapshot: Snapshot,
    own: Option<Arc<RecordingHost>>,
    folders: [&'b FolderReadings; 2],
}

impl LoadedRoot<'_> {
    /// Everything that was read for the root until now: its own readings first, then those of each shared folder that it
    /// uses. Empty unless the code [records](SharedCode::recording).
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

/// A folder that is to be read.
#[derive(Clone)]
struct PendingFolder {
    dir: String,
    /// The names of its files, if it is listed already and need not be recorded.
    names: Option<Vec<String>>,
    host: Arc<dyn Host>,
    edition: Edition,
    schemas: ProviderSchemas,
    budget: Budget,
    parsed: ParsedFiles,
    /// The number of the root that it is read for.
    root: u32,
}

impl PendingFolder {
    /// The folder of a root itself, which `host` reads.
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
            budget: root.options.run.budget.clone(),
            parsed: load.parsed.clone(),
            root: number,
        }
    }

    /// The folder that this one calls by a relative path.
    fn called(&self, path: &str) -> PendingFolder {
        let (dir, parsed) = (file_path::join(&self.dir, path), ParsedFiles::default());
        PendingFolder { dir, names: None, parsed, ..self.clone() }
    }

    fn key(&self) -> FolderKey {
        (self.dir.clone(), self.edition.to_string())
    }

    /// Lists the folder; nothing if it cannot be listed, which is reported when a root is loaded.
    fn listed(&self, records: bool) -> Option<(SharedFolder, Option<Arc<RecordingHost>>)> {
        let known = self.names.clone().filter(|_| !records);
        let recording = records.then(|| Arc::new(RecordingHost::new(self.host.clone())));
        let host: Arc<dyn Host> = match &recording {
            Some(recording) => recording.clone(),
            None => self.host.clone(),
        };
        let names = known.or_else(|| names(&*host, &self.dir))?;
        let PendingFolder { dir, edition, schemas, budget, parsed, .. } = self.clone();
        Some((SharedFolder { dir, names, host, edition, schemas, budget, parsed }, recording))
    }
}

/// Reads folders and all that they call into `shared`, and their readings into `records` if there is such a map. Returns
/// every call of a folder.
fn read_all(
    mut waiting: BTreeMap<FolderKey, PendingFolder>,
    threads: usize,
    shared: &mut SharedModules,
    mut records: Option<&mut FolderReadings>,
) -> Vec<PendingFolder> {
    let mut all_calls = Vec::new();
    // What a folder calls is known once it was read.
    while !waiting.is_empty() {
        let pending: Vec<PendingFolder> = std::mem::take(&mut waiting).into_values().collect();
        let listed = map(&pending, threads, |folder| folder.listed(records.is_some()));
        let mut first = shared.text_count();
        let mut numbered = Vec::with_capacity(listed.len());
        for (pending, listed) in pending.into_iter().zip(listed) {
            let Some((folder, recording)) = listed else { continue };
            let own = first;
            first += folder.room();
            if let (Some(records), Some(host)) = (&mut records, recording) {
                let record = FolderRecord { host, group: OnceLock::new() };
                records.insert(folder.dir.clone(), Arc::new(record));
            }
            numbered.push((pending, folder, own));
        }
        let read = map(&numbered, threads, |(_, folder, first)| folder.read(*first));
        let known: FxHashSet<(&str, Edition)> =
            numbered.iter().map(|(_, folder, _)| (&*folder.dir, folder.edition)).collect();
        for ((pending, ..), read) in numbered.iter().zip(&read) {
            for path in calls(read) {
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
    /// Code whose roots record everything that is read for them.
    pub fn recording() -> SharedCode {
        SharedCode { records: true, ..SharedCode::default() }
    }

    /// Reads the modules of a batch of roots, and returns what `ask` makes of each root and its position in the batch, in
    /// their order.
    pub fn ask_batch<T: Send>(
        &mut self,
        roots: Vec<RootToLoad>,
        threads: usize,
        ask: impl Fn(usize, RootLoader<'_>) -> T + Sync,
    ) -> Vec<T> {
        self.load_batch(roots, threads, ask).0
    }

    fn load_batch<T: Send>(
        &mut self,
        mut roots: Vec<RootToLoad>,
        threads: usize,
        ask: impl Fn(usize, RootLoader<'_>) -> T + Sync,
    ) -> (Vec<T>, SharedModules) {
        self.read_waiting(threads);
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
        let mut waiting = BTreeMap::new();
        for (at, (names, evidence)) in map(&roots, threads, listed).into_iter().enumerate() {
            let (root, (_, bare)) = (&mut roots[at], &recorded[at]);
            let load = &mut root.options.load;
            if let Some(evidence) = evidence {
                (load.edition, load.evidence) = (Some(evidence.edition), evidence.reason);
                load.is_guess = evidence.is_guess;
            }
            let (Some(edition), Some(_)) = (load.edition, &names) else { continue };
            let number = self.count.saturating_add(at as u32);
            let pending = PendingFolder::of_root(root, names, bare, edition, number);
            self.meet(&pending);
            if !self.common.has(&pending.dir, edition) {
                waiting.entry(pending.key()).or_insert(pending);
            }
        }
        let (mut shared, mut records) = (self.common.clone(), FolderReadings::new());
        let own_records = self.records.then_some(&mut records);
        for called in read_all(waiting, threads, &mut shared, own_records) {
            self.meet(&called);
        }
        self.count = self.count.saturating_add(roots.len() as u32);
        let folders = [&records, &self.common_readings];
        let roots: Vec<_> = roots.into_iter().zip(recorded).enumerate().collect();
        let found = map(&roots, threads, |(at, (root, (own, _)))| {
            ask(*at, RootLoader { root, own: own.as_ref(), folders, shared: &shared })
        });
        (found, shared)
    }

    /// Takes note of a folder that a root calls. One that a second root calls is read for all later batches.
    fn meet(&mut self, called: &PendingFolder) {
        if self.common.has(&called.dir, called.edition) {
            return;
        }
        let key = called.key();
        let digest = BuildHasherDefault::<FxHasher>::default().hash_one(&key);
        if *self.callers.entry(digest).or_insert(called.root) != called.root {
            self.waiting.entry(key).or_insert_with(|| called.clone());
        }
    }

    /// Reads the folders that more than one root has called, for all batches to come.
    fn read_waiting(&mut self, threads: usize) {
        if self.common.text_count() > KEPT_TEXTS {
            (self.common, self.common_readings) = Default::default();
            self.callers = FxHashMap::default();
        }
        let records = self.records.then_some(&mut self.common_readings);
        read_all(std::mem::take(&mut self.waiting), threads, &mut self.common, records);
    }
}

/// Returns the files of a root, if it is a module that can be listed, and the edition that it is read as by default.
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

fn names(host: &dyn Host, dir: &str) -> Option<Vec<String>> {
    // A folder that cannot be listed is reported when it is loaded.
    groma_config::list(host, dir, &mut Diagnostics::new())
}

/// The folders that a module's calls name, as they are written.
fn calls(read: &groma_module::ReadFolder) -> Vec<String> {
    let sources = read.module().calls.iter().filter_map(|call| call.source.as_ref());
    let texts = sources.filter_map(|source| match source.constant()?.bare() {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    });
    texts.filter(|text| text.starts_with("./") || text.starts_with("../")).collect()
}

/// Does `work` with each item, and gives what came of it in their order.
fn map<I: Sync, O: Send>(items: &[I], threads: usize, work: impl Fn(&I) -> O + Sync) -> Vec<O> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, O)>> = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            own.push((at, work(item)));
        }
        done.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            // Without helpers this thread does it all.
            if thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}
