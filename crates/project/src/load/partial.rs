//! Projects of the modules known so far, for expressions that are evaluated before a load is complete.

use std::cell::RefCell;
use std::sync::Arc;

use groma_config::RawBlock;
use groma_eval::FunctionMocks;
use groma_inputs::Values;
use groma_module::declare::{Module, Variable};
use groma_module::dialect::Conventions;
use groma_module::{EditionEvidence, ProviderSchemas};
use groma_runtime::{Host, Semantics};
use groma_syntax::{Diagnostics, Sources};
use groma_value::Str;
use rustc_hash::FxHashSet;

use super::phases::ProjectLoad;
use super::surroundings::LoadSurroundings;
use crate::evaluate::Evaluation;
use crate::facts::Facts;
use crate::graph::Graph;
use crate::load_findings::{DecisiveInputs, LoadFindings};
use crate::options::{LoadPurpose, RootInputs, RunOptions};
use crate::project::{Project, ProjectCode};
use crate::tree::TreeModule;
use crate::tree::manifest::RemoteModules;

/// A factory of evaluations of the incomplete project that consists of the modules read so far.
pub(super) struct PartialProject {
    evidence: EditionEvidence,
    conventions: Conventions,
    semantics: Arc<Semantics>,
    values: Values,
    workspace: String,
    dir: Arc<str>,
    host: Arc<dyn Host>,
    uncounted: Arc<dyn Host>,
    mocks: Arc<FunctionMocks>,
    mock_blocks: Arc<[RawBlock]>,
    schemas: ProviderSchemas,
    run: RunOptions,
    /// The inputs of the root that an evaluation has used.
    asked: RefCell<FxHashSet<Str>>,
}

impl PartialProject {
    /// Returns a factory of evaluations with the settings of a load and the given input values.
    pub(super) fn of(
        load: &ProjectLoad<'_>,
        around: &LoadSurroundings,
        values: &Values,
    ) -> PartialProject {
        PartialProject {
            evidence: load.evidence.clone(),
            conventions: load.conventions,
            semantics: load.semantics.clone(),
            values: values.clone(),
            workspace: around.workspace.clone(),
            dir: load.dir.as_str().into(),
            host: load.host.clone(),
            uncounted: load.uncounted.clone(),
            mocks: around.mocks.clone(),
            mock_blocks: around.mock_blocks.clone(),
            schemas: load.options.load.schemas.clone(),
            run: load.options.run.clone(),
            asked: RefCell::default(),
        }
    }

    /// Returns an evaluation of the incomplete project that consists of the modules `nodes`.
    pub(super) fn evaluation(&self, nodes: &[TreeModule]) -> Evaluation {
        let code = ProjectCode {
            edition: self.evidence.edition,
            evidence: self.evidence.clone(),
            conventions: self.conventions,
            semantics: self.semantics.clone(),
            shared: 0,
            nodes: nodes.to_vec(),
            elsewhere: RemoteModules::default(),
            graph: Graph::of(nodes, &mut Diagnostics::new()),
            workspace: self.workspace.clone(),
            dir: self.dir.clone(),
            names: Vec::new(),
            host: self.host.clone(),
            mocks: self.mocks.clone(),
            mock_blocks: self.mock_blocks.clone(),
            schemas: self.schemas.clone(),
            unfit: Vec::new(),
            uncounted: self.uncounted.clone(),
            budget: self.run.budget.clone(),
            purpose: LoadPurpose::Evaluate,
            inputs: RootInputs::Given,
            bare: true,
            findings: LoadFindings::default(),
            decisive: DecisiveInputs::default(),
        };
        evaluation(Arc::new(code), self.values.clone(), &self.run)
    }

    /// Records the inputs of the root that an evaluation has used.
    pub(super) fn note_inputs(&self, evaluation: &Evaluation) {
        self.asked.borrow_mut().extend(evaluation.evaluated_variables());
    }

    /// Returns the names of the inputs that decide which code is read.
    pub(super) fn decisive_names(&self, root: &Module) -> Vec<Str> {
        let is_asked = |name: &Str| self.asked.borrow().contains(name);
        let is_early = |one: &Variable| self.conventions.early_sources && one.is_const;
        let variables = root.variables.iter().filter(|one| is_early(one) || is_asked(&one.name));
        variables.map(|one| one.name.clone()).collect()
    }
}

/// Returns an evaluation of code with inputs, for settings that are needed before anything else is evaluated.
pub(super) fn evaluation(code: Arc<ProjectCode>, values: Values, run: &RunOptions) -> Evaluation {
    let project = Project { code, sources: Sources::new(), values, is_linked: true };
    Evaluation::new(Arc::new(project), Facts::default(), run.clone())
}
