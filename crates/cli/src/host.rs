//! The one door to the machine: files, environment, the current directory. Nothing else in the workspace touches them.
//! [`OsHost`] reads below its root only, and resolves symbolic links *before* it asks whether a file is below.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use groma::{DirEntry, EntryKind, FILE_LIMIT, Host, HostError, file_path};
use groma_git::bare_sentence;

use crate::files;
use crate::files::{Bounds, LiveDisk, trouble};
use crate::stat_cache::{FollowedEntry, StatCache, is_private, is_within};

/// No project needs more bytes than so many, however large the machine is.
const MOST: u64 = 16 << 30;

/// The place where a run happens: a current directory and an environment, the process' own or made for a test.
#[derive(Clone, Debug)]
pub struct MachineContext {
    directory: PathBuf,
    /// The place where the user is, wherever `-chdir` went.
    start: PathBuf,
    /// When the run began.
    began: Instant,
    environment: Option<BTreeMap<String, String>>,
    /// True if the code is a stranger's.
    untrusted: bool,
    /// The disk.
    seen: StatCache,
}

impl MachineContext {
    /// The process' own.
    ///
    /// # Errors
    /// When there is no current directory, or its name is not text.
    pub fn here() -> Result<MachineContext, String> {
        let directory = std::env::current_dir()
            .map_err(|error| format!("the current directory cannot be found: {error}"))?;
        let began = now();
        Ok(MachineContext {
            start: directory.clone(),
            directory,
            began,
            environment: None,
            untrusted: false,
            seen: StatCache::default(),
        })
    }

    /// One that starts in `directory` and has this environment only.
    pub fn at(directory: PathBuf, environment: BTreeMap<String, String>) -> MachineContext {
        let (start, began) = (directory.clone(), now());
        let (environment, seen) = (Some(environment), StatCache::default());
        MachineContext { start, directory, began, environment, untrusted: false, seen }
    }

    /// The same for one look at many roots: its disk stays as it is found.
    pub(crate) fn for_one_look(&self) -> MachineContext {
        MachineContext { seen: StatCache::remembering(), ..self.clone() }
    }

    /// Returns how long ago the run began.
    pub fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns how many bytes the process holds; 0 where the system does not tell, and where the process is not this
    /// run's own.
    pub(crate) fn resident(&self) -> u64 {
        if self.environment.is_some() {
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
        match &self.environment {
            Some(environment) => environment.get(name).cloned(),
            None => std::env::var(name).ok(),
        }
    }

    fn env_names(&self) -> Vec<String> {
        let mut names: Vec<String> = match &self.environment {
            Some(environment) => environment.keys().cloned().collect(),
            None => std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect(),
        };
        names.sort_unstable();
        names
    }

    /// From now on the code is a stranger's, if so `asked`, or if the environment says so.
    pub(crate) fn distrust(&mut self, asked: bool) {
        let said = self.env("GROMA_UNTRUSTED");
        self.untrusted |=
            asked || said.is_some_and(|text| !matches!(text.as_str(), "" | "0" | "false"));
    }

    /// Returns true if the code is a stranger's.
    pub(crate) fn is_untrusted(&self) -> bool {
        self.untrusted
    }

    /// Returns what stands in the environment for the reference programs and is not looked at for a stranger's code.
    pub(crate) fn unheard(&self) -> Vec<String> {
        let is_heard = |name: &String| {
            ["TF_WORKSPACE", "TF_DATA_DIR"].contains(&name.as_str())
                || ["TF_VAR_", "TF_CLI_ARGS", "PKR_VAR_"]
                    .iter()
                    .any(|start| name.starts_with(start))
        };
        self.env_names().into_iter().filter(is_heard).collect()
    }

    /// Goes to another directory, as `cd` would.
    pub(crate) fn change_directory(&mut self, to: &str) -> Result<(), String> {
        let there = self.directory.join(to);
        if !there.is_dir() {
            return Err(format!("-chdir={to}: there is no such directory."));
        }
        self.directory = there;
        Ok(())
    }

    /// The current directory as the user sees it: `.` unless `-chdir` went elsewhere.
    pub(crate) fn seen_from_start(&self) -> String {
        file_path::relative(&slashes(&tidy(&self.start)), &slashes(&tidy(&self.directory)))
    }

    /// Returns where the user is.
    pub(crate) fn start(&self) -> String {
        slashes(&self.start)
    }

    /// The working directory of code that is read in `folder`: naming a folder stands for going there, while `-chdir`
    /// leaves the user where he is.
    pub(crate) fn working_directory(&self, folder: &str) -> String {
        let there = tidy(&self.directory.join(folder));
        if there == tidy(&self.directory) { self.start() } else { slashes(&there) }
    }

    /// Returns where a file is that the user names.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        tidy(&self.directory.join(file))
    }

    /// Returns what `TF_DATA_DIR` names for code that is read in `folder`, where it does.
    pub(crate) fn data_directory(&self, folder: &str) -> Option<String> {
        let named = self.env("TF_DATA_DIR").filter(|named| !named.is_empty() && !self.untrusted)?;
        Some(slashes(&self.directory.join(folder).join(named)))
    }

    /// A path as the system takes it.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        self.directory.join(path)
    }

    /// A path as it is seen from the current directory, without `.` and with every `..` taken at its word.
    pub(crate) fn seen_from_here(&self, path: &str) -> String {
        let (there, here) = (tidy(&self.place(path)), tidy(&self.directory));
        let shared = there.components().zip(here.components()).take_while(|(a, b)| a == b).count();
        let up = here.components().skip(shared).map(|_| Component::ParentDir);
        let seen: PathBuf = up.chain(there.components().skip(shared)).collect();
        if seen.as_os_str().is_empty() { ".".to_owned() } else { slashes(&seen) }
    }

    /// Returns how many threads can run at the same time.
    pub(crate) fn threads(&self) -> usize {
        std::thread::available_parallelism().map_or(1, |threads| threads.get())
    }

    /// Returns true if a directory is there.
    pub(crate) fn is_directory(&self, path: &str) -> bool {
        self.is_kind(path, EntryKind::Directory)
    }

    /// Returns true if a file is there.
    pub(crate) fn is_file(&self, path: &str) -> bool {
        self.is_kind(path, EntryKind::File)
    }

    /// Returns what stands at an absolute path, links followed.
    fn found(&self, path: &Path) -> Result<FollowedEntry, HostError> {
        self.seen.at(path, &LiveDisk)
    }

    fn is_kind(&self, path: &str, kind: EntryKind) -> bool {
        self.found(&self.directory.join(path)).is_ok_and(|found| found.kind == kind)
    }

    /// Returns what may be read when `module` is asked about: `given`, else the nearest folder upwards with `.git`,
    /// else the module's own; of a stranger's code the module's own at once.
    pub(crate) fn root(&self, module: &str, given: Option<&str>) -> Result<PathBuf, String> {
        if let Some(given) = given {
            return self.folder(given).map_err(|why| match why.kind() {
                ErrorKind::NotADirectory => format!("--root={given} is no directory."),
                _ => format!("--root={given} cannot be read: {why}."),
            });
        }
        let own = self.directory.join(module);
        if self.untrusted {
            return match self.folder(module) {
                Err(why) if files::has_led_out(&why) => {
                    Err(format!("{module}: {}", files::LEADS_OUT))
                }
                real => Ok(real.unwrap_or(own)),
            };
        }
        let own = self.found(&own).map_or(own, |found| found.real);
        let root = own.ancestors().find(|folder| self.found(&folder.join(".git")).is_ok());
        let root = root.unwrap_or(&own);
        Ok(root.to_path_buf())
    }

    /// Returns where a folder lies that the user names, links followed; beside a stranger's code none that lead out of
    /// the repository, or out of the link's own folder where there is none.
    fn folder(&self, named: &str) -> io::Result<PathBuf> {
        let there = self.directory.join(named);
        if self.untrusted
            && let Some(first) = files::way(&tidy(&there)).link
        {
            let top = first.ancestors().find(|folder| folder.join(".git").exists());
            let top = top.unwrap_or(&first).to_owned();
            files::real_within(&tidy(&there), Some(&[top]))?;
        }
        match self.found(&there) {
            Ok(found) if found.kind == EntryKind::Directory => Ok(found.real),
            Ok(_) => Err(ErrorKind::NotADirectory.into()),
            // Here the system says why.
            Err(known) => Err(fs::canonicalize(&there)
                .err()
                .unwrap_or_else(|| io::Error::other(known.to_string()))),
        }
    }

    /// Returns where links may lead on the way to files that the user names beside the module in a folder.
    pub(crate) fn bounds(
        &self,
        module: &str,
        given: Option<&str>,
    ) -> Result<Option<Vec<PathBuf>>, String> {
        match self.untrusted {
            true => self.root(module, given).map(|root| Some(vec![root])),
            false => Ok(None),
        }
    }

    /// The top of the git repository that a folder lies in: where its `.git` is. The error says what there is instead.
    pub(crate) fn repository(&self, folder: &str) -> Result<PathBuf, String> {
        let Ok(real) = fs::canonicalize(self.directory.join(folder)) else {
            return Err(format!("{folder}: there is no such directory."));
        };
        let is_bare = |folder: &Path| {
            folder.join("HEAD").is_file()
                && folder.join("objects").is_dir()
                && folder.join("refs").is_dir()
        };
        for folder in real.ancestors() {
            if folder.join(".git").exists() {
                return Ok(folder.to_path_buf());
            }
            if is_bare(folder) {
                return Err(bare_sentence(folder));
            }
        }
        Err(format!(
            "{} lies in no git repository, so there are no revisions to compare.",
            slashes(&real)
        ))
    }

    /// The way to a path from another folder without links, whether it is there or not; nothing where it lies elsewhere.
    pub(crate) fn way_from(&self, top: &str, path: &str) -> Option<String> {
        let asked = tidy(&self.directory.join(path));
        // Of what is not there the part counts that is.
        let (above, real) =
            asked.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)))?;
        let real = real.join(asked.strip_prefix(above).ok()?);
        let way = real.strip_prefix(top).ok()?;
        Some(slashes(way))
    }

    /// The folders that `--allow-read` names, links resolved.
    pub(crate) fn allowed(&self, folders: &[String]) -> Result<Vec<PathBuf>, String> {
        let real = |folder: &String| {
            self.folder(folder).map_err(|why| match why.kind() {
                ErrorKind::NotADirectory => format!("--allow-read={folder} is no directory."),
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
    ) -> OsHost {
        let named = named.map(|file| tidy(&self.directory.join(file))).collect();
        let roots = std::iter::once(root).chain(allowed).collect();
        OsHost { machine: self.clone(), roots, named, told: Arc::default() }
    }

    /// A host that starts in `directory` and reads nothing outside it and the folders `allowed`.
    pub(crate) fn host_within(
        &self,
        directory: &str,
        allowed: Vec<PathBuf>,
    ) -> Result<OsHost, String> {
        let root = self.folder(directory).map_err(|error| match error.kind() {
            ErrorKind::NotADirectory => "this is no directory.".to_owned(),
            ErrorKind::NotFound => "there is no such directory.".to_owned(),
            _ => format!("the directory cannot be read: {error}."),
        })?;
        let machine = MachineContext { directory: root.clone(), ..self.clone() };
        Ok(machine.host(root, allowed, std::iter::empty()))
    }

    /// The file that keeps the console's history, its folder made.
    pub(crate) fn history(&self) -> Option<PathBuf> {
        let folder = match self.env("XDG_STATE_HOME").filter(|folder| folder.starts_with('/')) {
            Some(folder) => PathBuf::from(folder),
            None => PathBuf::from(self.home()?).join(".local").join("state"),
        };
        let folder = folder.join("groma");
        fs::create_dir_all(&folder).ok()?;
        Some(folder.join("console-history"))
    }

    fn home(&self) -> Option<String> {
        let home = if cfg!(windows) { self.env("USERPROFILE") } else { self.env("HOME") };
        home.filter(|home| !home.is_empty())
    }
}

/// The clock, which says how long a run has taken; no value depends on it.
#[expect(clippy::disallowed_methods, reason = "a run may be given a time to end")]
fn now() -> Instant {
    Instant::now()
}

/// The real machine as the engine sees it: reading only, and only below the folders it was given.
#[derive(Clone, Debug)]
pub struct OsHost {
    machine: MachineContext,
    /// The folders below which it reads: the root, and those that the user allows beside it.
    roots: Vec<PathBuf>,
    /// Files named on the command line: read wherever they lie, and even if they are pipes that the shell has opened.
    named: Vec<PathBuf>,
    /// Folders in which it may be told that something is not there, as they are written.
    told: Arc<Mutex<BTreeSet<OsString>>>,
}

impl OsHost {
    /// The file, if the user named it.
    fn named(&self, path: &str) -> Option<PathBuf> {
        if self.named.is_empty() {
            return None;
        }
        let asked = tidy(&self.machine.directory.join(path));
        self.named.contains(&asked).then_some(asked)
    }

    /// Returns where links may lead on the way to the files that the user named.
    fn bounds(&self) -> Bounds<'_> {
        self.machine.untrusted.then_some(&*self.roots)
    }

    fn may_read(&self, real: &Path) -> bool {
        self.roots.iter().any(|root| is_within(real, root))
    }

    /// Returns true if a stranger's link leads from a path to what is not for the code.
    fn is_led_in(&self, asked: &Path, real: &Path) -> bool {
        let is_led = |root: &PathBuf| {
            let below = real.strip_prefix(root);
            below.is_ok_and(|below| is_private(below, true) && !tidy(asked).ends_with(below))
        };
        self.machine.untrusted && self.roots.iter().any(is_led)
    }

    /// Opens a file at a path without links.
    fn open_at(&self, real: &Path) -> Result<fs::File, HostError> {
        let file = match self.machine.untrusted {
            true => files::open_unlinked(real),
            false => fs::File::open(real),
        };
        file.map_err(|error| trouble(&error))
    }

    /// A file that may be read, without having it opened.
    fn file(&self, path: &str) -> Result<FollowedEntry, HostError> {
        let found = self.resolve(path)?;
        // A pipe or a device could keep the reader waiting for ever.
        if found.kind == EntryKind::File { Ok(found) } else { Err(HostError::WrongKind) }
    }

    /// The same of a file that the user may have named.
    fn opened(&self, path: &str) -> Result<fs::File, HostError> {
        if let Some(file) = self.named(path) {
            return files::open_named(&file, self.bounds()).map_err(|error| trouble(&error));
        }
        self.open_at(&self.file(path)?.real)
    }

    /// Returns what stands at `path`, if it may be read.
    fn resolve(&self, path: &str) -> Result<FollowedEntry, HostError> {
        let asked = self.machine.directory.join(path);
        match self.machine.found(&asked) {
            Ok(found) if self.is_led_in(&asked, &found.real) => Err(HostError::Private),
            Ok(found) if self.may_read(&found.real) => Ok(found),
            Ok(_) => Err(HostError::Outside),
            Err(error) => Err(self.absent(&asked, error)),
        }
    }

    /// Returns why something is not there; whether it is, is not told outside of the root either.
    fn absent(&self, asked: &Path, error: HostError) -> HostError {
        let told = || self.told.lock().unwrap_or_else(PoisonError::into_inner);
        // Behind `..` the folder is another one than is written.
        let written = asked.file_name().and_then(|_| asked.parent()).map(Path::as_os_str);
        if written.is_none_or(|written| !told().contains(written)) {
            let asked = tidy(asked);
            let folder = asked.parent().unwrap_or(&asked);
            if self.machine.found(folder).is_ok_and(|found| !self.may_read(&found.real)) {
                return HostError::Outside;
            }
            told().extend(written.map(OsStr::to_owned));
        }
        error
    }

    /// All that a file holds, of which there are about so many bytes.
    fn whole(file: fs::File, length: u64, most: u64) -> Result<Vec<u8>, HostError> {
        let too_long = HostError::TooLong { most };
        if length > most {
            return Err(too_long);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        // A pipe has no length, and a file may grow.
        file.take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| trouble(&error))?;
        if bytes.len() as u64 > most { Err(too_long) } else { Ok(bytes) }
    }
}

/// The path without `.` and with every `..` taken at its word.
fn tidy(path: &Path) -> PathBuf {
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

/// The path as the engine writes paths.
fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

impl Host for OsHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        self.read_within(path, FILE_LIMIT)
    }

    fn read_within(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        if let Some(file) = self.named(path) {
            let file = files::open_named(&file, self.bounds()).map_err(|error| trouble(&error))?;
            let length = file.metadata().map_or(0, |found| found.len());
            return Self::whole(file, length, most);
        }
        let FollowedEntry { real, length, .. } = self.file(path)?;
        if let Some(known) = self.machine.seen.take_bytes(&real) {
            let is_short = known.len() as u64 <= most;
            return if is_short { Ok(known) } else { Err(HostError::TooLong { most }) };
        }
        let file = self.open_at(&real)?;
        let bytes = Self::whole(file, length, most)?;
        self.machine.seen.keep_bytes(&real, &bytes);
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
        self.machine.seen.list(&self.resolve(dir)?.real, &LiveDisk)
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        Ok(slashes(&self.resolve(path)?.real))
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        if let Some(file) = self.named(path) {
            let found = files::look_named(&file, self.bounds()).map_err(|error| trouble(&error))?;
            return Ok(if found.is_dir() { EntryKind::Directory } else { EntryKind::File });
        }
        Ok(self.resolve(path)?.kind)
    }

    fn admits_code(&self, path: &str) -> Result<(), HostError> {
        let asked = self.machine.directory.join(path);
        let real = self.machine.found(&asked).map_or_else(|_| tidy(&asked), |found| found.real);
        let mut below =
            self.roots.iter().filter_map(|root| real.strip_prefix(root).ok()).peekable();
        if below.peek().is_none() {
            // The user named it. A file that was not named is refused where it is read.
            return self.named(path).map_or(Ok(()), |_| Err(HostError::Outside));
        }
        // A folder that is allowed by name is, wherever it lies.
        match below.any(|path| !is_private(path, self.machine.untrusted)) {
            true => Ok(()),
            false => Err(HostError::Private),
        }
    }

    fn hides_environment(&self) -> bool {
        self.machine.untrusted
    }

    fn env(&self, name: &str) -> Option<String> {
        self.machine.env(name).filter(|_| !self.machine.untrusted)
    }

    fn env_names(&self) -> Vec<String> {
        if self.machine.untrusted { Vec::new() } else { self.machine.env_names() }
    }

    fn current_dir(&self) -> String {
        slashes(&tidy(&self.machine.directory))
    }

    fn home(&self) -> Option<String> {
        self.machine.home().filter(|_| !self.machine.untrusted)
    }
}
