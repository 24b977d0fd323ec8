//! An open root, a module or a Packer template: its texts, and the options that it is loaded with. Each question has its own
//! budget, so a root can be queried for as long as the program runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma::functions::read_moment;
use groma::packer::is_template;
use groma::root::{NoAnswer, Root, RootId, RootKind};
use groma::states::StateFile;
use groma::{
    Budget, Edition, Host, InputAssignment, LoadOptions, LoadPurpose, MemoryHost, Quota,
    RootInputs, RunOptions, Snapshot, Value, Workspace,
    causes::ended,
    hosts::file_path,
    json::JsonLayout,
    limits::{BudgetRemainder, Moment},
    schemas::ProviderSchemas,
    values::read_plain,
};

use crate::folders::FolderHosts;
use crate::question;
use crate::request::{DoorError, DoorQuestion, LimitOptions, OpenCall, OpenOptions};

/// Number of answers after which a root is loaded anew, since each leaves a little memory behind, such as its text.
const ANSWERS: u32 = 100_000;

/// A module or Packer template that was opened through the JSON API: its texts, load options, variables and limits.
pub struct OpenRoot {
    /// The folder of the root.
    pub(crate) dir: String,
    workspace: Workspace,
    /// The options of a load for each purpose.
    options: [LoadOptions; PURPOSES.len()],
    kind: Mutex<RootKind>,
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

/// The state of an open root between two questions: its budget, the number of answers given, and the snapshots that are
/// kept.
#[derive(Default)]
struct RootState {
    budget: Budget,
    answers: u32,
    /// The last snapshot without a state, and the snapshot with the state that was made from it.
    recorded: Option<(Snapshot, Snapshot)>,
    /// The last loaded root for each purpose, if it is of a kind that the workspace does not keep itself.
    last: [Option<Arc<dyn Root>>; PURPOSES.len()],
}

/// The purposes for which an open root can be loaded; [`OpenRoot`] stores one set of load options for each, in this order.
const PURPOSES: [LoadPurpose; 3] = [LoadPurpose::Evaluate, LoadPurpose::Check, LoadPurpose::Plan];

/// Returns the position of a purpose in [`PURPOSES`].
fn index(purpose: LoadPurpose) -> usize {
    match purpose {
        LoadPurpose::Evaluate => 0,
        LoadPurpose::Check => 1,
        LoadPurpose::Plan => 2,
    }
}

impl OpenRoot {
    /// Opens the root in a folder of a host, which reads nothing outside the folder `top`, with the JSON `options` of a call
    /// `open`, variables `values` in addition to those in the options, and limits up to `most`. No code is read before the first
    /// question.
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
        let workspace = workspace_over(host, &options);
        OpenRoot::with_workspace(workspace, dir.to_owned(), top.to_owned(), &options, values, most)
    }

    /// Opens the root that a call `open` describes, by the texts in the call or by its folder. No code is read before the first
    /// question.
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
        let workspace = workspace_over(host, &options);
        for (path, text) in files.into_iter().flatten() {
            workspace.set(&path, text);
        }
        OpenRoot::with_workspace(workspace, dir, top, &options, Vec::new(), most)
    }

    /// Opens the root in the folder `dir`, read through `workspace` and not outside of `top`; `values` are variables set in
    /// addition to those in `options`, and `most` bounds the limits in `options`.
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
            kind: Mutex::default(),
            cwd,
            now,
            seed,
            limits,
            state: Mutex::new(state),
        };
        root.settle_kind();
        Ok(root)
    }

    /// Sets the text that the root reads at a path in place of the file there; nothing is written.
    pub fn set(&self, path: &str, text: String) {
        self.workspace.set(path, text);
        self.settle_kind();
    }

    /// Removes the text that was set for a path, so that the file there is read again; returns true if there was such a text.
    pub fn remove(&self, path: &str) -> bool {
        let was_there = self.workspace.remove(path);
        self.settle_kind();
        was_there
    }

    /// Determines the kind of the root: by the requested dialect, else by the file names.
    fn settle_kind(&self) {
        let kind = RootKind::at(&self.dir, self.options[0].edition, || self.names());
        *self.kind.lock().unwrap_or_else(PoisonError::into_inner) = kind;
    }

    /// Returns the file names in the root's folder, sorted; empty if it cannot be read.
    fn names(&self) -> Vec<String> {
        let entries = self.host().list(&self.dir).unwrap_or_default().into_iter();
        let mut names: Vec<String> = entries.map(|entry| entry.name).collect();
        names.sort_unstable();
        names
    }

    /// Returns the kind of the root. It is determined when the root is opened and when a text is set or removed.
    pub fn kind(&self) -> RootKind {
        *self.kind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a host that reads the root's files, or the texts that were set in place of them.
    pub(crate) fn host(&self) -> Arc<dyn Host> {
        self.workspace.host()
    }

    /// Answers a question as JSON in a layout; `begun` receives the budget first, so that it can be cancelled, and `other` is the
    /// root that a question about two roots names by handle 0. The question has the fields of the call `ask` without its handle.
    ///
    /// # Errors
    /// Those of the call `ask`.
    pub fn ask(
        &self,
        question: &str,
        layout: JsonLayout,
        begun: &dyn Fn(&Budget),
        other: Option<&Arc<OpenRoot>>,
    ) -> Result<String, DoorError> {
        let question = DoorQuestion::read(question)?;
        let named = |number| match other {
            Some(other) if number == 0 => Ok(other.clone()),
            _ => Err(DoorError::form("the question names a root that it was not given.")),
        };
        question::answer(self, question, layout, begun, &named)
    }

    /// Loads the current version of the root for a purpose, after giving `begun` the budget by which this can be cancelled, and
    /// returns the answer of `ask` about it.
    ///
    /// # Errors
    /// Those of `ask`, and the limit that was reached.
    pub fn with_root<T>(
        &self,
        purpose: LoadPurpose,
        begun: &dyn Fn(&Budget),
        ask: impl FnOnce(&Arc<dyn Root>) -> Result<T, DoorError>,
    ) -> Result<T, DoorError> {
        let (mut state, before) = self.begin(begun);
        let answer = ask(&self.open_root(purpose, &mut state));
        end(&mut state, before)?;
        answer
    }

    /// Returns the answer of `ask` about the root, evaluated against the state that its code names, after giving `begun` the
    /// budget by which this can be cancelled. A root that is not a module has no state. The evaluation is kept while the files
    /// are unchanged.
    ///
    /// # Errors
    /// Those of `ask`, and the limit that was reached.
    pub fn with_state<T>(
        &self,
        begun: &dyn Fn(&Budget),
        ask: impl FnOnce(&Arc<dyn Root>) -> Result<T, DoorError>,
    ) -> Result<T, DoorError> {
        let (mut state, before) = self.begin(begun);
        let root = self.open_root(LoadPurpose::Evaluate, &mut state);
        let answer = match root.module() {
            Ok(snapshot) => {
                ask(&(Arc::new(module_with_state(snapshot, &mut state)) as Arc<dyn Root>))
            }
            Err(_) => ask(&root),
        };
        end(&mut state, before)?;
        answer
    }

    /// Begins a question: locks the root's state, replaces its budget if that has ended, calls `begun` with the budget, and
    /// returns the lock and what remains of the budget.
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
        let before = state.budget.remainder();
        (state, before)
    }

    /// Returns the current snapshot of the root, loaded for a purpose.
    fn open_root(&self, purpose: LoadPurpose, state: &mut RootState) -> Arc<dyn Root> {
        let budget = state.budget.clone();
        let run = || {
            let (now, seed, cwd) = (self.now, self.seed, self.cwd.clone());
            let (assignments, budget) = (self.assignments.clone(), budget.clone());
            RunOptions { assignments, now, seed, cwd, budget, ..RunOptions::default() }
        };
        let id = RootId { dir: self.dir.clone(), kind: self.kind() };
        let last = &mut state.last[index(purpose)];
        let root = self.workspace.open(&id, &self.options[index(purpose)], &run, last.as_deref());
        // The workspace keeps modules itself.
        *last = root.module().is_err().then(|| root.clone());
        root
    }
}

/// Creates a workspace over a host, in which for untrusted code, as `options` say, environment variables that are not set count
/// as unknown.
fn workspace_over(host: Arc<dyn Host>, options: &OpenOptions) -> Workspace {
    match options.untrusted {
        true => Workspace::over(host).with_open_environment(),
        false => Workspace::over(host),
    }
}

/// Returns a module's snapshot with its prior state, read from where the module's backend keeps it, or the one computed last if
/// the module is the same. `state.recorded` keeps the returned snapshot and gives it again until the module changes.
fn module_with_state(snapshot: &Snapshot, state: &mut RootState) -> Snapshot {
    let kept = state
        .recorded
        .as_ref()
        .filter(|(base, recorded)| base.is_same(snapshot) && !recorded.has_ended());
    if let Some((_, recorded)) = kept {
        return recorded.clone();
    }
    let recorded = snapshot.against(StateFile::Usual).value;
    state.recorded = Some((snapshot.clone(), recorded.clone()));
    recorded
}

impl From<NoAnswer> for DoorError {
    fn from(why: NoAnswer) -> DoorError {
        DoorError::new("no-answer", why.to_string())
    }
}

/// Ends a question: restores all steps and output bytes of the budget and, if the question used an amount up, the other amounts
/// that were left `before` it; if a limit ended the question, drops the kept snapshots.
///
/// # Errors
/// The limit that ended the question.
fn end(state: &mut RootState, before: BudgetRemainder) -> Result<(), DoorError> {
    let end = state
        .budget
        .ended()
        .map(|end| ended(end, state.budget.quota(), &state.budget.last_work().unwrap_or_default()));
    state.budget.begin_question(before);
    match end {
        None => Ok(()),
        Some(why) => {
            // Snapshots computed until then are partial results, too.
            (state.recorded, state.last) = Default::default();
            Err(DoorError::new(why.code.slug, why.detail))
        }
    }
}

/// Returns the limits of a question: those of the request, each at most the server's maximum `most`.
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
