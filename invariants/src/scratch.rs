//! A folder on the disk for one input, which goes when it is dropped.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of temporary directories created by this process.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A temporary directory, removed when dropped.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    /// Creates an empty temporary directory.
    pub(crate) fn new() -> Scratch {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("invariants-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder of its own can be made");
        Scratch(fs::canonicalize(path).expect("it was made"))
    }

    /// Writes a file, with the folders above it.
    pub(crate) fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> bool {
        let path = self.0.join(name);
        path.parent().is_some_and(|above| fs::create_dir_all(above).is_ok())
            && fs::write(path, bytes).is_ok()
    }

    /// Returns everything in the directory: files with their bytes, links with their targets. No link is followed.
    pub(crate) fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut found, mut open) = (BTreeMap::new(), vec![self.0.clone()]);
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let name = path.strip_prefix(&self.0).expect("it lies in it").to_owned();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push(path),
                    Ok(kind) if kind.is_symlink() => {
                        let target = fs::read_link(&path).unwrap_or_default();
                        let target = target.to_string_lossy().into_owned();
                        found.insert(name, format!("-> {target}").into_bytes());
                    }
                    _ => {
                        found.insert(name, fs::read(&path).unwrap_or_default());
                    }
                }
            }
        }
        found
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
