//! One file that gets its new text: by changing places with it, or written in place where that cannot keep what it is.

use std::cmp::Ordering;
use std::io::ErrorKind;
use std::path::Path;

use crate::batch::{Replacement, Staged};
use crate::disk::{Disk, Kind};
use crate::stage::{Manner, saved};
use crate::trouble::Obstacle;
use crate::{TEXT_LIMIT, Writer};

/// What was done to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Written {
    /// It changed places with what lay beside it.
    Exchanged,
    /// It was written in place.
    InPlace,
}

impl<D: Disk> Writer<D> {
    /// That a file holds what was read of it.
    pub(crate) fn compare(&self, path: &Path, before: &[u8]) -> Result<(), Obstacle> {
        let entry = self.disk.look(path)?;
        if entry.kind != Kind::File {
            return Err(Obstacle::Changed);
        }
        match entry.length == before.len() as u64 && self.disk.read(path, TEXT_LIMIT)? == before {
            true => Ok(()),
            false => Err(Obstacle::Changed),
        }
    }

    /// Gives a file its new text, which is staged.
    pub(crate) fn put(&self, one: &Staged<'_>) -> Result<Written, Obstacle> {
        let path = one.change.path;
        self.compare(path, one.change.before)?;
        if one.can_change_places {
            match self.disk.exchange(&one.staged, path) {
                Ok(()) => return self.confirm(one).map(|()| Written::Exchanged),
                // Such as a file that is mounted, or a disk that knows no such thing.
                Err(error) if error.kind() != ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.write_in_place(one).map(|()| Written::InPlace)
    }

    /// Lets what is staged take the place of a file, whatever else the file is to others.
    pub(crate) fn take_place(&self, one: &Staged<'_>) -> Result<(), Obstacle> {
        self.compare(one.change.path, one.change.before)?;
        match self.disk.exchange(&one.staged, one.change.path) {
            Ok(()) => self.confirm(one),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(error.into()),
            // A disk that knows no such thing: a gap stays between the look and this.
            Err(_) => Ok(self.disk.rename(&one.staged, one.change.path)?),
        }
    }

    /// That what was replaced is what was read; else it goes back.
    fn confirm(&self, one: &Staged<'_>) -> Result<(), Obstacle> {
        match self.compare(&one.staged, one.change.before) {
            Ok(()) => Ok(()),
            // Whoever sweeps takes away what its name tells, and nothing else.
            Err(_) if self.is_gone(&one.staged) => Ok(()),
            Err(why) => Err(match self.exchange_back(one) {
                Ok(()) => why,
                Err(Obstacle::Changed) => Obstacle::Changed,
                Err(_) => Obstacle::Torn(one.staged.clone()),
            }),
        }
    }

    /// Lets a file and what was staged change places again, unless somebody saves it at this moment: that stays.
    fn exchange_back(&self, one: &Staged<'_>) -> Result<(), Obstacle> {
        let path = one.change.path;
        self.disk.exchange(&one.staged, path)?;
        // What cannot be read now stays beside the file.
        let is_saved =
            matches!(self.compare(&one.staged, one.change.after), Err(Obstacle::Changed));
        if is_saved && !self.is_gone(&one.staged) {
            self.disk.exchange(&one.staged, path)?;
            return Err(Obstacle::Changed);
        }
        Ok(())
    }

    fn is_gone(&self, path: &Path) -> bool {
        self.disk.look(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
    }

    fn write_in_place(&self, one: &Staged<'_>) -> Result<(), Obstacle> {
        let (path, copy) = (one.change.path, saved(&one.staged));
        let _lock = self.stage(&copy, one.change.before, Manner::Private)?;
        if let Some(folder) = copy.parent() {
            self.disk.sync(folder)?;
        }
        // To make the copy took its time.
        self.compare(path, one.change.before)?;
        let written = self.disk.overwrite(path, one.change.after);
        let Err(error) = written.and_then(|()| self.disk.sync(path)) else { return Ok(()) };
        match self.restore(one) {
            Ok(()) => Err(error.into()),
            Err(Obstacle::Changed) => Err(Obstacle::Changed),
            Err(_) => Err(Obstacle::Torn(copy)),
        }
    }

    /// Gives a file its old text again whose new one is not there whole. What somebody has saved meanwhile stays.
    fn restore(&self, one: &Staged<'_>) -> Result<(), Obstacle> {
        let Replacement { path, before, after } = one.change;
        let now = self.disk.read(path, TEXT_LIMIT)?;
        if now == before {
            return Ok(());
        }
        if !is_torn(&now, after, before) {
            return Err(Obstacle::Changed);
        }
        self.disk.overwrite(path, before)?;
        Ok(self.disk.sync(path)?)
    }

    /// Gives a file its old text again. One that somebody has saved since stays as it is, which is an error.
    pub(crate) fn put_back(&self, one: &Staged<'_>, written: Written) -> Result<(), Obstacle> {
        let path = one.change.path;
        self.compare(path, one.change.after)?;
        if written == Written::Exchanged {
            return self.exchange_back(one);
        }
        self.disk.overwrite(path, one.change.before)?;
        Ok(self.disk.sync(path)?)
    }
}

/// Whether a text is the beginning of one and the rest of another, as a write leaves it that was ended; or the first of them.
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
