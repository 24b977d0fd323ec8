//! The folder in which what is brought waits until it is whole. It lies beside the modules, so that taking a place is a
//! rename; what goes wrong before leaves everything as it was. One run at a time works there: what another one left lies
//! there no more once another run begins.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::archive::make_link;
use crate::fault::point;

/// The beginning of the names of folders that are not whole yet.
const PREFIX: &str = ".groma-";
/// The same of lists of modules, as earlier editions of this program wrote them.
const OLDER_LIST: &str = ".modules-";

/// The folder of modules, which no other run changes for as long as this is held.
pub(crate) struct FolderLock {
    _lock: Option<File>,
    /// True if another run was at work until now.
    pub(crate) has_waited: bool,
}

/// Makes the folder of modules with those that lead there from `within`, waits until no other run is at work in it, and
/// sweeps what such a run left that did not come to its end. `waits` is called before it waits.
pub(crate) fn hold(modules: &Path, within: &Path, waits: impl FnOnce()) -> io::Result<FolderLock> {
    fs::create_dir_all(within)?;
    make_folders(modules, within)?;
    // A folder can be locked where files can, and then nothing lies about afterwards.
    let lock = File::open(modules).ok();
    let mut has_waited = false;
    let is_held = match lock.as_ref().map(File::try_lock) {
        Some(Ok(())) => true,
        Some(Err(TryLockError::WouldBlock)) => {
            has_waited = true;
            waits();
            lock.as_ref().is_some_and(|lock| lock.lock().is_ok())
        }
        // Not every file system knows locks.
        Some(Err(TryLockError::Error(_))) | None => false,
    };
    if is_held {
        sweep(modules)?;
    }
    Ok(FolderLock { _lock: lock.filter(|_| is_held), has_waited })
}

/// Makes folders, none of which may be a link: what is brought lies where it is said to lie.
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

/// Removes what runs have left that did not come to their end.
fn sweep(modules: &Path) -> io::Result<()> {
    for entry in fs::read_dir(modules)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // A file that begins so is the writer's, which looks after its own.
        let is_staging = name.starts_with(PREFIX) && !entry.file_type()?.is_file();
        if is_staging || name.starts_with(OLDER_LIST) {
            point()?;
            remove(&entry.path())?;
        }
    }
    Ok(())
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path)?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}

/// A folder for what is not whole yet; it goes when it is dropped.
pub(crate) struct StagingFolder {
    folder: PathBuf,
    next: AtomicUsize,
}

impl StagingFolder {
    /// Makes one in `modules`, which is there.
    pub(crate) fn in_folder(modules: &Path) -> io::Result<StagingFolder> {
        let folder = modules.join(format!("{PREFIX}{}", std::process::id()));
        if fs::symlink_metadata(&folder).is_ok() {
            remove(&folder)?;
        }
        point()?;
        fs::create_dir(&folder)?;
        Ok(StagingFolder { folder, next: AtomicUsize::new(0) })
    }

    /// A path where nothing is yet.
    pub(crate) fn fresh(&self) -> PathBuf {
        self.folder.join(self.next.fetch_add(1, Ordering::Relaxed).to_string())
    }

    /// Puts a copy of `package` at `place`; what was there goes when the copy is whole.
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
        // What is left over does no harm: the next run sweeps it.
        if point().is_err() {
            return;
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Copies a folder with all that is in it, links as links.
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
