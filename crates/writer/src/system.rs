//! The disk of the machine, through the operating system. Paths must be without links: a directory that has become a link
//! meanwhile is not followed.

#[cfg(unix)]
mod unlinked;

use std::ffi::OsString;
#[cfg(not(unix))]
use std::fs::OpenOptions;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

#[cfg(unix)]
use rustix::fs::{Mode, OFlags};

use crate::disk::{DiskAccess, DiskEntry, DiskEntryKind, Lock};

/// The disk of the machine, through the operating system.
#[derive(Clone, Copy, Default, Debug)]
pub struct SystemDisk;

/// Opens a file or a directory for reading, without following links on the path.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    unlinked::open(path, OFlags::RDONLY, Mode::empty())
}

/// Opens a file for reading by its whole path, on systems without `openat`.
#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Opens an existing file for writing, without following links on the path.
#[cfg(unix)]
fn open_over(path: &Path) -> io::Result<File> {
    unlinked::open(path, OFlags::WRONLY, Mode::empty())
}

/// Opens an existing file for writing by its whole path, on systems without `openat`.
#[cfg(not(unix))]
fn open_over(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Creates a new file and fails if one exists; with `is_private` no other user may read it.
#[cfg(unix)]
fn open_new(path: &Path, is_private: bool) -> io::Result<File> {
    let mode = if is_private { 0o600 } else { 0o666 };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
    unlinked::open(path, flags, Mode::from_raw_mode(mode))
}

/// Creates a new file and fails if one exists; there are no private files on this system.
#[cfg(not(unix))]
fn open_new(path: &Path, _: bool) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

impl DiskAccess for SystemDisk {
    fn metadata(&self, path: &Path) -> io::Result<DiskEntry> {
        entry_metadata(path)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let file = open(path)?;
        let length = file.metadata()?.len();
        let mut bytes = Vec::with_capacity(usize::try_from(length.min(most)).unwrap_or(0));
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other(format!("it has more than {most} bytes")));
        }
        Ok(bytes)
    }

    fn create(&self, path: &Path, bytes: &[u8], is_private: bool) -> io::Result<()> {
        open_new(path, is_private)?.write_all(bytes)
    }

    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = open_over(path)?;
        // The existing content keeps its space on the disk until the new text is written.
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)
    }

    fn copy_metadata(&self, path: &Path, model: &Path) -> io::Result<()> {
        copy_metadata(path, model)
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        platform::exchange(one, other)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        platform::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        platform::link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        platform::remove(path)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        match open(path)?.sync_all() {
            // Some file systems persist names immediately and have nothing to flush.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
                ) =>
            {
                Ok(())
            }
            done => done,
        }
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let mut names = platform::list(folder)?;
        names.sort();
        Ok(names)
    }

    fn may_write(&self, path: &Path) -> bool {
        platform::may_write(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        let file = open_over(path).or_else(|_| open(path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Box::new(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn temporary(&self) -> PathBuf {
        let folder = std::env::temp_dir();
        fs::canonicalize(&folder).unwrap_or(folder)
    }
}

/// Returns the metadata of the entry at a path: of a link itself, not of the file to which it leads.
#[cfg(unix)]
fn entry_metadata(path: &Path) -> io::Result<DiskEntry> {
    let found = unlinked::stat(path)?;
    let kind = match unlinked::kind(&found) {
        kind if kind.is_file() => DiskEntryKind::File,
        kind if kind.is_dir() => DiskEntryKind::Folder,
        _ => DiskEntryKind::Other,
    };
    let is_own = found.st_uid == rustix::process::geteuid().as_raw();
    #[expect(clippy::useless_conversion, reason = "these are of other sizes on other systems")]
    Ok(DiskEntry {
        kind,
        id: (found.st_dev as u64, found.st_ino.into()),
        length: u64::try_from(found.st_size).unwrap_or(0),
        links: found.st_nlink.into(),
        is_own,
    })
}

/// Returns the metadata of the entry at a path: of a link itself, not of the file to which it leads.
#[cfg(not(unix))]
fn entry_metadata(path: &Path) -> io::Result<DiskEntry> {
    let found = fs::symlink_metadata(path)?;
    let kind = match found.file_type() {
        kind if kind.is_file() => DiskEntryKind::File,
        kind if kind.is_dir() => DiskEntryKind::Folder,
        _ => DiskEntryKind::Other,
    };
    Ok(DiskEntry { kind, id: (0, 0), length: found.len(), links: 1, is_own: true })
}

#[cfg(unix)]
use unlinked as platform;

#[cfg(not(unix))]
mod platform {
    //! The operations by whole paths, for systems without `openat`.

    use std::ffi::OsString;
    use std::fs::{self, OpenOptions};
    use std::io;
    use std::path::Path;

    pub(super) use fs::{hard_link as link, remove_file as remove, rename};

    /// Returns an error, because the system cannot exchange files.
    pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns the names in a directory.
    pub(super) fn list(folder: &Path) -> io::Result<Vec<OsString>> {
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
    }

    /// Returns true if a path is a directory, or a file without write protection.
    pub(super) fn may_write(path: &Path) -> bool {
        path.is_dir() || OpenOptions::new().write(true).open(path).is_ok()
    }
}

/// Sets the owner, mode and extended attributes of a file to those of `model`: the owner first, because that may clear mode bits;
/// the attributes last, because some extend the mode.
#[cfg(unix)]
fn copy_metadata(path: &Path, model: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let (file, model) = (open(path)?, open(model)?);
    let (own, wanted) = (file.metadata()?, model.metadata()?);
    let user = (own.uid() != wanted.uid()).then(|| wanted.uid());
    let group = (own.gid() != wanted.gid()).then(|| wanted.gid());
    if user.is_some() || group.is_some() {
        fchown(&file, user, group)?;
    }
    file.set_permissions(wanted.permissions())?;
    copy_attributes(&file, &model)
}

/// Sets the permissions of a file to those of `model`; there are no owners on this system.
#[cfg(not(unix))]
fn copy_metadata(path: &Path, model: &Path) -> io::Result<()> {
    fs::set_permissions(path, fs::metadata(model)?.permissions())
}

/// Sets the extended attributes of a file to those of `model`.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn copy_attributes(file: &File, model: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    use rustix::io::Errno;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    /// Maximum size in bytes of an extended attribute that is copied; no system allows more.
    const MAX_BYTES: usize = 64 << 10;
    let mut room = vec![0; MAX_BYTES];
    let length = match flistxattr(model, &mut room[..]) {
        Ok(length) => length,
        Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for name in room[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let name = OsStr::from_bytes(name);
        let value = |file: &File| {
            let mut room = vec![0; MAX_BYTES];
            fgetxattr(file, name, &mut room[..]).map(|length| room[..length].to_vec())
        };
        let wanted = value(model)?;
        if value(file).ok().as_ref() != Some(&wanted) {
            fsetxattr(file, name, &wanted, XattrFlags::empty())?;
        }
    }
    Ok(())
}

/// Does nothing, because the system has no extended attributes.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
fn copy_attributes(_: &File, _: &File) -> io::Result<()> {
    Ok(())
}
