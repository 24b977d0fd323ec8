//! A module at one moment. All its queries share one budget; once that is exhausted they return no results.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use groma_config::{InstanceAddress, path};
use groma_eval::OtherFiles;
use groma_inputs::InputAssignment;
use groma_lint::{LintResult, RuleSwitches};
use groma_mock::MockDraft;
use groma_module::SharedModules;
use groma_plan::{
    Plan, PlanFacts, PlanOptions, RemoteFacts, State, StateError, StateFile, check_statements,
};
use groma_project::{
    Evaluation, Facts, ListedObject, LoadPurpose, OlderValidation, OutputValue, Project,
    ProjectOptions, ProviderAnswers, RootInputs, RunOptions, TraceOptions, TracedPart, validate,
    validate_again,
};
use groma_protocol::ResultContext;
use groma_runtime::{Budget, Edition, Host, OverlayHost, Texts, absolute};
use groma_syntax::{Diagnostic, Diagnostics, Sources, render};
use groma_value::Value;
use groma_value::print::quoted;
use groma_why::{AddressError, Why, WhyTree};
use rustc_hash::FxHashMap;

use crate::file_findings::{FileFindings, by_file};
use crate::finding_memory::RootMemory;
use crate::findings::{is_absent, is_of_syntax};
use crate::place::PlaceIndex;
use crate::root::TestTexts;
use crate::{ExpressionAnswer, RootFindings, json};

/// A root module with the modules that it calls, as it was at one moment. Clones share it; it may be used from several threads.
#[derive(Clone)]
pub struct Snapshot(Arc<SnapshotState>);

/// The data of a snapshot that its clones share: its evaluation, its options and results computed on first use.
struct SnapshotState {
    dir: String,
    evaluation: Evaluation,
    /// The answers of providers, if providers are asked.
    answers: Option<Arc<dyn ProviderAnswers>>,
    options: ProjectOptions,
    /// The diagnostics of loading.
    found: Diagnostics,
    host: Arc<dyn Host>,
    findings: OnceLock<Diagnostics>,
    by_file: OnceLock<FileFindings>,
    /// The fingerprints of the files that functions may read at unknown paths.
    files: Arc<OtherFiles>,
    places: OnceLock<PlaceIndex>,
    /// The view of the root's cached diagnostics; `None` outside of a workspace.
    memory: Option<RootMemory>,
    /// The cache of the module's test files.
    tests: TestTexts<Snapshot>,
}

impl Snapshot {
    /// Loads the root module in a directory outside of a workspace, for a single use: nothing is cached for a later load.
    pub fn load(dir: &str, options: ProjectOptions, host: Arc<dyn Host>) -> Snapshot {
        let mut found = Diagnostics::new();
        let project = Project::load(dir, &options, host.clone(), &mut found);
        let facts = facts_without_plan(&project, &mut found);
        let evaluation = Evaluation::new(project, facts, options.run.clone());
        Snapshot::new(dir, evaluation, options, found, host)
    }

    /// Loads the root module in a directory, using modules in `shared` that were read for several roots.
    pub(crate) fn load_sharing(
        dir: &str,
        options: ProjectOptions,
        host: Arc<dyn Host>,
        shared: &SharedModules,
    ) -> Snapshot {
        let mut found = Diagnostics::new();
        let project = Project::load_sharing(dir, &options, host.clone(), shared, &mut found);
        let facts = facts_without_plan(&project, &mut found);
        let evaluation = Evaluation::new(project, facts, options.run.clone());
        Snapshot::new(dir, evaluation, options, found, host)
    }

    /// Creates a snapshot from a root's evaluation, its options, the diagnostics of loading and the host, with empty caches.
    pub(crate) fn new(
        dir: &str,
        evaluation: Evaluation,
        options: ProjectOptions,
        found: Diagnostics,
        host: Arc<dyn Host>,
    ) -> Snapshot {
        let (dir, findings) = (dir.to_owned(), OnceLock::new());
        let answers = None;
        let own = Arc::as_ptr(&host).addr() as u64;
        let files = Arc::new(OtherFiles::of_number(own));
        let inner = SnapshotState {
            dir,
            evaluation,
            answers,
            options,
            found,
            host,
            findings,
            files,
            places: OnceLock::new(),
            by_file: OnceLock::new(),
            memory: None,
            tests: TestTexts::default(),
        };
        Snapshot(Arc::new(inner))
    }

    /// Returns the snapshot with a view of the validation and lint results that earlier snapshots of the root have cached.
    pub(crate) fn with_memory(mut self, memory: RootMemory) -> Snapshot {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.memory = Some(memory);
        }
        self
    }

    /// Returns the snapshot with `files` as its record of the files that functions may read at unknown paths.
    pub(crate) fn with_read_files(mut self, files: Arc<OtherFiles>) -> Snapshot {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.files = files;
        }
        self
    }

    /// Returns a snapshot with the same evaluation, but with `files` as its record of the files that functions may read at
    /// unknown paths, and with `memory` as its view of the root's cached findings.
    pub(crate) fn with_files(&self, files: Arc<OtherFiles>, memory: RootMemory) -> Snapshot {
        let SnapshotState { dir, evaluation, answers, options, found, host, .. } = &*self.0;
        let (evaluation, host) = (evaluation.clone(), host.clone());
        let same = Snapshot::new(dir, evaluation, options.clone(), found.clone(), host);
        same.with_read_files(files).with_memory(memory).answered_by(answers.clone())
    }

    /// Returns the record of the files that functions in its code may read at unknown paths, by which plans are compared.
    pub(crate) fn files(&self) -> Arc<OtherFiles> {
        self.0.files.clone()
    }

    /// Returns a snapshot whose plans use the answers of providers `answers`; the same snapshot if there are none.
    pub(crate) fn answered_by(self, answers: Option<Arc<dyn ProviderAnswers>>) -> Snapshot {
        if answers.is_none() {
            return self;
        }
        let SnapshotState { dir, evaluation, options, found, host, memory, .. } = &*self.0;
        let evaluation = evaluation.clone();
        let memory = memory.clone();
        let (options, found, host) = (options.clone(), found.clone(), host.clone());
        let (dir, findings, files) = (dir.clone(), OnceLock::new(), self.files());
        let inner = SnapshotState {
            dir,
            evaluation,
            answers,
            options,
            found,
            host,
            findings,
            files,
            places: OnceLock::new(),
            by_file: OnceLock::new(),
            memory,
            tests: TestTexts::default(),
        };
        Snapshot(Arc::new(inner))
    }

    /// Returns the index of the snapshot's files, expressions and references by place, built on first use.
    pub(crate) fn places(&self) -> &PlaceIndex {
        self.0.places.get_or_init(|| PlaceIndex::of(self.project()))
    }

    /// Returns the cache of the module's test files that have been read so far.
    pub(crate) fn tests(&self) -> &TestTexts<Snapshot> {
        &self.0.tests
    }

    /// Returns the load and run options of the snapshot, and the host that it was read from.
    pub(crate) fn origin(&self) -> (&ProjectOptions, &Arc<dyn Host>) {
        (&self.0.options, &self.0.host)
    }

    /// Returns estimates of two numbers of bytes: those that the diagnostics use, and those that the index of places uses.
    pub(crate) fn held_bytes(&self) -> (usize, usize) {
        let found = self.0.findings.get().map_or(0, Diagnostics::held_bytes);
        (found * 2, self.0.places.get().map_or(0, PlaceIndex::held_bytes))
    }

    /// Returns the directory of the root module, as it was opened.
    pub fn dir(&self) -> &str {
        &self.0.dir
    }

    /// Returns a snapshot of the same code with other inputs, another clock, seed, budget or number of threads. Nothing is loaded
    /// again, unless an input differs that decides which code is read.
    ///
    /// ```
    /// use groma::{InputAssignment, LoadOptions, MemoryHost, RunOptions, Workspace};
    ///
    /// let code = "variable \"n\" { type = number }\nlocals { twice = var.n * 2 }\n";
    /// let workspace = Workspace::new(MemoryHost::new().with_file("main.tf", code));
    /// let snapshot = workspace.root(".", &LoadOptions::default());
    /// let n = InputAssignment::Variable { name: "n".into(), text: "21".into() };
    /// let given = snapshot.with(RunOptions { assignments: vec![n], ..RunOptions::default() });
    /// assert_eq!(given.plain_json(&given.evaluate("local.twice").value), "42");
    /// assert!(given.project().is_same_code(snapshot.project()));
    /// ```
    pub fn with(&self, run: RunOptions) -> Snapshot {
        let SnapshotState { dir, evaluation, options, found, host, .. } = &*self.0;
        let (mut project, mut found) = (self.project().clone(), found.clone());
        let mut facts = evaluation.facts().clone();
        let is_same = run.assignments == options.run.assignments;
        let options = ProjectOptions { load: options.load.clone(), run };
        if !is_same {
            found = Diagnostics::new();
            project = project.with_inputs(&options.run, &mut found).unwrap_or_else(|| {
                found = Diagnostics::new();
                Project::load(dir, &options, host.clone(), &mut found)
            });
            facts = facts.with_overrides(groma_mock::overrides(&project, &mut found));
        }
        let evaluation = Evaluation::new(project, facts, options.run.clone());
        let same = Snapshot::new(dir, evaluation, options, found, host.clone());
        same.with_read_files(self.files()).answered_by(self.0.answers.clone())
    }

    /// Returns a snapshot with the inputs of `run` and the cached findings `memory`, which keeps all values that depend on no
    /// changed input; `None` if other code has to be read. The caller drops this one, for which no read file may have changed.
    pub(crate) fn with_inputs(&self, run: &RunOptions, memory: RootMemory) -> Option<Snapshot> {
        let SnapshotState { dir, evaluation, options, host, .. } = &*self.0;
        let mut found = Diagnostics::new();
        let project = self.project().with_inputs(run, &mut found)?;
        let overrides = groma_mock::overrides(&project, &mut found);
        let facts = evaluation.facts().clone().with_overrides(overrides);
        let evaluation =
            Evaluation::following_in_same_files(evaluation, project, facts, run.clone());
        let options = ProjectOptions { load: options.load.clone(), run: run.clone() };
        let other = Snapshot::new(dir, evaluation, options, found, host.clone());
        let other = other.with_read_files(self.files()).with_memory(memory);
        Some(other.answered_by(self.0.answers.clone()))
    }

    /// Returns the view of the root's cached validation and lint results; `None` outside of a workspace.
    pub(crate) fn memory(&self) -> Option<&RootMemory> {
        self.0.memory.as_ref()
    }

    /// Returns the assignments to the root module's variables in the run options.
    pub(crate) fn assignments(&self) -> &[InputAssignment] {
        &self.0.options.run.assignments
    }

    /// Loads the root again with another edition and the same run options.
    pub(crate) fn read_as(&self, edition: Edition) -> Snapshot {
        let SnapshotState { dir, options, host, .. } = &*self.0;
        let mut options = options.clone();
        (options.load.edition, options.load.is_guess) = (Some(edition), false);
        Snapshot::load(dir, options, host.clone())
    }

    /// Returns the paths of the variable files that were given for the root, relative to the same directory as its own path.
    pub fn value_files(&self) -> Vec<String> {
        let named = |one: &InputAssignment| match one {
            InputAssignment::File(path) => Some(path.clone()),
            _ => None,
        };
        self.assignments().iter().filter_map(named).collect()
    }

    /// Returns the budget of the snapshot's run. Queries take from it; once it has ended, they return no results.
    pub fn budget(&self) -> &Budget {
        &self.0.options.run.budget
    }

    /// Returns true if the snapshot's budget is used up or was ended, so that queries return no results.
    pub fn has_ended(&self) -> bool {
        self.0.options.run.budget.ended().is_some()
    }

    /// Returns true if this snapshot and another share one evaluation, and so give the same answers. Files that functions read
    /// at unknown paths, which only a comparison uses, may differ.
    pub fn is_same(&self, other: &Snapshot) -> bool {
        std::ptr::eq(self.project(), other.project())
    }

    /// Parses and evaluates an expression in the scope of the root module.
    pub fn evaluate(&self, text: &str) -> ExpressionAnswer {
        ExpressionAnswer::of(|out| self.0.evaluation.evaluate_text(text, QUERY_NAME, out))
    }

    /// Evaluates an expression in the instance of a module or a resource at an address, such as `module.a["x"]`; `None` with a
    /// diagnostic if there is no such instance.
    pub fn evaluate_at(&self, address: &str, text: &str) -> ExpressionAnswer<Option<Value>> {
        ExpressionAnswer::of(|out| {
            let at = self.0.evaluation.at(address, out)?;
            Some(self.0.evaluation.evaluate_text_at(&at, text, QUERY_NAME, out))
        })
    }

    /// Evaluates an expression in the root module and returns every sub-expression with its value, inner ones before outer ones.
    pub fn trace(&self, text: &str) -> ExpressionAnswer<Vec<TracedPart>> {
        let at = self.0.evaluation.at_root();
        ExpressionAnswer::of(|out| self.0.evaluation.trace(text, &at, out))
    }

    /// Returns the provenance of the value at an address such as `module.net["a"].local.cidrs[0]`, or the reason why there is no
    /// such value.
    pub fn why(&self, address: &str) -> ExpressionAnswer<Result<WhyTree, AddressError>> {
        ExpressionAnswer::of(|out| Why::new(&self.0.evaluation).ask(address, out))
    }

    /// Returns a provenance tree as JSON, in the form of `groma why --json`.
    pub fn why_json(&self, tree: &WhyTree) -> String {
        let sources = self.sources();
        let around = ResultContext { sources: &sources, causes: self.0.evaluation.causes() };
        let mut out = json::JsonText::new(json::JsonLayout::Compact);
        groma_why::write_json(tree, &around, &mut out);
        out.into_string()
    }

    /// Returns a snapshot of the root evaluated with a prior state: resources have the values recorded there, except where the
    /// code changes them. Errors of the state are reported.
    pub fn against(&self, state: StateFile) -> ExpressionAnswer<Snapshot> {
        let SnapshotState { dir, options, found, host, answers, .. } = &*self.0;
        let asked = PlanOptions { state, refreshes: true, ..PlanOptions::default() };
        ExpressionAnswer::of(|out| {
            // Errors of mocks are reported once.
            let (project, told) = (self.project().clone(), &mut Diagnostics::new());
            let (facts, evaluation) = planning(project, asked, answers.clone(), options, told);
            facts.begin(&evaluation, out);
            let (options, found, host) = (options.clone(), found.clone(), host.clone());
            let snapshot = Snapshot::new(dir, evaluation, options, found, host);
            snapshot.answered_by(answers.clone())
        })
    }

    /// Returns the values of all outputs of the root module, sorted by name.
    pub fn outputs(&self) -> ExpressionAnswer<Vec<OutputValue>> {
        ExpressionAnswer::of(|out| self.0.evaluation.outputs(out))
    }

    /// Returns the value of the output `name`; `None` if the root module does not declare it.
    pub fn output(&self, name: &str) -> ExpressionAnswer<Option<OutputValue>> {
        ExpressionAnswer::of(|out| self.0.evaluation.output(name, out))
    }

    /// Returns all instances of resources in all modules, sorted by address.
    pub fn resources(&self) -> ExpressionAnswer<Vec<ListedObject>> {
        ExpressionAnswer::of(|out| {
            let listed = self.0.evaluation.instances(out);
            listed.into_iter().filter(|one| one.mode.is_some()).collect()
        })
    }

    /// Returns all diagnostics, sorted by place: those of loading, those for any inputs, and those for the given inputs.
    pub fn findings(&self) -> &Diagnostics {
        self.0.findings.get_or_init(|| {
            let SnapshotState { evaluation, options, found, .. } = &*self.0;
            let mut found = found.clone();
            match &self.0.memory {
                None => validate(evaluation.project(), options, &mut found),
                Some(memory) => {
                    let (project, older) = (evaluation.project(), memory.validated());
                    let older = older
                        .as_ref()
                        .map(|(results, same)| OlderValidation { results, has_same_files: *same });
                    let now = validate_again(project, options, older, &mut found);
                    memory.remember_validated(now);
                }
            }
            if options.load.inputs == RootInputs::Given {
                evaluation.evaluate_all(&mut found);
                check_statements(evaluation, &mut found);
            }
            evaluation.project().sources().sort(&mut found);
            found
        })
    }

    /// Returns the findings grouped by file, for an editor that shows each file by itself.
    pub fn findings_by_file(&self) -> &FileFindings {
        self.0.by_file.get_or_init(|| by_file(self.findings(), self.project().sources()))
    }

    /// Returns the diagnostics of the root with the data for a report of them, such as the files that were read.
    pub fn checked(&self) -> RootFindings {
        let project = self.project();
        let found = self.findings().clone();
        let unread = !project.gaps().modules.is_empty() || found.iter().any(is_of_syntax);
        let evidence = Some(project.evidence().clone());
        let sources = self.sources();
        // Sources of other roots may be shared with this one.
        let files = project.files().map(|file| sources.get(file).name().into()).collect();
        let absent = match found.iter().any(is_absent) {
            true => project.absent_sources(),
            false => Vec::new(),
        };
        let (dir, mappings) = (self.0.dir.clone(), project.mapping_use().clone());
        RootFindings { dir, found, sources, files, evidence, unread, absent, mappings }
    }

    /// Runs the lint rules on the root and returns their diagnostics. Rules that an error could mislead are skipped for the code
    /// with the error. Places listed as withheld must not be shown.
    pub fn lint(&self, switches: &RuleSwitches) -> LintResult {
        self.lint_beside(switches, &BTreeSet::new())
    }

    /// Runs the lint rules on the root without the modules in the directories `others`, which are linted as roots.
    pub fn lint_beside(&self, switches: &RuleSwitches, others: &BTreeSet<String>) -> LintResult {
        let wrong = self.findings();
        if self.has_ended() {
            return LintResult::nothing(self.sources());
        }
        let options = &self.0.options;
        let (project, sources) = (self.project(), self.sources());
        let Some(memory) = &self.0.memory else {
            return groma_lint::lint(project, options, sources, switches, others, wrong);
        };
        let (older, same_files) = memory.linted().unzip();
        let (older, same_files) = (older.as_deref(), same_files == Some(true));
        let rules = (switches, others, wrong);
        let (found, now) =
            groma_lint::lint_again(project, options, sources, rules, older, same_files);
        memory.remember_linted(now);
        found
    }

    /// Returns the diagnostics of loading, which queries do not repeat.
    pub fn found(&self) -> &Diagnostics {
        &self.0.found
    }

    /// Makes a plan of the root within its budget. It is stricter than other queries: a variable without a value is an error.
    pub fn plan(&self, asked: PlanOptions) -> Plan {
        self.plan_observed(asked, &mut |_| {})
    }

    /// Makes a plan as [`Snapshot::plan`] does, after passing its evaluation to `observe`, to be watched or cancelled.
    pub fn plan_observed(&self, asked: PlanOptions, observe: &mut dyn FnMut(&Evaluation)) -> Plan {
        let SnapshotState { dir, options, found, host, .. } = &*self.0;
        let (mut project, mut found) = (self.project().clone(), found.clone());
        let mut options = options.clone();
        // Errors of mocks are reported once.
        let (mut known, mut told) = (Diagnostics::new(), &mut found);
        if options.load.purpose == LoadPurpose::Plan {
            told = &mut known;
        } else {
            options.load.purpose = LoadPurpose::Plan;
            *told = Diagnostics::new();
            project = Project::load(dir, &options, host.clone(), told);
        }
        let answers = self.0.answers.clone();
        let (facts, evaluation) = planning(project, asked, answers, &options, told);
        observe(&evaluation);
        Plan::of(evaluation, facts, &options, found)
    }

    /// Makes a plan from an empty state for a comparison: `trace` gives unknown values fingerprints that can be compared,
    /// `open_inputs` makes unset variables unknown, and `held` has the values that `ignore_changes` keeps, by instance.
    pub(crate) fn plan_from_nothing(
        &self,
        trace: Arc<TraceOptions>,
        open_inputs: bool,
        held: Arc<FxHashMap<InstanceAddress, Value>>,
    ) -> Plan {
        let SnapshotState { options, found, .. } = &*self.0;
        let mut options = options.clone();
        options.run.trace = Some(trace);
        options.run.open_inputs = open_inputs;
        let options = &options;
        let asked = PlanOptions { state: StateFile::Nowhere, held, ..PlanOptions::default() };
        // Errors of mocks are reported once.
        let mut told = Diagnostics::new();
        let answers = self.0.answers.clone();
        let (facts, evaluation) =
            planning(self.project().clone(), asked, answers, options, &mut told);
        Plan::of(evaluation, facts, options, found.clone())
    }

    /// Returns a draft of a mock file: the unknown values that the root's outputs depend on, the most needed first, with
    /// values that the state file at the path `state` records, if it is given, except sensitive ones.
    ///
    /// # Errors
    /// If the state cannot be used.
    pub fn mock_draft(&self, state: Option<&str>) -> Result<MockDraft, StateError> {
        let project = self.project();
        let recorded = match state {
            None => Vec::new(),
            Some(file) => {
                let state = State::load(&**project.host(), file, project.edition())?;
                let absent = || StateError(format!("There is no state in {}.", quoted(file)));
                groma_plan::recorded(
                    state.ok_or_else(absent)?,
                    project.schemas(),
                    project.edition(),
                )
            }
        };
        let mut draft = groma_mock::draft(self.evaluation(), &recorded);
        // Values that depend on the draft may need further mocks.
        for _ in 0..MOCK_ROUNDS {
            let answered = self.with_draft(&draft);
            if !draft.extend(groma_mock::draft(answered.evaluation(), &recorded)) {
                break;
            }
        }
        Ok(draft)
    }

    /// Loads the root again with a draft of a mock file, over which all other mocks take precedence.
    fn with_draft(&self, draft: &MockDraft) -> Snapshot {
        let SnapshotState { dir, options, host, .. } = &*self.0;
        let file = path::join(dir, "draft.mock.hcl");
        let text: Arc<[u8]> = draft.text().into_bytes().into();
        let texts = Texts::from([(absolute(&**host, &file), text)]);
        let host = Arc::new(OverlayHost { below: host.clone(), texts: Arc::new(texts) });
        let mut options = options.clone();
        options.load.mocks.push(file);
        Snapshot::load(dir, options, host)
    }

    /// Returns the loaded project: the root module with the modules that it calls.
    pub fn project(&self) -> &Arc<Project> {
        self.0.evaluation.project()
    }

    /// Returns the root's evaluation, for queries that have no method here.
    pub fn evaluation(&self) -> &Evaluation {
        &self.0.evaluation
    }

    /// Returns the edition with which the code is read.
    pub fn edition(&self) -> Edition {
        self.project().edition()
    }

    /// Returns the reason, as text, why the code is read with its edition.
    pub fn evidence(&self) -> &str {
        &self.project().evidence().reason
    }

    /// Returns the addresses of the resource instances whose facts, such as the answer of a provider, have not arrived yet:
    /// values that depend on them are unknown until a later evaluation.
    pub fn waiting(&self) -> Vec<String> {
        self.0.evaluation.waiting()
    }

    /// Returns the source texts to which the diagnostics refer.
    pub fn sources(&self) -> Sources {
        self.0.evaluation.sources()
    }

    /// Returns the text of a diagnostic for a terminal without colours, with its source lines.
    pub fn render(&self, finding: &Diagnostic) -> String {
        render::render(finding, &self.sources(), false)
    }

    /// Returns a value as JSON with its type, unknown parts, causes and marks, in the form of `groma eval --full`.
    pub fn value_json(&self, value: &Value) -> String {
        full(value, &self.sources(), &self.0.evaluation)
    }

    /// Returns a value as plain JSON, with null for unknown parts.
    pub fn plain_json(&self, value: &Value) -> String {
        json::plain(value)
    }
}

/// Returns the facts for an evaluation without a plan: those of other configurations' states and of mocks, not of providers.
fn facts_without_plan(project: &Project, out: &mut Diagnostics) -> Facts {
    Facts::answered_by(Arc::new(RemoteFacts)).with_overrides(groma_mock::overrides(project, out))
}

/// Returns the facts of a plan with the options `asked`, and with the answers of providers `answers`, if providers are
/// asked, and the evaluation that uses these facts. Values recorded in a state take precedence over mocks.
pub(crate) fn planning(
    project: Arc<Project>,
    asked: PlanOptions,
    answers: Option<Arc<dyn ProviderAnswers>>,
    options: &ProjectOptions,
    out: &mut Diagnostics,
) -> (Arc<PlanFacts>, Evaluation) {
    let facts = Arc::new(PlanFacts::with(&project, asked, answers));
    let all = facts.facts().with_overrides(groma_mock::overrides(&project, out));
    (facts, Evaluation::new(project, all, options.run.clone()))
}

/// Maximum number of evaluations of the root with a draft of mocks, each of which may extend the draft.
const MOCK_ROUNDS: usize = 8;

/// The file name of a queried expression in diagnostics, since its text is in no file.
pub(crate) const QUERY_NAME: &str = "<expression>";

/// Returns a value as JSON with its type, unknown parts, causes and marks.
fn full(value: &Value, sources: &Sources, evaluation: &Evaluation) -> String {
    let around = ResultContext { sources, causes: evaluation.causes() };
    json::full(value, &Diagnostics::new(), &around)
}
