//! Loading of a project from a directory: files, inputs, the module tree, the graph. Module sources may be computed; they are
//! evaluated in a partial project of the modules known so far.

mod absent;
mod encryption;
mod repeated;
mod secret;
mod setting;
mod unfit;

use std::sync::Arc;

use groma_config::{MockRows, RawBlock, UnfitSchemas, path, read_mocks};
use groma_eval::{EvaluationBasis, NamedValues};
use groma_functions::FunctionLibrary;
use groma_module::EditionEvidence;
use groma_module::SharedModules;
use groma_module::declare::{DeclarationReader, Expression, Module};
use groma_module::dialect::{Conventions, MOCK, MOCKED};
use groma_module::load::ModuleLoader;
use groma_runtime::{Host, MeteredHost, Semantics};
use groma_syntax::{Diagnostic, Diagnostics, Phase, Severity, Sources};
use groma_value::Str;
use groma_value::sentence::WITHHELD;

use crate::codes;
use crate::evaluate::Evaluation;
use crate::facts::NoFacts;
use crate::graph::Graph;
use crate::options::{LoadPurpose, ProjectOptions, RootInputs};
use crate::project::Project;
use crate::tree::manifest::RemoteModules;
use crate::tree::providers::UnfilledProviders;
use crate::tree::used::ProviderUsages;
use crate::tree::{ModuleId, RootStart, TreeLinker, TreeModule, check, providers, target};
pub use absent::AbsentSource;
use groma_decode::{InputCollector, Values, is_of_a_file, is_unreadable};

impl Project {
    /// Loads the project in `dir`. Diagnostics go to `out`; everything readable is loaded.
    pub fn load(
        dir: &str,
        options: &ProjectOptions,
        host: Arc<dyn Host>,
        out: &mut Diagnostics,
    ) -> Arc<Project> {
        load(dir, options, host, None, None, out)
    }

    /// Loads the project in `dir`, with modules that were read for several projects.
    pub fn load_sharing(
        dir: &str,
        options: &ProjectOptions,
        host: Arc<dyn Host>,
        shared: &SharedModules,
        out: &mut Diagnostics,
    ) -> Arc<Project> {
        load(dir, options, host, None, Some(shared), out)
    }

    /// Loads the project in `dir` again: unchanged parts are taken from `kept`, which is updated for the next load. Dialect and
    /// schemas must be the same as before.
    pub fn load_again(
        dir: &str,
        options: &ProjectOptions,
        host: Arc<dyn Host>,
        kept: &mut LoadCache,
        out: &mut Diagnostics,
    ) -> Arc<Project> {
        load(dir, options, host, Some(kept), None, out)
    }
}

/// A cache kept between loads of one project.
#[derive(Default)]
pub struct LoadCache {
    modules: groma_module::reuse::ModuleCache,
    /// The texts, by parts of files.
    sources: Sources,
}

/// Loads a project, and again without the schemas whose version contradicts a module's requirements.
fn load(
    dir: &str,
    options: &ProjectOptions,
    host: Arc<dyn Host>,
    kept: Option<&mut LoadCache>,
    shared: Option<&SharedModules>,
    out: &mut Diagnostics,
) -> Arc<Project> {
    let before = out.len();
    let project = load_by(dir, options, host.clone(), (kept, shared), out);
    if project.unfit.is_empty() {
        return project;
    }
    out.truncate(before);
    let left_out = project.unfit.iter().map(|one| Str::from(one.provider.as_str()));
    let mut options = options.clone();
    options.load.schemas = options.load.schemas.without(left_out);
    load_by(dir, &options, host, (None, shared), out)
}

/// Loads a project with the given schemas.
fn load_by(
    dir: &str,
    options: &ProjectOptions,
    host: Arc<dyn Host>,
    (mut kept, shared): (Option<&mut LoadCache>, Option<&SharedModules>),
    out: &mut Diagnostics,
) -> Arc<Project> {
    let uncounted = host.clone();
    let host: Arc<dyn Host> = Arc::new(MeteredHost::new(host, options.run.budget.clone()));
    let dir = path::normal(dir);
    let purpose = options.load.purpose;
    // The code is judged as the program would, which refuses to continue where answers could still be given.
    let judging = purpose != LoadPurpose::Evaluate;
    let before = out.len();
    let names = groma_config::list(&*host, &dir, out);
    let found = names.is_some();
    let names = names.unwrap_or_default();
    let evidence = match options.load.edition {
        Some(edition) => EditionEvidence {
            edition,
            reason: options.load.evidence.clone(),
            is_guess: options.load.is_guess,
        },
        None => EditionEvidence::of(&*host, &dir, &names, &options.load.parsed),
    };
    let edition = evidence.edition;
    let conventions = Conventions::of(edition);
    let semantics = Semantics::of(edition);
    if options.load.queries && !conventions.has_actions {
        let detail = format!(
            "There are no query files in {edition}; they came with Terraform 1.14. Select that version with --dialect, or leave out the flag."
        );
        out.push(Diagnostic::error(&codes::NO_QUERIES, detail));
    }
    let constants =
        EvaluationBasis { budget: options.run.budget.clone(), ..EvaluationBasis::bare(edition) };
    let constants = constants.with_scope(Arc::new(NamedValues::new()));
    let mut sources = match (&kept, shared) {
        (Some(kept), _) => Sources::with_parts_of(&kept.sources),
        (None, Some(shared)) => shared.sources().clone(),
        (None, None) => Sources::new(),
    };
    let mut late = Diagnostics::new();
    let mut loader = ModuleLoader {
        host: &*host,
        edition,
        constants: &constants,
        schemas: &options.load.schemas,
        sources: &mut sources,
        queries: options.load.queries && conventions.has_actions,
        kept: kept.as_deref_mut().map(|kept| &mut kept.modules),
        shared,
        parsed: &options.load.parsed,
        late: &mut late,
    };
    let root = match found {
        true => loader.load(&dir, &names, out),
        false => Arc::default(),
    };
    options.load.parsed.forget();
    if found && purpose == LoadPurpose::Check {
        loader.tests(&dir, &names, out);
    }
    let schemas = &options.load.schemas;
    let library = FunctionLibrary::of(edition);
    let gatherer = DeclarationReader { library, conventions, constants: &constants, schemas };
    let collector = InputCollector::new(&*host, loader.sources, &gatherer, &root);
    let (is_declared_badly, declared) = (out.has_errors(), out.len());
    let values = match options.load.inputs {
        RootInputs::Given => collector.collect(&dir, &names, &options.load.assignments, out),
        RootInputs::Unknown if !conventions.check_reads_values => Values::default(),
        RootInputs::Unknown if conventions.early_sources => {
            collector.collect(&dir, &names, &options.load.assignments, out)
        }
        RootInputs::Unknown => {
            // Missing values of variables are reported elsewhere.
            let mut found = Diagnostics::new();
            let values = collector.collect(&dir, &names, &options.load.assignments, &mut found);
            out.extend(found.into_iter().filter(|d| is_unreadable(d, &sources)));
            values
        }
    };
    let is_unread = |found: &Diagnostic| {
        is_unreadable(found, &sources) || conventions.early_sources && is_of_a_file(found, &sources)
    };
    // Faulty declarations are reported before missing modules.
    let is_readable = !is_declared_badly && !out.iter().skip(declared).any(is_unread);
    let entered = out.error_count();
    if purpose == LoadPurpose::Plan {
        groma_module::check::backend::check(&root.settings, &gatherer, edition, out);
    }
    if purpose == LoadPurpose::Check {
        let refuses = conventions.state_keepers_checked;
        groma_module::check::backend::look(&root.settings, &gatherer, edition, refuses, out);
    }
    if conventions.deprecation_follows_values {
        check::check_root_outputs(&root, out);
    }
    let rows = Some(MockRows { file: MOCK, folder: MOCKED });
    let mocks = read_mocks(&options.load.mocks, rows, &*host, edition, &mut sources, out);
    let broken = mocks.broken;
    let (mocks, doubles): (_, Arc<[RawBlock]>) = (Arc::new(mocks.functions), mocks.blocks.into());
    let workspace = workspace(&dir, options, &*host, out);
    let mut bounds = vec![bound(&dir, options, &*host)];
    bounds.extend(options.load.allowed.iter().filter_map(|folder| host.canonical(folder).ok()));
    let mut loader = ModuleLoader {
        host: &*host,
        edition,
        constants: &constants,
        schemas: &options.load.schemas,
        sources: &mut sources,
        queries: false,
        kept: kept.as_deref_mut().map(|kept| &mut kept.modules),
        shared,
        parsed: &options.load.parsed,
        late: &mut late,
    };
    let basis = EvaluationBasis {
        host: host.clone(),
        limits: options.run.limits,
        budget: options.run.budget.clone(),
        readings: options.run.readings.clone(),
        mocks: mocks.clone(),
        base: dir.as_str().into(),
        ..EvaluationBasis::bare(edition)
    };
    let context = basis.with_scope(Arc::new(NamedValues::new()));
    let modules = &options.load.modules;
    let linker = TreeLinker::new(&mut loader, &dir, bounds, modules, context, judging, out);
    let beginning = RootStart {
        values: &values,
        tells_absence: purpose == LoadPurpose::Check,
        cwd: options.run.cwd.clone().unwrap_or_else(|| host.current_dir()),
    };
    // A partial project of the modules known so far.
    let evaluation = |nodes: &[TreeModule]| {
        let project = Project {
            edition,
            evidence: evidence.clone(),
            conventions,
            semantics: semantics.clone(),
            sources: Sources::new(),
            shared: 0,
            nodes: nodes.to_vec(),
            elsewhere: RemoteModules::default(),
            values: values.clone(),
            graph: Graph::of(nodes, &mut Diagnostics::new()),
            workspace: workspace.clone(),
            dir: dir.as_str().into(),
            host: host.clone(),
            mocks: mocks.clone(),
            doubles: doubles.clone(),
            schemas: options.load.schemas.clone(),
            unfit: Vec::new(),
            uncounted: uncounted.clone(),
            budget: options.run.budget.clone(),
            is_linked: true,
        };
        Evaluation::new(Arc::new(project), Arc::new(NoFacts), options.run.clone())
    };
    let compute =
        |nodes: &[TreeModule], at: ModuleId, source: &Expression, out: &mut Diagnostics| {
            if !conventions.computed_sources {
                return None;
            }
            evaluation(nodes).fixed(at, source, out)
        };
    let linked = out.len();
    let (nodes, elsewhere) = linker.link(root, &dir, beginning, &compute, out);
    let found = out.split_off(linked);
    // No program continues after faulty declarations in the root; after invalid inputs it reads everything.
    let is_well = !judging || !is_declared_badly;
    add(found, Phase::Link, is_well, out);
    secret::withhold(&doubles, &broken, &nodes, edition, &mut sources);
    let files: Vec<_> = doubles.iter().map(|raw| raw.header.file).chain(broken).collect();
    out.withhold(before, WITHHELD, |found| {
        found.place.is_some_and(|at| files.contains(&at.file) && sources.is_withheld(at))
    });
    if conventions.computed_sources {
        repeated::check(&nodes, &evaluation, judging, out);
    }
    if purpose == LoadPurpose::Plan && !out.has_errors() {
        encryption::check(&nodes, &gatherer, &evaluation, out);
        if conventions.computed_sources {
            setting::check_backends(&nodes, &gatherer, &evaluation, out);
        }
    }
    // Diagnostics of a phase count only if earlier phases succeeded: most would be consequential.
    let tells = |out: &Diagnostics| !judging || !out.has_errors();
    let mut joints = Diagnostics::new();
    // Uses of deprecated outputs are reported during evaluation.
    let has_values = !judging || options.load.inputs == RootInputs::Given;
    // An evaluation that reports them itself is left to do so.
    let is_evaluated = purpose != LoadPurpose::Check;
    let tells_deprecated = has_values && !(is_evaluated && conventions.deprecation_ends_at_use);
    check::check(&nodes, tells_deprecated, &mut joints);
    let unfilled = match purpose {
        LoadPurpose::Plan => UnfilledProviders {
            used: Some(Severity::Error),
            unused: conventions.needs_root_aliases.then_some(Severity::Error),
        },
        LoadPurpose::Check if conventions.assumes_root_aliases => {
            UnfilledProviders { used: Some(Severity::Note), unused: None }
        }
        LoadPurpose::Check => UnfilledProviders { used: Some(Severity::Error), unused: None },
        LoadPurpose::Evaluate => UnfilledProviders::default(),
    };
    providers::check(&nodes, edition.dialect, unfilled, &mut joints);
    add(joints, Phase::Join, tells(out), out);
    if purpose == LoadPurpose::Plan && is_readable && out.error_count() == entered {
        demand(&nodes[0].module, &values, &dir, options.load.bare, out);
    }
    let mut ring = Diagnostics::new();
    let graph = Graph::of(&nodes, &mut ring);
    // If sources are computed, a cycle may be why one of them is unknown.
    let is_unsourced =
        conventions.computed_sources && out.iter().any(|one| one.code == &codes::MODULE_SOURCE);
    add(ring, Phase::Order, tells(out) || is_unsourced, out);
    let is_linked = tells(out);
    ProviderUsages::of(&nodes, edition.dialect, &conventions).tell(&nodes, &mut late);
    target::tell(&nodes, &conventions, &mut late);
    add(late, Phase::Resolve, is_linked, out);
    let severity = if judging { Severity::Error } else { Severity::Warning };
    let mut unmet = Diagnostics::new();
    for node in &nodes {
        node.module.settings.report(edition, severity, &mut unmet);
    }
    if unmet.has_errors() {
        // Code for another version may be faulty only for that reason.
        out.truncate(before);
    }
    out.extend(unmet);
    let unfit = unfit::unfit(&nodes, &options.load.schemas);
    out.extend(unfit.iter().map(UnfitSchemas::diagnostic));
    if let Some(kept) = kept {
        kept.sources = Sources::with_parts_of(&sources);
    }
    let found = absent::tell_once(&nodes, &graph, out.split_off(before));
    let mut found: Diagnostics = found.into_iter().collect();
    found.resolve(&sources);
    found.sort_by_place();
    out.extend(found);
    let dir = dir.into();
    Arc::new(Project {
        edition,
        evidence,
        conventions,
        semantics,
        sources,
        shared: shared.map_or(0, |shared| shared.text_count() as u32),
        nodes,
        elsewhere,
        values,
        graph,
        workspace,
        dir,
        host,
        mocks,
        doubles,
        schemas: options.load.schemas.clone(),
        unfit,
        uncounted,
        budget: options.run.budget.clone(),
        is_linked,
    })
}

/// Adds the diagnostics of a phase; `counts` is true if the phases it depends on succeeded.
fn add(
    found: impl IntoIterator<Item = Diagnostic>,
    phase: Phase,
    counts: bool,
    out: &mut Diagnostics,
) {
    let from = out.len();
    out.extend(found.into_iter().map(|one| if counts { one } else { later(one) }));
    out.mark_phase(from, phase);
}

/// Returns a diagnostic marked as possibly consequential, because another error has to be fixed first. It decides nothing.
pub(crate) fn later(found: Diagnostic) -> Diagnostic {
    Diagnostic { severity: Severity::Note, ..found }
}

/// Reports inputs that a plan requires and that are missing.
fn demand(root: &Module, values: &Values, dir: &str, may_be_bare: bool, out: &mut Diagnostics) {
    if root.files.is_empty() && !may_be_bare && !out.has_errors() {
        let detail = format!("The directory {dir} contains no files with declarations.");
        out.push(Diagnostic::error(&codes::NO_FILES, detail));
    }
    for variable in &root.variables {
        let given = values.get(&variable.name);
        if variable.default.is_none() && given.is_none_or(|given| given.is_unread) {
            let detail = format!(
                "The variable \"{0}\" has neither a default nor a value. Give it one with -var '{0}=…' or in a file of values.",
                &*variable.name
            );
            out.push(Diagnostic::error(&codes::VARIABLE_WITHOUT_VALUE, detail).at(variable.place));
        }
    }
}

/// Returns the workspace: chosen by option, by environment, or by an earlier command.
fn workspace(
    dir: &str,
    options: &ProjectOptions,
    host: &dyn Host,
    out: &mut Diagnostics,
) -> String {
    let chosen = options.load.workspace.clone();
    let chosen = chosen.or_else(|| host.env("TF_WORKSPACE").filter(|name| !name.is_empty()));
    let selected = || {
        let bytes =
            host.read(&path::join(&groma_config::data_dir(host, dir), "environment")).ok()?;
        let name = String::from_utf8(bytes).ok()?.trim().to_owned();
        (!name.is_empty()).then_some(name)
    };
    let name = chosen.or_else(selected).unwrap_or_else(|| "default".to_owned());
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~+%@:".contains(c);
    if !name.chars().all(plain) {
        let detail = format!(
            "\"{name}\" cannot be the name of a workspace: only letters, digits and -_.~ are allowed."
        );
        out.push(Diagnostic::error(&codes::WORKSPACE_NAME, detail));
    }
    name
}

/// Returns the canonical directory outside of which nothing is read.
fn bound(dir: &str, options: &ProjectOptions, host: &dyn Host) -> String {
    let canonical = |path: &str| host.canonical(path).unwrap_or_else(|_| path.to_owned());
    if let Some(root) = &options.load.root {
        return canonical(root);
    }
    let own = canonical(dir);
    let mut at = own.as_str();
    loop {
        let repository = if at == "/" { "/.git".to_owned() } else { format!("{at}/.git") };
        if host.kind(&repository).is_ok() {
            return at.to_owned();
        }
        match at.rsplit_once('/') {
            Some(("", _)) if at != "/" => at = "/",
            Some((above, _)) if !above.is_empty() => at = above,
            _ => return own,
        }
    }
}
