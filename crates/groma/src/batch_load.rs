//! Many roots at once. What they call is read and declared once, however many of them do; then each is looked at apart
//! from the others, on all threads. No message depends on which was done first.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use groma_functions::ReadingCache;
use groma_module::{EditionEvidence, ParsedFiles, SharedFolder, SharedModules};
use groma_project::ProjectOptions;
use groma_runtime::{Edition, Host, file_path};
use groma_syntax::Diagnostics;
use groma_value::Value;
use rustc_hash::FxHashSet;

use crate::Snapshot;

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

/// Loads every root and gives what `look` makes of it and its number, in the order of the roots.
pub fn look_at_all<T: Send>(
    mut roots: Vec<RootToLoad>,
    threads: usize,
    look: impl Fn(usize, Snapshot) -> T + Sync,
) -> (Vec<T>, ReadModules) {
    let readings = ReadingCache::default();
    roots.iter_mut().for_each(|root| root.options.run.readings = readings.clone());
    let listed = map(&roots, threads, listed);
    let mut shared = SharedModules::default();
    let mut waiting: BTreeMap<(String, String), SharedFolder> = BTreeMap::new();
    for (root, (names, evidence)) in roots.iter_mut().zip(listed) {
        let load = &mut root.options.load;
        if let Some(evidence) = evidence {
            (load.edition, load.evidence) = (Some(evidence.edition), evidence.reason);
            load.is_guess = evidence.is_guess;
        }
        let (Some(edition), Some(names)) = (load.edition, names) else { continue };
        let dir = file_path::clean(&root.dir);
        wait(&mut waiting, folder(dir, names, edition, root));
    }
    // What a folder calls is known once it was read.
    while !waiting.is_empty() {
        let folders: Vec<SharedFolder> = std::mem::take(&mut waiting).into_values().collect();
        let mut first = shared.text_count();
        let numbered: Vec<(SharedFolder, usize)> = folders
            .into_iter()
            .map(|folder| {
                let own = first;
                first += folder.room();
                (folder, own)
            })
            .collect();
        let read = map(&numbered, threads, |(folder, first)| folder.read(*first));
        let own = |folder: &SharedFolder| (folder.dir.clone(), folder.edition);
        let known: FxHashSet<(String, Edition)> =
            numbered.iter().map(|(folder, _)| own(folder)).collect();
        for ((folder, _), read) in numbered.iter().zip(&read) {
            for local in calls(read) {
                let dir = file_path::join(&folder.dir, &local);
                let key = (dir, folder.edition);
                let is_known = shared.has(&key.0, key.1) || known.contains(&key);
                let dir = key.0;
                if !is_known && let Some(names) = names(&*folder.host, &dir) {
                    let SharedFolder { host, edition, schemas, budget, .. } = folder;
                    let (host, schemas) = (host.clone(), schemas.clone());
                    let (edition, budget) = (*edition, budget.clone());
                    let parsed = ParsedFiles::default();
                    let called =
                        SharedFolder { dir, names, host, edition, schemas, budget, parsed };
                    wait(&mut waiting, called);
                }
            }
        }
        read.into_iter().for_each(|read| shared.add(read));
    }
    let roots: Vec<(usize, RootToLoad)> = roots.into_iter().enumerate().collect();
    let found = map(&roots, threads, |(at, root)| {
        let (options, host) = (root.options.clone(), root.host.clone());
        look(*at, Snapshot::load_sharing(&root.dir, options, host, &shared))
    });
    (found, ReadModules(shared))
}

fn wait(waiting: &mut BTreeMap<(String, String), SharedFolder>, folder: SharedFolder) {
    let key = (folder.dir.clone(), folder.edition.to_string());
    waiting.entry(key).or_insert(folder);
}

fn folder(dir: String, names: Vec<String>, edition: Edition, root: &RootToLoad) -> SharedFolder {
    let (host, budget) = (root.host.clone(), root.options.run.budget.clone());
    let (schemas, parsed) = (root.options.load.schemas.clone(), root.options.load.parsed.clone());
    SharedFolder { dir, names, host, edition, schemas, budget, parsed }
}

/// The files of a root, and the edition that it is read as by default.
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
