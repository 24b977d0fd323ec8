//! The folder in which what is brought waits until it is whole. It lies beside the modules, so that taking a place is a
//! rename; what goes wrong before leaves everything as it was.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::archive::make_link;

/// A folder for what is not whole yet; it goes when it is dropped.
pub(crate) struct Staging {
    folder: PathBuf,
    next: AtomicUsize,
}

impl Staging {
    /// Makes one in `modules`, with the folders that lead there.
    pub(crate) fn in_folder(modules: &Path) -> io::Result<Staging> {
        fs::create_dir_all(modules)?;
        let folder = modules.join(format!(".groma-{}", std::process::id()));
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir(&folder)?;
        Ok(Staging { folder, next: AtomicUsize::new(0) })
    }

    /// A path where nothing is yet.
    pub(crate) fn fresh(&self) -> PathBuf {
        self.folder.join(self.next.fetch_add(1, Ordering::Relaxed).to_string())
    }

    /// Puts a copy of `package` at `place`; what was there goes when the copy is whole.
    pub(crate) fn put(&self, package: &Path, place: &Path) -> io::Result<()> {
        let whole = self.fresh();
        copy(package, &whole)?;
        if fs::symlink_metadata(place).is_ok() {
            fs::rename(place, self.fresh())?;
        }
        fs::rename(whole, place)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What is left over does no harm: the next one of that name begins by removing it.
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
