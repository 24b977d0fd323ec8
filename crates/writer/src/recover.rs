//! Recovery from aborted runs: files of which some have their new text and some do not, and temporary files.
//!
//! A journal may come with untrusted code, so nothing in it is trusted. It must belong to the user; it may name files below its
//! own directory only, none hidden and without links on the path; a file is written only if it has a text with the named hash,
//! and only with a text with the named hash, or with a third one that was saved at the moment of the abort and exchanged with the
//! file.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::disk::{DiskAccess, DiskEntryKind};
use crate::journal::{JOURNAL, Journal, JournalLine, MAX_BYTES};
use crate::place::is_torn;
use crate::stage::{Hash, hash, part, saved};
use crate::{FileWriter, TEXT_LIMIT};

/// The result of following a journal: files restored, nothing to restore, or the reason why the journal stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecoveryOutcome {
    /// No file had its new text, or all files had it.
    Cleared,
    /// The files have their old texts again, except those in `left`.
    Undone,
    /// A file could not be written, so the journal stays.
    Failed,
    /// The run is still active.
    Busy,
    /// The journal cannot be followed, and stays.
    Foreign,
}

/// A journal of an aborted run, with the result of restoring its files.
#[derive(Clone, Debug)]
pub struct JournalRecovery {
    /// The path of the journal.
    pub journal: PathBuf,
    /// The result of the recovery.
    pub outcome: RecoveryOutcome,
    /// Files whose old texts were restored.
    pub undone: Vec<PathBuf>,
    /// Files that have neither text or could not be written, left unchanged.
    pub left: Vec<PathBuf>,
}

/// The content of a file that a journal names, compared with the journal: the old content, the new one, a mix or another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeldContent {
    Before,
    After,
    /// A mix of the new and the old text, as an aborted write leaves it.
    Torn,
    /// Another text; `was_written` if the file had its new text before.
    Other {
        was_written: bool,
    },
}

impl<D: DiskAccess> FileWriter<D> {
    /// Returns the paths of the journals that aborted runs left in a directory and those above it.
    pub fn journals(&self, folder: &Path) -> Vec<PathBuf> {
        let is_one = |path: &PathBuf| {
            let found = self.disk.metadata(path);
            found.is_ok_and(|found| found.is_own && found.kind == DiskEntryKind::File)
                && !matches!(self.disk.lock(path), Ok(None))
        };
        folder.ancestors().map(|folder| folder.join(JOURNAL)).filter(is_one).collect()
    }

    /// Restores files in and below a directory after aborted runs, removes temporary files from it, and returns the result for
    /// each journal in it and above it. Each directory is recovered once.
    pub fn recover(&self, folder: &Path) -> Vec<JournalRecovery> {
        // A second caller waits until the recovery is complete.
        let mut seen = self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if seen.contains(folder) {
            return Vec::new();
        }
        let mut all = Vec::new();
        for above in folder.ancestors() {
            let journal = above.join(JOURNAL);
            if (above == folder || !seen.contains(above))
                && let Some(one) = self.follow(&journal)
            {
                all.push(one);
            }
        }
        // A temporary file may belong to a journal that is followed later.
        if folder.ancestors().all(|above| self.disk.metadata(&above.join(JOURNAL)).is_err()) {
            self.sweep(folder);
        }
        seen.extend(folder.ancestors().take(1).map(Path::to_owned));
        all
    }

    /// Restores the files that a journal names and removes the journal; `None` if it does not exist.
    fn follow(&self, journal: &Path) -> Option<JournalRecovery> {
        let found = self.disk.metadata(journal).ok()?;
        let told = |outcome| JournalRecovery {
            journal: journal.to_owned(),
            outcome,
            undone: Vec::new(),
            left: Vec::new(),
        };
        if found.kind != DiskEntryKind::File || !found.is_own || found.length > MAX_BYTES {
            return Some(told(RecoveryOutcome::Foreign));
        }
        // Without locks the run counts as aborted; the comparisons protect it.
        let lock = self.disk.lock(journal);
        if matches!(lock, Ok(None)) {
            return Some(told(RecoveryOutcome::Busy));
        }
        // It may have been replaced meanwhile.
        let is_same =
            |journal: &Path| self.disk.metadata(journal).is_ok_and(|now| now.id == found.id);
        if !is_same(journal) {
            return None;
        }
        let bytes = self.disk.read(journal, MAX_BYTES).ok()?;
        if !is_same(journal) {
            return None;
        }
        let Some(read) = Journal::read(&bytes) else { return Some(told(RecoveryOutcome::Foreign)) };
        let folder = journal.parent()?;
        let done = self.undo(folder, &read.lines, told(RecoveryOutcome::Cleared));
        if done.outcome != RecoveryOutcome::Failed && self.end_journal(journal).is_ok() {
            for line in &read.lines {
                self.clear_line(folder, line);
            }
        }
        drop(lock);
        Some(done)
    }

    /// Restores the old contents of the files in the entries of a journal, with paths relative to `folder`, unless all or none
    /// have their new contents; returns `done`, the result of following the journal so far, with the outcome and the files.
    fn undo(
        &self,
        folder: &Path,
        lines: &[JournalLine],
        mut done: JournalRecovery,
    ) -> JournalRecovery {
        let held = lines.iter().map(|line| self.content_of(folder, line)).collect();
        let held: io::Result<Vec<HeldContent>> = held;
        // After a disk error the state is unknown.
        let Ok(held) = held else {
            return JournalRecovery { outcome: RecoveryOutcome::Failed, ..done };
        };
        let is_begun = held.iter().any(|one| matches!(one, HeldContent::After | HeldContent::Torn));
        let is_pending = |one: &HeldContent| {
            matches!(
                one,
                HeldContent::Before | HeldContent::Torn | HeldContent::Other { was_written: false }
            )
        };
        if !is_begun || !held.iter().any(is_pending) {
            return done;
        }
        done.outcome = RecoveryOutcome::Undone;
        for (line, held) in lines.iter().zip(held) {
            let path = folder.join(&line.path);
            match held {
                HeldContent::Before => {}
                HeldContent::Other { .. } => done.left.push(path),
                HeldContent::After | HeldContent::Torn => {
                    match self.restore_old(folder, line, held) {
                        Ok(true) => done.undone.push(path),
                        Ok(false) => done.left.push(path),
                        Err(_) => {
                            done.outcome = RecoveryOutcome::Failed;
                            done.left.push(path);
                        }
                    }
                }
            }
        }
        let folders: BTreeSet<PathBuf> =
            done.undone.iter().filter_map(|path| path.parent()).map(Path::to_owned).collect();
        for above in folders {
            if self.disk.may_write(&above) && self.disk.sync(&above).is_err() {
                done.outcome = RecoveryOutcome::Failed;
            }
        }
        done
    }

    /// Returns the content of a file at a path relative to a journal's directory; `None` if the path does not lead to a regular
    /// file without links.
    fn text(&self, folder: &Path, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let whole = folder.join(path);
        let read = || {
            let (Some(above), Some(below)) = (whole.parent(), path.parent()) else {
                return Ok(None);
            };
            let is_plain = self.disk.real(above)? == self.disk.real(folder)?.join(below);
            let entry = self.disk.metadata(&whole)?;
            if !is_plain || entry.kind != DiskEntryKind::File || entry.length > TEXT_LIMIT {
                return Ok(None);
            }
            self.disk.read(&whole, TEXT_LIMIT).map(Some)
        };
        match read() {
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                Ok(None)
            }
            read => read,
        }
    }

    /// Returns the hash of a file at a path relative to a journal's directory; `None` if the path does not lead to a regular file
    /// without links.
    fn hash_at(&self, folder: &Path, path: &Path) -> io::Result<Option<Hash>> {
        Ok(self.text(folder, path)?.map(|text| hash(&text)))
    }

    /// Compares the content of a file with the old and the new content in its journal entry `line`, whose paths are relative to
    /// `folder`.
    fn content_of(&self, folder: &Path, line: &JournalLine) -> io::Result<HeldContent> {
        let staged = self.text(folder, &line.staged)?;
        let staged_hash = staged.as_deref().map(hash);
        let other = HeldContent::Other { was_written: staged_hash == Some(line.before) };
        let Some(text) = self.text(folder, &line.path)? else { return Ok(other) };
        let now = hash(&text);
        if now == line.before {
            return Ok(HeldContent::Before);
        }
        if now == line.after {
            return Ok(HeldContent::After);
        }
        let copy = self.text(folder, &saved(&line.staged))?;
        if let (Some(after), Some(before)) = (staged, copy)
            && staged_hash == Some(line.after)
            && hash(&before) == line.before
            && (is_torn(&text, &after, &before) || is_torn(&text, &before, &after))
        {
            return Ok(HeldContent::Torn);
        }
        Ok(other)
    }

    /// Restores the old content of the file in the journal entry `line`, with a path relative to `folder`, which now has the
    /// content `held`, from its temporary file or saved copy; returns true if the file has the old content afterwards.
    fn restore_old(
        &self,
        folder: &Path,
        line: &JournalLine,
        held: HeldContent,
    ) -> io::Result<bool> {
        let (path, staged) = (folder.join(&line.path), folder.join(&line.staged));
        let beside = self.hash_at(folder, &line.staged)?;
        let has_changed_places = beside.is_some_and(|beside| beside != line.after);
        if held == HeldContent::After && has_changed_places && staged.parent() == path.parent() {
            if !self.disk.metadata(&staged)?.is_own {
                return Ok(false);
            }
            self.disk.exchange(&staged, &path)?;
            if self.hash_at(folder, &line.staged)?.is_some_and(|hash| hash != line.after) {
                // The file was saved at this moment.
                self.disk.exchange(&staged, &path)?;
                return Ok(false);
            }
            // A third text next to it was saved when the run was aborted.
            return Ok(beside == Some(line.before));
        }
        let copy = saved(&line.staged);
        let Some(before) = self.text(folder, &copy)? else { return Ok(false) };
        let is_own = self.disk.metadata(&folder.join(copy))?.is_own;
        if hash(&before) != line.before || !is_own || self.content_of(folder, line)? != held {
            return Ok(false);
        }
        self.disk.overwrite(&path, &before).and_then(|()| self.disk.sync(&path))?;
        Ok(true)
    }

    /// Removes the temporary file and the saved copy of a journal entry, if they have a content that the entry names; its paths
    /// are relative to `folder`.
    fn clear_line(&self, folder: &Path, line: &JournalLine) {
        for path in [line.staged.clone(), saved(&line.staged)] {
            let held = self.hash_at(folder, &path).ok().flatten();
            if held.is_some_and(|held| held == line.before || held == line.after) {
                let _ = self.disk.remove(&folder.join(&path));
            }
            // An incomplete text belongs to no active run.
            let part = part(&path);
            let is_own = |path: &Path| self.disk.metadata(path).is_ok_and(|entry| entry.is_own);
            if self.text(folder, &part).is_ok_and(|text| text.is_some())
                && is_own(&folder.join(&part))
            {
                let _ = self.disk.remove(&folder.join(part));
            }
        }
    }
}
