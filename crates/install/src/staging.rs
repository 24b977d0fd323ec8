//! Staging directory in which packages are completed before they are moved next to the modules by a rename, so that a failure
//! changes nothing. One run at a time uses it, and removes what earlier runs left.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::archive::make_link;
use crate::fault::point;

/// Prefix of the names of staging directories in the modules directory.
const PREFIX: &str = ".groma-";
/// Prefix of the names of temporary manifests that earlier versions of this program wrote.
const OLDER_LIST: &str = ".modules-";

/// A lock that keeps other runs from changing the modules directory.
pub(crate) struct FolderLock {
    _lock: Option<File>,
    /// True if another run had to be waited for.
    pub(crate) has_waited: bool,
}

/// Creates the modules directory and those above it up to `within`, locks it, after a call of `waits` if it has to wait for
/// another run, and removes what aborted runs left in it.
pub(crate) fn hold(modules: &Path, within: &Path, waits: impl FnOnce()) -> io::Result<FolderLock> {
    fs::create_dir_all(within)?;
    make_folders(modules, within)?;
    // The directory itself is locked, so that no lock file remains.
    let lock = File::open(modules).ok();
    let mut has_waited = false;
    let is_held = match lock.as_ref().map(File::try_lock) {
        Some(Ok(())) => true,
        Some(Err(TryLockError::WouldBlock)) => {
            has_waited = true;
            waits();
            lock.as_ref().is_some_and(|lock| lock.lock().is_ok())
        }
        // Not every file system supports locks.
        Some(Err(TryLockError::Error(_))) | None => false,
    };
    if is_held {
        sweep(modules)?;
    }
    Ok(FolderLock { _lock: lock.filter(|_| is_held), has_waited })
}

/// Creates the modules directory and those above it up to `within`; none may be a link, so that modules end up where they are
/// expected.
fn make_folders(modules: &Path, within: &Path) -> io::Result<()> {
    let mut at = within.to_owned();
    for part in modules.strip_prefix(within).unwrap_or(modules).components() {
        let Component::Normal(part) = part else { continue };
        at.push(part);
        match fs::symlink_metadata(&at) {
            Ok(found) if found.is_dir() => {}
            Ok(found) => {
                let what = if found.is_symlink() { "a link" } else { "no folder" };
                return Err(io::Error::other(format!("{} is {what}", at.display())));
            }
            Err(why) if why.kind() == ErrorKind::NotFound => match fs::create_dir(&at) {
                Err(why) if why.kind() != ErrorKind::AlreadyExists => return Err(why),
                _ => {}
            },
            Err(why) => return Err(why),
        }
    }
    Ok(())
}

/// Removes the staging directories and temporary manifests of aborted runs from the modules directory.
fn sweep(modules: &Path) -> io::Result<()> {
    for entry in fs::read_dir(modules)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Other files with this prefix belong to the file writer, which cleans up itself.
        let is_staging = name.starts_with(PREFIX) && !entry.file_type()?.is_file();
        if is_staging || name.starts_with(OLDER_LIST) {
            point()?;
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes a file, a link or a directory with its contents.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path)?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}

/// A directory in which packages are completed before they are moved to the directories of their modules; removed when dropped.
pub(crate) struct StagingFolder {
    folder: PathBuf,
    next: AtomicUsize,
}

impl StagingFolder {
    /// Creates a staging directory in the modules directory, which exists.
    pub(crate) fn in_folder(modules: &Path) -> io::Result<StagingFolder> {
        let folder = modules.join(format!("{PREFIX}{}", std::process::id()));
        if fs::symlink_metadata(&folder).is_ok() {
            remove(&folder)?;
        }
        point()?;
        fs::create_dir(&folder)?;
        Ok(StagingFolder { folder, next: AtomicUsize::new(0) })
    }

    /// Returns a path in the staging directory that is not used yet.
    pub(crate) fn fresh(&self) -> PathBuf {
        self.folder.join(self.next.fetch_add(1, Ordering::Relaxed).to_string())
    }

    /// Copies the directory `package` to `place`; what was there is removed only when the copy is complete.
    pub(crate) fn put(&self, package: &Path, place: &Path) -> io::Result<()> {
        let whole = self.fresh();
        point()?;
        copy(package, &whole)?;
        if fs::symlink_metadata(place).is_ok() {
            point()?;
            fs::rename(place, self.fresh())?;
        }
        point()?;
        fs::rename(whole, place)
    }
}

impl Drop for StagingFolder {
    fn drop(&mut self) {
        // Leftovers do no harm: the next run removes them.
        if point().is_err() {
            return;
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Copies a directory with its contents; links are copied as links.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut waiting = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = waiting.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let (path, place) = (entry.path(), to.join(entry.file_name()));
            let kind = entry.file_type()?;
            if kind.is_symlink() {
                make_link(&fs::read_link(&path)?, &place)?;
            } else if kind.is_dir() {
                waiting.push((path, place));
            } else {
                fs::copy(&path, &place)?;
            }
        }
    }
    Ok(())
}
