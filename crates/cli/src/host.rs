//! The machine that a run happens on: its current directory, environment, start time and memory. The library's host reads the
//! files; this file selects its folders from the command's flags.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, PathBuf};
use std::time::{Duration, Instant};

#[cfg(feature = "git")]
use groma::disk::ReadLog;
use groma::disk::{DiskContext, DiskHost, clean_path, leads_out_of_bounds, slashed};
use groma::folders::sets_variable;
use groma::hosts::file_path;

use crate::files::LEADS_OUT;

/// Maximum memory of a run in bytes without `--memory`, however large the machine is.
const MAX_MEMORY: u64 = 16 << 30;

/// The environment of a run: a current directory and environment variables, those of the process or of a test.
#[derive(Clone, Debug)]
pub struct MachineContext {
    disk: DiskContext,
    /// The user's directory, which `-chdir` does not change.
    start: PathBuf,
    /// The start time of the run.
    began: Instant,
}

impl MachineContext {
    /// Returns the context of this process: its current directory and environment variables.
    ///
    /// # Errors
    /// When there is no current directory, or its name is not text.
    pub fn here() -> Result<MachineContext, String> {
        let disk = DiskContext::here()
            .map_err(|error| format!("the current directory cannot be found: {error}"))?;
        Ok(MachineContext { start: disk.directory().to_owned(), disk, began: now() })
    }

    /// Returns a context for a test: it starts in `directory` and has only these environment variables.
    pub fn at(directory: PathBuf, environment: BTreeMap<String, String>) -> MachineContext {
        let disk = DiskContext::at(directory.clone(), environment);
        MachineContext { disk, start: directory, began: now() }
    }

    /// Returns the context for another run in this process, whose start time is now.
    #[cfg(feature = "mcp")]
    pub(crate) fn for_another_run(&self) -> MachineContext {
        MachineContext { began: now(), ..self.clone() }
    }

    /// Returns a context for one pass over many roots: each file and folder is looked up once and assumed not to change.
    pub(crate) fn with_cached_disk(&self) -> MachineContext {
        MachineContext { disk: self.disk.with_cache(), ..self.clone() }
    }

    /// Returns the context with a log, `notes`, of everything that is read from the disk from now on.
    #[cfg(feature = "git")]
    pub(crate) fn with_notes(&self, notes: &ReadLog) -> MachineContext {
        MachineContext { disk: self.disk.with_log(notes), ..self.clone() }
    }

    /// Returns the access to the disk, with its current directory, cache and log.
    #[cfg(feature = "git")]
    pub(crate) fn disk(&self) -> &DiskContext {
        &self.disk
    }

    /// Returns the time since the run began.
    pub fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns the memory that the process uses in bytes; 0 if the system does not report it, or in a test.
    pub(crate) fn resident(&self) -> u64 {
        if !self.disk.is_of_process() {
            return 0;
        }
        memory_stats::memory_stats().map_or(0, |memory| memory.physical_mem as u64)
    }

    /// Returns the default memory limit in bytes: four fifths of what the machine, container or shell allows, at most
    /// [`MAX_MEMORY`].
    pub(crate) fn memory_limit(&self) -> u64 {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let read = |path: &str| fs::read_to_string(path).ok();
        // Reads a line such as `NAME: 123 kB`.
        let line = |text: Option<String>, name: &str, unit: u64| {
            let text = text?;
            let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
            number(rest.split_whitespace().next()?).map(|count| count.saturating_mul(unit))
        };
        let bounds = [
            line(read("/proc/meminfo"), "MemTotal:", 1024),
            read("/sys/fs/cgroup/memory.max").as_deref().and_then(number),
            line(read("/proc/self/limits"), "Max address space", 1),
        ];
        let least = bounds.into_iter().flatten().min().unwrap_or(u64::MAX);
        // Whole megabytes read better in messages.
        let most = (least / 5).saturating_mul(4);
        (most - most % 1_000_000).min(MAX_MEMORY)
    }

    /// Returns the process' arguments without the program's name.
    pub fn arguments() -> Vec<OsString> {
        std::env::args_os().skip(1).collect()
    }

    /// Returns an environment variable; `None` if it is not set or not UTF-8.
    pub fn env(&self, name: &str) -> Option<String> {
        self.disk.env(name)
    }

    /// Treats the code as untrusted from now on, if `asked` or if `GROMA_UNTRUSTED` says so.
    pub(crate) fn distrust(&mut self, asked: bool) {
        let said = self.env("GROMA_UNTRUSTED");
        if asked || said.is_some_and(|text| !matches!(text.as_str(), "" | "0" | "false")) {
            self.disk = self.disk.clone().untrusted();
        }
    }

    /// Returns true if code is treated as that of strangers, by `--untrusted` or by a command that always does so.
    pub(crate) fn is_untrusted(&self) -> bool {
        self.disk.is_untrusted()
    }

    /// Returns the names of the environment variables for the reference programs that are set, and that Groma ignores for
    /// untrusted code.
    pub(crate) fn ignored_variables(&self) -> Vec<String> {
        let is_heard = |name: &String| {
            ["TF_WORKSPACE", "TF_DATA_DIR"].contains(&name.as_str())
                || name.starts_with("TF_CLI_ARGS")
                || sets_variable(name)
        };
        self.disk.env_names().into_iter().filter(is_heard).collect()
    }

    /// Changes the current directory, as `cd` does.
    pub(crate) fn change_directory(&mut self, to: &str) -> Result<(), String> {
        let there = self.disk.system_path(to);
        if !there.is_dir() {
            return Err(format!("-chdir={to}: there is no such directory."));
        }
        self.disk = self.disk.clone().within(there);
        Ok(())
    }

    /// Returns the path from the directory in which the program was started to the current one: `.` unless `-chdir` was given.
    pub(crate) fn seen_from_start(&self) -> String {
        file_path::relative(
            &slashed(&clean_path(&self.start)),
            &slashed(&clean_path(self.disk.directory())),
        )
    }

    /// Returns the directory in which the program was started, before `-chdir`.
    pub(crate) fn start(&self) -> String {
        slashed(&self.start)
    }

    /// Returns the working directory for code in `folder`: the folder itself, but the start directory for the current one, since
    /// `-chdir` does not change the user's directory.
    pub(crate) fn working_directory(&self, folder: &str) -> String {
        let there = clean_path(&self.disk.system_path(folder));
        if there == clean_path(self.disk.directory()) { self.start() } else { slashed(&there) }
    }

    /// Returns the absolute path of a file that the user names, without the steps `.` and `..`.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        clean_path(&self.disk.system_path(file))
    }

    /// Returns the data folder that `TF_DATA_DIR` sets for code in `folder`, if any.
    pub(crate) fn data_directory(&self, folder: &str) -> Option<String> {
        let named =
            self.env("TF_DATA_DIR").filter(|named| !named.is_empty() && !self.is_untrusted())?;
        Some(slashed(&self.disk.system_path(folder).join(named)))
    }

    /// Returns the absolute path of a path relative to the current directory; its steps `.` and `..` are kept.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        self.disk.system_path(path)
    }

    /// Returns a path relative to the current directory, with `.` and `..` resolved lexically.
    pub(crate) fn seen_from_here(&self, path: &str) -> String {
        let (there, here) = (clean_path(&self.place(path)), clean_path(self.disk.directory()));
        let shared = there.components().zip(here.components()).take_while(|(a, b)| a == b).count();
        let up = here.components().skip(shared).map(|_| Component::ParentDir);
        let seen: PathBuf = up.chain(there.components().skip(shared)).collect();
        if seen.as_os_str().is_empty() { ".".to_owned() } else { slashed(&seen) }
    }

    /// Returns the number of threads that can run in parallel.
    pub(crate) fn threads(&self) -> usize {
        std::thread::available_parallelism().map_or(1, |threads| threads.get())
    }

    /// Returns true if the path is an existing directory.
    pub(crate) fn is_directory(&self, path: &str) -> bool {
        self.disk.is_directory(path)
    }

    /// Returns true if the path is an existing file.
    pub(crate) fn is_file(&self, path: &str) -> bool {
        self.disk.is_file(path)
    }

    /// Returns the folder that code of `module` may read: `given`, else the nearest parent with `.git`, else the module's
    /// folder. For untrusted code it is the module's folder.
    pub(crate) fn root(&self, module: &str, given: Option<&str>) -> Result<PathBuf, String> {
        if let Some(given) = given {
            return self.disk.folder(given).map_err(|why| match why.kind() {
                ErrorKind::NotADirectory => format!("--root={given} is not a directory."),
                _ => format!("--root={given} cannot be read: {why}."),
            });
        }
        self.disk.root(module).map_err(|why| match leads_out_of_bounds(&why) {
            true => format!("{module}: {LEADS_OUT}"),
            false => format!("{module} cannot be read: {why}."),
        })
    }

    /// Returns the folders within which links to files that are written for `module` must stay: `given`, the folder of the
    /// flag `--root`, or else the module's own; `None` for trusted code, whose links are not restricted.
    pub(crate) fn bounds(
        &self,
        module: &str,
        given: Option<&str>,
    ) -> Result<Option<Vec<PathBuf>>, String> {
        match self.is_untrusted() {
            true => self.root(module, given).map(|root| Some(vec![root])),
            false => Ok(None),
        }
    }

    /// Returns the top folder of the git repository that contains a folder. The error says why there is none.
    #[cfg(feature = "git")]
    pub(crate) fn repository(&self, folder: &str) -> Result<PathBuf, String> {
        let Ok(real) = fs::canonicalize(self.disk.system_path(folder)) else {
            return Err(format!("{folder}: there is no such directory."));
        };
        let is_bare = |folder: &std::path::Path| {
            folder.join("HEAD").is_file()
                && folder.join("objects").is_dir()
                && folder.join("refs").is_dir()
        };
        for folder in real.ancestors() {
            if folder.join(".git").exists() {
                return Ok(folder.to_path_buf());
            }
            if is_bare(folder) {
                return Err(groma_git::bare_sentence(folder));
            }
        }
        Err(format!(
            "{} is not in a git repository, so there are no revisions to compare.",
            slashed(&real)
        ))
    }

    /// Returns the path of `path` relative to `top`, with links resolved; `None` if it lies outside. The path need not exist.
    #[cfg(feature = "git")]
    pub(crate) fn path_from(&self, top: &str, path: &str) -> Option<String> {
        let asked = clean_path(&self.disk.system_path(path));
        // Links are resolved in the part of the path that exists.
        let (above, real) =
            asked.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)))?;
        let real = real.join(asked.strip_prefix(above).ok()?);
        let way = real.strip_prefix(top).ok()?;
        Some(slashed(way))
    }

    /// Returns the real paths of the `--allow-read` folders.
    pub(crate) fn allowed(&self, folders: &[String]) -> Result<Vec<PathBuf>, String> {
        let real = |folder: &String| {
            self.disk.folder(folder).map_err(|why| match why.kind() {
                ErrorKind::NotADirectory => format!("--allow-read={folder} is not a directory."),
                _ => format!("--allow-read={folder} cannot be read: {why}."),
            })
        };
        folders.iter().map(real).collect()
    }

    /// Returns a host that reads below `root` and the allowed folders, and the files that the user named.
    pub(crate) fn host<'f>(
        &self,
        root: PathBuf,
        allowed: Vec<PathBuf>,
        named: impl Iterator<Item = &'f str>,
    ) -> DiskHost {
        self.disk.host(root, allowed, named)
    }

    /// Returns a host that starts in `directory` and reads only in it and the allowed folders.
    pub(crate) fn host_within(
        &self,
        directory: &str,
        allowed: Vec<PathBuf>,
    ) -> Result<DiskHost, String> {
        self.disk.host_within(directory, allowed).map_err(|error| match error.kind() {
            ErrorKind::NotADirectory => "this is not a directory.".to_owned(),
            ErrorKind::NotFound => "there is no such directory.".to_owned(),
            _ => format!("the directory cannot be read: {error}."),
        })
    }

    /// Returns standard input for use on another thread; `None` in a test.
    #[cfg(feature = "lsp")]
    pub(crate) fn input(&self) -> Option<Box<dyn std::io::Read + Send>> {
        self.disk.is_of_process().then(|| Box::new(std::io::stdin()) as _)
    }

    /// Returns true if the process exists, as far as the system tells.
    #[cfg(feature = "lsp")]
    pub(crate) fn is_running(process: u32) -> bool {
        #[cfg(unix)]
        {
            let id = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
            let found = id.map(rustix::process::test_kill_process);
            !matches!(found, None | Some(Err(rustix::io::Errno::SRCH)))
        }
        #[cfg(not(unix))]
        {
            let _ = process;
            true
        }
    }

    /// Opens a file for appending and creates it if necessary.
    #[cfg(feature = "lsp")]
    pub(crate) fn append_to(&self, file: &str) -> std::io::Result<fs::File> {
        fs::OpenOptions::new().create(true).append(true).open(self.disk.system_path(file))
    }

    /// Returns the file of the console's history, creating its folder; `None` if there is no home directory.
    pub(crate) fn history(&self) -> Option<PathBuf> {
        let folder = match self.env("XDG_STATE_HOME").filter(|folder| folder.starts_with('/')) {
            Some(folder) => PathBuf::from(folder),
            None => PathBuf::from(self.disk.home()?).join(".local").join("state"),
        };
        let folder = folder.join("groma");
        fs::create_dir_all(&folder).ok()?;
        Some(folder.join("console-history"))
    }
}

/// Reads the clock, by which a run is timed. No value depends on it.
#[expect(clippy::disallowed_methods, reason = "a run may be given a time to end")]
fn now() -> Instant {
    Instant::now()
}
