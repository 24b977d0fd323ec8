//! The machine that a run happens on: where the user is, when it began, and what the process may use. Files are read by the
//! library's own host; what is here decides from where and below which folders, in the words of the command's flags.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, PathBuf};
use std::time::{Duration, Instant};

use groma::disk::{DiskContext, DiskHost, clean_path, has_led_out, slashed};
use groma::hosts::file_path;

use crate::files::LEADS_OUT;

/// No project needs more bytes than so many, however large the machine is.
const MOST: u64 = 16 << 30;

/// The place where a run happens: a current directory and an environment, the process' own or made for a test.
#[derive(Clone, Debug)]
pub struct MachineContext {
    disk: DiskContext,
    /// The place where the user is, wherever `-chdir` went.
    start: PathBuf,
    /// When the run began.
    began: Instant,
}

impl MachineContext {
    /// The process' own.
    ///
    /// # Errors
    /// When there is no current directory, or its name is not text.
    pub fn here() -> Result<MachineContext, String> {
        let disk = DiskContext::here()
            .map_err(|error| format!("the current directory cannot be found: {error}"))?;
        Ok(MachineContext { start: disk.directory().to_owned(), disk, began: now() })
    }

    /// One that starts in `directory` and has this environment only.
    pub fn at(directory: PathBuf, environment: BTreeMap<String, String>) -> MachineContext {
        let disk = DiskContext::at(directory.clone(), environment);
        MachineContext { disk, start: directory, began: now() }
    }

    /// The same machine for another run of the same process, whose time begins now.
    #[cfg(feature = "mcp")]
    pub(crate) fn afresh(&self) -> MachineContext {
        MachineContext { began: now(), ..self.clone() }
    }

    /// The same for one look at many roots: its disk stays as it is found.
    pub(crate) fn for_one_look(&self) -> MachineContext {
        MachineContext { disk: self.disk.remembering(), ..self.clone() }
    }

    /// Returns how long ago the run began.
    pub fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns how many bytes the process holds; 0 where the system does not tell, and where the process is not this
    /// run's own.
    pub(crate) fn resident(&self) -> u64 {
        if !self.disk.is_of_process() {
            return 0;
        }
        memory_stats::memory_stats().map_or(0, |memory| memory.physical_mem as u64)
    }

    /// Returns how many bytes the process may hold before it endangers others: four fifths of what the machine, the
    /// container or the shell allows, and no more than any project needs.
    pub(crate) fn affordable(&self) -> u64 {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let read = |path: &str| fs::read_to_string(path).ok();
        // Lines of a name, blanks, a number and perhaps a unit.
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
        // Whole megabytes are easier to tell.
        let most = (least / 5).saturating_mul(4);
        (most - most % 1_000_000).min(MOST)
    }

    /// The process' arguments after the program's name.
    pub fn arguments() -> Vec<OsString> {
        std::env::args_os().skip(1).collect()
    }

    /// A variable of the environment; one that is not UTF-8 is not there.
    pub fn env(&self, name: &str) -> Option<String> {
        self.disk.env(name)
    }

    /// From now on the code is a stranger's, if so `asked`, or if the environment says so.
    pub(crate) fn distrust(&mut self, asked: bool) {
        let said = self.env("GROMA_UNTRUSTED");
        if asked || said.is_some_and(|text| !matches!(text.as_str(), "" | "0" | "false")) {
            self.disk = self.disk.clone().untrusted();
        }
    }

    /// Returns true if the code is a stranger's.
    pub(crate) fn is_untrusted(&self) -> bool {
        self.disk.is_untrusted()
    }

    /// Returns what stands in the environment for the reference programs and is not looked at for a stranger's code.
    pub(crate) fn unheard(&self) -> Vec<String> {
        let is_heard = |name: &String| {
            ["TF_WORKSPACE", "TF_DATA_DIR"].contains(&name.as_str())
                || ["TF_VAR_", "TF_CLI_ARGS", "PKR_VAR_"]
                    .iter()
                    .any(|start| name.starts_with(start))
        };
        self.disk.env_names().into_iter().filter(is_heard).collect()
    }

    /// Goes to another directory, as `cd` would.
    pub(crate) fn change_directory(&mut self, to: &str) -> Result<(), String> {
        let there = self.disk.place(to);
        if !there.is_dir() {
            return Err(format!("-chdir={to}: there is no such directory."));
        }
        self.disk = self.disk.clone().within(there);
        Ok(())
    }

    /// The current directory as the user sees it: `.` unless `-chdir` went elsewhere.
    pub(crate) fn seen_from_start(&self) -> String {
        file_path::relative(
            &slashed(&clean_path(&self.start)),
            &slashed(&clean_path(self.disk.directory())),
        )
    }

    /// Returns where the user is.
    pub(crate) fn start(&self) -> String {
        slashed(&self.start)
    }

    /// The working directory of code that is read in `folder`: naming a folder stands for going there, while `-chdir`
    /// leaves the user where he is.
    pub(crate) fn working_directory(&self, folder: &str) -> String {
        let there = clean_path(&self.disk.place(folder));
        if there == clean_path(self.disk.directory()) { self.start() } else { slashed(&there) }
    }

    /// Returns where a file is that the user names.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        clean_path(&self.disk.place(file))
    }

    /// Returns what `TF_DATA_DIR` names for code that is read in `folder`, where it does.
    pub(crate) fn data_directory(&self, folder: &str) -> Option<String> {
        let named =
            self.env("TF_DATA_DIR").filter(|named| !named.is_empty() && !self.is_untrusted())?;
        Some(slashed(&self.disk.place(folder).join(named)))
    }

    /// A path as the system takes it.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        self.disk.place(path)
    }

    /// A path as it is seen from the current directory, without `.` and with every `..` taken at its word.
    pub(crate) fn seen_from_here(&self, path: &str) -> String {
        let (there, here) = (clean_path(&self.place(path)), clean_path(self.disk.directory()));
        let shared = there.components().zip(here.components()).take_while(|(a, b)| a == b).count();
        let up = here.components().skip(shared).map(|_| Component::ParentDir);
        let seen: PathBuf = up.chain(there.components().skip(shared)).collect();
        if seen.as_os_str().is_empty() { ".".to_owned() } else { slashed(&seen) }
    }

    /// Returns how many threads can run at the same time.
    pub(crate) fn threads(&self) -> usize {
        std::thread::available_parallelism().map_or(1, |threads| threads.get())
    }

    /// Returns true if a directory is there.
    pub(crate) fn is_directory(&self, path: &str) -> bool {
        self.disk.is_directory(path)
    }

    /// Returns true if a file is there.
    pub(crate) fn is_file(&self, path: &str) -> bool {
        self.disk.is_file(path)
    }

    /// Returns what may be read when `module` is asked about: `given`, else the nearest folder upwards with `.git`,
    /// else the module's own; of a stranger's code the module's own at once.
    pub(crate) fn root(&self, module: &str, given: Option<&str>) -> Result<PathBuf, String> {
        if let Some(given) = given {
            return self.disk.folder(given).map_err(|why| match why.kind() {
                ErrorKind::NotADirectory => format!("--root={given} is not a directory."),
                _ => format!("--root={given} cannot be read: {why}."),
            });
        }
        self.disk.root(module).map_err(|why| match has_led_out(&why) {
            true => format!("{module}: {LEADS_OUT}"),
            false => format!("{module} cannot be read: {why}."),
        })
    }

    /// Returns where links may lead on the way to files that the user names beside the module in a folder.
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

    /// The top of the git repository that a folder lies in: where its `.git` is. The error says what there is instead.
    #[cfg(feature = "git")]
    pub(crate) fn repository(&self, folder: &str) -> Result<PathBuf, String> {
        let Ok(real) = fs::canonicalize(self.disk.place(folder)) else {
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

    /// The way to a path from another folder without links, whether it is there or not; nothing where it lies elsewhere.
    #[cfg(feature = "git")]
    pub(crate) fn way_from(&self, top: &str, path: &str) -> Option<String> {
        let asked = clean_path(&self.disk.place(path));
        // Of what is not there the part counts that is.
        let (above, real) =
            asked.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)))?;
        let real = real.join(asked.strip_prefix(above).ok()?);
        let way = real.strip_prefix(top).ok()?;
        Some(slashed(way))
    }

    /// The folders that `--allow-read` names, links resolved.
    pub(crate) fn allowed(&self, folders: &[String]) -> Result<Vec<PathBuf>, String> {
        let real = |folder: &String| {
            self.disk.folder(folder).map_err(|why| match why.kind() {
                ErrorKind::NotADirectory => format!("--allow-read={folder} is not a directory."),
                _ => format!("--allow-read={folder} cannot be read: {why}."),
            })
        };
        folders.iter().map(real).collect()
    }

    /// A host that reads below `root` and the folders `allowed`, and beside that the files that the user named.
    pub(crate) fn host<'f>(
        &self,
        root: PathBuf,
        allowed: Vec<PathBuf>,
        named: impl Iterator<Item = &'f str>,
    ) -> DiskHost {
        self.disk.host(root, allowed, named)
    }

    /// A host that starts in `directory` and reads nothing outside it and the folders `allowed`.
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

    /// Standard input for a thread of its own; nothing where the run is not the process' own.
    #[cfg(feature = "lsp")]
    pub(crate) fn input(&self) -> Option<Box<dyn std::io::Read + Send>> {
        self.disk.is_of_process().then(|| Box::new(std::io::stdin()) as _)
    }

    /// Returns true if a process is running, as far as the system tells.
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

    /// A file of the user's to which lines are added.
    #[cfg(feature = "lsp")]
    pub(crate) fn append_to(&self, file: &str) -> std::io::Result<fs::File> {
        fs::OpenOptions::new().create(true).append(true).open(self.disk.place(file))
    }

    /// The file that keeps the console's history, its folder made.
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

/// The clock, which says how long a run has taken; no value depends on it.
#[expect(clippy::disallowed_methods, reason = "a run may be given a time to end")]
fn now() -> Instant {
    Instant::now()
}
