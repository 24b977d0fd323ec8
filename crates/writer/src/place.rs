//! One file that gets its new text: by changing places with it, or written in place where that cannot keep what it is.

use std::cmp::Ordering;
use std::io::ErrorKind;
use std::path::Path;

use crate::batch::{FileReplacement, StagedChange};
use crate::disk::{DiskAccess, DiskEntryKind};
use crate::stage::{FileOwnership, saved};
use crate::trouble::WriteObstacle;
use crate::{FileWriter, TEXT_LIMIT};

/// The way in which a file was replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WriteOutcome {
    /// It changed places with what lay beside it.
    Exchanged,
    /// It was written in place.
    InPlace,
}

impl<D: DiskAccess> FileWriter<D> {
    /// Checks that a file still holds the text that was read from it.
    pub(crate) fn compare(&self, path: &Path, before: &[u8]) -> Result<(), WriteObstacle> {
        let entry = self.disk.look(path)?;
        if entry.kind != DiskEntryKind::File {
            return Err(WriteObstacle::Changed);
        }
        match entry.length == before.len() as u64 && self.disk.read(path, TEXT_LIMIT)? == before {
            true => Ok(()),
            false => Err(WriteObstacle::Changed),
        }
    }

    /// Gives a file its new text, which is staged.
    pub(crate) fn put(&self, one: &StagedChange<'_>) -> Result<WriteOutcome, WriteObstacle> {
        let path = one.change.path;
        self.compare(path, one.change.before)?;
        if one.can_change_places {
            match self.disk.exchange(&one.staged, path) {
                Ok(()) => return self.confirm(one).map(|()| WriteOutcome::Exchanged),
                // Such as a file that is mounted, or a disk that knows no such thing.
                Err(error) if error.kind() != ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.write_in_place(one).map(|()| WriteOutcome::InPlace)
    }

    /// Lets what is staged take the place of a file, whatever else the file is to others.
    pub(crate) fn take_place(&self, one: &StagedChange<'_>) -> Result<(), WriteObstacle> {
        self.compare(one.change.path, one.change.before)?;
        match self.disk.exchange(&one.staged, one.change.path) {
            Ok(()) => self.confirm(one),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(error.into()),
            // A disk that knows no such thing: a gap stays between the look and this.
            Err(_) => Ok(self.disk.rename(&one.staged, one.change.path)?),
        }
    }

    /// Checks that the replaced text is the text that was read; if not, restores it.
    fn confirm(&self, one: &StagedChange<'_>) -> Result<(), WriteObstacle> {
        match self.compare(&one.staged, one.change.before) {
            Ok(()) => Ok(()),
            // A sweep takes away what its name tells, and nothing else.
            Err(_) if self.is_gone(&one.staged) => Ok(()),
            Err(why) => Err(match self.exchange_back(one) {
                Ok(()) => why,
                Err(WriteObstacle::Changed) => WriteObstacle::Changed,
                Err(_) => WriteObstacle::Torn(one.staged.clone()),
            }),
        }
    }

    /// Lets a file and what was staged change places again, unless a save comes at this moment: that stays.
    fn exchange_back(&self, one: &StagedChange<'_>) -> Result<(), WriteObstacle> {
        let path = one.change.path;
        self.disk.exchange(&one.staged, path)?;
        // What cannot be read now stays beside the file.
        let is_saved =
            matches!(self.compare(&one.staged, one.change.after), Err(WriteObstacle::Changed));
        if is_saved && !self.is_gone(&one.staged) {
            self.disk.exchange(&one.staged, path)?;
            return Err(WriteObstacle::Changed);
        }
        Ok(())
    }

    fn is_gone(&self, path: &Path) -> bool {
        self.disk.look(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
    }

    fn write_in_place(&self, one: &StagedChange<'_>) -> Result<(), WriteObstacle> {
        let (path, copy) = (one.change.path, saved(&one.staged));
        let _lock = self.stage(&copy, one.change.before, FileOwnership::Private)?;
        if let Some(folder) = copy.parent() {
            self.disk.sync(folder)?;
        }
        // To make the copy took its time.
        self.compare(path, one.change.before)?;
        let written = self.disk.overwrite(path, one.change.after);
        let Err(error) = written.and_then(|()| self.disk.sync(path)) else { return Ok(()) };
        match self.restore(one) {
            Ok(()) => Err(error.into()),
            Err(WriteObstacle::Changed) => Err(WriteObstacle::Changed),
            Err(_) => Err(WriteObstacle::Torn(copy)),
        }
    }

    /// Gives a file its old text again whose new one is not there whole. What was saved meanwhile stays.
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

    /// Restores the old text of a file. A file that was saved since stays as it is, which is an error.
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

/// Returns true if a text is the beginning of one and the rest of another, as a write leaves it that was ended; or the
/// first of them.
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
