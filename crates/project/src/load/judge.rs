//! The last phases of a load: checks of the linked modules together. What counts of a phase depends on those before.

use std::sync::Arc;

use groma_config::UnfitSchemas;
use groma_inputs::Values;
use groma_module::check::backend;
use groma_module::declare::Module;
use groma_module::dialect::Conventions;
use groma_syntax::{Diagnostic, Diagnostics, Phase, Severity, Sources};

use super::inputs::{CollectedInputs, demand};
use super::partial::PartialProject;
use super::phases::ProjectLoad;
use super::surroundings::LoadSurroundings;
use super::{absent, encryption, repeated, setting, unfit};
use crate::codes;
use crate::graph::Graph;
use crate::options::{LoadPurpose, RootInputs};
use crate::project::Project;
use crate::tree::manifest::RemoteModules;
use crate::tree::providers::UnfilledProviders;
use crate::tree::used::ProviderUsages;
use crate::tree::{TreeModule, check, providers, target};

/// The outcome of the phases after linking.
pub(super) struct JudgedProject {
    pub(super) graph: Graph,
    pub(super) unfit: Vec<UnfitSchemas>,
    pub(super) is_linked: bool,
}

impl ProjectLoad<'_> {
    /// Returns true if the next phase counts: nothing so far is an error, or the code is not judged.
    pub(super) fn is_well(&self, out: &Diagnostics) -> bool {
        !self.judging || !out.has_errors()
    }

    /// Checks the backend, and the root's outputs.
    pub(super) fn check_backends(&self, root: &Module, out: &mut Diagnostics) {
        let (settings, edition, reader) = (&root.settings, self.evidence.edition, self.reader());
        match self.options.load.purpose {
            LoadPurpose::Plan => backend::check(settings, &reader, edition, out),
            LoadPurpose::Check => {
                let refuses = self.conventions.state_keepers_checked;
                backend::look(settings, &reader, edition, refuses, out);
            }
            LoadPurpose::Evaluate => {}
        }
        if self.conventions.deprecation_follows_values {
            check::check_root_outputs(root, out);
        }
    }

    /// Checks the settings that must be known before evaluation: instances of providers, encryption, backends.
    pub(super) fn check_early_settings(
        &self,
        nodes: &[TreeModule],
        partial: &PartialProject,
        out: &mut Diagnostics,
    ) {
        let evaluation = |nodes: &[TreeModule]| partial.evaluation(nodes);
        let is_computed = self.conventions.computed_sources;
        if is_computed {
            repeated::check(nodes, &evaluation, self.judging, out);
        }
        if self.options.load.purpose == LoadPurpose::Plan && !out.has_errors() {
            encryption::check(nodes, &self.reader(), &evaluation, out);
            if is_computed {
                setting::check_backends(nodes, &self.reader(), &evaluation, out);
            }
        }
    }

    /// Checks the linked modules together, and draws their graph. Diagnostics of a phase count only if earlier phases succeeded:
    /// most would be consequential.
    pub(super) fn judge(
        &mut self,
        nodes: &[TreeModule],
        given: &CollectedInputs,
        out: &mut Diagnostics,
    ) -> JudgedProject {
        let (load, conventions) = (&self.options.load, &self.conventions);
        let edition = self.evidence.edition;
        let mut joints = Diagnostics::new();
        // Uses of deprecated outputs are reported during evaluation.
        let has_values = !self.judging || load.inputs == RootInputs::Given;
        // An evaluation that reports them itself is left to do so.
        let is_evaluated = load.purpose != LoadPurpose::Check;
        let tells_deprecated = has_values && !(is_evaluated && conventions.deprecation_ends_at_use);
        check::check(nodes, tells_deprecated, &mut joints);
        let unfilled = unfilled_providers(load.purpose, conventions);
        providers::check(nodes, edition.dialect, unfilled, &mut joints);
        add(joints, Phase::Join, self.is_well(out), out);
        let is_fine = given.is_readable && out.error_count() == given.errors;
        if load.purpose == LoadPurpose::Plan && is_fine {
            demand(&nodes[0].module, &given.values, &self.dir, load.bare, out);
        }
        let mut ring = Diagnostics::new();
        let graph = Graph::of(nodes, &mut ring);
        // If sources are computed, a cycle may be why one of them is unknown.
        let is_unsourced =
            conventions.computed_sources && out.iter().any(|one| one.code == &codes::MODULE_SOURCE);
        add(ring, Phase::Order, self.is_well(out) || is_unsourced, out);
        let is_linked = self.is_well(out);
        let mut late = std::mem::take(&mut self.late);
        ProviderUsages::of(nodes, edition.dialect, conventions).tell(nodes, &mut late);
        target::tell(nodes, conventions, &mut late);
        add(late, Phase::Resolve, is_linked, out);
        let severity = if self.judging { Severity::Error } else { Severity::Warning };
        let mut unmet = Diagnostics::new();
        for node in nodes {
            node.module.settings.report(edition, severity, &mut unmet);
        }
        if unmet.has_errors() {
            // Code for another version may be faulty only for that reason.
            out.truncate(self.before);
        }
        out.extend(unmet);
        let unfit = unfit::unfit(nodes, &load.schemas);
        out.extend(unfit.iter().map(UnfitSchemas::diagnostic));
        JudgedProject { graph, unfit, is_linked }
    }

    /// Returns the project, and sorts the diagnostics of the load by place.
    pub(super) fn finish(
        self,
        around: LoadSurroundings,
        values: Values,
        (nodes, elsewhere): (Vec<TreeModule>, RemoteModules),
        judged: JudgedProject,
        out: &mut Diagnostics,
    ) -> Arc<Project> {
        if let Some(kept) = self.kept {
            kept.sources = Sources::with_parts_of(&self.sources);
        }
        let found = absent::tell_once(&nodes, &judged.graph, out.split_off(self.before));
        let mut found: Diagnostics = found.into_iter().collect();
        found.resolve(&self.sources);
        found.sort_by_place();
        out.extend(found);
        Arc::new(Project {
            edition: self.evidence.edition,
            evidence: self.evidence,
            conventions: self.conventions,
            semantics: self.semantics,
            sources: self.sources,
            shared: self.shared.map_or(0, |shared| shared.text_count() as u32),
            nodes,
            elsewhere,
            values,
            graph: judged.graph,
            workspace: around.workspace,
            dir: self.dir.into(),
            host: self.host,
            mocks: around.mocks,
            doubles: around.doubles,
            schemas: self.options.load.schemas.clone(),
            unfit: judged.unfit,
            uncounted: self.uncounted,
            budget: self.options.run.budget.clone(),
            is_linked: judged.is_linked,
        })
    }
}

/// Returns how unfilled providers are reported.
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

/// Adds the diagnostics of a phase; `counts` is true if the phases it depends on succeeded.
pub(super) fn add(
    found: impl IntoIterator<Item = Diagnostic>,
    phase: Phase,
    counts: bool,
    out: &mut Diagnostics,
) {
    let from = out.len();
    out.extend(found.into_iter().map(|one| if counts { one } else { later(one) }));
    out.mark_phase(from, phase);
}

/// Returns a diagnostic marked as possibly consequential, because another error has to be fixed first. It decides nothing.
pub(crate) fn later(found: Diagnostic) -> Diagnostic {
    Diagnostic { severity: Severity::Note, ..found }
}
