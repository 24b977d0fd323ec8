//! File operations that open one directory after the other, so that none of them is a link. A path that was checked leads to what
//! was checked, or nowhere: a link put in the place of a directory meanwhile is an error.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::{Component, Path};

use rustix::fs::{
    Access, AtFlags, CWD, Dir, Mode, OFlags, Stat, accessat, linkat, openat, renameat, statat,
    unlinkat,
};

/// The flags for opening the directories on a path, for which search permission suffices.
#[cfg(any(target_os = "linux", target_os = "android"))]
const PASSING: OFlags = OFlags::PATH;
/// The flags for opening the directories on a path, for which read permission is required.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const PASSING: OFlags = OFlags::RDONLY;

/// The flags of every opened path: no link is followed, and child processes do not inherit the descriptor.
const PLAIN: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC);
/// The flags for opening a file without blocking on a pipe and without a terminal becoming the controlling one.
const FILE: OFlags = OFlags::NONBLOCK.union(OFlags::NOCTTY);

/// A directory entry, given by its open directory and its name.
struct DirectoryEntry<'p> {
    folder: OwnedFd,
    name: &'p OsStr,
}

impl<'p> DirectoryEntry<'p> {
    /// Opens the directories on a path one by one, following no link, and returns the entry at the end of the path.
    fn at(path: &'p Path) -> io::Result<DirectoryEntry<'p>> {
        let folder = |at: Option<&OwnedFd>, name: &OsStr| -> io::Result<OwnedFd> {
            let flags = PASSING | OFlags::DIRECTORY | PLAIN;
            Ok(match at {
                Some(at) => openat(at, name, flags, Mode::empty()),
                None => openat(CWD, name, flags, Mode::empty()),
            }?)
        };
        let start = if path.is_absolute() { "/" } else { "." };
        let mut entry =
            DirectoryEntry { folder: folder(None, OsStr::new(start))?, name: OsStr::new(".") };
        let mut is_first = true;
        for part in path.components() {
            match part {
                Component::RootDir | Component::CurDir => {}
                Component::Normal(name) => {
                    if !is_first {
                        entry.folder = folder(Some(&entry.folder), entry.name)?;
                    }
                    (entry.name, is_first) = (name, false);
                }
                // A path without links contains no `..`.
                Component::ParentDir | Component::Prefix(_) => {
                    return Err(ErrorKind::InvalidInput.into());
                }
            }
        }
        Ok(entry)
    }
}

/// Opens a file or a directory with the given flags and mode, without following links on the path.
pub(crate) fn open(path: &Path, flags: OFlags, mode: Mode) -> io::Result<File> {
    let entry = DirectoryEntry::at(path)?;
    Ok(File::from(openat(&entry.folder, entry.name, flags | FILE | PLAIN, mode)?))
}

/// Returns the metadata of the entry at a path, without following links on the path; of a link at its end, its own.
pub(crate) fn stat(path: &Path) -> io::Result<Stat> {
    let entry = DirectoryEntry::at(path)?;
    Ok(statat(&entry.folder, entry.name, AtFlags::SYMLINK_NOFOLLOW)?)
}

/// Renames a file, replacing an existing one, without following links on either path.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let (from, to) = (DirectoryEntry::at(from)?, DirectoryEntry::at(to)?);
    Ok(renameat(&from.folder, from.name, &to.folder, to.name)?)
}

/// Exchanges two files in one atomic step, without following links on either path.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{RenameFlags, renameat_with};
    let (one, other) = (DirectoryEntry::at(one)?, DirectoryEntry::at(other)?);
    let flags = RenameFlags::EXCHANGE;
    Ok(renameat_with(&one.folder, one.name, &other.folder, other.name, flags)?)
}

/// Returns an error, because this system cannot exchange files.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(crate) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Creates the hard link `to` to the file `from`, without following links on either path.
pub(crate) fn link(from: &Path, to: &Path) -> io::Result<()> {
    let (from, to) = (DirectoryEntry::at(from)?, DirectoryEntry::at(to)?);
    Ok(linkat(&from.folder, from.name, &to.folder, to.name, AtFlags::empty())?)
}

/// Removes a file, or a link itself, without following links on the path.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let entry = DirectoryEntry::at(path)?;
    Ok(unlinkat(&entry.folder, entry.name, AtFlags::empty())?)
}

/// Returns the names of the entries in a directory, without following links on the path.
pub(crate) fn list(path: &Path) -> io::Result<Vec<OsString>> {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = open(path, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty())?;
    let mut names = Vec::new();
    for entry in Dir::read_from(&folder)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if !matches!(name, b"." | b"..") {
            names.push(OsStr::from_bytes(name).to_owned());
        }
    }
    Ok(names)
}

/// Returns true if files can be created in a directory, or a file can be written, at a path without links.
pub(crate) fn may_write(path: &Path) -> bool {
    let asked = || {
        let is_folder = kind(&stat(path)?).is_dir();
        let wanted = match is_folder {
            true => Access::WRITE_OK | Access::EXEC_OK,
            false => Access::WRITE_OK,
        };
        let entry = DirectoryEntry::at(path)?;
        // The effective user, if the system can check it.
        io::Result::Ok(accessat(&entry.folder, entry.name, wanted, AtFlags::empty())?)
    };
    asked().is_ok()
}

/// Returns the type of a file, such as a directory, from its metadata.
pub(crate) fn kind(found: &Stat) -> rustix::fs::FileType {
    rustix::fs::FileType::from_raw_mode(found.st_mode)
}
