//! Opening the Packer template that a command line names: the counterpart of a module's project. What is asked for
//! differs with the command: a plan needs every variable and reads what can be read.

use std::sync::Arc;

use groma::Dialect;
use groma::packer::{Evaluation, Options, Template, is_template};
use groma_syntax::Diagnostics;

use crate::flag::{Args, GivenFlag};
use crate::given::assignment;
use crate::host::Machine;
use crate::session::{Session, Stop};

/// A template that was loaded, and what was found on the way. Nothing is printed yet.
pub(crate) struct Loaded {
    pub evaluation: Evaluation,
    /// What is wrong with its files and with values from outside.
    pub found: Diagnostics,
}

/// What a command needs of a template.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wants {
    /// Every variable has a value.
    pub values: bool,
    /// Data is evaluated where nobody has to be asked.
    pub data: bool,
    /// Everything is judged as Packer would where it runs.
    pub judging: bool,
    /// What the environment does not say is open.
    pub open: bool,
}

/// Whether what the command line names is a template: by its dialect, else by the names of its files.
pub(crate) fn is_meant(
    args: &Args,
    path: Option<&str>,
    session: &Session<'_>,
) -> Result<bool, Stop> {
    Ok(is_meant_on(args, path, &session.machine))
}

/// The same for who has no more than the machine.
pub(crate) fn is_meant_on(args: &Args, path: Option<&str>, machine: &Machine) -> bool {
    if let Some(edition) = args.edition {
        return edition.dialect == Dialect::Packer;
    }
    let path = path.unwrap_or(".");
    !machine.is_directory(path) && is_template(path)
}

/// Loads the template at `path`, or in the current directory.
pub(crate) fn load(
    args: &Args,
    path: Option<&str>,
    wants: Wants,
    session: &mut Session<'_>,
) -> Result<Loaded, Stop> {
    load_on(args, path, wants, &session.machine)
}

/// The same for who has no more than the machine.
pub(crate) fn load_on(
    args: &Args,
    path: Option<&str>,
    wants: Wants,
    machine: &Machine,
) -> Result<Loaded, Stop> {
    let path = path.unwrap_or(".");
    let folder = match path.rsplit_once('/') {
        _ if machine.is_directory(path) => path,
        Some((folder, _)) if !folder.is_empty() => folder,
        _ => ".",
    };
    let root = machine.root(folder, args.root.as_deref()).map_err(Stop::Misuse)?;
    let allowed = machine.allowed(&args.allowed).map_err(Stop::Misuse)?;
    let files = args.assignments.iter().filter_map(|given| match given {
        GivenFlag::File(path) => Some(path.as_str()),
        GivenFlag::Var { .. } => None,
    });
    let named = files.chain(args.mocks.iter().map(String::as_str)).chain([path]);
    let host = machine.host(root, allowed, named);
    let options = Options {
        edition: args.edition,
        assignments: args.assignments.iter().map(assignment).collect(),
        now: args.now,
        seed: args.seed,
        mocks: args.mocks.clone(),
        budget: args.budget.clone(),
        cwd: Some(machine.start()),
        strict: wants.values,
        judging: wants.judging,
        open_environment: wants.open || machine.is_untrusted(),
        evaluates_data: wants.data || args.data,
        sequential: args.sequential,
        only: args.only.clone(),
        except: args.except.clone(),
        ..Options::default()
    };
    let mut found = Diagnostics::new();
    let template = Template::load(path, &options, Arc::new(host), &mut found);
    Ok(Loaded { evaluation: Evaluation::new(template, options), found })
}
