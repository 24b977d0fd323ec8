//! The stamp file next to a file of results: what this run writes, so that a later one recognizes an unchanged root without opening
//! a file, and which roots and searches of an earlier run are unchanged.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::io::Write;

use groma::disk::{ReadLog, StampClock};
use groma::folders::hex_digest;
use groma_fleet::{StampEntry, StampedRoot, StampedSearch};

use super::earlier_stamps::{EarlierStamps, result_stamps};
use super::roots::NamedRoot;
use super::search::FinishedSearch;
use crate::files::ResultFiles;
use crate::host::MachineContext;
use crate::parallel;
use crate::root_args::RootOfMany;

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

    /// Returns the search with the options `search` that an earlier run with the same inputs has made; `None` if there is none, or
    /// if something that it depends on has changed.
    pub(super) fn current_search<'e>(
        &self,
        earlier: &'e EarlierStamps,
        search: &str,
        machine: &MachineContext,
    ) -> Option<&'e StampedSearch> {
        let mut all = earlier.searches.iter();
        let stamped = all.find(|one| one.search == search && one.given == self.of_search(one))?;
        let is_given = environment(&stamped.variables, machine) == stamped.environment;
        (is_given && earlier.are_current(&stamped.looks)).then_some(stamped)
    }

    /// Returns each root's entry in the stamp file of an earlier run; `None` if it has none, or if a file, setting or input that
    /// the entry covers has changed since.
    pub(super) fn current_roots<'e>(
        &self,
        earlier: &'e EarlierStamps,
        roots: &[NamedRoot],
        threads: usize,
        machine: &MachineContext,
    ) -> Vec<Option<&'e StampedRoot>> {
        let find = |take: &mut dyn FnMut(_)| roots.iter().for_each(take);
        parallel::each(threads, find, |named: &NamedRoot| {
            let root = earlier.root(&named.name)?;
            let is_asked = root.given == self.of(named)
                && environment(&root.variables, machine) == root.environment;
            (is_asked && earlier.are_current(&root.looks)).then_some(root)
        })
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
