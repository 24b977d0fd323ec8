//! A host that reads below certain directories. Access is decided by the real path after all links, never by the path as written.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use groma_runtime::{AnswerStamps, DirEntry, EntryKind, FILE_LIMIT, Host, HostError, StampedLook};

use crate::context::{DiskContext, clean_path, slashed};
use crate::folder_record::FolderCheck;
use crate::links::{self, LinkBounds};
use crate::live::host_error;
use crate::read_log::ReadLog;
use crate::stamp::StampClock;
use crate::stat_cache::{FollowedEntry, is_private, is_within};

/// A read-only host over the disk, which reads the folder of a root, further folders that the user allows, and files that the
/// user named.
#[derive(Clone, Debug)]
pub struct DiskHost {
    context: DiskContext,
    /// The readable directories: the root, and those that the user allows in addition.
    roots: Vec<PathBuf>,
    /// Files named on the command line: read wherever they lie, and even if they are pipes that the shell has opened.
    named: Vec<PathBuf>,
    /// Directories, as written in paths, for which an absent file may be reported as absent.
    revealed: Arc<Mutex<BTreeSet<OsString>>>,
}

impl DiskHost {
    /// Creates a host for the module in a directory as the command-line program does: it reads below the nearest directory
    /// upwards with `.git`, or below the module's own if there is none, follows links within it, and provides the process
    /// environment. Relative paths start from the process's current directory.
    ///
    /// # Errors
    /// If there is no current directory, or the directory cannot be read.
    pub fn of_module(folder: &str) -> io::Result<DiskHost> {
        DiskContext::here()?.host_of_module(folder)
    }

    /// Creates a host for untrusted code, as `--untrusted` reads it: below the module's own directory only, without the
    /// environment, the home directory and files of tools in `.terraform` except modules, and without links that lead out.
    ///
    /// # Errors
    /// If there is no current directory, or the directory cannot be read or is reached by a link that leads out of its
    /// repository.
    pub fn of_untrusted_module(folder: &str) -> io::Result<DiskHost> {
        DiskContext::here()?.untrusted().host_of_module(folder)
    }

    /// Creates a host that reads below `roots` and the individual files `named`.
    pub(crate) fn new(context: DiskContext, roots: Vec<PathBuf>, named: Vec<PathBuf>) -> DiskHost {
        DiskHost { context, roots, named, revealed: Arc::default() }
    }

    /// Returns the absolute path that a path denotes if the user named this file; `None` for other files.
    fn named(&self, path: &str) -> Option<PathBuf> {
        if self.named.is_empty() {
            return None;
        }
        let asked = clean_path(&self.context.system_path(path));
        self.named.contains(&asked).then_some(asked)
    }

    /// Returns the folders into which links on the way to a file that the user named may lead; anywhere for trusted code.
    fn bounds(&self) -> LinkBounds<'_> {
        self.context.is_untrusted().then_some(&*self.roots)
    }

    /// Returns true if a path without links is inside a folder that the host may read.
    fn may_read(&self, real: &Path) -> bool {
        self.roots.iter().any(|root| is_within(real, root))
    }

    /// Returns true if the code is untrusted and a link resolves `asked` to a path that is private to tools, such as
    /// `.terraform`.
    fn links_into_private(&self, asked: &Path, real: &Path) -> bool {
        let is_private_target = |root: &PathBuf| {
            let below = real.strip_prefix(root);
            below.is_ok_and(|below| is_private(below, true) && !clean_path(asked).ends_with(below))
        };
        self.context.is_untrusted() && self.roots.iter().any(is_private_target)
    }

    /// Opens the file at a path after all links; the error is that of a host.
    fn open_at(&self, real: &Path) -> Result<fs::File, HostError> {
        let file = match self.context.is_untrusted() {
            true => links::open_unlinked(real),
            false => fs::File::open(real),
        };
        file.map_err(|error| host_error(&error))
    }

    /// Returns the entry of a regular file that may be read, without opening it; an error for any other path.
    fn file(&self, path: &str) -> Result<FollowedEntry, HostError> {
        let found = self.resolve(path)?;
        // Reading a pipe or a device may block forever.
        if found.kind == EntryKind::File { Ok(found) } else { Err(HostError::WrongKind) }
    }

    /// Opens a file in a folder that the host may read, or one that the user named; an error for any other.
    fn opened(&self, path: &str) -> Result<fs::File, HostError> {
        if let Some(file) = self.named(path) {
            drop(self.context.followed_entry(&file));
            return links::open_named(&file, self.bounds()).map_err(|error| host_error(&error));
        }
        self.open_at(&self.file(path)?.real)
    }

    /// Returns the entry at `path`, following links; an error if it may not be read.
    fn resolve(&self, path: &str) -> Result<FollowedEntry, HostError> {
        let asked = self.context.system_path(path);
        match self.context.followed_entry(&asked) {
            Ok(found) if self.links_into_private(&asked, &found.real) => Err(HostError::Private),
            Ok(found) if self.may_read(&found.real) => Ok(found),
            Ok(_) => Err(HostError::Outside),
            Err(error) => Err(self.absent(&asked, error)),
        }
    }

    /// Returns the error for a path that could not be found: outside of the folders that the host may read, existence is not
    /// revealed.
    fn absent(&self, asked: &Path, error: HostError) -> HostError {
        let revealed = || self.revealed.lock().unwrap_or_else(PoisonError::into_inner);
        // After `..` the directory differs from the one written.
        let written = asked.file_name().and_then(|_| asked.parent()).map(Path::as_os_str);
        if written.is_none_or(|written| !revealed().contains(written)) {
            let asked = clean_path(asked);
            let folder = asked.parent().unwrap_or(&asked);
            if self.context.followed_entry(folder).is_ok_and(|found| !self.may_read(&found.real)) {
                return HostError::Outside;
            }
            revealed().extend(written.map(OsStr::to_owned));
        }
        error
    }

    /// Reads a whole file of about `length` bytes; an error if it has more than `most` bytes.
    fn read_all(file: fs::File, length: u64, most: u64) -> Result<Vec<u8>, HostError> {
        let too_long = HostError::TooLong { most };
        if length > most {
            return Err(too_long);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        // A pipe has no length, and a file may grow.
        file.take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| host_error(&error))?;
        if bytes.len() as u64 > most { Err(too_long) } else { Ok(bytes) }
    }
}

impl Host for DiskHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        self.read_within(path, FILE_LIMIT)
    }

    fn read_within(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        if let Some(file) = self.named(path) {
            // The entry counts, whether it may be read or not.
            drop(self.context.followed_entry(&file));
            let file =
                links::open_named(&file, self.bounds()).map_err(|error| host_error(&error))?;
            let length = file.metadata().map_or(0, |found| found.len());
            return Self::read_all(file, length, most);
        }
        let FollowedEntry { real, length, .. } = self.file(path)?;
        if let Some(known) = self.context.cache.take_bytes(&real) {
            let is_short = known.len() as u64 <= most;
            return if is_short { Ok(known) } else { Err(HostError::TooLong { most }) };
        }
        let file = self.open_at(&real)?;
        let bytes = Self::read_all(file, length, most)?;
        self.context.cache.keep_bytes(&real, &bytes);
        Ok(bytes)
    }

    fn length(&self, path: &str) -> Result<u64, HostError> {
        match self.named(path) {
            Some(_) => Ok(self.opened(path)?.metadata().map_or(0, |found| found.len())),
            None => Ok(self.file(path)?.length),
        }
    }

    fn open(&self, path: &str) -> Result<Box<dyn Read + Send>, HostError> {
        Ok(Box::new(self.opened(path)?))
    }

    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        self.context.listed(&self.resolve(dir)?.real)
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        Ok(slashed(&self.resolve(path)?.real))
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        if let Some(file) = self.named(path) {
            drop(self.context.followed_entry(&file));
            let found = links::metadata_of_named(&file, self.bounds())
                .map_err(|error| host_error(&error))?;
            return Ok(if found.is_dir() { EntryKind::Directory } else { EntryKind::File });
        }
        Ok(self.resolve(path)?.kind)
    }

    fn check_code_access(&self, path: &str) -> Result<(), HostError> {
        let asked = self.context.system_path(path);
        let real = self
            .context
            .followed_entry(&asked)
            .map_or_else(|_| clean_path(&asked), |found| found.real);
        let mut below =
            self.roots.iter().filter_map(|root| real.strip_prefix(root).ok()).peekable();
        if below.peek().is_none() {
            // The user named it. A file that was not named is refused when it is read.
            return self.named(path).map_or(Ok(()), |_| Err(HostError::Outside));
        }
        // A directory that the user allowed is readable wherever it is.
        match below.any(|path| !is_private(path, self.context.is_untrusted())) {
            true => Ok(()),
            false => Err(HostError::Private),
        }
    }

    fn hides_environment(&self) -> bool {
        self.context.is_untrusted()
    }

    fn env(&self, name: &str) -> Option<String> {
        self.context.env(name).filter(|_| !self.context.is_untrusted())
    }

    fn env_names(&self) -> Vec<String> {
        if self.context.is_untrusted() { Vec::new() } else { self.context.env_names() }
    }

    fn current_dir(&self) -> String {
        slashed(&clean_path(self.context.directory()))
    }

    fn home(&self) -> Option<String> {
        self.context.home().filter(|_| !self.context.is_untrusted())
    }

    fn cached_view(&self) -> Option<Arc<dyn Host>> {
        let (roots, named) = (self.roots.clone(), self.named.clone());
        Some(Arc::new(DiskHost::new(self.context.with_cache(), roots, named)))
    }

    fn for_stamped_look(&self) -> Option<Box<dyn StampedLook>> {
        Some(Box::new(LoggingHost::begin(self)))
    }
}

/// A host that records everything it reads in a log, so that the file stamps of what was read can be taken afterwards.
struct LoggingHost {
    host: Arc<DiskHost>,
    /// The context of the host, with a cache and the log.
    context: DiskContext,
    log: ReadLog,
    /// The time before the first read.
    clock: StampClock,
}

/// Records of the folders and environment variables that were read, by which it can be checked if anything has changed since.
struct DiskStamps {
    records: Vec<String>,
    variables: Vec<(String, Option<String>)>,
    context: DiskContext,
}

impl LoggingHost {
    /// Creates a logging host that may read the same folders as another one.
    fn begin(host: &DiskHost) -> LoggingHost {
        let (log, clock) = (ReadLog::default(), StampClock::now());
        let context = host.context.with_cache().with_log(&log);
        let (roots, named) = (host.roots.clone(), host.named.clone());
        let host = Arc::new(DiskHost::new(context.clone(), roots, named));
        LoggingHost { host, context, log, clock }
    }
}

impl StampedLook for LoggingHost {
    fn host(&self) -> Option<Arc<dyn Host>> {
        Some(self.host.clone())
    }

    fn stamps(&self) -> Option<Arc<dyn AnswerStamps>> {
        let folders = self.log.folders(&self.context, self.clock)?;
        let is_settled = folders.iter().all(|record| record.is_settled());
        let records = folders.iter().map(|record| record.text()).collect::<Option<_>>()?;
        let context = self.context.without_log();
        let variables = self.log.values();
        is_settled.then(|| Arc::new(DiskStamps { records, variables, context }) as Arc<_>)
    }
}

impl AnswerStamps for DiskStamps {
    fn are_current(&self) -> bool {
        let mut check = FolderCheck::by_whole_paths();
        self.variables.iter().all(|(name, value)| self.context.env(name) == *value)
            && self.records.iter().all(|record| check.is_current(record))
    }
}
