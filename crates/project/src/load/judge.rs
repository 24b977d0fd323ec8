//! The last phases of a load: checks of the root's settings, and of the linked modules together.

use std::sync::Arc;

use groma_module::check::backend;
use groma_module::declare::Module;
use groma_module::dialect::Conventions;
use groma_syntax::{Severity, Sources};

use super::phases::ProjectLoad;
use super::surroundings::LoadSurroundings;
use super::unfit;
use crate::graph::Graph;
use crate::load_findings::DecisiveInputs;
use crate::options::{LoadPurpose, RootInputs};
use crate::project::ProjectCode;
use crate::tree::manifest::RemoteModules;
use crate::tree::providers::UnfilledProviders;
use crate::tree::used::ProviderUsages;
use crate::tree::{TreeModule, check, providers, target};

impl ProjectLoad<'_> {
    /// Validates the backend settings of the root module, and reports its deprecated outputs.
    pub(super) fn check_backends(&mut self, root: &Module) {
        let mut out = std::mem::take(&mut self.found.checked);
        let (settings, edition, reader) = (&root.settings, self.evidence.edition, self.reader());
        match self.options.load.purpose {
            LoadPurpose::Plan => backend::check(settings, &reader, edition, &mut out),
            LoadPurpose::Check => {
                let refuses = self.conventions.state_keepers_checked;
                backend::warn(settings, &reader, edition, refuses, &mut out);
            }
            LoadPurpose::Evaluate => {}
        }
        if self.conventions.deprecation_follows_values {
            check::check_root_outputs(root, &mut out);
        }
        self.found.checked = out;
    }

    /// Validates what depends on several modules: calls, passed provider configurations, targets of imports, required versions.
    fn check_links(&mut self, nodes: &[TreeModule]) {
        let (load, conventions) = (&self.options.load, &self.conventions);
        let edition = self.evidence.edition;
        // Uses of deprecated outputs are reported during evaluation.
        let has_values = !self.judging || load.inputs == RootInputs::Given;
        // An evaluation that reports them itself is left to do so.
        let is_evaluated = load.purpose != LoadPurpose::Check;
        let tells_deprecated = has_values && !(is_evaluated && conventions.deprecation_ends_at_use);
        let found = &mut self.found;
        check::check(nodes, tells_deprecated, &mut found.joined);
        let unfilled = unfilled_providers(load.purpose, conventions);
        providers::check(nodes, edition.dialect, unfilled, &mut found.joined);
        ProviderUsages::of(nodes, edition.dialect, conventions).report_used(nodes, &mut found.late);
        target::report_problems(nodes, conventions, &mut found.late);
        let severity = if self.judging { Severity::Error } else { Severity::Warning };
        for node in nodes {
            node.module.settings.report(edition, severity, &mut found.unmet);
        }
    }

    /// Ends the load: returns the code of the project, made of the linked modules and the inputs that decided what is read, and
    /// every text of it.
    pub(super) fn finish(
        mut self,
        around: LoadSurroundings,
        (nodes, elsewhere): (Vec<TreeModule>, RemoteModules),
        decisive: DecisiveInputs,
    ) -> (Arc<ProjectCode>, Sources) {
        if let Some(kept) = self.kept.take() {
            kept.modules.end_load();
        }
        self.check_links(&nodes);
        let graph = Graph::of(&nodes, &mut self.found.ordered);
        let load = &self.options.load;
        let code = ProjectCode {
            edition: self.evidence.edition,
            evidence: self.evidence,
            conventions: self.conventions,
            semantics: self.semantics,
            shared: self.shared.map_or(0, |shared| shared.text_count() as u32),
            unfit: unfit::unfit(&nodes, &load.schemas),
            nodes,
            elsewhere,
            graph,
            workspace: around.workspace,
            dir: self.dir.into(),
            names: self.names.unwrap_or_default(),
            host: self.host,
            mocks: around.mocks,
            mock_blocks: around.mock_blocks,
            schemas: load.schemas.clone(),
            uncounted: self.uncounted,
            budget: self.options.run.budget.clone(),
            purpose: load.purpose,
            inputs: load.inputs,
            bare: load.bare,
            findings: self.found,
            decisive,
        };
        (Arc::new(code), self.sources)
    }
}

/// Returns the severities with which a load reports provider configurations that the root expects from a caller.
fn unfilled_providers(purpose: LoadPurpose, conventions: &Conventions) -> UnfilledProviders {
    match purpose {
        LoadPurpose::Plan => UnfilledProviders {
            used: Some(Severity::Error),
            unused: conventions.needs_root_aliases.then_some(Severity::Error),
        },
        LoadPurpose::Check if conventions.assumes_root_aliases => {
            UnfilledProviders { used: Some(Severity::Note), unused: None }
        }
        LoadPurpose::Check => UnfilledProviders { used: Some(Severity::Error), unused: None },
        LoadPurpose::Evaluate => UnfilledProviders::default(),
    }
}
