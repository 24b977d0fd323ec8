//! The two revisions that a `groma diff` command line compares, and the roots that the changes between them may affect. Mistakes
//! in the command line are reported before anything is loaded.

mod root_sides;

use std::collections::BTreeSet;
use std::sync::Arc;

use groma::{
    Budget, Host,
    causes::{ChangedFile, ChangedFiles, OtherFiles},
    folders::{AffectedFolder, AffectedSearch, is_code, is_module, module_folders},
    hosts::{HostError, MeteredHost, NotedFiles, file_path},
};
use groma_git::{FileRoute, NoRevision, Repository, Revision, RevisionHost, is_like};

use crate::flag::{CommandArgs, GivenFlag};
use crate::host::MachineContext;
use crate::session::EarlyStop;

pub(crate) use root_sides::{ComparedSides, RootSettings};

/// Maximum length in bytes of a changed file that is compared by its values as functions such as `jsondecode` yield them at both
/// revisions; a longer one counts as different.
const MAX_DECODED: u64 = 4 << 20;

/// The two revisions that a `groma diff` command line compares, and the roots in which they are compared.
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

/// A root whose plans at two revisions are to be compared, and the way in which the changed files may affect it: by its code, or
/// as files that it may read.
#[derive(Clone, Default)]
pub(crate) struct ComparedRoot {
    /// Its folder, relative to the current directory.
    pub dir: String,
    /// True if no module calls it and nothing marks it as a root.
    pub is_uncalled: bool,
    /// True if the change affects it only through files that it may read.
    pub by_files: bool,
    /// True if its code lists files.
    pub calls_list_functions: bool,
}

/// Returns the error for a revision that does not exist.
fn misuse(why: NoRevision) -> EarlyStop {
    EarlyStop::Misuse(why.0)
}

/// Returns the paths below a folder that differ between two revisions, or without `head` between `base` and the working tree,
/// which `here` reads, relative to the top of the repository.
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

/// Returns the error for a comparison of revisions whose changed files cannot be determined.
fn undetermined(why: HostError) -> EarlyStop {
    EarlyStop::Misuse(format!("the changes cannot be determined: {why}."))
}

/// Returns true if a path is the folder or lies below it.
fn is_below(path: &str, folder: &str) -> bool {
    folder == "."
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The optional operands of `groma diff` after the base revision: the head revision and a folder.
struct DiffOperands<'a> {
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

/// Interprets the operands after the base revision as a head revision, which the repository `here` knows, a folder, or both;
/// more are an error.
fn parse_operands<'a>(
    operands: &'a [String],
    here: &Repository,
    machine: &MachineContext,
) -> Result<DiffOperands<'a>, EarlyStop> {
    let second = match operands {
        [] | [_] => return Ok(DiffOperands { head: None, dir: None }),
        [_, head, dir] => return Ok(DiffOperands { head: Some(head), dir: Some(dir) }),
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
        (_, true) => Ok(DiffOperands { head: None, dir: Some(second) }),
        (true, false) => Ok(DiffOperands { head: Some(second), dir: None }),
        // A removed folder is a folder if the older revision has it.
        (false, false) => {
            let base = here.range(&operands[0]).map_err(misuse)?.base;
            let way = machine.path_from(here.work_tree(), second);
            match way.is_some_and(|way| here.had_folder(&base, &way)) {
                true => Ok(DiffOperands { head: None, dir: Some(second) }),
                false => Err(EarlyStop::Misuse(format!(
                    "\"{second}\" is not a folder, and {}",
                    here.revision(second).err().map(|why| why.0).unwrap_or_default()
                ))),
            }
        }
    }
}

impl ComparedRevisions {
    /// Determines the revisions and the roots that a `groma diff` command line compares.
    pub(crate) fn of(
        repository: &Repository,
        args: &CommandArgs,
        machine: &MachineContext,
    ) -> Result<ComparedRevisions, EarlyStop> {
        let DiffOperands { head, dir } = parse_operands(&args.operands, repository, machine)?;
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
            .map(|revision| compared.repository_host(revision, args, machine));
        let is_there = hosts.iter().any(|host| host.kind(dir.unwrap_or(".")).is_ok());
        let has_code = hosts.iter().any(|host| is_module(&**host, dir.unwrap_or(".")));
        match dir {
            _ if !args.roots.is_empty() => compared.take_matching(&hosts, args, machine)?,
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

    /// Returns every folder that the differences between the two sides affect, relative to the current directory.
    pub(crate) fn affected(&self) -> BTreeSet<String> {
        self.affected.iter().map(|dir| self.relative_path(dir)).collect()
    }

    /// Returns the files in and below a folder that differ between the two sides, relative to the top of the repository.
    fn changed_below(
        &self,
        folder: &str,
        hosts: &[Arc<dyn Host>; 2],
        args: &CommandArgs,
    ) -> Result<Vec<String>, EarlyStop> {
        let both = (&self.base, self.head.as_ref());
        changed(&self.repository, both, folder, &*hosts[1], &args.budget).map_err(undetermined)
    }

    /// Converts a path below the top of the repository to one relative to the current directory.
    pub(crate) fn relative_path(&self, path: &str) -> String {
        file_path::relative(&self.here, path)
    }

    /// Returns a host that reads the whole repository at a revision, or the working tree, to search for roots.
    fn repository_host(
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

    /// Creates the record of the changed files that calls of functions such as `file` with an unknown path may read; it is filled
    /// when needed, from `paths`, which are those of all changed files, or without them from the repository.
    fn find_other_files(
        &self,
        paths: Option<&[String]>,
        args: &CommandArgs,
        machine: &MachineContext,
    ) -> OtherFiles {
        let (repository, base, head) =
            (self.repository.clone(), self.base.clone(), self.head.clone());
        let (here, budget) = (self.repository_host(None, args, machine), args.budget.clone());
        let paths = paths.map(<[String]>::to_vec);
        let sides = [
            self.repository_host(Some(&self.base), args, machine),
            self.repository_host(self.head.as_ref(), args, machine),
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
            let ways = paths
                .and_then(|paths| repository.routes_to(&paths, both.0, both.1, &*here, &budget));
            // If the changes cannot be determined, anything may differ.
            let Ok(ways) = ways else { return ChangedFiles { rest: 1, files: Vec::new() } };
            let file = |way: FileRoute| ChangedFile {
                is_code: is_code(&way.path),
                path: file_path::join(repository.work_tree(), &way.path),
                content: 1,
                is_folder: way.is_folder,
            };
            ChangedFiles { rest: 0, files: ways.into_iter().map(file).collect() }
        };
        OtherFiles::with_versions(find, versions)
    }

    /// Selects the roots that a change between the two sides, read by `hosts`, affects: those in or below `folder`, and those
    /// elsewhere that depend on changes in `folder`, which is itself selected if it contains code.
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
            dir: self.relative_path(&one.folder.dir),
            is_uncalled: !one.folder.is_called
                && !one.folder.is_evident
                && one.folder.dir != folder,
            by_files: !one.by_code && one.folder.dir != folder,
            calls_list_functions: reach.calls_list_functions(&one.folder.dir),
        };
        let roots: Vec<ComparedRoot> = found.map(root).collect();
        self.is_list |= roots.iter().any(|root| root.dir != ".");
        self.roots = roots;
        self.roots.sort_by(|one, other| one.dir.cmp(&other.dir));
        Ok(())
    }

    /// Selects every folder that has code on one of the two sides, which `hosts` read, and that matches a pattern of
    /// `--roots`.
    fn take_matching(
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
            let seen = self.relative_path(&dir);
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
}
