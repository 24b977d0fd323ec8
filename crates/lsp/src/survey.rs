//! The findings of all folders of code, for a client that asks for the whole workspace. Folders are looked at one by one, so that what
//! is asked meanwhile does not wait for all of them; of each only the findings are kept, until a file that it read changes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use groma::syntax::ColumnUnit;
use groma::{
    LoadOptions, RequestToken, RootInputs, Workspace, folders::roots_below, hosts::file_path,
};
use groma_ide::{FindingStage, Request, all_diagnostics};
use serde_json::Value;

use crate::finding::findings_json;
use crate::message::MessageId;
use crate::places::Places;
use crate::settings::ClientSettings;
use crate::surroundings::ServerHost;

/// Findings by file, as the protocol writes them.
pub(crate) type FileFindings = BTreeMap<String, Vec<Value>>;

/// The findings of folders that are not open.
#[derive(Default)]
pub(crate) struct SurveyCache {
    roots: BTreeMap<String, SurveyedRoot>,
}

/// A folder that was looked at.
struct SurveyedRoot {
    /// The folders of the files that it read.
    folders: BTreeSet<String>,
    findings: FileFindings,
}

impl SurveyCache {
    /// Forgets what may be different now that a file has changed.
    pub(crate) fn touch(&mut self, path: &str) {
        let folder = file_path::parent(path);
        self.roots.retain(|dir, root| *dir != folder && !root.folders.contains(&folder));
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.roots.clear();
    }
}

/// A look at all folders of code.
pub(crate) struct WorkspaceSurvey {
    /// The request that asked for it.
    pub(crate) id: MessageId,
    /// The names of the findings that the client has, by address.
    pub(crate) previous: BTreeMap<String, String>,
    /// The findings so far.
    pub(crate) found: FileFindings,
    /// What the folders are read from.
    pub(crate) host: Arc<dyn ServerHost>,
    /// What the client has set.
    pub(crate) settings: ClientSettings,
    /// The folders that are open.
    pub(crate) folders: Vec<String>,
    /// The texts of open documents.
    pub(crate) texts: Vec<(String, Arc<str>)>,
    /// What a column counts.
    pub(crate) unit: ColumnUnit,
    /// What is known from before.
    pub(crate) cache: Arc<Mutex<SurveyCache>>,
    /// The folders of code that are still to be looked at; nothing before they are listed.
    pub(crate) left: Option<VecDeque<String>>,
    /// The number of all folders of code, once they are listed.
    pub(crate) count: usize,
}

impl WorkspaceSurvey {
    /// Looks at the next folder. Returns true if there are more.
    pub(crate) fn step(&mut self, token: &RequestToken) -> bool {
        let Some(left) = &mut self.left else {
            let below =
                |folder: &String| roots_below(&*self.host.folder(folder, &self.settings), folder);
            let all: BTreeSet<String> = self.folders.iter().flat_map(below).collect();
            self.count = all.len();
            self.left = Some(all.into_iter().collect());
            return true;
        };
        let Some(dir) = left.pop_front() else { return false };
        let known = || self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = known().roots.contains_key(&dir);
        if !is_known {
            let surveyed = self.look(&dir, token);
            if token.is_over() {
                return false;
            }
            known().roots.insert(dir.clone(), surveyed);
        }
        let mut found = std::mem::take(&mut self.found);
        if let Some(root) = known().roots.get(&dir) {
            for (file, all) in &root.findings {
                let known = found.entry(file.clone()).or_default();
                for one in all {
                    if !known.contains(one) {
                        known.push(one.clone());
                    }
                }
            }
        }
        self.found = found;
        true
    }

    /// The number of folders that were looked at, and of all of them; nothing before they are listed.
    pub(crate) fn progress(&self) -> Option<(usize, usize)> {
        let left = self.left.as_ref()?.len();
        Some((self.count - left, self.count))
    }

    fn look(&self, dir: &str, token: &RequestToken) -> SurveyedRoot {
        let setup = self.host.root(dir, &self.settings);
        let workspace = Workspace::over(setup.host.clone());
        for (path, text) in &self.texts {
            workspace.set(path, text.as_bytes());
        }
        // Whatever the inputs are: nothing has chosen any for a folder that is not open.
        let load = LoadOptions { inputs: RootInputs::Unknown, ..setup.load };
        let snapshot = workspace.root_for(dir, &load, &*setup.run);
        let folders = snapshot.file_names().map(file_path::parent).collect();
        let request = Request::new(&workspace).in_root(snapshot).bounded_by(token.clone());
        let found = all_diagnostics(&request, FindingStage::Checked, setup.rules.as_ref());
        let places = Places::new(&request, self.unit);
        let all = found.iter();
        let findings = all.map(|(file, all)| (file.clone(), findings_json(file, all, &places)));
        SurveyedRoot { folders, findings: findings.collect() }
    }
}
