//! Loads the Packer template that a command line names, the counterpart of a module's project. Commands differ in what they
//! require: a plan needs a value for every variable and evaluates data sources.

use std::sync::Arc;

use groma::packer::{Template, TemplateEvaluation, TemplateOptions, is_template};
use groma::{Dialect, Host, TemplateSnapshot};
use groma_syntax::Diagnostics;

use crate::flag::{CommandArgs, GivenFlag};
use crate::given::assignment;
use crate::host::MachineContext;
use crate::session::{EarlyStop, RunSession};

/// A Packer template that is ready to be loaded: its path, the options of the command line, and the host from which it is read.
pub(crate) struct TemplateToLoad {
    pub path: String,
    pub options: TemplateOptions,
    pub host: Arc<dyn Host>,
}

impl TemplateToLoad {
    /// Loads the template.
    pub(crate) fn load(self) -> LoadedTemplate {
        let TemplateToLoad { path, options, host } = self;
        let mut found = Diagnostics::new();
        let template = Template::load(&path, &options, host, &mut found);
        LoadedTemplate { evaluation: TemplateEvaluation::new(template, options), found }
    }
}

/// A loaded Packer template with its diagnostics, which are not printed yet.
pub(crate) struct LoadedTemplate {
    pub evaluation: TemplateEvaluation,
    /// Diagnostics of its files and of values from outside.
    pub found: Diagnostics,
}

impl LoadedTemplate {
    /// Converts the Packer template at `path` to a snapshot, which answers the questions common to all roots.
    pub(crate) fn into_snapshot(self, path: &str) -> TemplateSnapshot {
        TemplateSnapshot::of(path, self.evaluation, self.found)
    }
}

/// The steps and checks that a command requests when it loads a Packer template.
#[derive(Clone, Copy, Default)]
pub(crate) struct TemplateRequest {
    /// Every variable must have a value.
    pub values: bool,
    /// Data sources that need no plugin are evaluated.
    pub data: bool,
    /// Everything is validated as by `packer validate`.
    pub judging: bool,
    /// Variables whose defaults read unset environment variables are unknown.
    pub open: bool,
}

impl TemplateRequest {
    /// Returns the request of `groma plan`: every variable must have a value, and data sources are evaluated.
    pub(crate) fn of_plan() -> TemplateRequest {
        TemplateRequest { values: true, data: true, ..TemplateRequest::default() }
    }

    /// Returns the request of `groma check`: only with `--values` must every variable have a value, and is everything
    /// validated.
    pub(crate) fn of_check(args: &CommandArgs) -> TemplateRequest {
        let values = args.values;
        TemplateRequest { values, judging: values, open: !values, data: false }
    }
}

/// Returns true if the command line names a Packer template: by its dialect, else by the name of the file `path`.
pub(crate) fn names_template(
    args: &CommandArgs,
    path: Option<&str>,
    session: &RunSession<'_>,
) -> Result<bool, EarlyStop> {
    Ok(names_template_on(args, path, &session.machine))
}

/// Returns true if the command line names a Packer template, by its dialect, else by the name of the file `path`; for callers
/// without a session.
pub(crate) fn names_template_on(
    args: &CommandArgs,
    path: Option<&str>,
    machine: &MachineContext,
) -> bool {
    if let Some(edition) = args.edition {
        return edition.dialect == Dialect::Packer;
    }
    let path = path.unwrap_or(".");
    !machine.is_directory(path) && is_template(path)
}

/// Loads the Packer template at `path`, or in the current directory.
pub(crate) fn load(
    args: &CommandArgs,
    path: Option<&str>,
    request: TemplateRequest,
    session: &mut RunSession<'_>,
) -> Result<LoadedTemplate, EarlyStop> {
    Ok(to_open(args, path, request, &session.machine)?.load())
}

/// Prepares the Packer template at `path`, or in the current directory, for loading.
pub(crate) fn to_open(
    args: &CommandArgs,
    path: Option<&str>,
    request: TemplateRequest,
    machine: &MachineContext,
) -> Result<TemplateToLoad, EarlyStop> {
    let path = path.unwrap_or(".");
    let folder = match path.rsplit_once('/') {
        _ if machine.is_directory(path) => path,
        Some((folder, _)) if !folder.is_empty() => folder,
        _ => ".",
    };
    let root = machine.root(folder, args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    let allowed = machine.allowed(&args.allowed).map_err(EarlyStop::Misuse)?;
    let files = args.assignments.iter().filter_map(|given| match given {
        GivenFlag::File(path) => Some(path.as_str()),
        GivenFlag::Var { .. } => None,
    });
    let named = files.chain(args.mocks.iter().map(String::as_str)).chain([path]);
    let host = machine.host(root, allowed, named);
    let options = TemplateOptions {
        edition: args.edition,
        assignments: args.assignments.iter().map(assignment).collect(),
        now: args.now,
        seed: args.seed,
        mocks: args.mocks.clone(),
        budget: args.budget.clone(),
        cwd: Some(machine.start()),
        strict: request.values,
        judging: request.judging,
        open_environment: request.open || machine.is_untrusted(),
        evaluates_data: request.data || args.data,
        sequential: args.sequential,
        only: args.only.clone(),
        except: args.except.clone(),
        ..TemplateOptions::default()
    };
    Ok(TemplateToLoad { path: path.to_owned(), options, host: Arc::new(host) })
}
