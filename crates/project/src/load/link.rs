//! The phase of a load that reads the called modules. Sources may be computed from the modules known so far.

use std::sync::Arc;

use groma_eval::{EvaluationBasis, NamedValues};
use groma_module::declare::{Expression, Module};
use groma_syntax::{Diagnostics, Phase};

use super::inputs::CollectedInputs;
use super::judge::add;
use super::partial::PartialProject;
use super::phases::ProjectLoad;
use super::surroundings::LoadSurroundings;
use crate::options::LoadPurpose;
use crate::tree::manifest::RemoteModules;
use crate::tree::{ModuleId, RootStart, TreeLinker, TreeModule};

impl ProjectLoad<'_> {
    /// Reads the called modules.
    pub(super) fn link(
        &mut self,
        root: Arc<Module>,
        around: &LoadSurroundings,
        given: &CollectedInputs,
        partial: &PartialProject,
        out: &mut Diagnostics,
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
        let beginning = RootStart {
            values: &given.values,
            tells_absence: options.load.purpose == LoadPurpose::Check,
            cwd: options.run.cwd.clone().unwrap_or_else(|| host.current_dir()),
        };
        let compute =
            |nodes: &[TreeModule], at: ModuleId, source: &Expression, out: &mut Diagnostics| {
                if !is_computed {
                    return None;
                }
                partial.evaluation(nodes).fixed(at, source, out)
            };
        let mut loader = self.loader(false);
        let (bounds, modules) = (around.bounds.clone(), &options.load.modules);
        let linker = TreeLinker::new(&mut loader, &dir, bounds, modules, context, judging, out);
        let linked = out.len();
        let tree = linker.link(root, &dir, beginning, &compute, out);
        let found = out.split_off(linked);
        // No program continues after faulty declarations in the root; after invalid inputs it reads everything.
        let is_well = !judging || !given.is_declared_badly;
        add(found, Phase::Link, is_well, out);
        tree
    }
}
