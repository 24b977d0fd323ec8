//! The environment of disk access: a current directory and environment variables, of the process or of a test, and whether the
//! code is trusted. Access to a single file is decided by a host that is created from the context.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::{env, fs};

use groma_runtime::{DirEntry, EntryKind, HostError};

use crate::host::DiskHost;
use crate::links;
use crate::live::LiveDisk;
use crate::read_log::ReadLog;
use crate::stat_cache::{FollowedEntry, StatCache};

/// The settings from which disk hosts are made: a current directory, an environment, the level of trust, a cache of lookups
/// and a log of reads.
#[derive(Clone, Debug)]
pub struct DiskContext {
    directory: PathBuf,
    environment: Option<BTreeMap<String, String>>,
    /// True if the code is not trusted.
    untrusted: bool,
    /// The cache of file system queries.
    pub(crate) cache: StatCache,
    /// The log in which all reads are recorded, if any.
    log: Option<ReadLog>,
}

impl DiskContext {
    /// Returns the context of the process: its current directory and its environment, for trusted code.
    ///
    /// # Errors
    /// When there is no current directory.
    pub fn here() -> io::Result<DiskContext> {
        let directory = env::current_dir()?;
        let cache = StatCache::default();
        Ok(DiskContext { directory, environment: None, untrusted: false, cache, log: None })
    }

    /// Returns a context with a current directory and only the given environment.
    pub fn at(directory: PathBuf, environment: BTreeMap<String, String>) -> DiskContext {
        let (environment, cache) = (Some(environment), StatCache::default());
        DiskContext { directory, environment, untrusted: false, cache, log: None }
    }

    /// Returns the context with a cache of file system lookups that never expires, for one pass over many roots.
    #[must_use]
    pub fn with_cache(&self) -> DiskContext {
        DiskContext { cache: StatCache::with_cache(), ..self.clone() }
    }

    /// Returns the context with a log in which it and its hosts record everything that they read from now on.
    #[must_use]
    pub fn with_log(&self, log: &ReadLog) -> DiskContext {
        DiskContext { log: Some(log.clone()), ..self.clone() }
    }

    /// Returns the context without a log of reads and without a cache of file system lookups.
    pub(crate) fn without_log(&self) -> DiskContext {
        DiskContext { cache: StatCache::default(), log: None, ..self.clone() }
    }

    /// Returns the context with code treated as untrusted, so that hosts made from it hide the environment and read less, such as
    /// only a module's own folder.
    #[must_use]
    pub fn untrusted(self) -> DiskContext {
        DiskContext { untrusted: true, ..self }
    }

    /// Returns the context with another current directory.
    #[must_use]
    pub fn within(self, directory: PathBuf) -> DiskContext {
        DiskContext { directory, ..self }
    }

    /// Returns true if code is treated as untrusted.
    pub fn is_untrusted(&self) -> bool {
        self.untrusted
    }

    /// Returns true if environment variables are those of the process, not given ones.
    pub fn is_of_process(&self) -> bool {
        self.environment.is_none()
    }

    /// Returns the current directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the value of an environment variable; `None` if it is not set or its value is not UTF-8.
    pub fn env(&self, name: &str) -> Option<String> {
        let value = match &self.environment {
            Some(environment) => environment.get(name).cloned(),
            None => env::var(name).ok(),
        };
        if let Some(log) = &self.log {
            log.record_variable(name, value.as_deref());
        }
        value
    }

    /// Returns the names of all environment variables, sorted.
    pub fn env_names(&self) -> Vec<String> {
        if let Some(log) = &self.log {
            log.mark_unusable();
        }
        let mut names: Vec<String> = match &self.environment {
            Some(environment) => environment.keys().cloned().collect(),
            None => env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect(),
        };
        names.sort_unstable();
        names
    }

    /// Returns the user's home directory, as the environment names it; `None` if it does not.
    pub fn home(&self) -> Option<String> {
        let home = if cfg!(windows) { self.env("USERPROFILE") } else { self.env("HOME") };
        home.filter(|home| !home.is_empty())
    }

    /// Returns a path of the engine, with `/` between names, as an absolute path of the system.
    pub fn system_path(&self, path: &str) -> PathBuf {
        self.directory.join(path)
    }

    /// Returns true if a path leads to a directory, also through links.
    pub fn is_directory(&self, path: &str) -> bool {
        self.is_kind(path, EntryKind::Directory)
    }

    /// Returns true if a path leads to a file, also through links.
    pub fn is_file(&self, path: &str) -> bool {
        self.is_kind(path, EntryKind::File)
    }

    /// Returns true if the path leads, through links too, to an entry of the kind `kind`.
    fn is_kind(&self, path: &str, kind: EntryKind) -> bool {
        self.followed_entry(&self.system_path(path)).is_ok_and(|found| found.kind == kind)
    }

    /// Returns the entry at an absolute path, following links.
    pub(crate) fn followed_entry(&self, path: &Path) -> Result<FollowedEntry, HostError> {
        let found = self.cache.at(path, &LiveDisk);
        if let Some(log) = &self.log {
            log.record_entry(path, &found);
        }
        found
    }

    /// Returns the entries of a folder, given its path after all links.
    pub(crate) fn listed(&self, real: &Path) -> Result<Vec<DirEntry>, HostError> {
        let listing = self.cache.list(real, &LiveDisk)?;
        if let Some(log) = &self.log {
            log.record_listing(real, &listing.links);
            for link in &listing.links {
                // The target of a link is a part of the answer.
                drop(self.followed_entry(&real.join(link)));
            }
        }
        Ok(listing.entries)
    }

    /// Looks up a path, and with `lists` also the entries of the folder there, only so that the log of reads records it.
    pub fn record_lookup(&self, path: &str, lists: bool) {
        if let Ok(found) = self.followed_entry(&self.system_path(path))
            && lists
        {
            drop(self.listed(&found.real));
        }
    }

    /// Returns the directory below which the module in a directory may read: the nearest one upwards with `.git`, otherwise the
    /// module's own; for untrusted code always the module's own.
    ///
    /// # Errors
    /// If the code is untrusted and a link leads to the directory from outside.
    pub fn root(&self, module: &str) -> io::Result<PathBuf> {
        let own = self.system_path(module);
        if self.untrusted {
            return match self.folder(module) {
                Err(why) if links::leads_out_of_bounds(&why) => Err(why),
                real => Ok(real.unwrap_or(own)),
            };
        }
        let own = self.followed_entry(&own).map_or(own, |found| found.real);
        let root = own.ancestors().find(|folder| self.followed_entry(&folder.join(".git")).is_ok());
        let root = root.unwrap_or(&own);
        Ok(root.to_path_buf())
    }

    /// Returns the real path of a directory that the user named. For untrusted code, links may not lead out of the repository, or
    /// out of the link's own directory if there is no repository.
    ///
    /// # Errors
    /// If nothing exists there, it is not a directory ([`ErrorKind::NotADirectory`]), or a link leads out.
    pub fn folder(&self, named: &str) -> io::Result<PathBuf> {
        let there = self.system_path(named);
        if self.untrusted
            && let Some(first) = links::resolve(&clean_path(&there)).link
        {
            if let Some(log) = &self.log {
                log.mark_unusable();
            }
            let top = first.ancestors().find(|folder| folder.join(".git").exists());
            let top = top.unwrap_or(&first).to_owned();
            links::real_within(&clean_path(&there), Some(&[top]))?;
        }
        match self.followed_entry(&there) {
            Ok(found) if found.kind == EntryKind::Directory => Ok(found.real),
            Ok(_) => Err(ErrorKind::NotADirectory.into()),
            // The reason that the system gives.
            Err(known) => Err(fs::canonicalize(&there)
                .err()
                .unwrap_or_else(|| io::Error::other(known.to_string()))),
        }
    }

    /// Creates a host that reads below `root` and the directories `allowed`, and the files that the user named. The directories
    /// are real paths without links.
    pub fn host<'f>(
        &self,
        root: PathBuf,
        allowed: Vec<PathBuf>,
        named: impl Iterator<Item = &'f str>,
    ) -> DiskHost {
        let named = named.map(|file| clean_path(&self.system_path(file))).collect();
        let roots = std::iter::once(root).chain(allowed).collect();
        DiskHost::new(self.clone(), roots, named)
    }

    /// Creates a host for the module in a directory, which reads below its [`root`](DiskContext::root).
    ///
    /// # Errors
    /// If the directory cannot be read, or a link of untrusted code leads to it from outside.
    pub fn host_of_module(&self, folder: &str) -> io::Result<DiskHost> {
        self.folder(folder)?;
        Ok(self.host(self.root(folder)?, Vec::new(), std::iter::empty()))
    }

    /// Returns a host that starts in `directory` and reads only inside it and the folders `allowed`.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub fn host_within(&self, directory: &str, allowed: Vec<PathBuf>) -> io::Result<DiskHost> {
        let root = self.folder(directory)?;
        let context = self.clone().within(root.clone());
        Ok(context.host(root, allowed, std::iter::empty()))
    }
}

/// Returns the path without the steps `.` and `..`; links are not looked at.
pub fn clean_path(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Returns a system path in the form that the engine uses, with `/` between names.
pub fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}
