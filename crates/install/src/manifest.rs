//! Writer of `modules.json`, the manifest of installed modules in the form that all programs read.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use groma_value::json::{JsonLayout, JsonObject, JsonText, array};
use groma_writer::{DiskAccess, FileReplacement, FileWriter, WriteObstacle};

/// Maximum number of bytes of a manifest that is read; a larger one is an error.
const MOST_BYTES: u64 = 64 << 20;

/// An entry of the manifest `modules.json`: the source, version and directory of an installed module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ManifestEntry {
    /// The source of the module, in the long form.
    pub source: String,
    /// Its version; `None` unless it comes from a registry.
    pub version: Option<String>,
    /// The directory of the module, relative to the root module.
    pub dir: String,
}

/// The manifest `modules.json` in a modules directory, with the content that was read: it is replaced only if it still has that
/// content.
#[derive(Debug)]
pub(crate) struct ManifestFile<D: DiskAccess> {
    modules: PathBuf,
    disk: D,
    writer: FileWriter<D>,
    /// The content that was read; `None` if there is no manifest.
    before: Option<Vec<u8>>,
}

impl<D: DiskAccess + Clone> ManifestFile<D> {
    /// Creates the access to the manifest in the directory `modules`; nothing is read yet.
    pub(crate) fn of(modules: &Path, disk: D) -> ManifestFile<D> {
        // Two runs in containers may have the same process id.
        let random = RandomState::new().build_hasher().finish();
        let writer =
            FileWriter::new(disk.clone(), &format!("{}-{random:016x}", std::process::id()));
        ManifestFile { modules: modules.to_owned(), disk, writer, before: None }
    }

    /// Returns the path of the manifest with the links to its directory resolved; an error if the directory does not exist.
    fn path(&self) -> io::Result<PathBuf> {
        Ok(self.disk.real(&self.modules)?.join("modules.json"))
    }

    /// Completes or removes the unfinished writes of earlier runs; returns true if the manifest may have changed.
    pub(crate) fn recover(&self) -> bool {
        self.disk.real(&self.modules).is_ok_and(|modules| !self.writer.recover(&modules).is_empty())
    }

    /// Reads the content of the manifest, to be compared before it is replaced.
    pub(crate) fn read(&mut self) -> io::Result<()> {
        self.before = match self.path().and_then(|path| self.disk.read(&path, MOST_BYTES)) {
            Ok(bytes) => Some(bytes),
            Err(why) if why.kind() == ErrorKind::NotFound => None,
            Err(why) => return Err(why),
        };
        Ok(())
    }

    /// Writes the manifest, ordered by the names of the calls. If that fails, the old one is kept.
    pub(crate) fn write(&mut self, entries: &BTreeMap<String, ManifestEntry>) -> io::Result<()> {
        let (path, after) = (self.path()?, text(entries));
        let done = match self.before.as_deref() {
            Some(before) if *before == *after => Ok(()),
            Some(before) => {
                self.writer.replace(FileReplacement { path: &path, before, after: &after })
            }
            None => self.writer.create(&path, &after),
        };
        self.before = Some(after);
        done.map_err(|why| match why {
            WriteObstacle::Failed(why) => why,
            other => io::Error::other(other.to_string()),
        })
    }
}

/// Returns the entries of the manifest as JSON.
fn text(entries: &BTreeMap<String, ManifestEntry>) -> Vec<u8> {
    let mut out = JsonText::new(JsonLayout::Compact);
    let mut whole = JsonObject::open(&mut out);
    array(entries, whole.key("Modules"), |(key, entry), out| {
        let mut one = JsonObject::open(out);
        one.text("Key", key);
        one.text("Source", &entry.source);
        if let Some(version) = &entry.version {
            one.text("Version", version);
        }
        one.text("Dir", &entry.dir);
        one.close();
    });
    whole.close();
    out.into_string().into_bytes()
}
