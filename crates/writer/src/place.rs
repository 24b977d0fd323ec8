//! Replacement of a single file: by an exchange with the staged text, or by overwriting it if an exchange would change more than
//! its content.

use std::cmp::Ordering;
use std::io::ErrorKind;
use std::path::Path;

use crate::batch::{FileReplacement, StagedChange};
use crate::disk::{DiskAccess, DiskEntryKind};
use crate::stage::{FileOwnership, saved};
use crate::trouble::WriteObstacle;
use crate::{FileWriter, TEXT_LIMIT};

/// The method by which a file was replaced: exchanged with its temporary file, or overwritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WriteOutcome {
    /// The file was exchanged with the staged file.
    Exchanged,
    /// The file was overwritten in place.
    InPlace,
}

impl<D: DiskAccess> FileWriter<D> {
    /// Returns an error unless the content of a file is `before`, the content that was read from it.
    pub(crate) fn compare(&self, path: &Path, before: &[u8]) -> Result<(), WriteObstacle> {
        let entry = self.disk.metadata(path)?;
        if entry.kind != DiskEntryKind::File {
            return Err(WriteObstacle::Changed);
        }
        match entry.length == before.len() as u64 && self.disk.read(path, TEXT_LIMIT)? == before {
            true => Ok(()),
            false => Err(WriteObstacle::Changed),
        }
    }

    /// Replaces the content of a file by that of its temporary file, and returns the method that was used.
    pub(crate) fn put(&self, one: &StagedChange<'_>) -> Result<WriteOutcome, WriteObstacle> {
        let path = one.change.path;
        self.compare(path, one.change.before)?;
        if one.can_change_places {
            match self.disk.exchange(&one.staged, path) {
                Ok(()) => return self.confirm(one).map(|()| WriteOutcome::Exchanged),
                // For example a mounted file, or a file system without exchange.
                Err(error) if error.kind() != ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.write_in_place(one).map(|()| WriteOutcome::InPlace)
    }

    /// Exchanges a file with its temporary file even if that changes its owner, mode or hard links.
    pub(crate) fn force_exchange(&self, one: &StagedChange<'_>) -> Result<(), WriteObstacle> {
        self.compare(one.change.path, one.change.before)?;
        match self.disk.exchange(&one.staged, one.change.path) {
            Ok(()) => self.confirm(one),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(error.into()),
            // Without exchange a gap remains between the check and the rename.
            Err(_) => Ok(self.disk.rename(&one.staged, one.change.path)?),
        }
    }

    /// Checks, after an exchange, that the replaced content is the one that was read; otherwise exchanges back and returns an
    /// error.
    fn confirm(&self, one: &StagedChange<'_>) -> Result<(), WriteObstacle> {
        match self.compare(&one.staged, one.change.before) {
            Ok(()) => Ok(()),
            // A concurrent cleanup has removed the old text.
            Err(_) if self.is_gone(&one.staged) => Ok(()),
            Err(why) => Err(match self.exchange_back(one) {
                Ok(()) => why,
                Err(WriteObstacle::Changed) => WriteObstacle::Changed,
                Err(_) => WriteObstacle::Torn(one.staged.clone()),
            }),
        }
    }

    /// Exchanges a file and its temporary file back. A text that is saved at this moment stays in place, which is an error.
    fn exchange_back(&self, one: &StagedChange<'_>) -> Result<(), WriteObstacle> {
        let path = one.change.path;
        self.disk.exchange(&one.staged, path)?;
        // A text that cannot be read now stays next to the file.
        let is_saved =
            matches!(self.compare(&one.staged, one.change.after), Err(WriteObstacle::Changed));
        if is_saved && !self.is_gone(&one.staged) {
            self.disk.exchange(&one.staged, path)?;
            return Err(WriteObstacle::Changed);
        }
        Ok(())
    }

    /// Returns true if nothing exists at a path.
    fn is_gone(&self, path: &Path) -> bool {
        self.disk.metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
    }

    /// Overwrites a file with its new content after saving a copy of the old content.
    fn write_in_place(&self, one: &StagedChange<'_>) -> Result<(), WriteObstacle> {
        let (path, copy) = (one.change.path, saved(&one.staged));
        let _lock = self.stage(&copy, one.change.before, FileOwnership::Private)?;
        if let Some(folder) = copy.parent() {
            self.disk.sync(folder)?;
        }
        // Creating the copy took time, so the file is compared again.
        self.compare(path, one.change.before)?;
        let written = self.disk.overwrite(path, one.change.after);
        let Err(error) = written.and_then(|()| self.disk.sync(path)) else { return Ok(()) };
        match self.restore(one) {
            Ok(()) => Err(error.into()),
            Err(WriteObstacle::Changed) => Err(WriteObstacle::Changed),
            Err(_) => Err(WriteObstacle::Torn(copy)),
        }
    }

    /// Restores the old content of a file that was overwritten only in part. A text saved meanwhile stays, which is an error.
    fn restore(&self, one: &StagedChange<'_>) -> Result<(), WriteObstacle> {
        let FileReplacement { path, before, after } = one.change;
        let now = self.disk.read(path, TEXT_LIMIT)?;
        if now == before {
            return Ok(());
        }
        if !is_torn(&now, after, before) {
            return Err(WriteObstacle::Changed);
        }
        self.disk.overwrite(path, before)?;
        Ok(self.disk.sync(path)?)
    }

    /// Restores the old content of a file that was replaced by the method `written`. A text saved since then stays, which is an
    /// error.
    pub(crate) fn put_back(
        &self,
        one: &StagedChange<'_>,
        written: WriteOutcome,
    ) -> Result<(), WriteObstacle> {
        let path = one.change.path;
        self.compare(path, one.change.after)?;
        if written == WriteOutcome::Exchanged {
            return self.exchange_back(one);
        }
        self.disk.overwrite(path, one.change.before)?;
        Ok(self.disk.sync(path)?)
    }
}

/// Returns true if a text is a prefix of `over` followed by the rest of `under`, as an aborted write leaves it, or `over` itself.
pub(crate) fn is_torn(text: &[u8], over: &[u8], under: &[u8]) -> bool {
    if text == over {
        return true;
    }
    let same = text.iter().zip(over).take_while(|(a, b)| a == b).count();
    let tail = text.iter().rev().zip(under.iter().rev()).take_while(|(a, b)| a == b).count();
    match text.len().cmp(&under.len()) {
        Ordering::Equal => same + tail >= text.len(),
        Ordering::Greater => same == text.len(),
        Ordering::Less => false,
    }
}
