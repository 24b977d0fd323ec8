//! An open root: its texts, and the options that it is loaded with. Each question has its own budget, so a root can be queried
//! for as long as the program runs.

use std::sync::{Arc, Mutex, PoisonError};

use groma::functions::read_moment;
use groma::{
    Budget, Edition, Host, InputAssignment, LoadOptions, LoadPurpose, MemoryHost, Quota,
    RootInputs, RunOptions, Snapshot, Value, Workspace, causes::ended, limits::Moment,
    schemas::ProviderSchemas, values::read_plain,
};

use crate::door::FolderHosts;
use crate::question;
use crate::request::{DoorError, DoorQuestion, LimitOptions, OpenCall, OpenOptions};

/// Number of answers after which a root is loaded anew, since each leaves a little memory behind, such as its text.
const ANSWERS: u32 = 100_000;

/// A root that is open for questions.
pub struct OpenRoot {
    /// The folder of the root.
    pub(crate) dir: String,
    workspace: Workspace,
    options: LoadOptions,
    /// The working directory of the code: the root's folder.
    cwd: Option<String>,
    now: Option<Moment>,
    seed: Option<u64>,
    /// The limits of one question.
    limits: Quota,
    state: Mutex<RootState>,
}

/// The state between two questions.
#[derive(Default)]
struct RootState {
    budget: Budget,
    answers: u32,
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
            assignments,
            workspace: options.workspace.clone(),
            mocks: options.mocks.clone(),
            root: Some(top),
            inputs: RootInputs::Given,
            ..LoadOptions::default()
        };
        let limits = quota(options.limits, most);
        let state = Mutex::new(RootState { budget: Budget::new(limits), answers: 0 });
        let (cwd, seed) = (host.canonical(&dir).ok(), options.seed);
        Ok(OpenRoot { dir, workspace, options: load, cwd, now, seed, limits, state })
    }

    /// Lays a text over a file.
    pub fn set(&self, path: &str, text: String) {
        self.workspace.set(path, text);
    }

    /// Removes a text laid over a file. Returns true if there was one.
    pub fn remove(&self, path: &str) -> bool {
        self.workspace.remove(path)
    }

    /// Returns the files as they are now.
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
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.answers >= ANSWERS {
            self.workspace.close_root(&self.dir);
            state.answers = 0;
        }
        if state.budget.ended().is_some() {
            state.budget = Budget::new(self.limits);
        }
        state.answers += 1;
        begun(&state.budget);
        let before = state.budget.standing();
        let run = || {
            let budget = state.budget.clone();
            let (now, seed, cwd) = (self.now, self.seed, self.cwd.clone());
            RunOptions { now, seed, cwd, budget, ..RunOptions::default() }
        };
        let options = LoadOptions { purpose, ..self.options.clone() };
        let snapshot = self.workspace.root_for(&self.dir, &options, &run);
        let answer = ask(&snapshot);
        if let Some(end) = state.budget.ended() {
            let why =
                ended(end, state.budget.quota(), &state.budget.last_work().unwrap_or_default());
            state.budget.begin_anew(before);
            return Err(DoorError::new(why.code.slug, why.detail));
        }
        state.budget.begin_anew(before);
        answer
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
