//! Installation of the modules that a project calls, in rounds, because installed modules may call more. Installed modules that
//! still match stay, and a failure leaves all others installed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use groma_config::{ReleaseVersion, VersionConstraints, literal_text};
use groma_project::{ModuleNode, Project, RemoteCall, source_address};
use groma_syntax::{Diagnostic, DiagnosticCode, Diagnostics};

use crate::archive::ArchiveRefusal;
use crate::client::HttpClient;
use crate::codes;
use crate::fault::ListDisk;
use crate::fetch::{descend, fetch};
use crate::manifest::{ManifestEntry, ManifestFile};
use crate::origin::{PackageOrigin, PackageSource};
use crate::registry;
use crate::settings::HostSettings;
use crate::staging::{FolderLock, StagingFolder, hold};

/// Maximum number of rounds in which newly installed modules call further ones; more are an error.
const MOST_ROUNDS: usize = 48;
/// Maximum number of packages that are fetched in parallel.
const MOST_PARALLEL: usize = 8;

/// The module calls of a project, as far as its modules are installed and can be read.
#[derive(Clone, Default, Debug)]
pub struct CalledModules {
    /// The calls of remote modules.
    remote: Vec<RemoteCall>,
    /// The entries of the manifest that are installed.
    listed: BTreeMap<String, ManifestEntry>,
    /// The local modules of the project and of installed modules, and the root.
    local: BTreeMap<String, ManifestEntry>,
}

impl CalledModules {
    /// Collects a loaded project's remote and local module calls, and the installed modules that its manifest lists.
    pub fn at(project: &Project) -> CalledModules {
        let mut calls =
            CalledModules { remote: project.remote_calls().to_vec(), ..CalledModules::default() };
        for (key, module) in project.installed_modules() {
            let version = Some(module.version.clone()).filter(|version| !version.is_empty());
            let (source, dir) = (module.source.clone(), module.dir.clone());
            calls.listed.insert(key.to_owned(), ManifestEntry { source, version, dir });
        }
        let root = ManifestEntry { source: String::new(), version: None, dir: ".".to_owned() };
        calls.local.insert(String::new(), root);
        let mut waiting = vec![(String::new(), project.tree())];
        while let Some((key, node)) = waiting.pop() {
            for (at, call) in node.module().calls.iter().enumerate() {
                let Some(child) = node.child(at) else { continue };
                let key = match key.is_empty() {
                    true => call.name.to_string(),
                    false => format!("{key}.{}", &*call.name),
                };
                let source = call.source.as_ref().and_then(|source| literal_text(&source.expr));
                let source = source.unwrap_or_else(|| relative_folder(node, child));
                if source.starts_with('.') {
                    let entry = ManifestEntry {
                        source,
                        version: None,
                        dir: child.module_path().to_owned(),
                    };
                    calls.local.insert(key.clone(), entry);
                }
                waiting.push((key, child));
            }
        }
        calls
    }

    /// Returns the number of remote modules that were installed before this run, which added those in `brought`.
    pub fn installed_before(&self, brought: &BTreeMap<String, ManifestEntry>) -> usize {
        let is_older = |call: &&RemoteCall| call.is_installed && !brought.contains_key(&call.key);
        self.remote.iter().filter(is_older).count()
    }
}

/// Returns the relative path from the folder of a calling module to that of the called one.
fn relative_folder(caller: ModuleNode<'_>, called: ModuleNode<'_>) -> String {
    let path = groma_config::path::relative(caller.module_path(), called.module_path());
    if path.starts_with('.') { path } else { format!("./{path}") }
}

/// Observer of an installation's progress; its methods are called from several threads.
pub trait InstallObserver: Sync {
    /// Called when another run in the same directory has to end first.
    fn waiting(&self) {}
    /// Called before each round of fetching with the maximum number of packages that this round adds.
    fn planned(&self, _count: usize) {}
    /// Called when fetching the package of the call `key` begins.
    fn began(&self, _key: &str) {}
    /// Called when the package of the call `key` was installed or has failed.
    fn ended(&self, _key: &str) {}
}

/// The result of an installation: the installed modules, and diagnostics about the others.
#[derive(Debug, Default)]
pub struct InstallResult {
    /// The modules installed by this run, by the names of their calls.
    pub installed: BTreeMap<String, ManifestEntry>,
    /// All installed modules, including those of earlier runs.
    pub entries: BTreeMap<String, ManifestEntry>,
    /// The diagnostics of modules that could not be installed.
    pub found: Diagnostics,
}

/// The directory in which modules are installed, such as `.terraform/modules`.
#[derive(Clone, Copy, Debug)]
pub struct ModulesFolder<'a> {
    /// Its path.
    pub path: &'a Path,
    /// A directory above it that the user named; below it no link is followed.
    pub within: &'a Path,
    /// The path relative to the root module.
    pub seen: &'a str,
}

/// Installs the missing modules of a project, whose calls `load` returns after it has loaded the project again; with
/// `upgrade`, installed modules are replaced by the newest matching version. Runs in the same directory wait for each other.
pub fn install(
    folder: ModulesFolder<'_>,
    upgrade: bool,
    config: &HostSettings,
    load: &mut dyn FnMut() -> CalledModules,
    progress: &dyn InstallObserver,
) -> InstallResult {
    let mut work = InstallWork {
        modules: folder.path,
        list: ManifestFile::of(folder.path, ListDisk::default()),
        seen: folder.seen,
        config,
        client: HttpClient::new(&config.proxy),
        versions: Mutex::default(),
        done: InstallResult::default(),
        tried: BTreeSet::new(),
    };
    let mut held: Option<FolderLock> = None;
    for round in 0.. {
        // The manifest may have changed since the project was loaded.
        if let Err(why) = work.list.read() {
            work.report_unwritable(&why, None);
            return work.done;
        }
        let mut now = load();
        // Without wanted or installed modules there is nothing to change.
        let is_needed =
            folder.path.is_dir() || now.remote.iter().any(|call| upgrade || !call.is_installed);
        if held.is_none() && is_needed {
            match hold(folder.path, folder.within, || progress.waiting()) {
                Ok(holding) => {
                    if work.list.recover() || holding.has_waited {
                        if let Err(why) = work.list.read() {
                            work.report_unwritable(&why, now.remote.first());
                            return work.done;
                        }
                        now = load();
                    }
                    held = Some(holding);
                }
                Err(why) => {
                    work.report_unwritable(&why, now.remote.first());
                    return work.done;
                }
            }
        }
        let wanted: Vec<&RemoteCall> = now
            .remote
            .iter()
            .filter(|call| upgrade || !call.is_installed)
            .filter(|call| !work.tried.contains(&call.key))
            .collect();
        if wanted.is_empty() {
            work.write_manifest(&now);
            return work.done;
        }
        if round == MOST_ROUNDS {
            let detail = format!(
                "What was brought asked for more {MOST_ROUNDS} times. Module \"{}\" is not brought any more.",
                wanted[0].key
            );
            work.done
                .found
                .push(Diagnostic::error(&codes::MODULE_DEPTH, detail).at(wanted[0].place));
            work.write_manifest(&now);
            return work.done;
        }
        if let Err(why) = work.round(&wanted, &now, progress) {
            work.report_unwritable(&why, wanted.first().copied());
            return work.done;
        }
        work.write_manifest(&now);
    }
    work.done
}

/// The state of one installation: its directory, the manifest, the versions in registries and the results so far.
struct InstallWork<'a> {
    modules: &'a Path,
    list: ManifestFile<ListDisk>,
    seen: &'a str,
    config: &'a HostSettings,
    client: HttpClient,
    /// The versions in registries, each requested once.
    versions: Mutex<BTreeMap<String, Versions>>,
    done: InstallResult,
    /// The calls tried in this run, successful or not.
    tried: BTreeSet<String>,
}

/// The versions of a module in a registry, newest first, each with its text as the registry writes it; or the registry's error
/// as a sentence.
type Versions = Result<Vec<(ReleaseVersion, String)>, String>;
/// A package, which is fetched once for all calls that request it, and its version if it is a module of a registry.
type PackageVersion = (PackageSource, Option<String>);

/// The reason why the module of a call is not installed: a diagnostic code and the end of the message.
struct CallProblem {
    code: &'static DiagnosticCode,
    detail: String,
}

impl From<ArchiveRefusal> for CallProblem {
    fn from(refused: ArchiveRefusal) -> CallProblem {
        match refused {
            ArchiveRefusal::Failed(detail) => CallProblem { code: &codes::MODULE_FETCH, detail },
            ArchiveRefusal::Unsafe(detail) => {
                let detail = format!("what was brought is not taken: {detail}");
                CallProblem { code: &codes::MODULE_UNSAFE, detail }
            }
        }
    }
}

impl InstallWork<'_> {
    /// Installs the modules of the calls `wanted` in one round of an installation, at whose start the project has the calls
    /// `now`; further modules that the new ones call are left to the next.
    fn round(
        &mut self,
        wanted: &[&RemoteCall],
        now: &CalledModules,
        progress: &dyn InstallObserver,
    ) -> std::io::Result<()> {
        let staging = StagingFolder::in_folder(self.modules)?;
        progress.planned(wanted.len());
        // Registries are asked for versions in parallel.
        let meant = in_parallel(wanted, |call| self.requested_package(call));
        let mut packages: BTreeMap<PackageVersion, Vec<(usize, String)>> = BTreeMap::new();
        for (at, meant) in meant.into_iter().enumerate() {
            match meant {
                Ok((package, folder)) => packages.entry(package).or_default().push((at, folder)),
                Err(problem) => {
                    progress.ended(&wanted[at].key);
                    self.report(wanted[at], problem);
                }
            }
        }
        let packages: Vec<(PackageVersion, Vec<(usize, String)>)> = packages.into_iter().collect();
        let brought = in_parallel(&packages, |((package, version), calls)| {
            let first = &wanted[calls[0].0].key;
            progress.began(first);
            let root = staging.fresh();
            let inner = fetch(package, version.as_deref(), &root, &self.client, self.config);
            for (at, _) in calls {
                progress.ended(&wanted[*at].key);
            }
            inner.map(|inner| (root, inner))
        });
        self.unlist(now, wanted)?;
        for (((_, version), calls), brought) in packages.iter().zip(brought) {
            let (root, inner) = match brought {
                Ok(there) => there,
                Err(refused) => {
                    let problem = CallProblem::from(refused);
                    for (at, _) in calls {
                        let CallProblem { code, ref detail } = problem;
                        self.report(wanted[*at], CallProblem { code, detail: detail.clone() });
                    }
                    continue;
                }
            };
            for (at, folder) in calls {
                let call = wanted[*at];
                match descend(&root, inner.clone(), folder) {
                    Ok(whole) => self.place(call, version.clone(), &root, &whole, &staging)?,
                    Err(refused) => self.report(call, refused.into()),
                }
            }
        }
        Ok(())
    }

    /// Returns the package and version that a call requests, and the directory of the module in it.
    fn requested_package(
        &self,
        call: &RemoteCall,
    ) -> Result<(PackageVersion, String), CallProblem> {
        let refused = |detail| CallProblem { code: &codes::MODULE_GETTER, detail };
        // The name of the call becomes a directory name.
        let is_name = |part: &str| !part.is_empty() && !part.contains(['/', '\\', ':', '\0']);
        if !call.key.split('.').all(is_name) {
            return Err(refused("its name cannot be the name of a folder".to_owned()));
        }
        let origin = PackageOrigin::read(&call.source, &self.config.registry).map_err(refused)?;
        let PackageSource::Registry(module) = &origin.package else {
            return Ok(((origin.package, None), origin.folder));
        };
        let whole = module.whole();
        let known = self.versions.lock().ok().and_then(|known| known.get(&whole).cloned());
        let versions = known.unwrap_or_else(|| {
            let found = registry::versions(module, &self.client, self.config);
            if let Ok(mut known) = self.versions.lock() {
                known.insert(whole.clone(), found.clone());
            }
            found
        });
        let failed = |detail| CallProblem { code: &codes::MODULE_FETCH, detail };
        let versions = versions.map_err(failed)?;
        // An invalid constraint is reported at its place by the loader.
        let constraints = call.version.as_deref().map(VersionConstraints::parse).transpose();
        let constraints =
            constraints.map_err(|part| failed(format!("\"{part}\" is no constraint")))?;
        let chosen = registry::choose(&versions, constraints.as_ref()).map(str::to_owned);
        match chosen {
            Some(version) => Ok(((origin.package, Some(version)), origin.folder)),
            None => {
                let newest = versions.first().map(|(_, text)| format!("; the newest is {text}"));
                let asked = call.version.as_deref().unwrap_or(">= 0.0.0");
                let newest = newest.unwrap_or_default();
                let detail = format!("{whole} has no version that is \"{asked}\"{newest}");
                Err(CallProblem { code: &codes::MODULE_VERSIONS, detail })
            }
        }
    }

    /// Copies the fetched package at `root` to the directory of the call's module, and notes the module with its version for
    /// the manifest; `whole` is the module's directory in the package.
    fn place(
        &mut self,
        call: &RemoteCall,
        version: Option<String>,
        root: &Path,
        whole: &Path,
        staging: &StagingFolder,
    ) -> std::io::Result<()> {
        staging.put(root, &self.modules.join(&call.key))?;
        let inner: PathBuf = whole.strip_prefix(root).unwrap_or(Path::new("")).to_owned();
        let mut dir = format!("{}/{}", self.seen.trim_end_matches('/'), call.key);
        for part in inner.components() {
            dir.push('/');
            dir.push_str(&part.as_os_str().to_string_lossy());
        }
        let entry = ManifestEntry { source: self.recorded(&call.source), version, dir };
        self.tried.insert(call.key.clone());
        self.done.installed.insert(call.key.clone(), entry);
        Ok(())
    }

    /// Returns the source of a module in the form of the manifest: a registry address with its host.
    fn recorded(&self, source: &str) -> String {
        let address = source_address(source);
        match PackageOrigin::read(source, &self.config.registry) {
            Ok(PackageOrigin { package: PackageSource::Registry(module), folder })
                if folder.is_empty() =>
            {
                module.whole()
            }
            Ok(PackageOrigin { package: PackageSource::Registry(module), folder }) => {
                format!("{}//{folder}", module.whole())
            }
            _ => address,
        }
    }

    /// Adds the diagnostic about a module call whose module is not installed.
    fn report(&mut self, call: &RemoteCall, problem: CallProblem) {
        self.tried.insert(call.key.clone());
        let detail = format!("Module \"{}\": {}.", call.key, problem.detail);
        self.done.found.push(Diagnostic::error(problem.code, detail).at(call.place));
    }

    /// Removes the entries of the modules that are about to be replaced, those of the calls `wanted` and what they call, from
    /// the manifest, which `now` lists, so that no entry is wrong if the run ends early.
    fn unlist(&mut self, now: &CalledModules, wanted: &[&RemoteCall]) -> std::io::Result<()> {
        let is_struck = |key: &str| {
            wanted.iter().any(|call| {
                key.strip_prefix(&*call.key)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        if !now.listed.keys().any(|key| is_struck(key)) {
            return Ok(());
        }
        let mut entries = now.local.clone();
        entries.extend(now.listed.clone());
        entries.extend(self.done.installed.clone());
        entries.retain(|key, _| !is_struck(key));
        self.list.write(&entries)
    }

    /// Adds the diagnostic that the modules directory cannot be written, at the place of the call `first`, if any.
    fn report_unwritable(&mut self, why: &std::io::Error, first: Option<&RemoteCall>) {
        let detail = format!(
            "Nothing can be written to {}: {why}. Modules are kept in a folder of the root module, or in the one that TF_DATA_DIR names.",
            self.modules.display()
        );
        let found = Diagnostic::error(&codes::MODULE_FETCH, detail);
        self.done.found.push(match first {
            Some(call) => found.at(call.place),
            None => found,
        });
    }

    /// Writes the manifest of the modules that are installed now, for the calls in `calls`; a remote one that could not be
    /// installed keeps its old entry.
    fn write_manifest(&mut self, calls: &CalledModules) {
        let mut entries = calls.local.clone();
        for call in &calls.remote {
            if call.is_installed {
                let listed = calls.listed.get(&call.key);
                entries.extend(listed.map(|entry| (call.key.clone(), entry.clone())));
            } else if !self.done.installed.contains_key(&call.key) {
                // A module that could not be installed keeps its old entry and those of its calls.
                let below = format!("{}.", call.key);
                let of_it = calls.listed.range(below.clone()..);
                let of_it = of_it.take_while(|(key, _)| key.starts_with(&below));
                let listed = calls.listed.get_key_value(&call.key).into_iter().chain(of_it);
                entries.extend(listed.map(|(key, entry)| (key.clone(), entry.clone())));
            }
        }
        entries.extend(self.done.installed.iter().map(|(key, entry)| (key.clone(), entry.clone())));
        self.done.entries = entries;
        // Without remote modules no manifest is needed.
        if !self.modules.is_dir() {
            return;
        }
        if let Err(why) = self.list.write(&self.done.entries) {
            let detail = format!("The list of modules cannot be written: {why}.");
            self.done.found.push(Diagnostic::error(&codes::MODULE_FETCH, detail));
        }
    }
}

/// Applies a function to each item in parallel, and returns the results in the order of the items.
fn in_parallel<T: Sync, A: Send>(items: &[T], act: impl Fn(&T) -> A + Sync) -> Vec<A> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let answers: Mutex<Vec<(usize, A)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..MOST_PARALLEL.min(items.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let answer = act(item);
                    if let Ok(mut answers) = answers.lock() {
                        answers.push((at, answer));
                    }
                }
            });
        }
    });
    let mut answers = answers.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests;
