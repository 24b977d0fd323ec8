//! Diagnostics of the whole workspace, for clients that request them. Folders are checked one at a time, so that other requests
//! are answered in between. The diagnostics of a folder are cached until a file that it read changes.

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

/// Diagnostics by file, as JSON.
pub(crate) type FileFindings = BTreeMap<String, Vec<Value>>;

/// The cached diagnostics of folders without open documents.
#[derive(Default)]
pub(crate) struct SurveyCache {
    roots: BTreeMap<String, SurveyedRoot>,
}

/// The cached result of checking a folder: its diagnostics, and the folders of the files that were read.
struct SurveyedRoot {
    /// The folders of the files that were read.
    folders: BTreeSet<String>,
    findings: FileFindings,
}

impl SurveyCache {
    /// Drops the cached diagnostics of the folders that a changed file may affect.
    pub(crate) fn touch(&mut self, path: &str) {
        let folder = file_path::parent(path);
        self.roots.retain(|dir, root| *dir != folder && !root.folders.contains(&folder));
    }

    /// Drops the cached diagnostics of all folders.
    pub(crate) fn clear(&mut self) {
        self.roots.clear();
    }
}

/// A check of all folders with code, one after another, for a request of `workspace/diagnostic`.
pub(crate) struct WorkspaceSurvey {
    /// The request to be answered.
    pub(crate) id: MessageId,
    /// The ids of the diagnostics that the client has, by URI.
    pub(crate) previous: BTreeMap<String, String>,
    /// The diagnostics so far.
    pub(crate) found: FileFindings,
    /// The source of files.
    pub(crate) host: Arc<dyn ServerHost>,
    /// The settings of the client.
    pub(crate) settings: ClientSettings,
    /// The folders opened in the client.
    pub(crate) folders: Vec<String>,
    /// The texts of open documents.
    pub(crate) texts: Vec<(String, Arc<str>)>,
    /// The unit in which columns are counted.
    pub(crate) unit: ColumnUnit,
    /// Results of earlier requests.
    pub(crate) cache: Arc<Mutex<SurveyCache>>,
    /// The folders still to be checked; `None` before they are listed.
    pub(crate) left: Option<VecDeque<String>>,
    /// The number of folders with code, once they are listed.
    pub(crate) count: usize,
}

impl WorkspaceSurvey {
    /// Lists the folders on the first call, then checks one folder per call; returns false once all are checked, or if
    /// cancelled.
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
            let surveyed = self.check_folder(&dir, token);
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

    /// Returns the number of folders checked so far and their total number; `None` before the folders are listed.
    pub(crate) fn progress(&self) -> Option<(usize, usize)> {
        let left = self.left.as_ref()?.len();
        Some((self.count - left, self.count))
    }

    /// Checks a folder and returns its diagnostics; incomplete ones if cancelled.
    fn check_folder(&self, dir: &str, token: &RequestToken) -> SurveyedRoot {
        let setup = self.host.root(dir, &self.settings);
        let workspace = Workspace::over(setup.host.clone());
        for (path, text) in &self.texts {
            workspace.set(path, text.as_bytes());
        }
        // Inputs are unknown, since none were chosen for a folder without open documents.
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
