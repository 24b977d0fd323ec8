//! The phase of a load that reads the called modules. Sources may be computed from the modules known so far.

use std::sync::Arc;

use groma_eval::{EvaluationBasis, NamedValues};
use groma_module::declare::{Expression, Module};
use groma_syntax::Diagnostics;

use super::inputs::CollectedInputs;
use super::partial::PartialProject;
use super::phases::ProjectLoad;
use super::surroundings::LoadSurroundings;
use crate::options::LoadPurpose;
use crate::tree::manifest::RemoteModules;
use crate::tree::{ModuleId, RootEarlyInputs, TreeLinker, TreeModule};

impl ProjectLoad<'_> {
    /// Reads the modules that the root calls directly or indirectly, and returns the module tree and its remote modules; sources
    /// that are not literals are evaluated in `partial` and early values from the inputs `given`.
    pub(super) fn link(
        &mut self,
        root: Arc<Module>,
        around: &LoadSurroundings,
        given: &CollectedInputs,
        partial: &PartialProject,
    ) -> (Vec<TreeModule>, RemoteModules) {
        let (options, host) = (self.options, self.host.clone());
        let (dir, judging) = (self.dir.clone(), self.judging);
        let is_computed = self.conventions.computed_sources;
        let basis = EvaluationBasis {
            host: host.clone(),
            limits: options.run.limits,
            budget: options.run.budget.clone(),
            readings: options.run.readings.clone(),
            mocks: around.mocks.clone(),
            base: dir.as_str().into(),
            ..EvaluationBasis::bare(self.evidence.edition)
        };
        let context = basis.with_scope(Arc::new(NamedValues::new()));
        let beginning = RootEarlyInputs {
            values: &given.values,
            reports_absence: options.load.purpose == LoadPurpose::Check,
            cwd: options.run.cwd.clone().unwrap_or_else(|| host.current_dir()),
        };
        let compute =
            |nodes: &[TreeModule], at: ModuleId, source: &Expression, out: &mut Diagnostics| {
                if !is_computed {
                    return None;
                }
                let evaluation = partial.evaluation(nodes);
                let value = evaluation.evaluate_in_first(at, source, out);
                partial.note_inputs(&evaluation);
                value
            };
        let mut checked = std::mem::take(&mut self.found.checked);
        let mut linked = Diagnostics::new();
        let mut loader = self.loader(false);
        let (bounds, modules) = (around.bounds.clone(), &options.load.modules);
        let linker =
            TreeLinker::new(&mut loader, &dir, bounds, modules, context, judging, &mut checked);
        let tree = linker.link(root, &dir, beginning, &compute, &mut linked);
        (self.found.checked, self.found.linked) = (checked, linked);
        tree
    }
}
