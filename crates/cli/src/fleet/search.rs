//! The searches for roots that a command line asks for. A search that an earlier run has made is not repeated while none of the
//! folders that it read has changed.

use groma::disk::{ReadLog, StampClock};
use groma_fleet::StampedSearch;

use super::earlier_stamps::EarlierStamps;
use super::roots::NamedRoot;
use super::stamps::{RootRecords, RunDigest};
use crate::flag::CommandArgs;
use crate::host::MachineContext;
use crate::root_args::RootOfMany;
use crate::session::EarlyStop;

/// The folders with code that a search for roots has found, the folder in which it began, and the one outside of which their
/// code reads nothing.
pub(super) struct FoundFolders {
    /// The folder below which was searched.
    pub top: String,
    /// The folder outside of which nothing is read.
    pub bound: Option<String>,
    /// The folders, sorted.
    pub dirs: Vec<String>,
}

impl FoundFolders {
    /// Converts the folders to roots, each named by its path.
    fn roots(self) -> Vec<NamedRoot> {
        let FoundFolders { top, bound, dirs } = self;
        let root = |dir: String| {
            let (highest, bound) = (Some(top.clone()), bound.clone());
            NamedRoot { name: dir.clone(), root: RootOfMany { dir, highest, bound } }
        };
        dirs.into_iter().map(root).collect()
    }
}

/// A finished search for roots: reused from an earlier run, or made in this one with the records of the folders read.
pub(super) enum FinishedSearch<'s> {
    /// The result is that of an earlier run.
    Stamped(&'s StampedSearch),
    /// The search was made in this run.
    Made(Box<StampedSearch>, RootRecords),
}

/// The searches for roots that a run has made or reused, with what a further search needs: flags, machine and the stamps of an
/// earlier run.
pub(super) struct RootSearches<'s> {
    pub args: &'s CommandArgs,
    /// The machine, which looks at each path once.
    pub machine: MachineContext,
    given: &'s RunDigest,
    earlier: Option<&'s EarlierStamps>,
    /// A moment before the first look, if a later run may use the searches.
    clock: Option<StampClock>,
    pub finished: Vec<FinishedSearch<'s>>,
}

impl<'s> RootSearches<'s> {
    /// Creates an empty list of searches of a run with the inputs that the digest `given` identifies: they may be taken from the
    /// stamps `earlier`, and with a `clock` record the folders that they read.
    pub(super) fn new(
        args: &'s CommandArgs,
        machine: &MachineContext,
        given: &'s RunDigest,
        earlier: Option<&'s EarlierStamps>,
        clock: Option<StampClock>,
    ) -> RootSearches<'s> {
        let (machine, finished) = (machine.with_cached_disk(), Vec::new());
        RootSearches { args, machine, given, earlier, clock, finished }
    }

    /// Returns the roots of a search, whose options are in the text `search`: those of an earlier run if they still hold,
    /// otherwise those that `find` returns.
    pub(super) fn roots(
        &mut self,
        search: &str,
        find: impl FnOnce(&MachineContext) -> Result<FoundFolders, EarlyStop>,
    ) -> Result<Vec<NamedRoot>, EarlyStop> {
        let earlier = self.earlier;
        let stamped =
            earlier.and_then(|earlier| self.given.current_search(earlier, search, &self.machine));
        if let Some(stamped) = stamped {
            self.finished.push(FinishedSearch::Stamped(stamped));
            let StampedSearch { top, bound, dirs, .. } = stamped.clone();
            return Ok(FoundFolders { top, bound, dirs }.roots());
        }
        let Some(clock) = self.clock else { return Ok(find(&self.machine)?.roots()) };
        let notes = ReadLog::default();
        let noting = self.machine.with_notes(&notes);
        let found = find(&noting)?;
        if let Some(records) = RootRecords::of(&notes, &noting, clock) {
            let search = StampedSearch {
                search: search.to_owned(),
                top: found.top.clone(),
                bound: found.bound.clone(),
                dirs: found.dirs.clone(),
                ..StampedSearch::default()
            };
            self.finished.push(FinishedSearch::Made(Box::new(search), records));
        }
        Ok(found.roots())
    }
}
