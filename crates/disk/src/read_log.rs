//! Log of everything that is read from a disk while one question is answered. Everything in it has to stay unchanged for the
//! answer to stay valid: see [`FolderRecord`].

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_runtime::{EntryKind, HostError};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::context::{DiskContext, clean_path};
use crate::folder_record::{FolderRecord, digest_of};
use crate::live::LiveDisk;
use crate::stamp::{FileStamp, StampClock};
use crate::stat_cache::FollowedEntry;

/// A shared log of the paths and environment variables that were read to compute a result, to check later if it still holds.
#[derive(Clone, Default, Debug)]
pub struct ReadLog(Arc<Mutex<LoggedReads>>);

/// The contents of [`ReadLog`]: the paths, folder listings, links and environment variables read so far.
#[derive(Default, Debug)]
struct LoggedReads {
    /// The entry found at each path, with paths as texts; `None` where nothing exists.
    places: FxHashMap<OsString, Option<FollowedEntry>>,
    /// The folders that were listed.
    listed: FxHashSet<OsString>,
    /// The symbolic links in listed folders.
    links: FxHashSet<PathBuf>,
    /// The environment variables that were read, with their values.
    variables: BTreeMap<String, Option<String>>,
    /// True if something was read whose changes file stamps cannot detect.
    is_unusable: bool,
}

impl ReadLog {
    /// Locks the contents of the log, ignoring a panic of another holder.
    fn reads(&self) -> MutexGuard<'_, LoggedReads> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the entry found at a path, or that there is none. Later lookups of the path are ignored.
    pub(crate) fn record_entry(&self, path: &Path, found: &Result<FollowedEntry, HostError>) {
        let mut reads = self.reads();
        if reads.places.contains_key(path.as_os_str()) {
            return;
        }
        let found = match found {
            Ok(found) => Some(found.clone()),
            Err(HostError::Absent | HostError::WrongKind) => None,
            Err(_) => return reads.is_unusable = true,
        };
        reads.places.insert(path.as_os_str().to_owned(), found);
    }

    /// Records that a folder was listed, and which of its entries are links.
    pub(crate) fn record_listing(&self, real: &Path, links: &[String]) {
        let mut reads = self.reads();
        if reads.listed.insert(real.as_os_str().to_owned()) {
            reads.links.extend(links.iter().map(|link| real.join(link)));
        }
    }

    /// Records an environment variable that was read, with its value.
    pub(crate) fn record_variable(&self, name: &str, value: Option<&str>) {
        let mut reads = self.reads();
        if !reads.variables.contains_key(name) {
            reads.variables.insert(name.to_owned(), value.map(str::to_owned));
        }
    }

    /// Marks the log as unusable, because something was read whose changes file stamps cannot detect.
    pub(crate) fn mark_unusable(&self) {
        self.reads().is_unusable = true;
    }

    /// Returns the names of the environment variables that were read, sorted.
    pub fn variables(&self) -> Vec<String> {
        self.reads().variables.keys().cloned().collect()
    }

    /// Returns the environment variables that were read, with their values at the first reading.
    pub(crate) fn values(&self) -> Vec<(String, Option<String>)> {
        let reads = self.reads();
        reads.variables.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Returns a record of each folder that was read and of those above it, in the order of paths; `None` if stamps cannot detect
    /// every change. `context` is the one whose reads are logged, and `clock` a moment before the first of them.
    pub fn folders(&self, context: &DiskContext, clock: StampClock) -> Option<Vec<FolderRecord>> {
        let reads = self.reads();
        if reads.is_unusable {
            return None;
        }
        let mut builder =
            RecordBuilder { context, folders: BTreeMap::new(), files: BTreeMap::new() };
        let mut listed: Vec<_> = reads.listed.iter().collect();
        listed.sort_unstable();
        for folder in listed {
            builder.folder(Path::new(folder))?.list();
        }
        let mut places: Vec<_> = reads.places.iter().collect();
        places.sort_unstable_by_key(|(path, _)| *path);
        for (path, found) in places {
            let path = Path::new(path);
            match found {
                Some(found) => builder.found(path, found)?,
                None => builder.absent(path, &reads.links)?,
            }
        }
        builder.finish(clock)
    }
}

/// The conversion of a log of reads to records by folder.
struct RecordBuilder<'c> {
    context: &'c DiskContext,
    folders: BTreeMap<String, FolderRecord>,
    /// The stamps of files, by folder and name.
    files: BTreeMap<(String, String), FileStamp>,
}

impl RecordBuilder<'_> {
    /// Returns the record of what was read of the folder at a path without links, created with the records of the folders above
    /// if missing; `None` if the path is not UTF-8.
    fn folder(&mut self, real: &Path) -> Option<&mut FolderRecord> {
        let path = real.to_str()?;
        if !self.folders.contains_key(path) {
            if let Some(above) = real.parent() {
                self.folder(above)?;
            }
            self.folders.insert(path.to_owned(), FolderRecord::of(path));
        }
        self.folders.get_mut(path)
    }

    /// Adds an existing entry to the record of its folder, with the links on the way to it; `None` if a later change of
    /// the entry or of these links could not be detected.
    fn found(&mut self, path: &Path, found: &FollowedEntry) -> Option<()> {
        let real = found.real.as_path();
        if real != path {
            self.add_links(path, real)?;
        }
        match found.kind {
            EntryKind::Directory => drop(self.folder(real)?),
            EntryKind::File => {
                let (above, name) = (real.parent()?, real.file_name()?.to_str()?);
                self.folder(above)?.add_file(name);
                self.files.insert((above.to_str()?.to_owned(), name.to_owned()), found.stamp);
            }
            EntryKind::Other => return None,
        }
        Some(())
    }

    /// Adds to the records of their folders the symbolic links by which `path` resolves to `real`; `None` if a later
    /// change of these links could not be detected.
    fn add_links(&mut self, path: &Path, real: &Path) -> Option<()> {
        let clean = clean_path(path);
        if clean == real {
            // There may be links before `..`; the folders on the way are then other ones than written.
            return has_only_plain_steps(path, self.context).then_some(());
        }
        (clean == path).then_some(())?;
        let (above, name) = (clean.parent()?, clean.file_name()?.to_str()?);
        let above_real = self.context.cache.at(above, &LiveDisk).ok()?.real;
        if above_real != above {
            self.add_links(above, &above_real)?;
        }
        if above_real.join(name) != real {
            self.folder(&above_real)?.add_link(name, real.to_str()?);
        }
        Some(())
    }

    /// Adds a path that does not exist, or is a broken link and one of `links`, as a missing name in the nearest existing folder
    /// above it; `None` if its later creation could not be detected.
    fn absent(&mut self, path: &Path, links: &FxHashSet<PathBuf>) -> Option<()> {
        let clean = clean_path(path);
        if clean != path && !has_only_plain_steps(path, self.context) {
            return None;
        }
        let mut above = clean.parent()?;
        let found = loop {
            match self.context.cache.at(above, &LiveDisk) {
                Ok(found) => break found,
                Err(_) => above = above.parent()?,
            }
        };
        if found.real != above {
            self.add_links(above, &found.real)?;
        }
        let name = clean.strip_prefix(above).ok()?.components().next()?;
        let name = name.as_os_str().to_str()?;
        if found.kind != EntryKind::Directory {
            // A parent of the path is a file.
            return self.found(above, &found);
        }
        let is_link = links.contains(&found.real.join(name));
        let folder = self.folder(&found.real)?;
        if !folder.is_listed() || is_link {
            folder.add_absent(name);
        }
        Some(())
    }

    /// Returns the records of all folders with the digests of their stamps, without a digest where a stamp is too recent at
    /// `clock` to be relied on; `None` if a folder or file has vanished since it was read.
    fn finish(self, clock: StampClock) -> Option<Vec<FolderRecord>> {
        let RecordBuilder { context, folders, mut files } = self;
        let stamped = folders.into_values().map(|mut record| {
            let place = context.cache.at(Path::new(record.path()), &LiveDisk).ok()?;
            let of_file = |name: &str| files.remove(&(record.path().to_owned(), name.to_owned()));
            let stamps: Vec<FileStamp> = record.files().map(of_file).collect::<Option<_>>()?;
            record.set_stamp(digest_of((&place.stamp, record.is_listed()), &stamps, clock));
            Some(record)
        });
        stamped.collect()
    }
}

/// Returns true if no folder on a path, as written, is a symbolic link.
fn has_only_plain_steps(path: &Path, context: &DiskContext) -> bool {
    let mut written = PathBuf::new();
    path.components().all(|step| {
        if step == std::path::Component::ParentDir {
            written.pop();
            return true;
        }
        written.push(step);
        context.cache.at(&written, &LiveDisk).map_or(true, |found| found.real == written)
    })
}
