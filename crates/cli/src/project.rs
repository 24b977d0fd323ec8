//! Opening the module that a command line names, and asking it: the only place of the command line that knows how a
//! project is loaded and evaluated. What loading finds is printed here, before any answer.

mod names;

use std::io;
use std::sync::{Arc, OnceLock};

use groma::json::{ResultContext, full};
use groma::{
    Dialect, Edition, ExpressionAnswer, Host, Incompleteness, ListedObject, LoadOptions,
    LoadPurpose, OutputValue, Plan, RootInputs, RunOptions, Snapshot, Value,
    batches::{BatchOptions, batch_in_module, batch_in_template},
    causes::CauseTable,
    limits::ThreadCount,
    projects::{Evaluation, Project, ProjectOptions, ScopeRef},
    states::STATE_MISSING,
};
use groma_syntax::{Diagnostic, Diagnostics, Severity, Sources};

use crate::flag::{CommandArgs, GivenFlag};
use crate::given::{ReadSchemas, asked, assignment, mapping, schemas};
use crate::host::MachineContext;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::cause::CauseReasons;
use crate::view::{diagnostic, value};
use crate::{bare, limit, template};

/// A module or a template that was loaded, ready to be asked.
pub(crate) struct OpenedRoot {
    subject: OpenedSubject,
    /// The names that may be typed; worked out on first use.
    names: OnceLock<Vec<String>>,
    /// True if loading found errors; they are printed already.
    pub failed: bool,
    /// Notes about the state, for callers that need more than an answer.
    pub beside: Diagnostics,
}

/// The module or template that answers.
enum OpenedSubject {
    /// An instance of a module.
    Module(Evaluation, ScopeRef),
    /// A Packer template.
    Template(groma::packer::TemplateEvaluation),
}

/// A module that was loaded, and what was found on the way. Nothing is printed yet.
pub(crate) struct LoadedModule {
    pub evaluation: Evaluation,
    pub found: Diagnostics,
    snapshot: Snapshot,
}

/// Loads the module in `directory`, or in the current one.
pub(crate) fn load(
    args: &CommandArgs,
    directory: Option<&str>,
    inputs: RootInputs,
    session: &mut RunSession<'_>,
) -> Result<LoadedModule, EarlyStop> {
    let mut options = options(args, directory, &session.machine)?;
    (options.load.inputs, options.load.purpose) = (inputs, LoadPurpose::Check);
    load_with(args, directory, options, session)
}

/// Loads the module in `directory`, or in the current one, as all commands that ask for values do.
pub(crate) fn load_values(
    args: &CommandArgs,
    directory: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<LoadedModule, EarlyStop> {
    let options = options(args, directory, &session.machine)?;
    load_with(args, directory, options, session)
}

/// Loads the module in `directory`, or in the current one of a machine, and prints nothing.
pub(crate) fn load_on(
    args: &CommandArgs,
    directory: Option<&str>,
    machine: &MachineContext,
) -> Result<LoadedModule, EarlyStop> {
    Ok(loaded(args, directory, options(args, directory, machine)?, machine))
}

fn loaded(
    args: &CommandArgs,
    directory: Option<&str>,
    options: ProjectOptions,
    machine: &MachineContext,
) -> LoadedModule {
    let host = host(args, &options, machine);
    let snapshot = Snapshot::load(directory.unwrap_or("."), options, host);
    let (evaluation, found) = (snapshot.evaluation().clone(), snapshot.found().clone());
    LoadedModule { evaluation, found, snapshot }
}

/// Returns what the module in a directory is to be loaded with and read from, to be checked.
pub(crate) fn to_check(
    args: &CommandArgs,
    directory: &str,
    schemas: &ReadSchemas,
    machine: &MachineContext,
) -> Result<(ProjectOptions, Arc<dyn Host>), EarlyStop> {
    let mut options = options_with(args, Some(directory), schemas, machine)?;
    let inputs = if args.values { RootInputs::Given } else { RootInputs::Unknown };
    (options.load.inputs, options.load.purpose) = (inputs, LoadPurpose::Check);
    let host = host(args, &options, machine);
    Ok((options, host))
}

/// Returns what the module in a directory is to be loaded with and read from, to be asked for values.
#[cfg(feature = "git")]
pub(crate) fn to_evaluate(
    args: &CommandArgs,
    directory: &str,
    schemas: &ReadSchemas,
    machine: &MachineContext,
) -> Result<(ProjectOptions, Arc<dyn Host>), EarlyStop> {
    let options = options_with(args, Some(directory), schemas, machine)?;
    let host = host(args, &options, machine);
    Ok((options, host))
}

/// Opens the module in `directory`, or in the current one, and prints what is wrong with it.
pub(crate) fn open(
    args: &CommandArgs,
    directory: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<OpenedRoot, EarlyStop> {
    if template::is_meant(args, directory, session)? {
        return open_template(args, directory, session);
    }
    let options = options(args, directory, &session.machine)?;
    let loaded = load_with(args, directory, options, session)?;
    open_loaded(args, loaded, Diagnostics::new(), session)
}

/// Opens the module in `directory`, or in the current one, against what was there before.
pub(crate) fn open_against_state(
    args: &CommandArgs,
    directory: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<OpenedRoot, EarlyStop> {
    if template::is_meant(args, directory, session)? {
        return open_template(args, directory, session);
    }
    let (asked, options) = (asked(args)?, options(args, directory, &session.machine)?);
    let mut loaded = load_with(args, directory, options, session)?;
    let ExpressionAnswer { value: snapshot, findings } = loaded.snapshot.against(asked.state);
    loaded.evaluation = snapshot.evaluation().clone();
    loaded.snapshot = snapshot;
    session.watch.see(&loaded.evaluation);
    // A missing file that was named is reported whatever the answer is.
    let (beside, found) = findings
        .into_vec()
        .into_iter()
        .partition(|one| one.severity == Severity::Note && *one.code != STATE_MISSING);
    let (beside, found): (Vec<_>, Vec<_>) = (beside, found);
    loaded.found.extend(found);
    open_loaded(args, loaded, beside.into_iter().collect(), session)
}

/// Prints what is wrong with a module that was loaded.
fn open_loaded(
    args: &CommandArgs,
    mut loaded: LoadedModule,
    beside: Diagnostics,
    session: &mut RunSession<'_>,
) -> Result<OpenedRoot, EarlyStop> {
    let colour = session.colour(!args.no_color);
    loaded.found.sort_by_place();
    limit::go_on(
        args,
        loaded.evaluation.end(),
        &loaded.found,
        loaded.project().sources(),
        session,
    )?;
    diagnostic::print(&loaded.found, loaded.project().sources(), colour, session.err)?;
    let evaluation = loaded.evaluation;
    let mut failed = loaded.found.has_errors();
    if let Some(found) = strictly(args, loaded.found.iter(), || evaluation.gaps()) {
        failed = true;
        diagnostic::print([&found], &evaluation.sources(), colour, session.err)?;
    }
    let at = match args.at.as_ref().or(args.scope.as_ref()) {
        Some(address) => {
            let mut found = Diagnostics::new();
            let at = match &args.at {
                Some(_) => evaluation.at(address, &mut found),
                None => evaluation.at_module(address, &mut found),
            };
            limit::go_on(args, evaluation.end(), &found, &evaluation.sources(), session)?;
            diagnostic::print(&found, &evaluation.sources(), colour, session.err)?;
            at.ok_or(EarlyStop::Told(ExitStatus::ERRORS))?
        }
        None => evaluation.at_root(),
    };
    let (subject, names) = (OpenedSubject::Module(evaluation, at), OnceLock::new());
    Ok(OpenedRoot { subject, names, failed, beside })
}

/// Opens the Packer template at `path`, and prints what is wrong with it.
fn open_template(
    args: &CommandArgs,
    path: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<OpenedRoot, EarlyStop> {
    if args.at.is_some() || args.scope.is_some() {
        return Err(EarlyStop::Misuse(
            "--in takes the address of a module instance, and a Packer template has none.".into(),
        ));
    }
    let loaded = template::load(args, path, template::TemplateWants::default(), session)?;
    let mut found = loaded.found;
    found.extend(loaded.evaluation.found());
    found.extend(strictly(args, found.iter(), || loaded.evaluation.gaps(&[])));
    limit::go_on(args, loaded.evaluation.end(), &found, &loaded.evaluation.sources(), session)?;
    let colour = session.colour(!args.no_color);
    diagnostic::print(&found, &loaded.evaluation.sources(), colour, session.err)?;
    let subject = OpenedSubject::Template(loaded.evaluation);
    let (names, beside) = (OnceLock::new(), Diagnostics::new());
    Ok(OpenedRoot { subject, names, failed: found.has_errors(), beside })
}

fn tell_if_bare(
    project: &Project,
    dir: Option<&str>,
    session: &mut RunSession<'_>,
) -> io::Result<()> {
    match bare::remark(project, dir, &session.machine) {
        Some(bare) => writeln!(session.err, "note: {bare}"),
        None => Ok(()),
    }
}

/// Plans the module in `directory`, or in the current one; what is wrong stands in the plan.
pub(crate) fn plan(
    args: &CommandArgs,
    directory: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<Plan, EarlyStop> {
    let mut options = options(args, directory, &session.machine)?;
    options.load.purpose = LoadPurpose::Plan;
    options.load.bare = args.destroy;
    let asked = asked(args)?;
    let host = host(args, &options, &session.machine);
    let snapshot = Snapshot::load(directory.unwrap_or("."), options, host);
    let project = snapshot.project();
    let is_tofu = project.edition().dialect == Dialect::OpenTofu;
    if !args.excludes.is_empty() && !is_tofu {
        return Err(EarlyStop::Misuse(
            "-exclude exists only in OpenTofu; Terraform has only -target.".into(),
        ));
    }
    if !args.invokes.is_empty() && !project.has_actions() {
        let edition = project.edition();
        let why = format!(
            "-invoke runs an action, and {edition} has no actions: they came with Terraform 1.14."
        );
        return Err(EarlyStop::Misuse(why));
    }
    Ok(snapshot.plan_observed(asked, &mut |evaluation| session.watch.see(evaluation)))
}

fn options(
    args: &CommandArgs,
    directory: Option<&str>,
    machine: &MachineContext,
) -> Result<ProjectOptions, EarlyStop> {
    options_with(args, directory, &ReadSchemas::default(), machine)
}

fn options_with(
    args: &CommandArgs,
    directory: Option<&str>,
    read: &ReadSchemas,
    machine: &MachineContext,
) -> Result<ProjectOptions, EarlyStop> {
    let directory = directory.unwrap_or(".");
    if !machine.is_directory(directory) {
        return Err(EarlyStop::Misuse(format!("{directory}: there is no such directory.")));
    }
    options_of(args, directory, read, machine)
}

/// The same for a directory that need not be there, as another revision may have it.
pub(crate) fn options_of(
    args: &CommandArgs,
    directory: &str,
    read: &ReadSchemas,
    machine: &MachineContext,
) -> Result<ProjectOptions, EarlyStop> {
    let root = machine.root(directory, args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    let mut allowed = machine.allowed(&args.allowed).map_err(EarlyStop::Misuse)?;
    // A user who says where a module lies wants it read; where nothing is, that is said later.
    let named = args.modules.iter().filter(|at| at.by_flag && machine.is_directory(&at.dir));
    let named: Vec<String> = named.map(|at| at.dir.clone()).collect();
    allowed.extend(machine.allowed(&named).map_err(EarlyStop::Misuse)?);
    // So does a folder of mocks.
    let mocks = args.mocks.iter().filter(|mock| machine.is_directory(mock));
    let mocks: Vec<String> = mocks.cloned().collect();
    allowed.extend(machine.allowed(&mocks).map_err(EarlyStop::Misuse)?);
    // So does the place where the programs keep what they have installed.
    let data = machine.data_directory(directory);
    let data = data.filter(|folder| machine.is_directory(folder));
    allowed.extend(machine.allowed(data.as_slice()).map_err(EarlyStop::Misuse)?);
    let files = args.assignments.iter().filter_map(|given| match given {
        GivenFlag::File(path) => Some(path.as_str()),
        GivenFlag::Var { .. } => None,
    });
    let host = machine.host(root.clone(), allowed.clone(), files.chain(args.schema.as_deref()));
    let load = LoadOptions {
        schemas: schemas(args, directory, read, &host)?,
        edition: args.edition,
        evidence: args.evidence.as_ref().map(|one| one.reason.clone()).unwrap_or_default(),
        is_guess: args.evidence.as_ref().is_some_and(|one| one.is_guess),
        allowed: allowed.iter().map(|folder| folder.to_string_lossy().into_owned()).collect(),
        assignments: args.assignments.iter().map(assignment).collect(),
        modules: args.modules.iter().map(mapping).collect(),
        mocks: args.mocks.clone(),
        root: Some(root.to_string_lossy().into_owned()),
        queries: args.query,
        parsed: args.parsed.clone(),
        ..LoadOptions::default()
    };
    let run = RunOptions {
        now: args.now,
        seed: args.seed,
        threads: ThreadCount::up_to(args.threads.unwrap_or_else(|| machine.threads())),
        budget: args.budget.clone(),
        cwd: Some(machine.working_directory(directory)),
        ..RunOptions::default()
    };
    Ok(ProjectOptions { load, run })
}

/// The finding that something is missing, where nothing may be.
pub(crate) fn strictly<'d>(
    args: &CommandArgs,
    found: impl IntoIterator<Item = &'d Diagnostic>,
    gaps: impl FnOnce() -> Incompleteness,
) -> Option<Diagnostic> {
    if args.strict { gaps().with(found).diagnostic() } else { None }
}

fn load_with(
    args: &CommandArgs,
    directory: Option<&str>,
    options: ProjectOptions,
    session: &mut RunSession<'_>,
) -> Result<LoadedModule, EarlyStop> {
    let loaded = loaded(args, directory, options, &session.machine);
    session.watch.see(&loaded.evaluation);
    Ok(loaded)
}

/// Returns what a module is read from.
pub(crate) fn host(
    args: &CommandArgs,
    options: &ProjectOptions,
    machine: &MachineContext,
) -> Arc<dyn Host> {
    let files = args.assignments.iter().filter_map(|given| match given {
        GivenFlag::File(path) => Some(path.as_str()),
        GivenFlag::Var { .. } => None,
    });
    let files = files.chain(args.mocks.iter().map(String::as_str)).chain(args.state.as_deref());
    let root = options.load.root.clone().unwrap_or_default();
    let allowed = options.load.allowed.iter().map(Into::into).collect();
    Arc::new(machine.host(root.into(), allowed, files.chain(args.schema.as_deref())))
}

impl LoadedModule {
    /// The whole of it, for questions that have no short form here.
    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The project.
    pub(crate) fn project(&self) -> &Arc<Project> {
        self.evaluation.project()
    }

    /// Says so where there is nothing to look at.
    pub(crate) fn tell_if_bare(
        &self,
        dir: Option<&str>,
        session: &mut RunSession<'_>,
    ) -> io::Result<()> {
        tell_if_bare(self.project(), dir, session)
    }

    /// Returns what there is to say where nothing is there to be checked.
    pub(crate) fn bare(&self, dir: Option<&str>, machine: &MachineContext) -> Option<String> {
        bare::remark(self.project(), dir, machine)
    }

    /// Everything that is wrong, by place; where inputs count, also what follows from them.
    pub(crate) fn check(&self) -> Diagnostics {
        self.snapshot.findings().clone()
    }
}

impl OpenedRoot {
    /// Says so where there is nothing to open: no file declares anything.
    pub(crate) fn tell_if_bare(
        &self,
        dir: Option<&str>,
        session: &mut RunSession<'_>,
    ) -> io::Result<()> {
        match &self.subject {
            OpenedSubject::Module(evaluation, _) => {
                tell_if_bare(evaluation.project(), dir, session)
            }
            OpenedSubject::Template(_) => Ok(()),
        }
    }

    /// The value of an expression in the scope of the instance that is asked; `name` is what its text is called.
    pub(crate) fn evaluate(&self, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        // A line of the command line or the console has lost its end, and a heredoc's last line needs one.
        if text.contains("<<") && !text.ends_with('\n') {
            let text = format!("{text}\n");
            return self.value(&text, name, out);
        }
        self.value(text, name, out)
    }

    fn value(&self, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        match &self.subject {
            OpenedSubject::Module(module, at) => module.evaluate_text_at(at, text, name, out),
            OpenedSubject::Template(template) => template.evaluate_text(text, name, out),
        }
    }

    /// The module that is asked; a template has nothing of what only modules have.
    pub(crate) fn module(&self) -> Option<&Evaluation> {
        match &self.subject {
            OpenedSubject::Module(module, _) => Some(module),
            OpenedSubject::Template(_) => None,
        }
    }

    /// The module and where in it is asked; nothing in a template.
    pub(crate) fn standing(&self) -> Option<(&Evaluation, &ScopeRef)> {
        match &self.subject {
            OpenedSubject::Module(module, at) => Some((module, at)),
            OpenedSubject::Template(_) => None,
        }
    }

    /// A value as the console of its program would print it.
    pub(crate) fn text(&self, value: &Value) -> String {
        match &self.subject {
            OpenedSubject::Module(..) => value::text(value),
            OpenedSubject::Template(_) => value::plain_text(value),
        }
    }

    /// The template that is asked.
    pub(crate) fn template(&self) -> Option<&groma::packer::TemplateEvaluation> {
        match &self.subject {
            OpenedSubject::Module(..) => None,
            OpenedSubject::Template(template) => Some(template),
        }
    }

    /// Every output, by name.
    pub(crate) fn outputs(&self, out: &mut Diagnostics) -> Vec<OutputValue> {
        self.module().map(|module| module.outputs(out)).unwrap_or_default()
    }

    /// One output.
    pub(crate) fn output(&self, name: &str, out: &mut Diagnostics) -> Option<OutputValue> {
        self.module()?.output(name, out)
    }

    /// The names of all outputs.
    pub(crate) fn output_names(&self) -> Vec<String> {
        let root = self.module().map(|module| module.project().root());
        root.into_iter().flat_map(|root| root.output_names()).map(String::from).collect()
    }

    /// Every instance of resources and modules, in the order of addresses.
    pub(crate) fn instances(&self, out: &mut Diagnostics) -> Vec<ListedObject> {
        self.module().map(|module| module.instances(out)).unwrap_or_default()
    }

    /// Says what there is to say of the state where a value is not known: a state that is not at hand may be what it
    /// waits for.
    pub(crate) fn tell_beside(
        &self,
        is_open: bool,
        colour: bool,
        err: &mut dyn io::Write,
    ) -> io::Result<()> {
        match is_open {
            true => diagnostic::print(&self.beside, &self.sources(), colour, err),
            false => Ok(()),
        }
    }

    /// Stops a command whose run has come to its end.
    pub(crate) fn go_on(
        &self,
        args: &CommandArgs,
        found: &Diagnostics,
        session: &mut RunSession<'_>,
    ) -> Result<(), EarlyStop> {
        let end = match &self.subject {
            OpenedSubject::Module(module, _) => module.end(),
            OpenedSubject::Template(template) => template.end(),
        };
        limit::go_on(args, end, found, &self.sources(), session)
    }

    /// The texts that places point into, those of answered questions too.
    pub(crate) fn sources(&self) -> Sources {
        match &self.subject {
            OpenedSubject::Module(module, _) => module.sources(),
            OpenedSubject::Template(template) => template.sources(),
        }
    }

    /// Returns what the causes of unknown values stand for.
    pub(crate) fn causes(&self) -> &Arc<CauseTable> {
        match &self.subject {
            OpenedSubject::Module(module, _) => module.causes(),
            OpenedSubject::Template(template) => template.causes(),
        }
    }

    /// The same, asked from another instance; nothing where there is none, which is among what was found.
    pub(crate) fn moved_to(
        &self,
        address: Option<&str>,
        out: &mut Diagnostics,
    ) -> Result<Option<OpenedRoot>, &'static str> {
        let OpenedSubject::Module(module, _) = &self.subject else {
            return Err("a Packer template has no instances");
        };
        let at = match address {
            Some(address) => module.at(address, out),
            None => Some(module.at_root()),
        };
        Ok(at.map(|at| OpenedRoot {
            subject: OpenedSubject::Module(module.clone(), at),
            names: OnceLock::new(),
            failed: self.failed,
            beside: self.beside.clone(),
        }))
    }

    /// The names of the variables that may be given from outside.
    pub(crate) fn variables(&self) -> Vec<String> {
        match &self.subject {
            OpenedSubject::Module(module, _) => {
                let all = &module.project().root().variables;
                all.iter().map(|one| one.name.to_string()).collect()
            }
            OpenedSubject::Template(_) => self.steps("var."),
        }
    }

    /// The edition that is asked.
    pub(crate) fn edition(&self) -> Edition {
        match &self.subject {
            OpenedSubject::Module(module, _) => module.project().edition(),
            OpenedSubject::Template(template) => template.template().edition(),
        }
    }

    /// Returns what explains why something is unknown, with the sources of now.
    pub(crate) fn reasons<'o>(&'o self, sources: &'o Sources) -> CauseReasons<'o> {
        CauseReasons(ResultContext { sources, causes: self.causes() })
    }

    /// The full form of a value.
    pub(crate) fn full(&self, value: &Value, found: &Diagnostics) -> String {
        let sources = self.sources();
        let around = ResultContext { sources: &sources, causes: self.causes() };
        full(value, found, &around)
    }

    /// Puts a batch on the module's scope.
    pub(crate) fn lend(&self, options: &mut BatchOptions) {
        match &self.subject {
            OpenedSubject::Module(module, at) => batch_in_module(module, at, options),
            OpenedSubject::Template(template) => batch_in_template(template, options),
        }
    }
}
