//! The two revisions and the roots that a `groma diff` command line compares, and the options with which each root is loaded on
//! both sides. Mistakes in the command line are reported before anything is loaded.

use std::collections::BTreeSet;
use std::sync::Arc;

use groma::impact::Comparison;
use groma::{
    Budget, CompareOptions, Dialect, Host, LoadOptions, LoadPurpose, RootSide,
    causes::{ChangedFile, ChangedFiles, OtherFiles},
    compare,
    editions::EditionEvidence,
    folders::{AffectedFolder, AffectedSearch, is_code, is_module, module_folders},
    hosts::{EntryKind, HostError, MeteredHost, NotedFiles, NotedHost, file_path},
    limits::ThreadCount,
    projects::ProjectOptions,
};
use groma_git::{FileWay, NoRevision, Repository, Revision, RevisionHost, is_like};

use crate::flag::{CommandArgs, GivenFlag};
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::session::EarlyStop;
use crate::{project, settings, template};

/// Maximum length in bytes of a changed file that is decoded to see whether the change matters.
const MAX_DECODED: u64 = 4 << 20;

/// The two sides and the roots that a command line compares.
pub(crate) struct ComparedRevisions {
    pub repository: Repository,
    pub base: Revision,
    /// `None` for the working tree.
    pub head: Option<Revision>,
    /// The roots, by folder.
    pub roots: Vec<ComparedRoot>,
    /// True if the output is a list of roots, even of one.
    pub is_list: bool,
    /// True if no file differs between the sides.
    pub is_same: bool,
    /// The path of the current directory from the top of the working tree.
    here: String,
    /// The changed files that some root should read, relative to the top of the working tree.
    changed: Vec<String>,
    noted: NotedFiles,
    /// The files that can be read under computed names, for each side.
    other_files: [Arc<OtherFiles>; 2],
    /// Every folder that a change affects, roots or not, relative to the top of the working tree.
    affected: Vec<String>,
}

/// A root to compare, and the reason why the change may affect it.
#[derive(Clone, Default)]
pub(crate) struct ComparedRoot {
    /// Its folder, relative to the current directory.
    pub dir: String,
    /// True if no module calls it and nothing marks it as a root.
    pub is_uncalled: bool,
    /// True if the change affects it only through files that it may read.
    pub by_files: bool,
    /// True if its code lists files.
    pub asks_for_lists: bool,
}

/// A root whose settings are read, ready to be compared.
pub(crate) struct RootSettings {
    pub of: ComparedRoot,
    pub args: CommandArgs,
    pub remarks: Vec<String>,
    /// Records which of the changed files the root reads.
    pub noted: Arc<NotedFiles>,
    base: RootSide,
    head: RootSide,
}

/// Returns the error for a revision that does not exist.
fn misuse(why: NoRevision) -> EarlyStop {
    EarlyStop::Misuse(why.0)
}

/// Returns the paths below a folder that differ between two revisions, or between a revision and the working tree, relative to
/// the top of the repository.
fn changed(
    repository: &Repository,
    (base, head): (&Revision, Option<&Revision>),
    folder: &str,
    here: &dyn Host,
    budget: &Budget,
) -> Result<Vec<String>, HostError> {
    match head {
        Some(head) => repository.changed(base, head, folder, budget),
        None => repository.changed_since(base, here, folder, budget),
    }
}

/// Returns the error for changes that cannot be determined.
fn undetermined(why: HostError) -> EarlyStop {
    EarlyStop::Misuse(format!("the changes cannot be determined: {why}."))
}

/// Returns true if a path is the folder or lies below it.
fn is_below(path: &str, folder: &str) -> bool {
    folder == "."
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The optional operands after the base revision.
struct MeantOperands<'a> {
    head: Option<&'a str>,
    dir: Option<&'a str>,
}

/// Opens the repository that contains the folder in the last operand, or else the current directory.
pub(crate) fn repository(
    operands: &[String],
    machine: &MachineContext,
) -> Result<Repository, EarlyStop> {
    let [_, others @ ..] = operands else {
        return Err(EarlyStop::Misuse(
            "a revision to compare with is needed, as in `groma diff main`.".into(),
        ));
    };
    let folder = others.last().filter(|dir| machine.is_directory(dir));
    let top = machine.repository(folder.map_or(".", |dir| dir)).map_err(EarlyStop::Misuse)?;
    Repository::open(&top).map_err(misuse)
}

/// Decides which operands are a revision and which a folder.
fn meant<'a>(
    operands: &'a [String],
    here: &Repository,
    machine: &MachineContext,
) -> Result<MeantOperands<'a>, EarlyStop> {
    let second = match operands {
        [] | [_] => return Ok(MeantOperands { head: None, dir: None }),
        [_, head, dir] => return Ok(MeantOperands { head: Some(head), dir: Some(dir) }),
        [_, second] => second,
        more => {
            return Err(EarlyStop::Misuse(format!(
                "at most two revisions and one folder may be given, not {} arguments. For several folders use --roots PATTERN.",
                more.len()
            )));
        }
    };
    let is_folder = machine.is_directory(second);
    let is_revision = here.knows(second);
    match (is_revision, is_folder) {
        (true, true) => Err(EarlyStop::Misuse(format!(
            "\"{second}\" is both a revision and a folder: write ./{second} for the folder, or name all three."
        ))),
        (_, true) => Ok(MeantOperands { head: None, dir: Some(second) }),
        (true, false) => Ok(MeantOperands { head: Some(second), dir: None }),
        // A removed folder is a folder if the older revision has it.
        (false, false) => {
            let base = here.range(&operands[0]).map_err(misuse)?.base;
            let way = machine.path_from(here.work_tree(), second);
            match way.is_some_and(|way| here.had_folder(&base, &way)) {
                true => Ok(MeantOperands { head: None, dir: Some(second) }),
                false => Err(EarlyStop::Misuse(format!(
                    "\"{second}\" is not a folder, and {}",
                    here.revision(second).err().map(|why| why.0).unwrap_or_default()
                ))),
            }
        }
    }
}

impl ComparedRevisions {
    /// Returns the revisions and roots that a command line compares.
    pub(crate) fn of(
        repository: &Repository,
        args: &CommandArgs,
        machine: &MachineContext,
    ) -> Result<ComparedRevisions, EarlyStop> {
        let MeantOperands { head, dir } = meant(&args.operands, repository, machine)?;
        let repository = repository.clone();
        let range = repository.range(&args.operands[0]).map_err(misuse)?;
        let head = match (range.head, head) {
            (Some(_), Some(name)) => {
                return Err(EarlyStop::Misuse(format!(
                    "{} names both sides already: leave \"{name}\" out.",
                    args.operands[0]
                )));
            }
            (Some(head), None) => Some(head),
            (None, Some(name)) => Some(repository.revision(name).map_err(misuse)?),
            (None, None) => None,
        };
        if dir.is_some() && !args.roots.is_empty() {
            return Err(EarlyStop::Misuse("a folder and --roots cannot be used together.".into()));
        }
        let base = range.base;
        let other_files = [0, 1].map(|_| Arc::new(OtherFiles::of_number(0)));
        let top = repository.work_tree().to_owned();
        let way = |dir: &str| machine.path_from(&top, dir).map(|way| file_path::clean(&way));
        let mut compared = ComparedRevisions {
            here: way(".").unwrap_or_else(|| ".".to_owned()),
            noted: NotedFiles::new(&top, []),
            repository,
            base,
            head,
            roots: Vec::new(),
            is_list: false,
            is_same: false,
            changed: Vec::new(),
            other_files,
            affected: Vec::new(),
        };
        compared.other_files[1] = Arc::new(compared.find_other_files(None, args, machine));
        let Some(folder) = way(dir.unwrap_or(".")) else {
            let dir = dir.unwrap_or(".");
            return Err(EarlyStop::Misuse(format!(
                "{dir} is outside of the git repository at {top}."
            )));
        };
        let hosts = [Some(&compared.base), compared.head.as_ref()]
            .map(|revision| compared.whole(revision, args, machine));
        let is_there = hosts.iter().any(|host| host.kind(dir.unwrap_or(".")).is_ok());
        let has_code = hosts.iter().any(|host| is_module(&**host, dir.unwrap_or(".")));
        match dir {
            _ if !args.roots.is_empty() => compared.take_fitting(&hosts, args, machine)?,
            Some(dir) if has_code || !is_there => {
                let dir = file_path::clean(dir);
                compared.roots.push(ComparedRoot { dir, ..ComparedRoot::default() });
                compared.changed = compared.changed_below(&folder, &hosts, args)?;
            }
            _ => {
                compared.is_list = dir.is_some() || !has_code;
                compared.take_affected(&folder, &hosts, args, machine)?;
            }
        }
        compared.noted = NotedFiles::new(&top, compared.changed.iter().cloned());
        Ok(compared)
    }

    /// Returns every folder that a change affects, relative to the current directory.
    pub(crate) fn affected(&self) -> BTreeSet<String> {
        self.affected.iter().map(|dir| self.seen(dir)).collect()
    }

    /// Returns the changed files in and below a folder.
    fn changed_below(
        &self,
        folder: &str,
        hosts: &[Arc<dyn Host>; 2],
        args: &CommandArgs,
    ) -> Result<Vec<String>, EarlyStop> {
        let both = (&self.base, self.head.as_ref());
        changed(&self.repository, both, folder, &*hosts[1], &args.budget).map_err(undetermined)
    }

    /// Returns a path of the working tree relative to the current directory.
    pub(crate) fn seen(&self, path: &str) -> String {
        file_path::relative(&self.here, path)
    }

    /// Returns a host that reads the whole repository at a revision, or the working tree, to search for roots.
    fn whole(
        &self,
        revision: Option<&Revision>,
        args: &CommandArgs,
        machine: &MachineContext,
    ) -> Arc<dyn Host> {
        let top = self.repository.work_tree().to_owned();
        let real = Arc::new(machine.host(top.clone().into(), Vec::new(), std::iter::empty()));
        let host: Arc<dyn Host> = match revision {
            Some(revision) => {
                Arc::new(RevisionHost::new(&self.repository, revision, real, &[top], &[]))
            }
            None => real,
        };
        Arc::new(MeteredHost::new(host, args.budget.clone()))
    }

    /// Returns the files of the newer side that code may read under computed names. `paths` are the changed files, if known
    /// already.
    fn find_other_files(
        &self,
        paths: Option<&[String]>,
        args: &CommandArgs,
        machine: &MachineContext,
    ) -> OtherFiles {
        let (repository, base, head) =
            (self.repository.clone(), self.base.clone(), self.head.clone());
        let (here, budget) = (self.whole(None, args, machine), args.budget.clone());
        let paths = paths.map(<[String]>::to_vec);
        let sides = [
            self.whole(Some(&self.base), args, machine),
            self.whole(self.head.as_ref(), args, machine),
        ];
        let versions = move |path: &str| {
            let text = |host: &Arc<dyn Host>| match host.read_within(path, MAX_DECODED) {
                Ok(bytes) => Some(String::from_utf8(bytes).ok()),
                Err(HostError::Absent | HostError::WrongKind) => Some(None),
                Err(_) => None,
            };
            sides.iter().map(text).collect()
        };
        let find = move || {
            let both = (&base, head.as_ref());
            let paths = match &paths {
                Some(paths) => Ok(paths.clone()),
                None => changed(&repository, both, ".", &*here, &budget),
            };
            let ways =
                paths.and_then(|paths| repository.ways(&paths, both.0, both.1, &*here, &budget));
            // If the changes cannot be determined, anything may differ.
            let Ok(ways) = ways else { return ChangedFiles { rest: 1, files: Vec::new() } };
            let file = |way: FileWay| ChangedFile {
                is_code: is_code(&way.path),
                path: file_path::join(repository.work_tree(), &way.path),
                content: 1,
                is_folder: way.is_folder,
            };
            ChangedFiles { rest: 0, files: ways.into_iter().map(file).collect() }
        };
        OtherFiles::with_versions(find, versions)
    }

    /// Selects the roots that a change affects: those in or below the folder, and those elsewhere that depend on changes in it.
    /// The folder itself is selected if it contains code.
    fn take_affected(
        &mut self,
        folder: &str,
        hosts: &[Arc<dyn Host>; 2],
        args: &CommandArgs,
        machine: &MachineContext,
    ) -> Result<(), EarlyStop> {
        let all = self.changed_below(".", hosts, args)?;
        self.other_files[1] = Arc::new(self.find_other_files(Some(&all), args, machine));
        self.is_same = all.is_empty();
        if self.is_same {
            return Ok(());
        }
        let top = self.repository.work_tree().to_owned();
        let reach = AffectedSearch::of(&*hosts[1], &top, &all).with_older(&*hosts[0]);
        let is_given = |given: &GivenFlag| match given {
            GivenFlag::File(path) => {
                machine.path_from(&top, path).is_some_and(|way| all.contains(&way))
            }
            GivenFlag::Var { .. } => false,
        };
        // A changed variables file affects every root.
        let reached = match args.assignments.iter().any(is_given) {
            true => reach.all(),
            false => reach.affected(&all),
        };
        self.changed = all.into_iter().filter(|path| is_below(path, folder)).collect();
        let mut found: Vec<AffectedFolder> = reach.affected(&self.changed);
        found.extend(reached.into_iter().filter(|one| is_below(&one.folder.dir, folder)));
        let dir = |one: &AffectedFolder| one.folder.dir.clone();
        found.sort_by_key(|one| (dir(one), !one.by_code));
        found.dedup_by(|one, other| one.folder.dir == other.folder.dir);
        self.affected = found.iter().map(dir).collect();
        let found = found.into_iter();
        let found = found.filter(|one| one.folder.is_root() || one.folder.dir == folder);
        let root = |one: AffectedFolder| ComparedRoot {
            dir: self.seen(&one.folder.dir),
            is_uncalled: !one.folder.is_called
                && !one.folder.is_evident
                && one.folder.dir != folder,
            by_files: !one.by_code && one.folder.dir != folder,
            asks_for_lists: reach.asks_for_lists(&one.folder.dir),
        };
        let roots: Vec<ComparedRoot> = found.map(root).collect();
        self.is_list |= roots.iter().any(|root| root.dir != ".");
        self.roots = roots;
        self.roots.sort_by(|one, other| one.dir.cmp(&other.dir));
        Ok(())
    }

    /// Selects every folder with code that matches a pattern of `--roots`.
    fn take_fitting(
        &mut self,
        hosts: &[Arc<dyn Host>; 2],
        args: &CommandArgs,
        machine: &MachineContext,
    ) -> Result<(), EarlyStop> {
        self.is_list = true;
        let top = self.repository.work_tree().to_owned();
        let mut found: Vec<(String, String)> = Vec::new();
        let all: Vec<String> =
            hosts.iter().flat_map(|host| module_folders(&**host, &top)).collect();
        if args.budget.ended().is_some() {
            return Err(undetermined(HostError::Failed("the run has ended".to_owned())));
        }
        for dir in all {
            let seen = self.seen(&dir);
            let fits = args.roots.iter().any(|pattern| {
                is_like(&seen, pattern.trim_start_matches("./").trim_end_matches('/'))
            });
            if fits {
                found.push((seen, dir));
            }
        }
        found.sort();
        found.dedup();
        if found.is_empty() {
            return Err(EarlyStop::Misuse(format!(
                "no folder with code matches --roots {}.",
                args.roots.join(" --roots ")
            )));
        }
        let all = self.changed_below(".", hosts, args)?;
        self.other_files[1] = Arc::new(self.find_other_files(Some(&all), args, machine));
        let named: BTreeSet<&str> = found.iter().map(|(_, dir)| dir.as_str()).collect();
        let is_within = |path: &String| {
            let mut above = file_path::parent(path);
            while !named.contains(above.as_str()) && above != "." {
                above = file_path::parent(&above);
            }
            named.contains(above.as_str())
        };
        self.changed = all.into_iter().filter(is_within).collect();
        let root = |(dir, _): (String, String)| ComparedRoot { dir, ..ComparedRoot::default() };
        self.roots = found.into_iter().map(root).collect();
        Ok(())
    }

    /// Determines the options with which a root is loaded on both sides.
    pub(crate) fn open(
        &self,
        root: &ComparedRoot,
        args: &CommandArgs,
        schemas: &ReadSchemas,
        machine: &MachineContext,
    ) -> Result<RootSettings, EarlyStop> {
        let dir = root.dir.as_str();
        let mut own =
            CommandArgs { operand: Some(dir.to_owned()), names_folder: true, ..args.clone() };
        let highest = self.is_list.then_some(".");
        let remarks = settings::settle_on(&mut own, true, highest, machine)?;
        if template::names_template_on(&own, Some(dir), machine) {
            return Err(EarlyStop::Misuse(format!(
                "{dir} contains a Packer template: only revisions of modules can be compared."
            )));
        }
        let mut options = project::options_of(&own, dir, schemas, machine)?;
        // A missing input is unknown on both sides instead of an error.
        options.load.purpose = LoadPurpose::Evaluate;
        let real = project::host(&own, &options, machine);
        let pinned: Vec<String> = own.mocks.iter().chain(own.schema.as_ref()).cloned().collect();
        let head: Arc<dyn Host> = match &self.head {
            None => real.clone(),
            Some(revision) => Arc::new(self.host(revision, &own, &options.load, real.clone())),
        };
        let base = self.host(&self.base, &own, &options.load, real);
        let base: Arc<dyn Host> = Arc::new(base.with_pinned(&pinned, head.clone()));
        let is_there = |host: &Arc<dyn Host>| host.kind(dir) == Ok(EntryKind::Directory);
        let (had, has) = (is_there(&base), is_there(&head));
        if !had && !has {
            return Err(EarlyStop::Misuse(format!(
                "{dir}: there is no such directory on either side."
            )));
        }
        if !settings::is_dialect_chosen(&own) {
            // The newer side decides the dialect for both sides.
            let host = if has { &head } else { &base };
            let entries = host.list(dir).unwrap_or_default().into_iter();
            let files = entries.filter(|entry| entry.kind != EntryKind::Directory);
            let mut names: Vec<String> = files.map(|entry| entry.name).collect();
            names.sort_unstable();
            let evidence = EditionEvidence::of(&**host, dir, &names, &own.parsed).with_standing();
            own.edition = Some(evidence.edition);
            own.evidence = Some(evidence);
        }
        options.load.edition = own.edition;
        options.load.evidence =
            own.evidence.as_ref().map(|one| one.reason.clone()).unwrap_or_default();
        options.load.is_guess = own.evidence.as_ref().is_some_and(|one| one.is_guess);
        if own.edition.is_some_and(|edition| edition.dialect == Dialect::Packer) {
            return Err(EarlyStop::Misuse(format!(
                "{dir} is read as a Packer template: only revisions of modules can be compared."
            )));
        }
        let noted = Arc::new(self.noted.afresh());
        let side = |host: Arc<dyn Host>, is_there, files| RootSide {
            options: ProjectOptions { load: options.load.clone(), run: options.run.clone() },
            host: Arc::new(NotedHost::new(host, noted.clone())),
            is_there,
            files,
        };
        Ok(RootSettings {
            of: root.clone(),
            args: own,
            remarks,
            noted: noted.clone(),
            base: side(base, had, Arc::new(self.other_files[0].afresh())),
            head: side(head, has, Arc::new(self.other_files[1].afresh())),
        })
    }

    /// Returns the host that reads a root at a revision.
    fn host(
        &self,
        revision: &Revision,
        args: &CommandArgs,
        load: &LoadOptions,
        real: Arc<dyn Host>,
    ) -> RevisionHost {
        let named: Vec<String> = args
            .assignments
            .iter()
            .filter_map(|given| match given {
                GivenFlag::File(path) => Some(path.clone()),
                GivenFlag::Var { .. } => None,
            })
            .chain(args.mocks.iter().cloned())
            .chain(args.schema.clone())
            .collect();
        let roots: Vec<String> = load.root.iter().chain(&load.allowed).cloned().collect();
        RevisionHost::new(&self.repository, revision, real, &roots, &named)
    }
}

impl RootSettings {
    /// Returns the same settings with evaluation on one thread, since roots are compared in parallel.
    pub(crate) fn with_one_thread(mut self) -> RootSettings {
        for side in [&mut self.base, &mut self.head] {
            side.options.run.threads = ThreadCount::up_to(1);
        }
        self
    }

    /// Returns the settings of a root whose two sides are read from these hosts.
    pub(crate) fn of_hosts(
        dir: &str,
        args: CommandArgs,
        options: &ProjectOptions,
        [base, head]: [Arc<dyn Host>; 2],
    ) -> RootSettings {
        let files = Arc::new(OtherFiles::of_number(0));
        let side = |host| RootSide {
            options: ProjectOptions { load: options.load.clone(), run: options.run.clone() },
            host,
            is_there: true,
            files: files.clone(),
        };
        RootSettings {
            of: ComparedRoot { dir: dir.to_owned(), ..ComparedRoot::default() },
            args,
            remarks: Vec::new(),
            noted: Arc::new(NotedFiles::new("/", [])),
            base: side(base),
            head: side(head),
        }
    }

    /// Plans both sides and compares the plans.
    pub(crate) fn compare(self) -> ComparedSides {
        let RootSettings { of, args, noted, base, head, .. } = self;
        let asked =
            CompareOptions { all: args.all, is_strict: args.strict, open_inputs: args.open_inputs };
        let comparison = compare(&of.dir, base, head, asked);
        ComparedSides { of, args, noted, comparison }
    }
}

/// A root with the comparison of its two sides.
pub(crate) struct ComparedSides {
    pub of: ComparedRoot,
    pub args: CommandArgs,
    /// Records which of the changed files the root has read.
    pub noted: Arc<NotedFiles>,
    pub comparison: Comparison,
}

impl ComparedSides {
    /// Returns true if it is a module that is compared alone because no root calls it.
    pub(crate) fn is_lone_module(&self) -> bool {
        self.of.is_uncalled && self.comparison.open_inputs().is_some_and(|names| !names.is_empty())
    }

    /// Returns true if only files that it did not read have changed, and its plans do not differ.
    pub(crate) fn is_idle(&self) -> bool {
        let is_silent = !self.comparison.is_change() && self.comparison.untold() == 0;
        self.of.by_files && !self.noted.any_was_read() && is_silent
    }
}

impl ComparedRevisions {
    /// Returns the changed files that none of these roots reads, relative to the current directory and sorted. A module that is
    /// compared alone does not count as a root.
    pub(crate) fn unreached(&self, roots: &[ComparedSides]) -> Vec<String> {
        let roots = roots.iter().filter(|one| !one.is_lone_module());
        self.unread(&roots.collect::<Vec<_>>())
    }

    /// Returns the changed files that none of these comparisons has read.
    pub(crate) fn unread(&self, all: &[&ComparedSides]) -> Vec<String> {
        let is_read = |path: &String| {
            all.iter().any(|one| {
                one.noted.was_read(path) || one.of.asks_for_lists && one.noted.was_listed(path)
            })
        };
        let unread = self.changed.iter().filter(|path| !is_read(path));
        unread.map(|path| self.seen(path)).collect()
    }
}
