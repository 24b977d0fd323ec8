//! Access to the folders that requests name, by a host for each.

use std::sync::Arc;

use groma::Host;

/// The provider of access to the folders that requests of the JSON API open as roots.
pub trait FolderHosts: Send + Sync {
    /// Returns a host for the root at the path `dir`, with tighter limits for untrusted code, and the folder outside which it
    /// reads nothing.
    ///
    /// # Errors
    /// If the folder cannot be read: a sentence.
    fn host(&self, dir: &str, is_untrusted: bool) -> Result<(Arc<dyn Host>, String), String>;
}

/// A provider of no folders, which refuses each: roots consist only of the texts in a request of the JSON API.
#[derive(Clone, Copy, Debug)]
pub struct NoFolders;

impl FolderHosts for NoFolders {
    fn host(&self, dir: &str, _: bool) -> Result<(Arc<dyn Host>, String), String> {
        Err(format!("{dir} cannot be read: nothing here reads a disk, so give \"files\"."))
    }
}
