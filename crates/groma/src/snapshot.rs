//! One root as it was at a moment, ready to be asked. It is a run of its own: what its questions take they take from one
//! budget, and one that has come to its end answers no more.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use groma_config::{InputAssignment, path};
use groma_eval::OtherFiles;
use groma_lint::{LintResult, RuleSwitches};
use groma_mock::MockDraft;
use groma_module::SharedModules;
use groma_plan::{
    Plan, PlanFacts, PlanOptions, RemoteFacts, State, StateError, StateFile, check_statements,
};
use groma_project::{
    Evaluation, Facts, ListedObject, LoadPurpose, OutputValue, Project, ProjectOptions, RootInputs,
    RunOptions, TraceOptions, TracedPart, validate, validate_again,
};
use groma_protocol::ResultContext;
use groma_runtime::{Edition, Host, OverlayHost, Texts, absolute};
use groma_syntax::{Diagnostic, Diagnostics, Sources, render};
use groma_value::Value;
use groma_value::print::quoted;
use groma_why::{AddressError, Why, WhyTree};
use rustc_hash::FxHashMap;

use crate::file_findings::{FileFindings, by_file};
use crate::finding_memory::FindingMemory;
use crate::findings::{is_absent, is_of_syntax};
use crate::place::PlaceIndex;
use crate::{ExpressionAnswer, RootFindings, json};

/// One root module at a moment in time. Clones share it; it may be used from several threads.
#[derive(Clone)]
pub struct Snapshot(Arc<SnapshotState>);

struct SnapshotState {
    dir: String,
    evaluation: Evaluation,
    facts: Arc<dyn Facts>,
    /// The facts that answer for providers, if there are any.
    answers: Option<Arc<dyn Facts>>,
    options: ProjectOptions,
    /// The findings of loading.
    found: Diagnostics,
    host: Arc<dyn Host>,
    findings: OnceLock<Diagnostics>,
    by_file: OnceLock<FileFindings>,
    /// The files beside the code.
    files: Arc<OtherFiles>,
    places: OnceLock<PlaceIndex>,
    /// What earlier snapshots of a workspace's root have found.
    memory: Option<Arc<FindingMemory>>,
}

impl Snapshot {
    /// The root in a directory for a single question, with a run of its own: no workspace keeps anything for another
    /// look.
    pub fn load(dir: &str, options: ProjectOptions, host: Arc<dyn Host>) -> Snapshot {
        let mut found = Diagnostics::new();
        let project = Project::load(dir, &options, host.clone(), &mut found);
        let facts = groma_mock::over(&project, Arc::new(RemoteFacts), &mut found);
        let evaluation = Evaluation::new(project, facts.clone(), options.run.clone());
        Snapshot::new(dir, evaluation, facts, options, found, host)
    }

    /// Loads a root module with folders that are shared with other roots.
    pub(crate) fn load_sharing(
        dir: &str,
        options: ProjectOptions,
        host: Arc<dyn Host>,
        shared: &SharedModules,
    ) -> Snapshot {
        let mut found = Diagnostics::new();
        let project = Project::load_sharing(dir, &options, host.clone(), shared, &mut found);
        let facts = groma_mock::over(&project, Arc::new(RemoteFacts), &mut found);
        let evaluation = Evaluation::new(project, facts.clone(), options.run.clone());
        Snapshot::new(dir, evaluation, facts, options, found, host)
    }

    pub(crate) fn new(
        dir: &str,
        evaluation: Evaluation,
        facts: Arc<dyn Facts>,
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
            facts,
            answers,
            options,
            found,
            host,
            findings,
            files,
            places: OnceLock::new(),
            by_file: OnceLock::new(),
            memory: None,
        };
        Snapshot(Arc::new(inner))
    }

    /// Returns the snapshot with the findings that earlier snapshots of the root have cached.
    pub(crate) fn remembering(mut self, memory: Option<Arc<FindingMemory>>) -> Snapshot {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.memory = memory;
        }
        self
    }

    /// Returns the snapshot with other files beside the code.
    pub(crate) fn reading(mut self, files: Arc<OtherFiles>) -> Snapshot {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.files = files;
        }
        self
    }

    /// Returns a snapshot that shares this evaluation and has other files beside the code.
    pub(crate) fn beside(&self, files: Arc<OtherFiles>) -> Snapshot {
        let SnapshotState { dir, evaluation, facts, answers, options, found, host, .. } = &*self.0;
        let (evaluation, facts, host) = (evaluation.clone(), facts.clone(), host.clone());
        let same = Snapshot::new(dir, evaluation, facts, options.clone(), found.clone(), host);
        same.reading(files).remembering(self.0.memory.clone()).answered_by(answers.clone())
    }

    /// The files beside the code: where these are the same in two snapshots, so are the fingerprints.
    pub(crate) fn files(&self) -> Arc<OtherFiles> {
        self.0.files.clone()
    }

    /// Returns the snapshot with the facts that answer for providers in its plans.
    pub(crate) fn answered_by(self, answers: Option<Arc<dyn Facts>>) -> Snapshot {
        if answers.is_none() {
            return self;
        }
        let SnapshotState { dir, evaluation, facts, options, found, host, memory, .. } = &*self.0;
        let (evaluation, facts) = (evaluation.clone(), facts.clone());
        let memory = memory.clone();
        let (options, found, host) = (options.clone(), found.clone(), host.clone());
        let (dir, findings, files) = (dir.clone(), OnceLock::new(), self.files());
        let inner = SnapshotState {
            dir,
            evaluation,
            facts,
            answers,
            options,
            found,
            host,
            findings,
            files,
            places: OnceLock::new(),
            by_file: OnceLock::new(),
            memory,
        };
        Snapshot(Arc::new(inner))
    }

    /// The index of the places in its files.
    pub(crate) fn places(&self) -> &PlaceIndex {
        self.0.places.get_or_init(|| PlaceIndex::of(self.project()))
    }

    /// The path of the root.
    pub fn dir(&self) -> &str {
        &self.0.dir
    }

    /// Returns a snapshot of the same code with another clock, seed, budget or number of threads. Nothing is loaded again.
    pub fn with(&self, run: RunOptions) -> Snapshot {
        let SnapshotState { dir, facts, options, found, host, .. } = &*self.0;
        let evaluation = Evaluation::new(self.project().clone(), facts.clone(), run.clone());
        let options = ProjectOptions { load: options.load.clone(), run };
        let same =
            Snapshot::new(dir, evaluation, facts.clone(), options, found.clone(), host.clone());
        same.reading(self.files()).answered_by(self.0.answers.clone())
    }

    /// Loads the root again as another edition reads it, with the same run options.
    pub(crate) fn read_as(&self, edition: Edition) -> Snapshot {
        let SnapshotState { dir, options, host, .. } = &*self.0;
        let mut options = options.clone();
        (options.load.edition, options.load.is_guess) = (Some(edition), false);
        Snapshot::load(dir, options, host.clone())
    }

    /// The files of values that were named for the root, from where its own path is.
    pub fn value_files(&self) -> Vec<String> {
        let named = |one: &InputAssignment| match one {
            InputAssignment::File(path) => Some(path.clone()),
            _ => None,
        };
        self.0.options.load.assignments.iter().filter_map(named).collect()
    }

    /// Returns true if its run has come to its end, so that it answers no more.
    pub fn has_ended(&self) -> bool {
        self.0.options.run.budget.ended().is_some()
    }

    /// Returns true if both hold one evaluation, and so give the same answers. Files beside the code, which only a comparison
    /// asks for, may have changed between them.
    pub fn is_same(&self, other: &Snapshot) -> bool {
        std::ptr::eq(self.project(), other.project())
    }

    /// The value of an expression in the root module.
    pub fn evaluate(&self, text: &str) -> ExpressionAnswer {
        ExpressionAnswer::of(|out| self.0.evaluation.evaluate_text(text, NAME, out))
    }

    /// Evaluates an expression in the instance of a module or a resource at an address, such as `module.a["x"]`; nothing where
    /// there is none, which is among the findings.
    pub fn evaluate_at(&self, address: &str, text: &str) -> ExpressionAnswer<Option<Value>> {
        ExpressionAnswer::of(|out| {
            let at = self.0.evaluation.at(address, out)?;
            Some(self.0.evaluation.evaluate_text_at(&at, text, NAME, out))
        })
    }

    /// Every part of an expression with its value, inner ones first; the whole is the last.
    pub fn trace(&self, text: &str) -> ExpressionAnswer<Vec<TracedPart>> {
        let at = self.0.evaluation.at_root();
        ExpressionAnswer::of(|out| self.0.evaluation.trace(text, &at, out))
    }

    /// Returns where the value at an address comes from, as in `module.net["a"].local.cidrs[0]`; or why the address
    /// leads nowhere.
    pub fn why(&self, address: &str) -> ExpressionAnswer<Result<WhyTree, AddressError>> {
        ExpressionAnswer::of(|out| Why::new(&self.0.evaluation).ask(address, out))
    }

    /// Such a tree as JSON, in the form of `groma why --json`.
    pub fn why_json(&self, tree: &WhyTree) -> String {
        let sources = self.sources();
        let around = ResultContext { sources: &sources, causes: self.0.evaluation.causes() };
        let mut out = json::JsonText::new(json::JsonLayout::Compact);
        groma_why::write_json(tree, &around, &mut out);
        out.into_string()
    }

    /// Returns a snapshot with a prior state, from which resources keep what they do not change. What is wrong with the
    /// state is among the findings.
    pub fn against(&self, state: StateFile) -> ExpressionAnswer<Snapshot> {
        let SnapshotState { dir, options, found, host, answers, .. } = &*self.0;
        let asked = PlanOptions { state, refreshes: true, ..PlanOptions::default() };
        ExpressionAnswer::of(|out| {
            // What is wrong with mocks is told once.
            let (project, told) = (self.project().clone(), &mut Diagnostics::new());
            let (facts, evaluation) = planning(project, asked, answers.clone(), options, told);
            facts.begin(&evaluation, out);
            let (options, found, host) = (options.clone(), found.clone(), host.clone());
            let snapshot = Snapshot::new(dir, evaluation, facts, options, found, host);
            snapshot.answered_by(answers.clone())
        })
    }

    /// Every output of the root module, by name.
    pub fn outputs(&self) -> ExpressionAnswer<Vec<OutputValue>> {
        ExpressionAnswer::of(|out| self.0.evaluation.outputs(out))
    }

    /// The output of that name, if the root module declares it.
    pub fn output(&self, name: &str) -> ExpressionAnswer<Option<OutputValue>> {
        ExpressionAnswer::of(|out| self.0.evaluation.output(name, out))
    }

    /// Every instance of resources of all modules, in the order of addresses.
    pub fn resources(&self) -> ExpressionAnswer<Vec<ListedObject>> {
        ExpressionAnswer::of(|out| {
            let listed = self.0.evaluation.instances(out);
            listed.into_iter().filter(|one| one.mode.is_some()).collect()
        })
    }

    /// Everything that is wrong, by place: what loading found, what holds whatever the inputs are, and what follows from
    /// the given ones unless they are left unknown.
    pub fn findings(&self) -> &Diagnostics {
        self.0.findings.get_or_init(|| {
            let SnapshotState { evaluation, options, found, .. } = &*self.0;
            let mut found = found.clone();
            match &self.0.memory {
                None => validate(evaluation.project(), options, &mut found),
                Some(memory) => {
                    let (project, older) = (evaluation.project(), memory.examined());
                    let now = validate_again(project, options, older.as_deref(), &mut found);
                    memory.remember_examined(now);
                }
            }
            if options.load.inputs == RootInputs::Given {
                evaluation.evaluate_all(&mut found);
                check_statements(evaluation, &mut found);
            }
            found.sort_by_place();
            found
        })
    }

    /// Returns the findings grouped by file, for an editor that shows each file by itself.
    pub fn findings_by_file(&self) -> &FileFindings {
        self.0.by_file.get_or_init(|| by_file(self.findings(), self.project().sources()))
    }

    /// Returns what is wrong with the root, for a report.
    pub fn checked(&self) -> RootFindings {
        let project = self.project();
        let found = self.findings().clone();
        let unread = !project.gaps().modules.is_empty() || found.iter().any(is_of_syntax);
        let evidence = Some(project.evidence().clone());
        let sources = self.sources();
        // Texts of other roots may stand beside those of this one.
        let files = project.files().map(|file| sources.get(file).name().into()).collect();
        let absent = match found.iter().any(is_absent) {
            true => project.absent_sources(),
            false => Vec::new(),
        };
        let (dir, mappings) = (self.0.dir.clone(), project.mapping_use().clone());
        RootFindings { dir, found, sources, files, evidence, unread, absent, mappings }
    }

    /// Returns what works in the root and is hardly meant, also beside what is wrong: of that only those rules say
    /// nothing that it could mislead. What is listed there as withheld is in no text that is shown.
    pub fn lint(&self, switches: &RuleSwitches) -> LintResult {
        self.lint_beside(switches, &BTreeSet::new())
    }

    /// Lints the root when roots in other folders are linted, too: findings that belong to those are left to them.
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
        let (rules, older) = ((switches, others, wrong), memory.linted());
        let (found, now) =
            groma_lint::lint_again(project, options, sources, rules, older.as_deref());
        memory.remember_linted(now);
        found
    }

    /// Returns what loading found, which the questions do not repeat.
    pub fn found(&self) -> &Diagnostics {
        &self.0.found
    }

    /// Returns what carrying the code out would change. A plan judges more strictly than other questions do: a
    /// variable without a value is an error there. It is a part of the same run.
    pub fn plan(&self, asked: PlanOptions) -> Plan {
        self.plan_observed(asked, &mut |_| {})
    }

    /// Plans the root. The observer receives the evaluation before planning begins, to watch or to cancel it.
    pub fn plan_observed(&self, asked: PlanOptions, observe: &mut dyn FnMut(&Evaluation)) -> Plan {
        let SnapshotState { dir, options, found, host, .. } = &*self.0;
        let (mut project, mut found) = (self.project().clone(), found.clone());
        let mut options = options.clone();
        // What is wrong with mocks is told once.
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

    /// Plans the loaded project with an empty prior state.
    pub(crate) fn plan_from_nothing(
        &self,
        trace: Arc<TraceOptions>,
        open_inputs: bool,
        held: Arc<FxHashMap<String, Value>>,
    ) -> Plan {
        let SnapshotState { options, found, .. } = &*self.0;
        let mut options = options.clone();
        options.run.trace = Some(trace);
        options.run.open_inputs = open_inputs;
        let options = &options;
        let asked = PlanOptions { state: StateFile::Nowhere, held, ..PlanOptions::default() };
        // What is wrong with mocks is told once.
        let mut told = Diagnostics::new();
        let answers = self.0.answers.clone();
        let (facts, evaluation) =
            planning(self.project().clone(), asked, answers, options, &mut told);
        Plan::of(evaluation, facts, options, found.clone())
    }

    /// A mock file to begin with: what the answers of this root wait for, the most wanted first. A state, if one is named,
    /// fills in what it records, but for what is sensitive.
    ///
    /// # Errors
    /// When the state cannot be used.
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
        // What is decided by the answers may ask for more.
        for _ in 0..MOCK_ROUNDS {
            let answered = self.answered(&draft);
            if !draft.extend(groma_mock::draft(answered.evaluation(), &recorded)) {
                break;
            }
        }
        Ok(draft)
    }

    /// Returns the root loaded with the drafted mocks, which rank after all others.
    fn answered(&self, draft: &MockDraft) -> Snapshot {
        let SnapshotState { dir, options, host, .. } = &*self.0;
        let file = path::join(dir, "draft.mock.hcl");
        let text: Arc<[u8]> = draft.text().into_bytes().into();
        let texts = Texts::from([(absolute(&**host, &file), text)]);
        let host = Arc::new(OverlayHost { below: host.clone(), texts: Arc::new(texts) });
        let mut options = options.clone();
        options.load.mocks.push(file);
        Snapshot::load(dir, options, host)
    }

    /// The project.
    pub fn project(&self) -> &Arc<Project> {
        self.0.evaluation.project()
    }

    /// The evaluation, for questions that have no short form here.
    pub fn evaluation(&self) -> &Evaluation {
        &self.0.evaluation
    }

    /// The edition that the code is read as.
    pub fn edition(&self) -> Edition {
        self.project().edition()
    }

    /// Returns why it is read as that edition.
    pub fn evidence(&self) -> &str {
        &self.project().evidence().reason
    }

    /// The addresses of the instances that the facts are still to answer for: what needs them is unknown until it is
    /// asked again and they have.
    pub fn waiting(&self) -> Vec<String> {
        self.0.evaluation.waiting()
    }

    /// Every text that a finding may be about.
    pub fn sources(&self) -> Sources {
        self.0.evaluation.sources()
    }

    /// A finding as text, with the line that it is about.
    pub fn render(&self, finding: &Diagnostic) -> String {
        render::render(finding, &self.sources(), false)
    }

    /// A value as JSON with all that JSON cannot say beside it: its type, what of it is unknown and why, what is marked.
    /// The form is that of `groma eval --full`.
    pub fn value_json(&self, value: &Value) -> String {
        full(value, &self.sources(), &self.0.evaluation)
    }

    /// A value as plain JSON, with null in place of what is unknown.
    pub fn plain_json(&self, value: &Value) -> String {
        json::plain(value)
    }
}

/// Returns what a plan asks, and the evaluation that asks it: what a state records counts before what mocks say.
/// `answers`: the facts that answer for providers, if there are any.
pub(crate) fn planning(
    project: Arc<Project>,
    asked: PlanOptions,
    answers: Option<Arc<dyn Facts>>,
    options: &ProjectOptions,
    out: &mut Diagnostics,
) -> (Arc<PlanFacts>, Evaluation) {
    let facts = Arc::new(PlanFacts::with(&project, asked, answers));
    let all = groma_mock::over(&project, facts.clone(), out);
    (facts, Evaluation::new(project, all, options.run.clone()))
}

/// Maximum number of times that a draft of mocks is tried and extended.
const MOCK_ROUNDS: usize = 8;

/// The name of a question's text in findings.
pub(crate) const NAME: &str = "<expression>";

fn full(value: &Value, sources: &Sources, evaluation: &Evaluation) -> String {
    let around = ResultContext { sources, causes: evaluation.causes() };
    json::full(value, &Diagnostics::new(), &around)
}
