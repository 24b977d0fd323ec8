//! An open root, a module or a Packer template: its texts, and the options that it is loaded with. Each question has its own
//! budget, so a root can be queried for as long as the program runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma::functions::read_moment;
use groma::packer::{TemplateOptions, is_template};
use groma::states::StateFile;
use groma::{
    Budget, Dialect, Edition, Host, InputAssignment, LoadOptions, LoadPurpose, MemoryHost, Quota,
    RootInputs, RunOptions, Snapshot, TemplateSnapshot, Value, Workspace,
    causes::ended,
    editions::EditionEvidence,
    folders::{ParsedFiles, dialect_of},
    hosts::file_path,
    limits::{BudgetRemainder, Moment},
    schemas::ProviderSchemas,
    values::read_plain,
};

use crate::folders::FolderHosts;
use crate::question;
use crate::request::{DoorError, DoorQuestion, LimitOptions, OpenCall, OpenOptions};

/// Number of answers after which a root is loaded anew, since each leaves a little memory behind, such as its text.
const ANSWERS: u32 = 100_000;

/// A root that is open for questions.
pub struct OpenRoot {
    /// The folder of the root.
    pub(crate) dir: String,
    workspace: Workspace,
    /// The options of a load for each purpose.
    options: [LoadOptions; PURPOSES.len()],
    is_template: AtomicBool,
    is_untrusted: bool,
    /// The values of variables.
    assignments: Vec<InputAssignment>,
    /// The working directory of the code: the root's folder.
    cwd: Option<String>,
    now: Option<Moment>,
    seed: Option<u64>,
    /// The limits of one question.
    limits: Quota,
    state: Mutex<RootState>,
}

/// The budget and the number of answers of a root between two questions.
#[derive(Default)]
struct RootState {
    budget: Budget,
    answers: u32,
    /// The last snapshot without a state, and the snapshot with the state that was made from it.
    recorded: Option<(Snapshot, Snapshot)>,
    /// The last snapshots of the template, by purpose.
    templates: [Option<TemplateSnapshot>; PURPOSES.len()],
}

/// Purposes for which a root is loaded, in the order of their options.
const PURPOSES: [LoadPurpose; 3] = [LoadPurpose::Evaluate, LoadPurpose::Check, LoadPurpose::Plan];

/// Returns the index of a purpose.
fn index(purpose: LoadPurpose) -> usize {
    match purpose {
        LoadPurpose::Evaluate => 0,
        LoadPurpose::Check => 1,
        LoadPurpose::Plan => 2,
    }
}

impl OpenRoot {
    /// Opens the root in a folder of a host. `top` is the folder outside which nothing is read, `options` those of the call
    /// `open` as JSON, and `values` further variables. No code is read before the first question.
    ///
    /// # Errors
    /// If the options are not valid, or name schemas that cannot be read.
    pub fn over(
        host: Arc<dyn Host>,
        dir: &str,
        top: &str,
        options: &str,
        values: Vec<(String, Value)>,
        most: &Quota,
    ) -> Result<OpenRoot, DoorError> {
        let options: OpenOptions = serde_json::from_str(options)
            .map_err(|why| DoorError::form(format!("The options are not in their form: {why}.")))?;
        let workspace = Workspace::over(host);
        OpenRoot::with_workspace(workspace, dir.to_owned(), top.to_owned(), &options, values, most)
    }

    /// Opens a root for the call `open`. No code is read before the first question.
    pub(crate) fn open(
        call: OpenCall,
        folders: &dyn FolderHosts,
        most: &Quota,
    ) -> Result<OpenRoot, DoorError> {
        let OpenCall { files, dir, options } = call;
        let has_files = files.is_some();
        let dir = dir.unwrap_or_else(|| ".".to_owned());
        let (host, top): (Arc<dyn Host>, String) = match has_files {
            // The texts of a request are its only files.
            true => (Arc::new(MemoryHost::new()), "/".to_owned()),
            false => folders
                .host(&dir, options.untrusted)
                .map_err(|why| DoorError::new("cannot-open", why))?,
        };
        let workspace = Workspace::over(host);
        for (path, text) in files.into_iter().flatten() {
            workspace.set(&path, text);
        }
        OpenRoot::with_workspace(workspace, dir, top, &options, Vec::new(), most)
    }

    /// Opens a root over a workspace that has its texts.
    fn with_workspace(
        workspace: Workspace,
        dir: String,
        top: String,
        options: &OpenOptions,
        values: Vec<(String, Value)>,
        most: &Quota,
    ) -> Result<OpenRoot, DoorError> {
        let edition = match options.dialect.as_deref().map(|text| (text, Edition::parse(text))) {
            None => None,
            Some((_, Some(edition))) => Some(edition),
            Some((text, None)) => {
                let form =
                    "opentofu, terraform or packer, perhaps with a version as in opentofu@1.12";
                return Err(DoorError::form(format!("\"dialect\" must be {form}, not {text:?}.")));
            }
        };
        let now = match options.now.as_deref().map(read_moment) {
            None => None,
            Some(Ok(now)) => Some(now),
            Some(Err(why)) => return Err(DoorError::form(format!("\"now\" is no time: {why}."))),
        };
        let mut assignments: Vec<InputAssignment> =
            options.var_files.iter().cloned().map(InputAssignment::File).collect();
        for (name, value) in &options.variables {
            let value = read_plain(&value.to_string())
                .map_err(|why| DoorError::form(format!("The variable {name:?}: {why}")))?;
            assignments.push(InputAssignment::Value { name: name.clone(), value });
        }
        let given = values.into_iter();
        assignments.extend(given.map(|(name, value)| InputAssignment::Value { name, value }));
        let host = workspace.host();
        let schemas = match &options.schema {
            Some(file) => ProviderSchemas::load(&*host, file).map_err(|why| {
                DoorError::new("unreadable", format!("The schemas in {file}: {why}."))
            })?,
            // Schemas beside untrusted code are untrusted too.
            None if options.untrusted => ProviderSchemas::default(),
            None => ProviderSchemas::cached(&*host, &dir)
                .map_err(|why| DoorError::new("unreadable", format!("{why}.")))?,
        };
        let evidence = edition.map(|_| "the request says so".to_owned()).unwrap_or_default();
        let load = LoadOptions {
            edition,
            evidence,
            schemas,
            workspace: options.workspace.clone(),
            mocks: options.mocks.clone(),
            root: Some(top),
            inputs: RootInputs::Given,
            ..LoadOptions::default()
        };
        let limits = quota(options.limits, most);
        let state = RootState { budget: Budget::new(limits), ..RootState::default() };
        let is_file = is_template(&dir);
        let folder = if is_file { file_path::parent(&dir) } else { dir.clone() };
        let (cwd, seed) = (host.canonical(&folder).ok(), options.seed);
        let root = OpenRoot {
            dir,
            workspace,
            options: PURPOSES.map(|purpose| LoadOptions { purpose, ..load.clone() }),
            assignments,
            is_template: AtomicBool::new(false),
            is_untrusted: options.untrusted,
            cwd,
            now,
            seed,
            limits,
            state: Mutex::new(state),
        };
        root.settle_kind();
        Ok(root)
    }

    /// Lays a text over a file.
    pub fn set(&self, path: &str, text: String) {
        self.workspace.set(path, text);
        self.settle_kind();
    }

    /// Removes a text laid over a file. Returns true if there was one.
    pub fn remove(&self, path: &str) -> bool {
        let was_there = self.workspace.remove(path);
        self.settle_kind();
        was_there
    }

    /// Determines whether the root is a Packer template: by the requested dialect, else by the file names.
    fn settle_kind(&self) {
        let is_template = match self.options[0].edition {
            Some(edition) => !edition.dialect.has_modules(),
            None if is_template(&self.dir) => true,
            None => !dialect_of(self.names().iter().map(String::as_str)).has_modules(),
        };
        self.is_template.store(is_template, Ordering::Relaxed);
    }

    /// Returns the file names in the root's folder, sorted; empty if it cannot be read.
    fn names(&self) -> Vec<String> {
        let entries = self.host().list(&self.dir).unwrap_or_default().into_iter();
        let mut names: Vec<String> = entries.map(|entry| entry.name).collect();
        names.sort_unstable();
        names
    }

    /// Returns true if the root is a Packer template. This is determined when the root is opened and when a text is set or removed.
    pub fn is_template(&self) -> bool {
        self.is_template.load(Ordering::Relaxed)
    }

    /// Returns the edition that a template is read as, and why.
    pub(crate) fn template_evidence(&self) -> EditionEvidence {
        match self.options[0].edition {
            Some(edition) => EditionEvidence {
                edition,
                reason: self.options[0].evidence.clone(),
                is_guess: false,
            },
            None if is_template(&self.dir) => {
                let reason = format!("{} is a file of Packer only", self.dir);
                EditionEvidence {
                    edition: Edition::newest(Dialect::Packer),
                    reason,
                    is_guess: false,
                }
            }
            None => {
                let (host, names) = (self.host(), self.names());
                EditionEvidence::of(&*host, &self.dir, &names, &ParsedFiles::default())
            }
        }
    }

    /// Returns a host with the root's files as they are now.
    pub(crate) fn host(&self) -> Arc<dyn Host> {
        self.workspace.host()
    }

    /// Answers a question as JSON on one line. The question has the fields of the call `ask` without its handle. `begun`
    /// receives the budget before the answer is computed, so that it can be cancelled; `other` is the root that a question about
    /// two roots names by handle 0.
    ///
    /// # Errors
    /// Those of the call `ask`.
    pub fn ask(
        &self,
        question: &str,
        begun: &dyn Fn(&Budget),
        other: Option<&Arc<OpenRoot>>,
    ) -> Result<String, DoorError> {
        let question = DoorQuestion::read(question)?;
        let named = |number| match other {
            Some(other) if number == 0 => Ok(other.clone()),
            _ => Err(DoorError::form("the question names a root that it was not given.")),
        };
        question::answer(self, question, begun, &named)
    }

    /// Calls `ask` with a snapshot of the root as it is now. `begun` receives the budget before anything is computed.
    ///
    /// # Errors
    /// Those of `ask`, and the limit that was reached.
    pub fn with_snapshot<T>(
        &self,
        purpose: LoadPurpose,
        begun: &dyn Fn(&Budget),
        ask: impl FnOnce(&Snapshot) -> Result<T, DoorError>,
    ) -> Result<T, DoorError> {
        let (mut state, before) = self.begin(begun);
        let answer = ask(&self.snapshot(purpose, &state.budget));
        end(&mut state, before)?;
        answer
    }

    /// Answers from the root with the state that its code names, as the command reads it. The snapshot is kept while the files that
    /// it read are unchanged.
    ///
    /// # Errors
    /// Those of `ask`, and the limit that was reached.
    pub fn with_recorded<T>(
        &self,
        begun: &dyn Fn(&Budget),
        ask: impl FnOnce(&Snapshot) -> Result<T, DoorError>,
    ) -> Result<T, DoorError> {
        let (mut state, before) = self.begin(begun);
        let snapshot = self.snapshot(LoadPurpose::Evaluate, &state.budget);
        let kept = state
            .recorded
            .as_ref()
            .filter(|(base, recorded)| base.is_same(&snapshot) && !recorded.has_ended());
        let recorded = match kept {
            Some((_, recorded)) => recorded.clone(),
            None => {
                let recorded = snapshot.against(StateFile::Usual).value;
                state.recorded = Some((snapshot, recorded.clone()));
                recorded
            }
        };
        let answer = ask(&recorded);
        end(&mut state, before)?;
        answer
    }

    /// Answers from the current snapshot of the Packer template.
    ///
    /// # Errors
    /// Those of `ask`, and the limit that was reached.
    pub(crate) fn with_template<T>(
        &self,
        purpose: LoadPurpose,
        begun: &dyn Fn(&Budget),
        ask: impl FnOnce(&TemplateSnapshot) -> Result<T, DoorError>,
    ) -> Result<T, DoorError> {
        let (mut state, before) = self.begin(begun);
        let load = &self.options[index(purpose)];
        let options = TemplateOptions {
            edition: load.edition,
            assignments: self.assignments.clone(),
            mocks: load.mocks.clone(),
            now: self.now,
            seed: self.seed,
            cwd: self.cwd.clone(),
            budget: state.budget.clone(),
            strict: purpose != LoadPurpose::Evaluate,
            judging: purpose == LoadPurpose::Check,
            evaluates_data: purpose == LoadPurpose::Plan,
            open_environment: self.is_untrusted,
            ..TemplateOptions::default()
        };
        let kept = &mut state.templates[index(purpose)];
        let template = self.workspace.template_again(&self.dir, &options, kept.as_ref());
        *kept = Some(template.clone());
        let answer = ask(&template);
        end(&mut state, before)?;
        answer
    }

    /// Locks the state for an answer, with a budget that has not ended; returns also the remainder of that budget.
    fn begin(&self, begun: &dyn Fn(&Budget)) -> (MutexGuard<'_, RootState>, BudgetRemainder) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = state.answers >= ANSWERS;
        if is_full {
            self.workspace.close_root(&self.dir);
        }
        if is_full || state.budget.ended().is_some() {
            *state = RootState { budget: Budget::new(self.limits), ..RootState::default() };
        }
        state.answers += 1;
        begun(&state.budget);
        let before = state.budget.standing();
        (state, before)
    }

    /// Returns the current snapshot of the module.
    fn snapshot(&self, purpose: LoadPurpose, budget: &Budget) -> Snapshot {
        let run = || {
            let (now, seed, cwd) = (self.now, self.seed, self.cwd.clone());
            let (assignments, budget) = (self.assignments.clone(), budget.clone());
            RunOptions { assignments, now, seed, cwd, budget, ..RunOptions::default() }
        };
        self.workspace.root_for(&self.dir, &self.options[index(purpose)], &run)
    }
}

/// Ends an answer and restores the budget for the next one.
///
/// # Errors
/// The limit that the answer met.
fn end(state: &mut RootState, before: BudgetRemainder) -> Result<(), DoorError> {
    let end = state
        .budget
        .ended()
        .map(|end| ended(end, state.budget.quota(), &state.budget.last_work().unwrap_or_default()));
    state.budget.begin_anew(before);
    match end {
        None => Ok(()),
        Some(why) => {
            // What was worked out until then is a part.
            (state.recorded, state.templates) = Default::default();
            Err(DoorError::new(why.code.slug, why.detail))
        }
    }
}

/// Returns the limits of a question: those of the request, at most those of the door.
fn quota(limits: LimitOptions, most: &Quota) -> Quota {
    let bounded = |asked: Option<u64>, most: u64| asked.map_or(most, |asked| asked.min(most));
    Quota {
        steps: bounded(limits.steps, most.steps),
        bytes: bounded(limits.memory, most.bytes),
        instances: bounded(limits.instances, most.instances),
        source_bytes: bounded(limits.sources, most.source_bytes),
        output_bytes: bounded(limits.output, most.output_bytes),
    }
}
