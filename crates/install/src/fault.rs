//! Points at which an installation changes the modules directory. In this crate's tests a run can be ended at any of them, as if
//! it were killed: it changes nothing afterwards.

use std::io;

/// The implementation of disk access with which the manifest of installed modules is written: that of the system.
#[cfg(not(test))]
pub(crate) type ListDisk = groma_writer::SystemDisk;
/// The implementation of disk access with which the manifest of installed modules is written: tests can end a run at any change.
#[cfg(test)]
pub(crate) type ListDisk = tests::EndingDisk;

/// Marks a place in the code at which a test can interrupt an installation; outside of tests always `Ok`.
#[cfg(not(test))]
#[expect(clippy::unnecessary_wraps, reason = "in tests it may end")]
pub(crate) fn point() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(crate) use tests::point;

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use groma_writer::{DiskAccess, DiskEntry, Lock, SystemDisk};

    use super::*;

    thread_local! {
        /// The number of further calls of [`point`] that succeed on this thread, before an installation is interrupted.
        static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Interrupts the next installation on this thread, as if it were killed: the given number of calls of [`point`] succeed.
    pub(crate) fn end_after(points: usize) {
        LEFT.set(points);
    }

    /// Marks a place in the code at which a test can interrupt an installation; an error if it is interrupted here.
    pub(crate) fn point() -> io::Result<()> {
        match LEFT.get().checked_sub(1) {
            Some(left) => {
                LEFT.set(left);
                Ok(())
            }
            None => Err(io::Error::other("the run was ended")),
        }
    }

    /// Returns true if the number of calls of [`point`] that succeed is used up, so that the installation was interrupted.
    pub(crate) fn is_ended() -> bool {
        LEFT.get() == 0
    }

    /// The disk of the machine, with an interruption possible before each change, and amid the creation of a file, of which half
    /// the bytes are then written.
    #[derive(Clone, Copy, Default, Debug)]
    pub(crate) struct EndingDisk(SystemDisk);

    impl DiskAccess for EndingDisk {
        fn metadata(&self, path: &Path) -> io::Result<DiskEntry> {
            self.0.metadata(path)
        }
        fn real(&self, path: &Path) -> io::Result<PathBuf> {
            self.0.real(path)
        }
        fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
            self.0.read(path, most)
        }
        fn create(&self, path: &Path, bytes: &[u8], is_private: bool) -> io::Result<()> {
            point()?;
            let half = &bytes[..bytes.len() / 2];
            if point().is_err() {
                self.0.create(path, half, is_private)?;
                return point();
            }
            self.0.create(path, bytes, is_private)
        }
        fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            point()?;
            self.0.overwrite(path, bytes)
        }
        fn copy_metadata(&self, path: &Path, model: &Path) -> io::Result<()> {
            point()?;
            self.0.copy_metadata(path, model)
        }
        fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
            point()?;
            self.0.exchange(one, other)
        }
        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            point()?;
            self.0.rename(from, to)
        }
        fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
            point()?;
            self.0.link(from, to)
        }
        fn remove(&self, path: &Path) -> io::Result<()> {
            point()?;
            self.0.remove(path)
        }
        fn sync(&self, path: &Path) -> io::Result<()> {
            self.0.sync(path)
        }
        fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
            self.0.list(folder)
        }
        fn may_write(&self, path: &Path) -> bool {
            self.0.may_write(path)
        }
        fn lock(&self, path: &Path) -> io::Result<Option<Lock>> {
            self.0.lock(path)
        }
        fn temporary(&self) -> PathBuf {
            self.0.temporary()
        }
    }
}
