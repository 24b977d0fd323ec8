//! A root that is open: its texts, and what it is loaded with. Each question gets a whole budget, so that a root may be asked for
//! as long as the program runs.

use std::sync::{Arc, Mutex, PoisonError};

use groma::functions::read_moment;
use groma::{
    Budget, Edition, Host, InputAssignment, LoadOptions, LoadPurpose, MemoryHost, Quota,
    RootInputs, RunOptions, Snapshot, Workspace, causes::ended, limits::Moment, values::read_plain,
};

use crate::door::FolderHosts;
use crate::request::{DoorError, LimitOptions, OpenCall};

/// The number of answers after which a root is evaluated anew: each leaves a little behind, such as its text.
const ANSWERS: u32 = 100_000;

/// A root that is open.
pub(crate) struct OpenRoot {
    pub(crate) dir: String,
    workspace: Workspace,
    options: LoadOptions,
    now: Option<Moment>,
    seed: Option<u64>,
    limits: Quota,
    state: Mutex<RootState>,
}

/// What is kept between two questions.
#[derive(Default)]
struct RootState {
    budget: Budget,
    answers: u32,
}

impl OpenRoot {
    /// Opens a root. Nothing of it is read before the first question.
    pub(crate) fn open(
        call: OpenCall,
        folders: &dyn FolderHosts,
        most: &Quota,
    ) -> Result<OpenRoot, DoorError> {
        let OpenCall { files, dir, options } = call;
        let has_files = files.is_some();
        let dir = dir.unwrap_or_else(|| ".".to_owned());
        let (host, top): (Arc<dyn Host>, String) = match has_files {
            // The texts of a request are a whole world.
            true => (Arc::new(MemoryHost::new()), "/".to_owned()),
            false => folders
                .host(&dir, options.untrusted)
                .map_err(|why| DoorError::new("cannot-open", why))?,
        };
        let workspace = Workspace::over(host);
        for (path, text) in files.into_iter().flatten() {
            workspace.set(&path, text);
        }
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
        let evidence = edition.map(|_| "the request says so".to_owned()).unwrap_or_default();
        let load = LoadOptions {
            edition,
            evidence,
            assignments,
            workspace: options.workspace.clone(),
            mocks: options.mocks.clone(),
            root: Some(top),
            inputs: RootInputs::Given,
            purpose: LoadPurpose::Check,
            ..LoadOptions::default()
        };
        let limits = quota(options.limits, most);
        let state = Mutex::new(RootState { budget: Budget::new(limits), answers: 0 });
        Ok(OpenRoot { dir, workspace, options: load, now, seed: options.seed, limits, state })
    }

    /// Lays a text over a file.
    pub(crate) fn set(&self, path: &str, text: String) {
        self.workspace.set(path, text);
    }

    /// Takes a text away; true if there was one.
    pub(crate) fn remove(&self, path: &str) -> bool {
        self.workspace.remove(path)
    }

    /// The files as they are at this moment.
    pub(crate) fn host(&self) -> Arc<dyn Host> {
        self.workspace.host()
    }

    /// Answers from the root as it is at this moment. `begun` is given the budget of the answer before it is worked out.
    ///
    /// # Errors
    /// Those of `ask`, and the limit that the answer met.
    pub(crate) fn with_snapshot<T>(
        &self,
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
            RunOptions { now: self.now, seed: self.seed, budget, ..RunOptions::default() }
        };
        let snapshot = self.workspace.root_for(&self.dir, &self.options, &run);
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

/// The bounds of a question: what the request says, and no more than what the door allows.
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
