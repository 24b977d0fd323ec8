//! The stamp file next to a file of results: write times of everything that each result line depends on, so that an unchanged
//! root is recognized without opening a file. A stamp can only prove that a line is still valid; otherwise the line's key
//! decides, which depends on file contents.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU8, Ordering};

use groma::disk::{FolderCheck, ReadLog, StampClock};
use groma::folders::hex_digest;
use groma_fleet::{StampEntry, StampedResult, StampedRoot, StampedSearch};

use super::roots::NamedRoot;
use super::search::FinishedSearch;
use crate::files::ResultFiles;
use crate::host::MachineContext;
use crate::parallel;
use crate::root_args::RootOfMany;

/// Number of a stamp file's folder records that a thread takes at a time to compare them with the disk.
const RECORDS_PER_TURN: usize = 256;

/// The records of the folders and environment variables that were read for a root.
pub(super) struct RootRecords {
    folders: Vec<String>,
    variables: Vec<String>,
    environment: String,
}

impl RootRecords {
    /// Converts the log of what was read for a root to records; `None` if a change after the moment `clock` could go
    /// undetected.
    pub(super) fn of(
        notes: &ReadLog,
        machine: &MachineContext,
        clock: StampClock,
    ) -> Option<RootRecords> {
        let folders = notes.folders(machine.disk(), clock)?;
        let folders = folders.iter().map(|one| one.text()).collect::<Option<_>>()?;
        let variables = notes.variables();
        let environment = environment(&variables, machine);
        Some(RootRecords { folders, variables, environment })
    }
}

/// Returns the digest of the current values of the named environment variables.
fn environment(variables: &[String], machine: &MachineContext) -> String {
    let values: Vec<Option<String>> = variables.iter().map(|name| machine.env(name)).collect();
    hex_digest(&values)
}

/// Returns the write times and lengths of a result's files, and in the field `settled` whether every later change of a file
/// will alter them.
fn result_stamps(results: &ResultFiles) -> io::Result<StampedResult> {
    let ([lines, keys], now) = (results.result_stamps()?, StampClock::now());
    let settled = lines.is_before(now) && keys.is_before(now);
    Ok(StampedResult { lines: lines.text(), keys: keys.text(), settled })
}

/// The stamp file that an earlier run has written, parsed.
pub(super) struct EarlierStamps {
    text: String,
    /// The byte range of the line of each folder record.
    folders: Vec<(usize, usize)>,
    /// The state of each folder record: 0 not compared with the disk, 1 unchanged, 2 changed.
    known: Vec<AtomicU8>,
    searches: Vec<StampedSearch>,
    roots: Vec<StampedRoot>,
    by_name: HashMap<String, usize>,
    /// True if the files of results are as that run has left them.
    are_results_kept: bool,
}

impl EarlierStamps {
    /// Parses the stamp file next to a file of results; `None` if there is no valid one.
    pub(super) fn read(results: &ResultFiles) -> Option<EarlierStamps> {
        let text = results.stamps_text()?;
        let (mut folders, mut searches) = (Vec::new(), Vec::new());
        let (mut roots, mut last, mut begin) = (Vec::new(), None, 0);
        for line in text.split_inclusive('\n') {
            let end = begin + line.len();
            match StampEntry::read(line).ok()? {
                Some(StampEntry::Root(root)) => roots.push(root),
                Some(StampEntry::Search(search)) => searches.push(search),
                Some(StampEntry::Result(result)) => last = Some(result),
                None => folders.push((begin, end - 1)),
            }
            begin = end;
        }
        let last = last?;
        let now = result_stamps(results).ok();
        let are_results_kept =
            last.settled && now.is_some_and(|now| now.lines == last.lines && now.keys == last.keys);
        let named = roots.iter().enumerate().map(|(at, root)| (root.root.clone(), at));
        let by_name = named.collect();
        let known = folders.iter().map(|_| AtomicU8::new(0)).collect();
        Some(EarlierStamps { text, folders, known, searches, roots, by_name, are_results_kept })
    }

    /// Returns true if the folder that the record with the number `at` describes is unchanged on the disk; each record is checked
    /// once, by `check`, which also remembers what it has looked up.
    fn is_current(&self, at: usize, check: &mut FolderCheck) -> bool {
        let (Some(known), Some((begin, end))) = (self.known.get(at), self.folders.get(at)) else {
            return false;
        };
        if known.load(Ordering::Relaxed) == 0 {
            let is_current = self.text.get(*begin..*end).is_some_and(|line| check.is_current(line));
            known.store(if is_current { 1 } else { 2 }, Ordering::Relaxed);
        }
        known.load(Ordering::Relaxed) == 1
    }

    /// Returns the search with the options `search` that an earlier run with the same inputs, whose digest is `given`, has made;
    /// `None` if there is none, or if something that it depends on has changed.
    pub(super) fn search(
        &self,
        search: &str,
        given: &RunDigest,
        threads: usize,
        machine: &MachineContext,
    ) -> Option<&StampedSearch> {
        let mut all = self.searches.iter();
        let stamped = all.find(|one| one.search == search && one.given == given.of_search(one))?;
        let is_given = environment(&stamped.variables, machine) == stamped.environment;
        let mut parts = Vec::new();
        for (first, count) in &stamped.looks {
            let end = first.checked_add(*count).filter(|end| *end <= self.folders.len())?;
            parts.extend((*first..end).step_by(RECORDS_PER_TURN).map(|from| (from, end)));
        }
        let find = |take: &mut dyn FnMut(_)| parts.into_iter().for_each(take);
        let is_part_current = |(from, end): (usize, usize)| {
            let mut check = FolderCheck::default();
            (from..end.min(from + RECORDS_PER_TURN)).all(|at| self.is_current(at, &mut check))
        };
        let is_current =
            is_given && parallel::each(threads, find, is_part_current).iter().all(|is| *is);
        is_current.then_some(stamped)
    }

    /// Returns each root's entry in the stamp file of an earlier run; `None` if it has none, or if a file, setting or input that
    /// the entry covers has changed since. `given` is the digest of this run's inputs.
    pub(super) fn current(
        &self,
        roots: &[NamedRoot],
        given: &RunDigest,
        threads: usize,
        machine: &MachineContext,
    ) -> Vec<Option<&StampedRoot>> {
        let mut environments: HashMap<&[String], String> = HashMap::new();
        for root in &self.roots {
            let variables = root.variables.as_slice();
            environments.entry(variables).or_insert_with(|| environment(variables, machine));
        }
        let is_current = |root: &StampedRoot| {
            let mut check = FolderCheck::default();
            let ranges = root.looks.iter();
            let mut all = ranges.flat_map(|(first, count)| *first..first.saturating_add(*count));
            all.all(|at| self.is_current(at, &mut check))
        };
        let find = |take: &mut dyn FnMut(_)| roots.iter().for_each(take);
        parallel::each(threads, find, |named: &NamedRoot| {
            let root = &self.roots[*self.by_name.get(&named.name)?];
            let is_asked = root.given == given.of(named)
                && environments.get(root.variables.as_slice()) == Some(&root.environment);
            (is_asked && is_current(root)).then_some(root)
        })
    }

    /// Returns true if the file of results is unchanged and its lines are those of exactly these roots, in their order, and still
    /// valid: `current` has for each root its entry in the stamp file, or `None` if something that it depends on has changed.
    pub(super) fn covers_exactly(
        &self,
        roots: &[NamedRoot],
        current: &[Option<&StampedRoot>],
    ) -> bool {
        let names = self.roots.iter().map(|root| &root.root);
        self.are_results_kept
            && current.iter().all(Option::is_some)
            && names.eq(roots.iter().map(|root| &root.name))
    }

    /// Returns the folder records with these numbers, given as ranges of first and count, as lines of the stamp file.
    fn records_of(&self, ranges: &[(usize, usize)]) -> Vec<String> {
        let ranges = ranges.iter();
        let all = ranges.flat_map(|(first, count)| *first..first.saturating_add(*count));
        let line = |at: usize| {
            let (begin, end) = *self.folders.get(at)?;
            Some(self.text.get(begin..end)?.to_owned())
        };
        all.filter_map(line).collect()
    }
}

/// The digest of the inputs of a run besides files: question, flags, engine and current directory.
#[derive(Clone)]
pub(super) struct RunDigest(pub String);

impl RunDigest {
    /// Returns the digest of the run's inputs and of a root's name, folder and bounds: everything but files on which its line
    /// depends.
    fn of(&self, root: &NamedRoot) -> String {
        let NamedRoot { name, root: RootOfMany { dir, highest, bound } } = root;
        hex_digest(&(&self.0, name, dir, highest, bound))
    }

    /// Returns the digest of the run's inputs and of a search: its options, its bounds and the folders that it found.
    fn of_search(&self, stamped: &StampedSearch) -> String {
        let StampedSearch { search, top, bound, dirs, .. } = stamped;
        hex_digest(&(&self.0, search, top, bound, dirs))
    }
}

/// The writer of the stamp file of this run. Later runs only save time by it, so a failure to write it is not an error.
pub(super) struct StampWriter {
    results: ResultFiles,
    out: Option<Box<dyn Write + Send>>,
    given: RunDigest,
    /// The numbers of the records of folders that other roots may share, by two digests of each.
    numbers: HashMap<(u64, u64), usize>,
    digests: BuildHasherDefault<DefaultHasher>,
    count: usize,
}

impl StampWriter {
    /// Begins to write the stamp file next to a file of results; `given` is the digest of the run's inputs.
    pub(super) fn begin(results: &ResultFiles, given: RunDigest) -> StampWriter {
        let out = results.begin_stamps().map(|out| Box::new(out) as Box<dyn Write + Send>);
        let (numbers, digests, count) = (HashMap::new(), BuildHasherDefault::default(), 0);
        StampWriter { results: results.clone(), out, given, numbers, digests, count }
    }

    /// Writes this run's searches for roots with the records of the folders that they have read, which all roots share; the
    /// records of a search that is reused come from `earlier`, the stamps of the run that made it.
    pub(super) fn add_searches(
        &mut self,
        searches: Vec<FinishedSearch<'_>>,
        earlier: Option<&EarlierStamps>,
    ) {
        for finished in searches {
            let (mut search, records) = match finished {
                FinishedSearch::Made(search, records) => (*search, records),
                FinishedSearch::Stamped(search) => {
                    let Some(earlier) = earlier else { continue };
                    let records = RootRecords {
                        folders: earlier.records_of(&search.looks),
                        variables: search.variables.clone(),
                        environment: search.environment.clone(),
                    };
                    (search.clone(), records)
                }
            };
            let RootRecords { folders, variables, environment } = records;
            let mut text = String::new();
            search.looks = self.numbered(folders, None, &mut text);
            search.given = self.given.of_search(&search);
            (search.variables, search.environment) = (variables, environment);
            text.push_str(&StampEntry::Search(search).text());
            self.write(&text);
        }
    }

    /// Numbers the records of folders in the order in which the stamp file has them: appends those not written yet to `text`, and
    /// returns all numbers as ranges of first and count; records below a root's own folder `own` are not shared with other roots.
    fn numbered(
        &mut self,
        folders: Vec<String>,
        own: Option<&str>,
        text: &mut String,
    ) -> Vec<(usize, usize)> {
        let mut numbers: Vec<(usize, usize)> = Vec::new();
        for folder in folders {
            let digest = (self.digests.hash_one((0, &folder)), self.digests.hash_one((1, &folder)));
            let number = self.numbers.get(&digest).copied().unwrap_or_else(|| {
                text.push_str(&folder);
                text.push('\n');
                self.count += 1;
                if own.is_none_or(|own| !folder.starts_with(own)) {
                    self.numbers.insert(digest, self.count - 1);
                }
                self.count - 1
            });
            match numbers.last_mut() {
                Some((first, count)) if *first + *count == number => *count += 1,
                _ => numbers.push((number, 1)),
            }
        }
        numbers
    }

    /// Writes a root's entry: the digest of its line, its error code if any, and the records of what was read, of which those
    /// below `own`, its folder with links resolved, are not shared with other roots.
    pub(super) fn add(
        &mut self,
        root: &NamedRoot,
        own: &str,
        (line, error): (&str, Option<&str>),
        records: RootRecords,
    ) {
        let RootRecords { folders, variables, environment } = records;
        let mut text = String::new();
        let numbers = self.numbered(folders, Some(own), &mut text);
        let stamped = StampedRoot {
            root: root.name.clone(),
            given: self.given.of(root),
            line: line.to_owned(),
            error: error.map(str::to_owned),
            variables,
            environment,
            looks: numbers,
        };
        text.push_str(&StampEntry::Root(stamped).text());
        self.write(&text);
    }

    /// Writes the entry `stamped` of a root, unchanged from the stamp file `earlier`, with its records, of which those below
    /// `own`, the root's folder with links resolved, are not shared with other roots.
    pub(super) fn keep(
        &mut self,
        root: &NamedRoot,
        own: &str,
        earlier: &EarlierStamps,
        stamped: &StampedRoot,
    ) {
        let records = RootRecords {
            folders: earlier.records_of(&stamped.looks),
            variables: stamped.variables.clone(),
            environment: stamped.environment.clone(),
        };
        self.add(root, own, (&stamped.line, stamped.error.as_deref()), records);
    }

    /// Writes a text to the stamp file; after the first failure nothing more is written.
    fn write(&mut self, text: &str) {
        if self.out.as_mut().is_some_and(|out| out.write_all(text.as_bytes()).is_err()) {
            self.out = None;
        }
    }

    /// Completes the stamp file after all results are written.
    pub(super) fn finish(mut self) {
        let last = result_stamps(&self.results).ok();
        let last = last.map(|last| StampEntry::Result(last).text());
        self.write(&last.unwrap_or_default());
        let are_whole = self.out.take().is_some_and(|mut out| out.flush().is_ok());
        self.results.end_stamps(are_whole);
    }
}
