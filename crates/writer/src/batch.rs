//! Replacement of one or many files: all new texts are staged before the first file is written, and if one cannot be written, the
//! earlier ones are restored.

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

/// A request to replace the content of a file: its path, the content that was read, and the new content.
#[derive(Clone, Copy, Debug)]
pub struct FileReplacement<'c> {
    /// The real path of the file.
    pub path: &'c Path,
    /// The content that was read from it.
    pub before: &'c [u8],
    /// The new content.
    pub after: &'c [u8],
}

/// A request to replace the content of a file, with the path of the temporary file that receives the new content.
pub(crate) struct StagedChange<'c> {
    /// The request.
    pub change: FileReplacement<'c>,
    /// The path of the temporary file.
    pub staged: PathBuf,
    /// True if the staged file can be exchanged with the file without changing owner, mode or hard links.
    pub can_change_places: bool,
    /// The hashes of the old and the new content.
    hashes: (Hash, Hash),
}

/// The journal of the current operation, locked while the operation lasts.
struct HeldJournal {
    path: PathBuf,
    _lock: Option<Lock>,
}

impl<D: DiskAccess> FileWriter<D> {
    /// Replaces the content of one file.
    ///
    /// # Errors
    /// If it no longer has the content that was read, or cannot be written. It keeps its old content unless the error says
    /// otherwise.
    pub fn replace(&self, change: FileReplacement<'_>) -> Result<(), WriteObstacle> {
        self.replace_all(&[change]).map_err(|undone| undone.trouble.why)
    }

    /// Replaces the contents of all files in `changes` or of none. Naming a file twice is an error.
    ///
    /// # Errors
    /// If one of them cannot be written. All files keep their old contents, except those that the error names.
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
            if let Err(why) = self.check_writable(change) {
                return fails(change.path, why);
            }
        }
        let paths: Vec<&Path> = changes.iter().map(|change| change.path).collect();
        let journal_folder = self.journal_folder(&paths);
        let all: Vec<StagedChange<'_>> =
            changes.iter().map(|change| self.planned(*change, journal_folder.as_deref())).collect();
        // A single exchange is atomic by itself.
        let is_plain = matches!(&all[..], [one] if one.can_change_places);
        let held = match journal_folder.filter(|_| !is_plain && !all.is_empty()) {
            Some(folder) => match self.write_journal(&folder, &all) {
                Ok(held) => held,
                Err(why) => return fails(&folder, why),
            },
            None => None,
        };
        let done = self.carry_out(&all);
        let is_mended = done.as_ref().err().is_none_or(|undone| undone.left.is_empty());
        // Files that could not be restored are left to the next run, with the journal that describes them.
        if is_mended {
            self.clear(&all, held, done.is_ok());
        }
        done
    }

    /// Returns an error if the file of a request is not a regular file or may not be written.
    fn check_writable(&self, change: &FileReplacement<'_>) -> Result<(), WriteObstacle> {
        let entry = self.disk.metadata(change.path)?;
        if entry.kind != DiskEntryKind::File {
            return Err(WriteObstacle::Irregular);
        }
        // The directory may permit replacing a file that may not be written itself.
        if !self.disk.may_write(change.path) {
            return Err(WriteObstacle::Denied);
        }
        Ok(())
    }

    /// Returns the lowest directory above all files in which a journal can be created; `None` if there is none.
    fn journal_folder(&self, paths: &[&Path]) -> Option<PathBuf> {
        let mut folder = paths.first()?.parent()?;
        while !paths.iter().all(|path| path.starts_with(folder)) {
            folder = folder.parent()?;
        }
        folder.ancestors().find(|folder| self.disk.may_write(folder)).map(Path::to_owned)
    }

    /// Chooses the path of the temporary file that receives the new content of a file: in its own directory, or else in that of
    /// the journal, if any, or the system's for temporary files.
    fn planned<'c>(
        &self,
        change: FileReplacement<'c>,
        journal_folder: Option<&Path>,
    ) -> StagedChange<'c> {
        let own = change.path.parent().filter(|folder| self.disk.may_write(folder));
        let has_one_name = self.disk.metadata(change.path).is_ok_and(|entry| entry.links == 1);
        let temporary = self.disk.temporary();
        let folder = own.or(journal_folder).unwrap_or(&temporary);
        let hashes = (hash(change.before), hash(change.after));
        let staged = self.staged_name(folder, &hashes.0, &hashes.1);
        StagedChange { change, staged, can_change_places: own.is_some() && has_one_name, hashes }
    }

    /// Writes the journal of an operation into a directory and locks it, which marks it as in use; `None` if a journal cannot
    /// represent the paths.
    fn write_journal(
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
        // Without a representable path there is no journal; a failure is undone all the same.
        let Some(lines) = all.iter().map(line).collect::<Option<Vec<JournalLine>>>() else {
            return Ok(None);
        };
        let Some(text) = (Journal { lines }).text() else { return Ok(None) };
        let path = folder.join(JOURNAL);
        let fresh = self.own_name(folder, text.as_bytes());
        let lock = self.stage(&fresh, text.as_bytes(), FileOwnership::Private)?;
        // An existing journal belongs to another run.
        let linked = match self.disk.link(&fresh, &path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(WriteObstacle::Busy),
            Err(_) if self.disk.metadata(&path).is_ok() => Err(WriteObstacle::Busy),
            // Not every file system supports hard links.
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

    /// Writes all new contents to temporary files and puts these into place; on failure restores the files written so far.
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
            // With a journal no further locks are needed, and a process has few of them.
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

    /// Writes the new content of a file to its temporary file; returns the lock on the latter, `None` on a system without
    /// locks, and true if the two files can be exchanged, since owner and mode are the same.
    fn prepare(&self, one: &StagedChange<'_>) -> io::Result<(Option<Lock>, bool)> {
        let path = one.change.path;
        if one.can_change_places
            && let Ok(lock) = self.stage(&one.staged, one.change.after, FileOwnership::Like(path))
        {
            return Ok((lock, true));
        }
        // The staged file cannot get the owner and mode of the file, or is in another directory.
        self.stage(&one.staged, one.change.after, FileOwnership::Private).map(|lock| (lock, false))
    }

    /// Flushes the directories of all files and temporary files to the disk; the error names the file concerned.
    fn sync_folders<'s, 'c>(
        &self,
        all: &'s [StagedChange<'c>],
    ) -> Result<(), (&'s StagedChange<'c>, io::Error)> {
        let mut seen = BTreeSet::new();
        for one in all {
            for folder in [one.staged.parent(), one.change.path.parent()].into_iter().flatten() {
                // A directory that cannot be written has no new names.
                if seen.insert(folder) && self.disk.may_write(folder) {
                    self.disk.sync(folder).map_err(|error| (one, error))?;
                }
            }
        }
        Ok(())
    }

    /// Removes the journal and the temporary files of an operation, after a failure (not `is_done`) only those with a content
    /// that the operation knows, because one may be a text that a user has saved at that moment.
    fn clear(&self, all: &[StagedChange<'_>], held: Option<HeldJournal>, is_done: bool) {
        if held.is_some_and(|held| self.end_journal(&held.path).is_err()) {
            // The journal may still be followed, and needs all files that it names.
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

    /// Removes a journal and flushes its directory to the disk, so that it does not come back.
    pub(crate) fn end_journal(&self, path: &Path) -> io::Result<()> {
        self.disk.remove(path)?;
        path.parent().map_or(Ok(()), |folder| self.disk.sync(folder))
    }

    /// Creates a new file with the given content, completely or not at all.
    ///
    /// # Errors
    /// If it exists, or cannot be written.
    pub fn create(&self, path: &Path, bytes: &[u8]) -> Result<(), WriteObstacle> {
        if self.disk.metadata(path).is_ok() {
            return Err(WriteObstacle::Present);
        }
        let staged = self.own_name(path.parent().unwrap_or(Path::new("")), bytes);
        let lock = self.stage(&staged, bytes, FileOwnership::Public)?;
        let linked = self.move_to(&staged, path);
        let _ = self.disk.remove(&staged);
        drop(lock);
        linked?;
        self.sync_name(path);
        Ok(())
    }

    /// Writes a file that no other user may read, replacing an existing one. If another program saves that file at the same
    /// moment, its text stays.
    ///
    /// # Errors
    /// If the existing entry is not a regular file, or it cannot be written.
    pub fn write_private(&self, path: &Path, bytes: &[u8]) -> Result<(), WriteObstacle> {
        let before = match self.disk.metadata(path) {
            Ok(entry) if entry.kind != DiskEntryKind::File => return Err(WriteObstacle::Irregular),
            Ok(_) => Some(self.disk.read(path, TEXT_LIMIT)?),
            Err(_) => None,
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let hashes = (hash(before.as_deref().unwrap_or(bytes)), hash(bytes));
        let staged = self.staged_name(folder, &hashes.0, &hashes.1);
        let lock = self.stage(&staged, bytes, FileOwnership::Private)?;
        let done = match &before {
            None => self.move_to(&staged, path),
            Some(before) => {
                let change = FileReplacement { path, before, after: bytes };
                let one = StagedChange {
                    change,
                    staged: staged.clone(),
                    can_change_places: true,
                    hashes,
                };
                self.force_exchange(&one)
            }
        };
        let is_gone = matches!(done, Err(WriteObstacle::Torn(_)));
        if !is_gone {
            let _ = self.disk.remove(&staged);
        }
        drop(lock);
        done?;
        self.sync_name(path);
        Ok(())
    }

    /// Moves a complete temporary file to its final path, at which nothing may exist.
    fn move_to(&self, staged: &Path, path: &Path) -> Result<(), WriteObstacle> {
        match self.disk.link(staged, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(WriteObstacle::Present),
            Err(_) if self.disk.metadata(path).is_ok() => Err(WriteObstacle::Present),
            // Not every file system supports hard links.
            Err(_) => self.disk.rename(staged, path).map_err(WriteObstacle::from),
            Ok(()) => Ok(()),
        }
    }

    /// Flushes the directory of a new file to the disk, so that the file survives a power failure.
    fn sync_name(&self, path: &Path) {
        // The file exists already; only a power failure could lose it.
        let folder = path.parent().filter(|folder| *folder != OsStr::new(""));
        let _ = self.disk.sync(folder.unwrap_or(Path::new(".")));
    }
}
