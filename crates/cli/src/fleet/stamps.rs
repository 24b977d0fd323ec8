//! Stamps beside a file of results: what the system told of everything that each line rests on, so that an unchanged root is
//! told without a file being opened. A stamp only ever says that a line stays; else its key decides, which is the content.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU8, Ordering};

use groma::disk::{DiskNotes, LookCheck, StampClock};
use groma::folders::hex_digest;
use groma_fleet::{StampEntry, StampedResult, StampedRoot};

use super::roots::NamedRoot;
use crate::files::ResultFiles;
use crate::host::MachineContext;
use crate::parallel;
use crate::root_args::RootOfMany;

/// What was looked at for a root.
pub(super) struct RootLooks {
    looks: Vec<String>,
    variables: Vec<String>,
    environment: String,
}

impl RootLooks {
    /// What was noted while a root was asked on a machine; nothing if it cannot be told by stamps.
    pub(super) fn of(
        notes: &DiskNotes,
        machine: &MachineContext,
        clock: StampClock,
    ) -> Option<RootLooks> {
        let folders = notes.folders(machine.disk(), clock)?;
        let looks = folders.iter().map(|look| look.text()).collect::<Option<_>>()?;
        let variables = notes.variables();
        let environment = environment(&variables, machine);
        Some(RootLooks { looks, variables, environment })
    }
}

/// Returns the digest of the values of environment variables.
fn environment(variables: &[String], machine: &MachineContext) -> String {
    let values: Vec<Option<String>> = variables.iter().map(|name| machine.env(name)).collect();
    hex_digest(&values)
}

/// Returns the stamps of a result's files.
fn result_stamps(results: &ResultFiles) -> io::Result<StampedResult> {
    let ([lines, keys], now) = (results.result_stamps()?, StampClock::now());
    let settled = lines.is_before(now) && keys.is_before(now);
    Ok(StampedResult { lines: lines.text(), keys: keys.text(), settled })
}

/// The stamps of an earlier run.
pub(super) struct EarlierStamps {
    text: String,
    /// Where the line of each look begins and ends.
    looks: Vec<(usize, usize)>,
    roots: Vec<StampedRoot>,
    by_name: HashMap<String, usize>,
    /// True if the files of results are as that run has left them.
    are_results_kept: bool,
}

impl EarlierStamps {
    /// Reads the stamps beside a file of results; nothing if there are none that can be read.
    pub(super) fn read(results: &ResultFiles) -> Option<EarlierStamps> {
        let text = results.stamps_text()?;
        let (mut looks, mut roots, mut last) = (Vec::new(), Vec::new(), None);
        let mut begin = 0;
        for line in text.split_inclusive('\n') {
            let end = begin + line.len();
            match StampEntry::read(line).ok()? {
                Some(StampEntry::Root(root)) => roots.push(root),
                Some(StampEntry::Result(result)) => last = Some(result),
                None => looks.push((begin, end - 1)),
            }
            begin = end;
        }
        let last = last?;
        let now = result_stamps(results).ok();
        let are_results_kept =
            last.settled && now.is_some_and(|now| now.lines == last.lines && now.keys == last.keys);
        let named = roots.iter().enumerate().map(|(at, root)| (root.root.clone(), at));
        let by_name = named.collect();
        Some(EarlierStamps { text, looks, roots, by_name, are_results_kept })
    }

    /// Returns, for each of some roots, what an earlier run has stamped of it, if it is still so.
    pub(super) fn current(
        &self,
        roots: &[NamedRoot],
        given: &RunDigest,
        threads: usize,
        machine: &MachineContext,
    ) -> Vec<Option<&StampedRoot>> {
        // Nothing is known of a look, it is current, or it is not.
        let known: Vec<AtomicU8> = self.looks.iter().map(|_| AtomicU8::new(0)).collect();
        let mut environments: HashMap<&[String], String> = HashMap::new();
        for root in &self.roots {
            let variables = root.variables.as_slice();
            environments.entry(variables).or_insert_with(|| environment(variables, machine));
        }
        let is_current = |root: &StampedRoot| {
            let mut check = LookCheck::default();
            let is_kept = |at: usize| {
                let known = known.get(at)?;
                if known.load(Ordering::Relaxed) == 0 {
                    let (begin, end) = *self.looks.get(at)?;
                    let is_current = check.is_current(self.text.get(begin..end)?);
                    known.store(if is_current { 1 } else { 2 }, Ordering::Relaxed);
                }
                (known.load(Ordering::Relaxed) == 1).then_some(())
            };
            let ranges = root.looks.iter();
            let mut all = ranges.flat_map(|(first, count)| *first..first.saturating_add(*count));
            all.try_for_each(is_kept).is_some()
        };
        let find = |take: &mut dyn FnMut(_)| roots.iter().for_each(take);
        parallel::each(threads, find, |named: &NamedRoot| {
            let root = &self.roots[*self.by_name.get(&named.name)?];
            let is_asked = root.given == given.of(named)
                && environments.get(root.variables.as_slice()) == Some(&root.environment);
            (is_asked && is_current(root)).then_some(root)
        })
    }

    /// Returns true if the results are those of exactly these roots, in their order.
    pub(super) fn are_all(&self, roots: &[NamedRoot], current: &[Option<&StampedRoot>]) -> bool {
        let names = self.roots.iter().map(|root| &root.root);
        self.are_results_kept
            && current.iter().all(Option::is_some)
            && names.eq(roots.iter().map(|root| &root.name))
    }

    /// Returns the recorded lines of the folders that a root depends on.
    fn looks_of(&self, root: &StampedRoot) -> Vec<String> {
        let ranges = root.looks.iter();
        let all = ranges.flat_map(|(first, count)| *first..first.saturating_add(*count));
        let line = |at: usize| {
            let (begin, end) = *self.looks.get(at)?;
            Some(self.text.get(begin..end)?.to_owned())
        };
        all.filter_map(line).collect()
    }
}

/// The digest of what a run was given: the question, the flags, the engine and where it runs.
pub(super) struct RunDigest(pub String);

impl RunDigest {
    /// The digest for one root.
    fn of(&self, root: &NamedRoot) -> String {
        let NamedRoot { name, root: RootOfMany { dir, highest, bound } } = root;
        hex_digest(&(&self.0, name, dir, highest, bound))
    }
}

/// The stamps of this run, as they are written. They are a shortcut: where they cannot be written there are none.
pub(super) struct StampWriter {
    results: ResultFiles,
    out: Option<Box<dyn Write>>,
    given: RunDigest,
    /// The numbers of the looks of folders that other roots may look at, too.
    numbers: HashMap<String, usize>,
    count: usize,
}

impl StampWriter {
    /// Begins the stamps beside a file of results.
    pub(super) fn begin(results: &ResultFiles, given: RunDigest) -> StampWriter {
        let out = results.begin_stamps().map(|out| Box::new(out) as Box<dyn Write>);
        let (numbers, count) = (HashMap::new(), 0);
        StampWriter { results: results.clone(), out, given, numbers, count }
    }

    /// Adds a root whose line has this digest and this error. `own` is its folder without links.
    pub(super) fn add(
        &mut self,
        root: &NamedRoot,
        own: &str,
        (line, error): (&str, Option<&str>),
        looked: RootLooks,
    ) {
        let RootLooks { looks, variables, environment } = looked;
        let (mut text, mut numbers) = (String::new(), Vec::new());
        for look in looks {
            let is_own = look.starts_with(own);
            let number =
                match Some(&look).filter(|_| !is_own).and_then(|look| self.numbers.get(look)) {
                    Some(number) => *number,
                    None => {
                        text.push_str(&look);
                        text.push('\n');
                        let number = self.count;
                        self.count += 1;
                        // No other root looks at the same folders below its own.
                        if !is_own {
                            self.numbers.insert(look, number);
                        }
                        number
                    }
                };
            match numbers.last_mut() {
                Some((first, count)) if *first + *count == number => *count += 1,
                _ => numbers.push((number, 1)),
            }
        }
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

    /// Adds a root as an earlier run has stamped it.
    pub(super) fn keep(
        &mut self,
        root: &NamedRoot,
        own: &str,
        earlier: &EarlierStamps,
        stamped: &StampedRoot,
    ) {
        let looked = RootLooks {
            looks: earlier.looks_of(stamped),
            variables: stamped.variables.clone(),
            environment: stamped.environment.clone(),
        };
        self.add(root, own, (&stamped.line, stamped.error.as_deref()), looked);
    }

    /// Writes a text; after the first failure nothing more is written.
    fn write(&mut self, text: &str) {
        if self.out.as_mut().is_some_and(|out| out.write_all(text.as_bytes()).is_err()) {
            self.out = None;
        }
    }

    /// Ends the stamps when the results are written.
    pub(super) fn finish(mut self) {
        let last = result_stamps(&self.results).ok();
        let last = last.map(|last| StampEntry::Result(last).text());
        self.write(&last.unwrap_or_default());
        let are_whole = self.out.take().is_some_and(|mut out| out.flush().is_ok());
        self.results.end_stamps(are_whole);
    }
}
