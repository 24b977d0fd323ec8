//! One file or many that get new texts: all are staged before the first is written, and where one cannot be written those
//! before it get their old texts again.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::FileWriter;
use crate::TEXT_LIMIT;
use crate::disk::{DiskAccess, DiskEntryKind, Lock};
use crate::journal::{JOURNAL, Journal, JournalLine};
use crate::place::WriteOutcome;
use crate::recover::RecoveryOutcome;
use crate::stage::{FileOwnership, Hash, hash, saved};
use crate::trouble::{UndoneOperation, WriteObstacle, WriteTrouble};

/// A file that gets a new text.
#[derive(Clone, Copy, Debug)]
pub struct FileReplacement<'c> {
    /// The place where it lies, without links.
    pub path: &'c Path,
    /// What was read of it.
    pub before: &'c [u8],
    /// What it is to hold.
    pub after: &'c [u8],
}

/// A change whose new text is to lie beside the file.
pub(crate) struct StagedChange<'c> {
    pub change: FileReplacement<'c>,
    pub staged: PathBuf,
    /// True if the file may change places with it and stay what it is.
    pub can_change_places: bool,
    hashes: (Hash, Hash),
}

/// A journal that is this run's.
struct HeldJournal {
    path: PathBuf,
    _lock: Option<Lock>,
}

impl<D: DiskAccess> FileWriter<D> {
    /// Gives a file a new text.
    ///
    /// # Errors
    /// Where it no longer holds what was read, or cannot be written. It then has its old text, unless that is what the
    /// reason says.
    pub fn replace(&self, change: FileReplacement<'_>) -> Result<(), WriteObstacle> {
        self.replace_all(&[change]).map_err(|undone| undone.trouble.why)
    }

    /// Gives files new texts, all or none. A file that is named twice is one too much.
    ///
    /// # Errors
    /// Where one of them cannot be written. All have their old texts then, but for those that the error names.
    pub fn replace_all(&self, changes: &[FileReplacement<'_>]) -> Result<(), UndoneOperation> {
        let fails = |path: &Path, why: WriteObstacle| {
            let trouble = WriteTrouble { path: path.to_owned(), why };
            Err(UndoneOperation { trouble, left: Vec::new() })
        };
        for change in changes {
            let folder = change.path.parent().unwrap_or(Path::new("/"));
            let found = self.recover(folder);
            if found.iter().any(|one| one.outcome != RecoveryOutcome::Foreign) {
                let is_busy = found.iter().any(|one| one.outcome == RecoveryOutcome::Busy);
                return fails(
                    change.path,
                    if is_busy { WriteObstacle::Busy } else { WriteObstacle::Recovered },
                );
            }
            if let Err(why) = self.admit(change) {
                return fails(change.path, why);
            }
        }
        let paths: Vec<&Path> = changes.iter().map(|change| change.path).collect();
        let journal_folder = self.journal_folder(&paths);
        let all: Vec<StagedChange<'_>> =
            changes.iter().map(|change| self.planned(*change, journal_folder.as_deref())).collect();
        // One file that changes places is written whole or not by itself.
        let is_plain = matches!(&all[..], [one] if one.can_change_places);
        let held = match journal_folder.filter(|_| !is_plain && !all.is_empty()) {
            Some(folder) => match self.hold(&folder, &all) {
                Ok(held) => held,
                Err(why) => return fails(&folder, why),
            },
            None => None,
        };
        let done = self.carry_out(&all);
        let is_mended = done.as_ref().err().is_none_or(|undone| undone.left.is_empty());
        // What could not be put back is left to the next run, with all that tells how.
        if is_mended {
            self.clear(&all, held, done.is_ok());
        }
        done
    }

    /// Checks that a file may be written.
    fn admit(&self, change: &FileReplacement<'_>) -> Result<(), WriteObstacle> {
        let entry = self.disk.look(change.path)?;
        if entry.kind != DiskEntryKind::File {
            return Err(WriteObstacle::Irregular);
        }
        // Its folder may let a file be replaced that may itself not be written.
        if !self.disk.may_write(change.path) {
            return Err(WriteObstacle::Denied);
        }
        Ok(())
    }

    /// The lowest folder above all files in which a journal can lie.
    fn journal_folder(&self, paths: &[&Path]) -> Option<PathBuf> {
        let mut folder = paths.first()?.parent()?;
        while !paths.iter().all(|path| path.starts_with(folder)) {
            folder = folder.parent()?;
        }
        folder.ancestors().find(|folder| self.disk.may_write(folder)).map(Path::to_owned)
    }

    fn planned<'c>(
        &self,
        change: FileReplacement<'c>,
        journal_folder: Option<&Path>,
    ) -> StagedChange<'c> {
        let own = change.path.parent().filter(|folder| self.disk.may_write(folder));
        let has_one_name = self.disk.look(change.path).is_ok_and(|entry| entry.links == 1);
        let temporary = self.disk.temporary();
        let folder = own.or(journal_folder).unwrap_or(&temporary);
        let hashes = (hash(change.before), hash(change.after));
        let staged = self.staged_name(folder, &hashes.0, &hashes.1);
        StagedChange { change, staged, can_change_places: own.is_some() && has_one_name, hashes }
    }

    /// Writes the journal, which says by its lock that it is in use.
    fn hold(
        &self,
        folder: &Path,
        all: &[StagedChange<'_>],
    ) -> Result<Option<HeldJournal>, WriteObstacle> {
        let below = |path: &Path| path.strip_prefix(folder).ok().map(Path::to_owned);
        let line = |one: &StagedChange<'_>| {
            let (before, after) = one.hashes;
            Some(JournalLine {
                before,
                after,
                staged: below(&one.staged)?,
                path: below(one.change.path)?,
            })
        };
        // Where a path cannot be told there is none; what is done is undone all the same if it fails.
        let Some(lines) = all.iter().map(line).collect::<Option<Vec<JournalLine>>>() else {
            return Ok(None);
        };
        let Some(text) = (Journal { lines }).text() else { return Ok(None) };
        let path = folder.join(JOURNAL);
        let fresh = self.own_name(folder, text.as_bytes());
        let lock = self.stage(&fresh, text.as_bytes(), FileOwnership::Private)?;
        // A name that is there already is another run's.
        let linked = match self.disk.link(&fresh, &path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(WriteObstacle::Busy),
            Err(_) if self.disk.look(&path).is_ok() => Err(WriteObstacle::Busy),
            // Not every disk gives a file two names.
            Err(_) => self.disk.rename(&fresh, &path).map_err(WriteObstacle::from),
            Ok(()) => Ok(()),
        };
        let _ = self.disk.remove(&fresh);
        linked?;
        let held = HeldJournal { path, _lock: lock };
        if let Err(error) = self.disk.sync(folder) {
            let _ = self.disk.remove(&held.path);
            return Err(error.into());
        }
        Ok(Some(held))
    }

    fn carry_out(&self, all: &[StagedChange<'_>]) -> Result<(), UndoneOperation> {
        let trouble = |one: &StagedChange<'_>, why: WriteObstacle| WriteTrouble {
            path: one.change.path.to_owned(),
            why,
        };
        let fails = |one: &StagedChange<'_>, why| UndoneOperation {
            trouble: trouble(one, why),
            left: Vec::new(),
        };
        let mut locks = Vec::new();
        let mut ready = Vec::new();
        for one in all {
            let (lock, can_change_places) =
                self.prepare(one).map_err(|error| fails(one, error.into()))?;
            // A journal protects the texts of many, and a process has few locks.
            if all.len() == 1 {
                locks.push(lock);
            }
            ready.push(StagedChange { can_change_places, staged: one.staged.clone(), ..*one });
        }
        self.sync_folders(all).map_err(|(one, error)| fails(one, error.into()))?;
        let mut done: Vec<(&StagedChange<'_>, WriteOutcome)> = Vec::new();
        let mut failed = None;
        for one in &ready {
            match self.put(one) {
                Ok(written) => done.push((one, written)),
                Err(why) => {
                    failed = Some((one, why));
                    break;
                }
            }
        }
        if failed.is_none() {
            failed = self.sync_folders(&ready).err().map(|(one, error)| (one, error.into()));
        }
        let Some((one, why)) = failed else { return Ok(()) };
        let mut left = Vec::new();
        if matches!(why, WriteObstacle::Torn(_)) {
            left.push(one.change.path.to_owned());
        }
        for (one, written) in done.into_iter().rev() {
            if self.put_back(one, written).is_err() {
                left.push(one.change.path.to_owned());
            }
        }
        left.reverse();
        Err(UndoneOperation { trouble: trouble(one, why), left })
    }

    /// Stages a new text, and says whether the file can change places with it.
    fn prepare(&self, one: &StagedChange<'_>) -> io::Result<(Option<Lock>, bool)> {
        let path = one.change.path;
        if one.can_change_places
            && let Ok(lock) = self.stage(&one.staged, one.change.after, FileOwnership::Like(path))
        {
            return Ok((lock, true));
        }
        // It cannot become what the file is to others, or lies elsewhere.
        self.stage(&one.staged, one.change.after, FileOwnership::Private).map(|lock| (lock, false))
    }

    fn sync_folders<'s, 'c>(
        &self,
        all: &'s [StagedChange<'c>],
    ) -> Result<(), (&'s StagedChange<'c>, io::Error)> {
        let mut seen = BTreeSet::new();
        for one in all {
            for folder in [one.staged.parent(), one.change.path.parent()].into_iter().flatten() {
                // A folder that may not be written has no new names.
                if seen.insert(folder) && self.disk.may_write(folder) {
                    self.disk.sync(folder).map_err(|error| (one, error))?;
                }
            }
        }
        Ok(())
    }

    /// Takes away what was made beside the files. What is left where that fails is litter, and its journal tells so.
    /// Where something failed it is looked at first: it could be what a user has saved at that moment.
    fn clear(&self, all: &[StagedChange<'_>], held: Option<HeldJournal>, is_done: bool) {
        if held.is_some_and(|held| self.end_journal(&held.path).is_err()) {
            // It may still be followed, and then asks for all that it names.
            return;
        }
        for one in all {
            for path in [one.staged.clone(), saved(&one.staged)] {
                let is_ours = is_done
                    || self.compare(&path, one.change.before).is_ok()
                    || self.compare(&path, one.change.after).is_ok();
                if is_ours {
                    let _ = self.disk.remove(&path);
                }
            }
        }
    }

    /// Takes a journal away, for good.
    pub(crate) fn end_journal(&self, path: &Path) -> io::Result<()> {
        self.disk.remove(path)?;
        path.parent().map_or(Ok(()), |folder| self.disk.sync(folder))
    }

    /// Creates a new file, whole or not at all.
    ///
    /// # Errors
    /// Where there is one, or it cannot be written.
    pub fn create(&self, path: &Path, bytes: &[u8]) -> Result<(), WriteObstacle> {
        if self.disk.look(path).is_ok() {
            return Err(WriteObstacle::Present);
        }
        let staged = self.own_name(path.parent().unwrap_or(Path::new("")), bytes);
        let lock = self.stage(&staged, bytes, FileOwnership::Public)?;
        let linked = self.take_name(&staged, path);
        let _ = self.disk.remove(&staged);
        drop(lock);
        linked?;
        self.keep_name(path);
        Ok(())
    }

    /// Writes a file that no other user may read, whether or not there is one already. One that is there is compared as
    /// others are: what is put there at that moment stays.
    ///
    /// # Errors
    /// Where what is there is no regular file, or it cannot be written.
    pub fn keep(&self, path: &Path, bytes: &[u8]) -> Result<(), WriteObstacle> {
        let before = match self.disk.look(path) {
            Ok(entry) if entry.kind != DiskEntryKind::File => return Err(WriteObstacle::Irregular),
            Ok(_) => Some(self.disk.read(path, TEXT_LIMIT)?),
            Err(_) => None,
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let hashes = (hash(before.as_deref().unwrap_or(bytes)), hash(bytes));
        let staged = self.staged_name(folder, &hashes.0, &hashes.1);
        let lock = self.stage(&staged, bytes, FileOwnership::Private)?;
        let done = match &before {
            None => self.take_name(&staged, path),
            Some(before) => {
                let change = FileReplacement { path, before, after: bytes };
                let one = StagedChange {
                    change,
                    staged: staged.clone(),
                    can_change_places: true,
                    hashes,
                };
                self.take_place(&one)
            }
        };
        let is_gone = matches!(done, Err(WriteObstacle::Torn(_)));
        if !is_gone {
            let _ = self.disk.remove(&staged);
        }
        drop(lock);
        done?;
        self.keep_name(path);
        Ok(())
    }

    /// Lets what is staged take a name that nothing has.
    fn take_name(&self, staged: &Path, path: &Path) -> Result<(), WriteObstacle> {
        match self.disk.link(staged, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(WriteObstacle::Present),
            Err(_) if self.disk.look(path).is_ok() => Err(WriteObstacle::Present),
            // Not every disk gives a file two names.
            Err(_) => self.disk.rename(staged, path).map_err(WriteObstacle::from),
            Ok(()) => Ok(()),
        }
    }

    fn keep_name(&self, path: &Path) {
        // The file is there; only after a failure of power it might not be.
        let folder = path.parent().filter(|folder| *folder != OsStr::new(""));
        let _ = self.disk.sync(folder.unwrap_or(Path::new(".")));
    }
}
