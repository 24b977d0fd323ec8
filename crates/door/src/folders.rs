//! Access to the folders that requests name, by a host for each.

use std::sync::Arc;

use groma::Host;

/// The source of the folders that requests open.
pub trait FolderHosts: Send + Sync {
    /// Returns a host that reads the module in a folder, and the folder outside which it reads nothing. Untrusted code is read
    /// with tighter limits.
    ///
    /// # Errors
    /// If the folder cannot be read: a sentence.
    fn host(&self, dir: &str, is_untrusted: bool) -> Result<(Arc<dyn Host>, String), String>;
}

/// A source without folders: roots consist only of the texts in a request.
#[derive(Clone, Copy, Debug)]
pub struct NoFolders;

impl FolderHosts for NoFolders {
    fn host(&self, dir: &str, _: bool) -> Result<(Arc<dyn Host>, String), String> {
        Err(format!("{dir} cannot be read: nothing here reads a disk, so give \"files\"."))
    }
}
