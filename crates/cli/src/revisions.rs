//! Two revisions of one or many roots, opened to be compared: which revisions and which roots a command line means, and
//! what each root is loaded with on both sides. What it finds wrong with the command line is said before anything is read.

use std::sync::Arc;

use groma::impact::Comparison;
use groma::{
    Budget, Calls, CountedHost, Dialect, EntryKind, Evidence, Host, HostError, LoadOptions,
    Options, OtherFiles, Side, Threads, compare, file_path, is_code, is_module,
};
use groma_revision::{NoRevision, Repository, Revision, RevisionHost, is_like};

use crate::flag::{Args, GivenFlag};
use crate::given::ReadSchemas;
use crate::host::Machine;
use crate::session::Stop;
use crate::{project, settings, template};

/// What a command line compares.
pub(crate) struct Compared {
    pub repository: Repository,
    pub base: Revision,
    /// Nothing for the work tree as it is.
    pub head: Option<Revision>,
    /// The roots, as they are seen from the current directory.
    pub roots: Vec<String>,
    /// Whether they are a list, however many there are.
    pub is_list: bool,
    /// The files beside the code on both sides.
    other_files: [Arc<OtherFiles>; 2],
}

/// What is known of a root once its settings are read.
pub(crate) struct Root {
    pub dir: String,
    pub args: Args,
    pub remarks: Vec<String>,
    base: Side,
    head: Side,
}

fn misuse(why: NoRevision) -> Stop {
    Stop::Misuse(why.0)
}

/// The paths of the files that are not the same in two revisions, or in one and as the host has them, from the top of the
/// repository.
fn changed(
    repository: &Repository,
    (base, head): (&Revision, Option<&Revision>),
    here: &dyn Host,
    budget: &Budget,
) -> Result<Vec<String>, HostError> {
    match head {
        Some(head) => repository.changed(base, head, budget),
        None => repository.changed_since(base, here, budget),
    }
}

/// Which of the operands behind the first one are meant as a revision and as a folder.
struct Meant<'a> {
    head: Option<&'a str>,
    dir: Option<&'a str>,
}

/// The repository that operands are about: that of the folder that the last one names, if it names one.
pub(crate) fn repository(operands: &[String], machine: &Machine) -> Result<Repository, Stop> {
    let [_, others @ ..] = operands else {
        return Err(Stop::Misuse(
            "which revision to compare with has to be said, as in `groma diff main`.".into(),
        ));
    };
    let folder = others.last().filter(|dir| machine.is_directory(dir));
    let top = machine.repository(folder.map_or(".", |dir| dir)).map_err(Stop::Misuse)?;
    Repository::open(&top).map_err(misuse)
}

/// Sorts the operands out.
fn meant<'a>(
    operands: &'a [String],
    here: &Repository,
    machine: &Machine,
) -> Result<Meant<'a>, Stop> {
    let second = match operands {
        [] | [_] => return Ok(Meant { head: None, dir: None }),
        [_, head, dir] => return Ok(Meant { head: Some(head), dir: Some(dir) }),
        [_, second] => second,
        more => {
            return Err(Stop::Misuse(format!(
                "two revisions and one folder at most can be compared, and these are {} operands. --roots PATTERN names several folders.",
                more.len()
            )));
        }
    };
    let is_folder = machine.is_directory(second);
    let is_revision = here.knows(second);
    match (is_revision, is_folder) {
        (true, true) => Err(Stop::Misuse(format!(
            "\"{second}\" is both a revision and a folder: write ./{second} for the folder, or name all three."
        ))),
        (_, true) => Ok(Meant { head: None, dir: Some(second) }),
        (true, false) => Ok(Meant { head: Some(second), dir: None }),
        // A folder that has gone is still one of the revision before.
        (false, false) => {
            let base = here.range(&operands[0]).map_err(misuse)?.base;
            let way = machine.way_from(here.work_tree(), second);
            match way.is_some_and(|way| here.had_folder(&base, &way)) {
                true => Ok(Meant { head: None, dir: Some(second) }),
                false => Err(Stop::Misuse(format!(
                    "\"{second}\" is no folder, and {}",
                    here.revision(second).err().map(|why| why.0).unwrap_or_default()
                ))),
            }
        }
    }
}

impl Compared {
    /// What a command line compares.
    pub(crate) fn of(
        repository: &Repository,
        args: &Args,
        machine: &Machine,
    ) -> Result<Compared, Stop> {
        let Meant { head, dir } = meant(&args.operands, repository, machine)?;
        let repository = repository.clone();
        let range = repository.range(&args.operands[0]).map_err(misuse)?;
        let head = match (range.head, head) {
            (Some(_), Some(name)) => {
                return Err(Stop::Misuse(format!(
                    "{} names both sides already: leave \"{name}\" out.",
                    args.operands[0]
                )));
            }
            (Some(head), None) => Some(head),
            (None, Some(name)) => Some(repository.revision(name).map_err(misuse)?),
            (None, None) => None,
        };
        if dir.is_some() && !args.roots.is_empty() {
            return Err(Stop::Misuse(
                "a folder and --roots do not go together: give one of them.".into(),
            ));
        }
        let base = range.base;
        let other_files = [0, 1].map(|number| Arc::new(OtherFiles::new(move || number)));
        let (roots, is_list) = (Vec::new(), false);
        let mut compared = Compared { repository, base, head, roots, is_list, other_files };
        compared.other_files[1] = Arc::new(compared.find_other_files(args, machine));
        match dir {
            Some(dir) => {
                let top = compared.repository.work_tree();
                if machine.way_from(top, dir).is_none() {
                    return Err(Stop::Misuse(format!(
                        "{dir} lies outside of the git repository at {top}."
                    )));
                }
                compared.roots.push(file_path::clean(dir));
            }
            None => compared.find_roots(args, machine)?,
        }
        Ok(compared)
    }

    /// A host of a side that reads all of the repository, for who looks for roots.
    fn whole(&self, revision: Option<&Revision>, args: &Args, machine: &Machine) -> Arc<dyn Host> {
        let top = self.repository.work_tree().to_owned();
        let real = Arc::new(machine.host(top.clone().into(), Vec::new(), std::iter::empty()));
        let host: Arc<dyn Host> = match revision {
            Some(revision) => {
                Arc::new(RevisionHost::new(&self.repository, revision, real, &[top], &[]))
            }
            None => real,
        };
        Arc::new(CountedHost::new(host, args.budget.clone()))
    }

    /// The files beside the code of the newer side: they are those of the older one where no such file differs.
    fn find_other_files(&self, args: &Args, machine: &Machine) -> OtherFiles {
        let (repository, base, head) =
            (self.repository.clone(), self.base.clone(), self.head.clone());
        let (here, budget) = (self.whole(None, args, machine), args.budget.clone());
        OtherFiles::new(move || {
            let found = changed(&repository, (&base, head.as_ref()), &*here, &budget);
            // What cannot be told may differ.
            u64::from(found.map_or(true, |all| all.iter().any(|one| !is_code(one))))
        })
    }

    /// The roots that nobody has named: the current folder where it holds code, else all below it that a changed file
    /// reaches; with patterns all folders that fit one.
    fn find_roots(&mut self, args: &Args, machine: &Machine) -> Result<(), Stop> {
        let hosts = [Some(&self.base), self.head.as_ref()]
            .map(|revision| self.whole(revision, args, machine));
        if args.roots.is_empty() && hosts.iter().any(|host| is_module(&**host, ".")) {
            self.roots.push(".".to_owned());
            return Ok(());
        }
        self.is_list = true;
        let top = self.repository.work_tree().to_owned();
        let both = (&self.base, self.head.as_ref());
        let changed = changed(&self.repository, both, &*hosts[1], &args.budget)
            .map_err(|why| Stop::Misuse(format!("what has changed cannot be told: {why}.")))?;
        let differs = u64::from(changed.iter().any(|one| !is_code(one)));
        self.other_files[1] = Arc::new(OtherFiles::new(move || differs));
        let mut reach = Calls::default();
        for host in &hosts {
            reach.look(&**host, &top, &changed);
        }
        let here = machine.way_from(&top, ".").unwrap_or_default();
        let found = match args.roots.is_empty() {
            true => reach.reached(&changed),
            false => reach.folders(),
        };
        let here = if here.is_empty() { ".".to_owned() } else { here };
        let seen = found.iter().map(|dir| file_path::relative(&here, dir));
        let fits = |dir: &String| match args.roots.is_empty() {
            true => dir != ".." && !dir.starts_with("../"),
            false => args.roots.iter().any(|pattern| {
                is_like(dir, pattern.trim_start_matches("./").trim_end_matches('/'))
            }),
        };
        self.roots = seen.filter(fits).collect();
        self.roots.sort();
        if self.roots.is_empty() && !args.roots.is_empty() {
            return Err(Stop::Misuse(format!(
                "no folder with code fits --roots {}.",
                args.roots.join(" --roots ")
            )));
        }
        Ok(())
    }

    /// Settles what a root is loaded with on both sides.
    pub(crate) fn open(
        &self,
        dir: &str,
        args: &Args,
        schemas: &ReadSchemas,
        machine: &Machine,
    ) -> Result<Root, Stop> {
        let mut own = Args { operand: Some(dir.to_owned()), names_folder: true, ..args.clone() };
        let highest = self.is_list.then_some(".");
        let remarks = settings::settle_on(&mut own, true, highest, machine)?;
        if template::is_meant_on(&own, Some(dir), machine) {
            return Err(Stop::Misuse(format!(
                "{dir} holds a Packer template: revisions are compared of modules only."
            )));
        }
        let mut options = project::options_of(&own, dir, schemas, machine)?;
        // Who compares wants an answer: what is not given is unknown on both sides.
        (options.load.strict, options.load.judging) = (false, false);
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
            return Err(Stop::Misuse(format!("{dir}: there is no such directory at either side.")));
        }
        if !settings::is_said(&own) {
            // Both sides are read as the newer one says.
            let host = if has { &head } else { &base };
            let entries = host.list(dir).unwrap_or_default().into_iter();
            let files = entries.filter(|entry| entry.kind != EntryKind::Directory);
            let mut names: Vec<String> = files.map(|entry| entry.name).collect();
            names.sort_unstable();
            let evidence = Evidence::of(&**host, dir, &names, &own.parsed).with_standing();
            own.edition = Some(evidence.edition);
            own.evidence = Some(evidence);
        }
        options.load.edition = own.edition;
        options.load.evidence =
            own.evidence.as_ref().map(|one| one.reason.clone()).unwrap_or_default();
        options.load.is_guess = own.evidence.as_ref().is_some_and(|one| one.is_guess);
        if own.edition.is_some_and(|edition| edition.dialect == Dialect::Packer) {
            return Err(Stop::Misuse(format!(
                "{dir} is read as a Packer template: revisions are compared of modules only."
            )));
        }
        let side = |host: Arc<dyn Host>, is_there, files| Side {
            options: Options { load: options.load.clone(), run: options.run.clone() },
            host,
            is_there,
            files,
        };
        Ok(Root {
            dir: dir.to_owned(),
            args: own,
            remarks,
            base: side(base, had, self.other_files[0].clone()),
            head: side(head, has, self.other_files[1].clone()),
        })
    }

    fn host(
        &self,
        revision: &Revision,
        args: &Args,
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

impl Root {
    /// The same, evaluated on one thread: where there are many, each has one.
    pub(crate) fn with_one_thread(mut self) -> Root {
        for side in [&mut self.base, &mut self.head] {
            side.options.run.threads = Threads::up_to(1);
        }
        self
    }

    /// Compares what it plans on both sides.
    pub(crate) fn compare(self) -> (String, Args, Comparison) {
        let comparison = compare(&self.dir, self.base, self.head, self.args.all, self.args.strict);
        (self.dir, self.args, comparison)
    }
}
