//! Loads the module or template that a command line names. No other part of the command line
//! loads or evaluates code. What loading finds is printed before any answer.

mod names;
mod opened_root;

use std::io;
use std::sync::Arc;

use groma::root::RootScope;
use groma::{
    Dialect, ExpressionAnswer, Host, Incompleteness, LoadOptions, LoadPurpose, Plan, RootInputs,
    RunOptions, Snapshot,
    limits::ThreadCount,
    projects::{Evaluation, Project, ProjectOptions},
    states::STATE_MISSING,
};
use groma_syntax::{Diagnostic, Diagnostics, Severity};

use crate::flag::{CommandArgs, GivenFlag};
use crate::given::{ReadSchemas, assignment, mapping, plan_options, schemas};
use crate::host::MachineContext;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::diagnostic;
use crate::{bare, limit, template};

pub(crate) use opened_root::OpenedRoot;

/// A loaded module with the diagnostics of loading, which are not printed yet.
pub(crate) struct LoadedModule {
    pub evaluation: Evaluation,
    pub found: Diagnostics,
    snapshot: Snapshot,
}

/// Loads the module in `directory`, or in the current one, to check it with the input values given or for any input values, as
/// `inputs` says.
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

/// Loads the module in `directory`, or in the current one, to evaluate it.
pub(crate) fn load_values(
    args: &CommandArgs,
    directory: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<LoadedModule, EarlyStop> {
    let options = options(args, directory, &session.machine)?;
    load_with(args, directory, options, session)
}

/// Loads the module in `directory`, or in the current one, to evaluate it; for callers without a session.
pub(crate) fn load_on(
    args: &CommandArgs,
    directory: Option<&str>,
    machine: &MachineContext,
) -> Result<LoadedModule, EarlyStop> {
    Ok(loaded(args, directory, options(args, directory, machine)?, machine))
}

/// Loads the module in `directory`, or in the current one, with the given options; for callers without a session.
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

/// Returns the options and the host with which a module is loaded to be checked.
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

/// Returns the options and the host with which a module is loaded to evaluate, check or plan it.
pub(crate) fn to_open(
    args: &CommandArgs,
    directory: &str,
    purpose: LoadPurpose,
    schemas: &ReadSchemas,
    machine: &MachineContext,
) -> Result<(ProjectOptions, Arc<dyn Host>), EarlyStop> {
    if purpose == LoadPurpose::Check {
        return to_check(args, directory, schemas, machine);
    }
    let mut options = options_with(args, Some(directory), schemas, machine)?;
    options.load.purpose = purpose;
    let host = host(args, &options, machine);
    Ok((options, host))
}

/// Opens the module or template in `directory`, or in the current one, and prints its diagnostics.
pub(crate) fn open(
    args: &CommandArgs,
    directory: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<OpenedRoot, EarlyStop> {
    if template::names_template(args, directory, session)? {
        return open_template(args, directory, session);
    }
    let options = options(args, directory, &session.machine)?;
    let loaded = load_with(args, directory, options, session)?;
    open_loaded(args, loaded, Diagnostics::new(), session)
}

/// Opens the module or template in `directory`, or in the current one, with the values that the state records.
pub(crate) fn open_against_state(
    args: &CommandArgs,
    directory: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<OpenedRoot, EarlyStop> {
    if template::names_template(args, directory, session)? {
        return open_template(args, directory, session);
    }
    let (asked, options) = (plan_options(args)?, options(args, directory, &session.machine)?);
    let mut loaded = load_with(args, directory, options, session)?;
    let ExpressionAnswer { value: snapshot, findings } = loaded.snapshot.against(asked.state);
    loaded.evaluation = snapshot.evaluation().clone();
    loaded.snapshot = snapshot;
    session.watch.set_evaluation(&loaded.evaluation);
    // If a named state file is missing, that is reported whatever the answer is.
    let (state_notes, found) = findings
        .into_vec()
        .into_iter()
        .partition(|one| one.severity == Severity::Note && *one.code != STATE_MISSING);
    let (state_notes, found): (Vec<_>, Vec<_>) = (state_notes, found);
    loaded.found.extend(found);
    open_loaded(args, loaded, state_notes.into_iter().collect(), session)
}

/// Prints the diagnostics of a loaded module, and selects the instance that the flags name; `state_notes`, the diagnostics of
/// reading its state, are kept, to be printed beside answers that are not wholly known.
fn open_loaded(
    args: &CommandArgs,
    mut loaded: LoadedModule,
    state_notes: Diagnostics,
    session: &mut RunSession<'_>,
) -> Result<OpenedRoot, EarlyStop> {
    let colour = session.colour(!args.no_color);
    loaded.evaluation.project().sources().sort(&mut loaded.found);
    let sources = loaded.project().sources();
    limit::stop_if_ended(args, loaded.evaluation.end(), &loaded.found, sources, session)?;
    diagnostic::print(&loaded.found, sources, colour, session.err)?;
    let evaluation = loaded.evaluation;
    let mut failed = loaded.found.has_errors();
    if let Some(found) = strict_error(args, loaded.found.iter(), || evaluation.gaps()) {
        failed = true;
        diagnostic::print([&found], &evaluation.sources(), colour, session.err)?;
    }
    let scope = match args.at.as_ref().or(args.scope.as_ref()) {
        Some(address) => {
            let mut found = Diagnostics::new();
            let at = match &args.at {
                Some(_) => evaluation.at(address, &mut found),
                None => evaluation.at_module(address, &mut found),
            };
            limit::stop_if_ended(args, evaluation.end(), &found, &evaluation.sources(), session)?;
            diagnostic::print(&found, &evaluation.sources(), colour, session.err)?;
            RootScope::from(at.ok_or(EarlyStop::Reported(ExitStatus::ERRORS))?)
        }
        None => RootScope::default(),
    };
    Ok(OpenedRoot::new(Arc::new(loaded.snapshot), scope, failed, state_notes))
}

/// Opens the Packer template at `path`, and prints its diagnostics.
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
    let loaded = template::load(args, path, template::TemplateRequest::default(), session)?;
    let mut found = loaded.found.clone();
    found.extend(loaded.evaluation.found());
    found.extend(strict_error(args, found.iter(), || loaded.evaluation.gaps(&[])));
    let sources = loaded.evaluation.sources();
    limit::stop_if_ended(args, loaded.evaluation.end(), &found, &sources, session)?;
    let colour = session.colour(!args.no_color);
    diagnostic::print(&found, &sources, colour, session.err)?;
    let root = Arc::new(loaded.into_snapshot(path.unwrap_or(".")));
    let scope = RootScope::default();
    Ok(OpenedRoot::new(root, scope, found.has_errors(), Diagnostics::new()))
}

/// Plans the module in `directory`, or in the current one; the plan contains the diagnostics.
pub(crate) fn plan(
    args: &CommandArgs,
    directory: Option<&str>,
    session: &mut RunSession<'_>,
) -> Result<Plan, EarlyStop> {
    let mut options = options(args, directory, &session.machine)?;
    options.load.purpose = LoadPurpose::Plan;
    options.load.bare = args.destroy;
    let asked = plan_options(args)?;
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
    Ok(snapshot.plan_observed(asked, &mut |evaluation| session.watch.set_evaluation(evaluation)))
}

/// Converts the command line to options for loading and evaluating the module in an existing directory.
fn options(
    args: &CommandArgs,
    directory: Option<&str>,
    machine: &MachineContext,
) -> Result<ProjectOptions, EarlyStop> {
    options_with(args, directory, &ReadSchemas::default(), machine)
}

/// Converts the command line to options for loading and evaluating the module in an existing directory; `read` has the schemas
/// that were read already.
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

/// Converts the command line to options for loading and evaluating a module, whose directory may exist in another revision only;
/// `read` has the schemas that were read already.
pub(crate) fn options_of(
    args: &CommandArgs,
    directory: &str,
    read: &ReadSchemas,
    machine: &MachineContext,
) -> Result<ProjectOptions, EarlyStop> {
    let root = machine.root(directory, args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    let mut allowed = machine.allowed(&args.allowed).map_err(EarlyStop::Misuse)?;
    // The folder of a `--module` flag may be read; if it is missing, loading reports that.
    let named = args.modules.iter().filter(|at| at.by_flag && machine.is_directory(&at.dir));
    let named: Vec<String> = named.map(|at| at.dir.clone()).collect();
    allowed.extend(machine.allowed(&named).map_err(EarlyStop::Misuse)?);
    // A folder of mocks may be read too.
    let mocks = args.mocks.iter().filter(|mock| machine.is_directory(mock));
    let mocks: Vec<String> = mocks.cloned().collect();
    allowed.extend(machine.allowed(&mocks).map_err(EarlyStop::Misuse)?);
    // So may the folder in which the reference programs install modules.
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
        modules: args.modules.iter().map(mapping).collect(),
        mocks: args.mocks.clone(),
        root: Some(root.to_string_lossy().into_owned()),
        queries: args.query,
        parsed: args.parsed.clone(),
        ..LoadOptions::default()
    };
    let run = RunOptions {
        assignments: args.assignments.iter().map(assignment).collect(),
        now: args.now,
        seed: args.seed,
        threads: ThreadCount::up_to(args.threads.unwrap_or_else(|| machine.threads())),
        budget: args.budget.clone(),
        cwd: Some(machine.working_directory(directory)),
        ..RunOptions::default()
    };
    Ok(ProjectOptions { load, run })
}

/// Returns the error of `--strict` if anything was not read or could not be decided, as `gaps` tells, or a diagnostic in
/// `found` is about a newer construct; `None` otherwise or without the flag.
pub(crate) fn strict_error<'d>(
    args: &CommandArgs,
    found: impl IntoIterator<Item = &'d Diagnostic>,
    gaps: impl FnOnce() -> Incompleteness,
) -> Option<Diagnostic> {
    if args.strict { gaps().with_newer_constructs(found).diagnostic() } else { None }
}

/// Loads a module with these options, and gives its evaluation to the run's watch, which reports progress and limits.
fn load_with(
    args: &CommandArgs,
    directory: Option<&str>,
    options: ProjectOptions,
    session: &mut RunSession<'_>,
) -> Result<LoadedModule, EarlyStop> {
    let loaded = loaded(args, directory, options, &session.machine);
    session.watch.set_evaluation(&loaded.evaluation);
    Ok(loaded)
}

/// Returns the host from which a module is read, limited to its root, the allowed folders and the named files.
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
    /// Returns the snapshot of the module, through which the library `groma` answers questions about it.
    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns the loaded project.
    pub(crate) fn project(&self) -> &Arc<Project> {
        self.evaluation.project()
    }

    /// Prints a note if the root module, which messages call `dir`, declares nothing.
    pub(crate) fn note_if_empty(
        &self,
        dir: Option<&str>,
        session: &mut RunSession<'_>,
    ) -> io::Result<()> {
        bare::note_if_empty(self.project(), dir, session)
    }

    /// Returns a remark if the root, which the command line names as `dir`, declares nothing, else `None`.
    pub(crate) fn bare(&self, dir: Option<&str>, machine: &MachineContext) -> Option<String> {
        bare::remark(self.project(), dir, machine)
    }

    /// Returns all errors and warnings, sorted by place; with known inputs also those that depend on their values.
    pub(crate) fn check(&self) -> Diagnostics {
        self.snapshot.findings().clone()
    }
}
