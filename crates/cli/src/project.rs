//! Opening the module that a command line names, and asking it: the only place of the command line that knows how a
//! project is loaded and evaluated. What loading finds is printed here, before any answer.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, OnceLock};

use groma::functions::Library;
use groma::json::{Telling, full};
use groma::{
    Answer, BatchOptions, CauseTable, Dialect, Edition, Evaluation, Gaps, Host, Inputs, Listed,
    LoadOptions, Mark, Options, OutputValue, Plan, Project, RunOptions, STATE_MISSING, Snapshot,
    Standpoint, Threads, Value, batch_in_module, batch_in_template,
};
use groma_syntax::{Diagnostic, Diagnostics, Severity, Sources};

use crate::console::complete::Known;
use crate::flag::{Args, GivenFlag};
use crate::given::{ReadSchemas, asked, assignment, mapping, schemas};
use crate::host::Machine;
use crate::session::{Exit, Session, Stop};
use crate::view::cause::Reasons;
use crate::view::{diagnostic, value};
use crate::{bare, limit, template};

/// A module or a template that was loaded, ready to be asked.
pub(crate) struct Opened {
    subject: Subject,
    /// What may be typed; worked out when someone first asks.
    names: OnceLock<Vec<String>>,
    /// Whether loading found errors; they are printed already.
    pub failed: bool,
    /// What there is to say of the state, for whom an answer is not enough.
    pub beside: Diagnostics,
}

/// What is asked.
enum Subject {
    /// An instance of a module.
    Module(Evaluation, Standpoint),
    /// A Packer template.
    Template(groma::packer::Evaluation),
}

/// A module that was loaded, and what was found on the way. Nothing is printed yet.
pub(crate) struct Loaded {
    pub evaluation: Evaluation,
    pub found: Diagnostics,
    snapshot: Snapshot,
}

/// Loads the module in `directory`, or in the current one.
pub(crate) fn load(
    args: &Args,
    directory: Option<&str>,
    inputs: Inputs,
    session: &mut Session<'_>,
) -> Result<Loaded, Stop> {
    let mut options = options(args, directory, &session.machine)?;
    (options.load.inputs, options.load.judging) = (inputs, true);
    load_with(args, directory, options, session)
}

/// Loads the module in `directory`, or in the current one, as all who ask for values do.
pub(crate) fn load_values(
    args: &Args,
    directory: Option<&str>,
    session: &mut Session<'_>,
) -> Result<Loaded, Stop> {
    let options = options(args, directory, &session.machine)?;
    load_with(args, directory, options, session)
}

/// Loads the module in `directory`, or in the current one of a machine, without a word to anybody.
pub(crate) fn load_on(
    args: &Args,
    directory: Option<&str>,
    machine: &Machine,
) -> Result<Loaded, Stop> {
    Ok(loaded(args, directory, options(args, directory, machine)?, machine))
}

fn loaded(args: &Args, directory: Option<&str>, options: Options, machine: &Machine) -> Loaded {
    let host = host(args, &options, machine);
    let snapshot = Snapshot::load(directory.unwrap_or("."), options, host);
    let (evaluation, found) = (snapshot.evaluation().clone(), snapshot.found().clone());
    Loaded { evaluation, found, snapshot }
}

/// What the module in a directory is to be loaded with and read from, to be checked.
pub(crate) fn to_check(
    args: &Args,
    directory: &str,
    schemas: &ReadSchemas,
    machine: &Machine,
) -> Result<(Options, Arc<dyn Host>), Stop> {
    let mut options = options_with(args, Some(directory), schemas, machine)?;
    let inputs = if args.values { Inputs::Given } else { Inputs::Unknown };
    (options.load.inputs, options.load.judging) = (inputs, true);
    let host = host(args, &options, machine);
    Ok((options, host))
}

/// Opens the module in `directory`, or in the current one, and prints what is wrong with it.
pub(crate) fn open(
    args: &Args,
    directory: Option<&str>,
    session: &mut Session<'_>,
) -> Result<Opened, Stop> {
    if template::is_meant(args, directory, session)? {
        return open_template(args, directory, session);
    }
    let options = options(args, directory, &session.machine)?;
    let loaded = load_with(args, directory, options, session)?;
    open_loaded(args, loaded, Diagnostics::new(), session)
}

/// Opens the module in `directory`, or in the current one, against what was there before.
pub(crate) fn open_against_state(
    args: &Args,
    directory: Option<&str>,
    session: &mut Session<'_>,
) -> Result<Opened, Stop> {
    if template::is_meant(args, directory, session)? {
        return open_template(args, directory, session);
    }
    let (asked, options) = (asked(args)?, options(args, directory, &session.machine)?);
    let mut loaded = load_with(args, directory, options, session)?;
    let Answer { value: snapshot, findings } = loaded.snapshot.against(asked.state);
    loaded.evaluation = snapshot.evaluation().clone();
    loaded.snapshot = snapshot;
    session.watch.see(&loaded.evaluation);
    // That a file is missing which somebody has named is told whatever the answer is.
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
    args: &Args,
    mut loaded: Loaded,
    beside: Diagnostics,
    session: &mut Session<'_>,
) -> Result<Opened, Stop> {
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
            at.ok_or(Stop::Told(Exit::ERRORS))?
        }
        None => evaluation.at_root(),
    };
    let (subject, names) = (Subject::Module(evaluation, at), OnceLock::new());
    Ok(Opened { subject, names, failed, beside })
}

/// Opens the Packer template at `path`, and prints what is wrong with it.
fn open_template(
    args: &Args,
    path: Option<&str>,
    session: &mut Session<'_>,
) -> Result<Opened, Stop> {
    if args.at.is_some() || args.scope.is_some() {
        return Err(Stop::Misuse(
            "--in names an instance of a module; this is a Packer template, which has none.".into(),
        ));
    }
    let loaded = template::load(args, path, template::Wants::default(), session)?;
    let mut found = loaded.found;
    found.extend(loaded.evaluation.found());
    found.extend(strictly(args, found.iter(), || loaded.evaluation.gaps(&[])));
    limit::go_on(args, loaded.evaluation.end(), &found, &loaded.evaluation.sources(), session)?;
    let colour = session.colour(!args.no_color);
    diagnostic::print(&found, &loaded.evaluation.sources(), colour, session.err)?;
    let subject = Subject::Template(loaded.evaluation);
    let (names, beside) = (OnceLock::new(), Diagnostics::new());
    Ok(Opened { subject, names, failed: found.has_errors(), beside })
}

fn tell_if_bare(project: &Project, dir: Option<&str>, session: &mut Session<'_>) -> io::Result<()> {
    match bare::remark(project, dir, &session.machine) {
        Some(bare) => writeln!(session.err, "note: {bare}"),
        None => Ok(()),
    }
}

/// Plans the module in `directory`, or in the current one; what is wrong stands in the plan.
pub(crate) fn plan(
    args: &Args,
    directory: Option<&str>,
    session: &mut Session<'_>,
) -> Result<Plan, Stop> {
    let mut options = options(args, directory, &session.machine)?;
    (options.load.strict, options.load.judging) = (true, true);
    options.load.bare = args.destroy;
    let asked = asked(args)?;
    let host = host(args, &options, &session.machine);
    let mut found = Diagnostics::new();
    let project = Project::load(directory.unwrap_or("."), &options, host, &mut found);
    let is_tofu = project.edition().dialect == Dialect::OpenTofu;
    if !args.excludes.is_empty() && !is_tofu {
        return Err(Stop::Misuse("-exclude is OpenTofu's: Terraform has only -target.".into()));
    }
    if !args.invokes.is_empty() && !project.has_actions() {
        let edition = project.edition();
        let why = format!(
            "-invoke runs an action, and {edition} has none: Terraform has them since 1.14."
        );
        return Err(Stop::Misuse(why));
    }
    // The evaluation that plans is watched, so it is made here and not by a snapshot.
    let (facts, evaluation) = groma::planning(project, asked, None, &options, &mut found);
    session.watch.see(&evaluation);
    Ok(Plan::of(evaluation, facts, &options, found))
}

fn options(args: &Args, directory: Option<&str>, machine: &Machine) -> Result<Options, Stop> {
    options_with(args, directory, &ReadSchemas::default(), machine)
}

fn options_with(
    args: &Args,
    directory: Option<&str>,
    read: &ReadSchemas,
    machine: &Machine,
) -> Result<Options, Stop> {
    let directory = directory.unwrap_or(".");
    if !machine.is_directory(directory) {
        return Err(Stop::Misuse(format!("{directory}: there is no such directory.")));
    }
    options_of(args, directory, read, machine)
}

/// The same for a directory that need not be there, as another revision may have it.
pub(crate) fn options_of(
    args: &Args,
    directory: &str,
    read: &ReadSchemas,
    machine: &Machine,
) -> Result<Options, Stop> {
    let root = machine.root(directory, args.root.as_deref()).map_err(Stop::Misuse)?;
    let mut allowed = machine.allowed(&args.allowed).map_err(Stop::Misuse)?;
    // Who says where a module lies wants it read; where nothing is, that is said later.
    let named = args.modules.iter().filter(|at| at.by_flag && machine.is_directory(&at.dir));
    let named: Vec<String> = named.map(|at| at.dir.clone()).collect();
    allowed.extend(machine.allowed(&named).map_err(Stop::Misuse)?);
    // So does who names a folder of mocks.
    let mocks = args.mocks.iter().filter(|mock| machine.is_directory(mock));
    let mocks: Vec<String> = mocks.cloned().collect();
    allowed.extend(machine.allowed(&mocks).map_err(Stop::Misuse)?);
    // So does who says where the programs keep what they have installed.
    let data = machine.data_directory(directory);
    let data = data.filter(|folder| machine.is_directory(folder));
    allowed.extend(machine.allowed(data.as_slice()).map_err(Stop::Misuse)?);
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
        threads: Threads::up_to(args.threads.unwrap_or_else(|| machine.threads())),
        budget: args.budget.clone(),
        cwd: Some(machine.working_directory(directory)),
        ..RunOptions::default()
    };
    Ok(Options { load, run })
}

/// The finding that something is missing, where nothing may be.
pub(crate) fn strictly<'d>(
    args: &Args,
    found: impl IntoIterator<Item = &'d Diagnostic>,
    gaps: impl FnOnce() -> Gaps,
) -> Option<Diagnostic> {
    if args.strict { gaps().with(found).diagnostic() } else { None }
}

fn load_with(
    args: &Args,
    directory: Option<&str>,
    options: Options,
    session: &mut Session<'_>,
) -> Result<Loaded, Stop> {
    let loaded = loaded(args, directory, options, &session.machine);
    session.watch.see(&loaded.evaluation);
    Ok(loaded)
}

/// What a module is read from.
pub(crate) fn host(args: &Args, options: &Options, machine: &Machine) -> Arc<dyn Host> {
    let files = args.assignments.iter().filter_map(|given| match given {
        GivenFlag::File(path) => Some(path.as_str()),
        GivenFlag::Var { .. } => None,
    });
    let files = files.chain(args.mocks.iter().map(String::as_str)).chain(args.state.as_deref());
    let root = options.load.root.clone().unwrap_or_default();
    let allowed = options.load.allowed.iter().map(Into::into).collect();
    Arc::new(machine.host(root.into(), allowed, files.chain(args.schema.as_deref())))
}

impl Loaded {
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
        session: &mut Session<'_>,
    ) -> io::Result<()> {
        tell_if_bare(self.project(), dir, session)
    }

    /// What there is to say where nothing is there to be checked.
    pub(crate) fn bare(&self, dir: Option<&str>, machine: &Machine) -> Option<String> {
        bare::remark(self.project(), dir, machine)
    }

    /// Everything that is wrong, by place; where inputs count, also what follows from them.
    pub(crate) fn check(&self) -> Diagnostics {
        self.snapshot.findings().clone()
    }
}

impl Opened {
    /// Says so where there is nothing to open: no file declares anything.
    pub(crate) fn tell_if_bare(
        &self,
        dir: Option<&str>,
        session: &mut Session<'_>,
    ) -> io::Result<()> {
        match &self.subject {
            Subject::Module(evaluation, _) => tell_if_bare(evaluation.project(), dir, session),
            Subject::Template(_) => Ok(()),
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
            Subject::Module(module, at) => module.evaluate_text_at(at, text, name, out),
            Subject::Template(template) => template.evaluate_text(text, name, out),
        }
    }

    /// The module that is asked; a template has nothing of what only modules have.
    pub(crate) fn module(&self) -> Option<&Evaluation> {
        match &self.subject {
            Subject::Module(module, _) => Some(module),
            Subject::Template(_) => None,
        }
    }

    /// The module and where in it is asked; nothing in a template.
    pub(crate) fn standing(&self) -> Option<(&Evaluation, &Standpoint)> {
        match &self.subject {
            Subject::Module(module, at) => Some((module, at)),
            Subject::Template(_) => None,
        }
    }

    /// A value as the console of its program would print it.
    pub(crate) fn text(&self, value: &Value) -> String {
        match &self.subject {
            Subject::Module(..) => value::text(value),
            Subject::Template(_) => value::plain_text(value),
        }
    }

    /// The template that is asked.
    pub(crate) fn template(&self) -> Option<&groma::packer::Evaluation> {
        match &self.subject {
            Subject::Module(..) => None,
            Subject::Template(template) => Some(template),
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
    pub(crate) fn instances(&self, out: &mut Diagnostics) -> Vec<Listed> {
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
        args: &Args,
        found: &Diagnostics,
        session: &mut Session<'_>,
    ) -> Result<(), Stop> {
        let end = match &self.subject {
            Subject::Module(module, _) => module.end(),
            Subject::Template(template) => template.end(),
        };
        limit::go_on(args, end, found, &self.sources(), session)
    }

    /// The texts that places point into, those of answered questions too.
    pub(crate) fn sources(&self) -> Sources {
        match &self.subject {
            Subject::Module(module, _) => module.sources(),
            Subject::Template(template) => template.sources(),
        }
    }

    fn causes(&self) -> &Arc<CauseTable> {
        match &self.subject {
            Subject::Module(module, _) => module.causes(),
            Subject::Template(template) => template.causes(),
        }
    }

    /// The same, asked from another instance; nothing where there is none, which is among what was found.
    pub(crate) fn moved_to(
        &self,
        address: Option<&str>,
        out: &mut Diagnostics,
    ) -> Result<Option<Opened>, &'static str> {
        let Subject::Module(module, _) = &self.subject else {
            return Err("a Packer template has no instances");
        };
        let at = match address {
            Some(address) => module.at(address, out),
            None => Some(module.at_root()),
        };
        Ok(at.map(|at| Opened {
            subject: Subject::Module(module.clone(), at),
            names: OnceLock::new(),
            failed: self.failed,
            beside: self.beside.clone(),
        }))
    }

    /// The names of the variables that may be given from outside.
    pub(crate) fn variables(&self) -> Vec<String> {
        match &self.subject {
            Subject::Module(module, _) => {
                let all = &module.project().root().variables;
                all.iter().map(|one| one.name.to_string()).collect()
            }
            Subject::Template(_) => self.steps("var."),
        }
    }

    /// The edition that is asked.
    pub(crate) fn edition(&self) -> Edition {
        match &self.subject {
            Subject::Module(module, _) => module.project().edition(),
            Subject::Template(template) => template.template().edition(),
        }
    }

    /// What explains why something is unknown, with the sources of now.
    pub(crate) fn reasons<'o>(&'o self, sources: &'o Sources) -> Reasons<'o> {
        Reasons(Telling { sources, causes: self.causes() })
    }

    /// The full form of a value.
    pub(crate) fn full(&self, value: &Value, found: &Diagnostics) -> String {
        let sources = self.sources();
        let around = Telling { sources: &sources, causes: self.causes() };
        full(value, found, &around)
    }

    /// Puts a batch on the module's scope.
    pub(crate) fn lend(&self, options: &mut BatchOptions) {
        match &self.subject {
            Subject::Module(module, at) => batch_in_module(module, at, options),
            Subject::Template(template) => batch_in_template(template, options),
        }
    }

    fn names(&self) -> &[String] {
        self.names.get_or_init(|| match &self.subject {
            Subject::Module(module, at) => module.completions_at(at),
            Subject::Template(template) => template.completions(),
        })
    }

    /// What stands between `prefix` and the next dot of the names.
    fn steps(&self, prefix: &str) -> Vec<String> {
        let rests = self.names().iter().filter_map(|name| name.strip_prefix(prefix));
        let steps: BTreeSet<&str> = rests.filter_map(|rest| rest.split('.').next()).collect();
        steps.into_iter().map(String::from).collect()
    }
}

impl Known for Opened {
    fn roots(&self) -> Vec<String> {
        self.steps("")
    }

    fn members(&self, reference: &str) -> Vec<String> {
        let names = self.steps(&format!("{reference}."));
        if !names.is_empty() || reference.is_empty() {
            return names;
        }
        let value = self.evaluate(reference, "<completion>", &mut Diagnostics::new());
        if value.marks().contains(&Mark::Sensitive) {
            return names;
        }
        match value.bare() {
            Value::Object(object) => object.iter().map(|(name, _)| name.to_string()).collect(),
            Value::Map(map) => map.entries().iter().map(|(key, _)| key.to_string()).collect(),
            _ => names,
        }
    }

    fn functions(&self) -> Vec<String> {
        let library = Library::of(self.edition()).with_console();
        library.names().into_iter().map(String::from).collect()
    }
}
