//! The two sides of one root in a comparison of revisions: the options and the host with which each side is loaded, the
//! comparison, and the changed files that it has read.

use std::sync::Arc;

use groma::impact::Comparison;
use groma::{
    CompareOptions, Dialect, Host, LoadOptions, LoadPurpose, RootSide,
    causes::OtherFiles,
    compare,
    editions::EditionEvidence,
    hosts::{EntryKind, NotedFiles, NotedHost},
    limits::ThreadCount,
    projects::ProjectOptions,
};
use groma_git::{Revision, RevisionHost};

use super::{ComparedRevisions, ComparedRoot};
use crate::flag::{CommandArgs, GivenFlag};
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::session::EarlyStop;
use crate::{project, settings, template};

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

impl ComparedRevisions {
    /// Reads the settings of a root and prepares its two sides, base and head, for the comparison.
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
            let evidence =
                EditionEvidence::of(&**host, dir, &names, &own.parsed).with_reliability();
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
        let noted = Arc::new(self.noted.unrequested());
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
            base: side(base, had, Arc::new(self.other_files[0].emptied())),
            head: side(head, has, Arc::new(self.other_files[1].emptied())),
        })
    }

    /// Returns the host that reads a root at a revision from the repository, and the files that flags name through `real`.
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

    /// Returns the changed files that no root reads, relative to the current directory; a module that is compared alone because
    /// no root calls it does not count as a root.
    pub(crate) fn unreached(&self, roots: &[ComparedSides]) -> Vec<String> {
        let roots = roots.iter().filter(|one| !one.is_lone_module());
        self.unread(&roots.collect::<Vec<_>>())
    }

    /// Returns the changed files that none of the comparisons in `all` has read, relative to the current directory.
    pub(crate) fn unread(&self, all: &[&ComparedSides]) -> Vec<String> {
        let is_read = |path: &String| {
            all.iter().any(|one| {
                one.noted.was_read(path)
                    || one.of.calls_list_functions && one.noted.was_listed(path)
            })
        };
        let unread = self.changed.iter().filter(|path| !is_read(path));
        unread.map(|path| self.relative_path(path)).collect()
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

    /// Plans the base and the head side of the root, and compares the two plans.
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
    /// Returns true if the comparison is of a module that is compared alone because no root calls it, and that has inputs without
    /// values.
    pub(crate) fn is_lone_module(&self) -> bool {
        self.of.is_uncalled && self.comparison.open_inputs().is_some_and(|names| !names.is_empty())
    }

    /// Returns true if the files changed between the two sides could affect the root only where calls such as `file` read
    /// them, but it has read none of them, and its plans do not differ.
    pub(crate) fn is_idle(&self) -> bool {
        let is_silent = !self.comparison.is_change() && self.comparison.unknown_count() == 0;
        self.of.by_files && !self.noted.any_was_read() && is_silent
    }
}
