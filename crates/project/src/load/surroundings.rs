//! The inputs of a load that are neither code nor values: mocks, the workspace and the readable directories.

use std::sync::Arc;

use groma_config::{MockRows, RawBlock, path, read_mocks};
use groma_eval::FunctionMocks;
use groma_module::dialect::{MOCK, MOCKED};
use groma_runtime::Host;
use groma_syntax::{Diagnostic, Diagnostics, FileId};
use groma_value::sentence::WITHHELD;

use super::phases::ProjectLoad;
use super::secret;
use crate::codes;
use crate::options::ProjectOptions;
use crate::tree::TreeModule;

/// The inputs of a load that are neither code nor values: mocks, the workspace and the directories that may be read.
pub(super) struct LoadSurroundings {
    pub(super) mocks: Arc<FunctionMocks>,
    pub(super) mock_blocks: Arc<[RawBlock]>,
    /// The mock files with errors.
    pub(super) broken: Vec<FileId>,
    pub(super) workspace: String,
    /// The canonical directories outside of which nothing is read.
    pub(super) bounds: Vec<String>,
}

impl ProjectLoad<'_> {
    /// Reads mock files, and selects the workspace and the directories that may be read.
    pub(super) fn read_surroundings(&mut self) -> LoadSurroundings {
        let mut out = std::mem::take(&mut self.found.checked);
        let (load, host) = (&self.options.load, &*self.host);
        let rows = Some(MockRows { file: MOCK, folder: MOCKED });
        let edition = self.evidence.edition;
        let mocks = read_mocks(&load.mocks, rows, host, edition, &mut self.sources, &mut out);
        let workspace = workspace(&self.dir, self.options, host, &mut out);
        let mut bounds = vec![read_boundary(&self.dir, self.options, host)];
        bounds.extend(load.allowed.iter().filter_map(|folder| host.canonical(folder).ok()));
        self.found.checked = out;
        LoadSurroundings {
            mocks: Arc::new(mocks.functions),
            mock_blocks: mocks.blocks.into(),
            broken: mocks.broken,
            workspace,
            bounds,
        }
    }

    /// Withholds secrets of mock files from displayed texts and diagnostics.
    pub(super) fn withhold_mocks(&mut self, around: &LoadSurroundings, nodes: &[TreeModule]) {
        let LoadSurroundings { mock_blocks, broken, .. } = around;
        secret::withhold(mock_blocks, broken, nodes, self.evidence.edition, &mut self.sources);
        let files = mock_blocks.iter().map(|raw| raw.header.file).chain(broken.iter().copied());
        let files: Vec<FileId> = files.collect();
        let sources = &self.sources;
        let is_secret = |found: &Diagnostic| {
            found.place.is_some_and(|at| files.contains(&at.file) && sources.is_withheld(at))
        };
        let found = &mut self.found;
        for found in [&mut found.declared, &mut found.checked, &mut found.linked] {
            found.withhold(0, WITHHELD, is_secret);
        }
    }
}

/// Returns the name of the workspace: chosen by option, by environment, or by an earlier command.
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

/// Returns the canonical directory outside of which nothing is read: the one in the options, else the git repository around
/// `dir`, else `dir`.
fn read_boundary(dir: &str, options: &ProjectOptions, host: &dyn Host) -> String {
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
