//! Projects of the modules known so far, for expressions that are evaluated before a load is complete.

use std::sync::Arc;

use groma_config::RawBlock;
use groma_eval::FunctionMocks;
use groma_inputs::Values;
use groma_module::dialect::Conventions;
use groma_module::{EditionEvidence, ProviderSchemas};
use groma_runtime::{Host, Semantics};
use groma_syntax::{Diagnostics, Sources};

use super::phases::ProjectLoad;
use super::surroundings::LoadSurroundings;
use crate::evaluate::Evaluation;
use crate::facts::Facts;
use crate::graph::Graph;
use crate::options::RunOptions;
use crate::project::Project;
use crate::tree::TreeModule;
use crate::tree::manifest::RemoteModules;

/// A maker of projects of the modules known so far, in which expressions are evaluated before the load is complete.
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
    doubles: Arc<[RawBlock]>,
    schemas: ProviderSchemas,
    run: RunOptions,
}

impl PartialProject {
    /// Returns the maker for a load.
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
            doubles: around.doubles.clone(),
            schemas: load.options.load.schemas.clone(),
            run: load.options.run.clone(),
        }
    }

    /// Returns an evaluation of a project with these modules.
    pub(super) fn evaluation(&self, nodes: &[TreeModule]) -> Evaluation {
        let project = Project {
            edition: self.evidence.edition,
            evidence: self.evidence.clone(),
            conventions: self.conventions,
            semantics: self.semantics.clone(),
            sources: Sources::new(),
            shared: 0,
            nodes: nodes.to_vec(),
            elsewhere: RemoteModules::default(),
            values: self.values.clone(),
            graph: Graph::of(nodes, &mut Diagnostics::new()),
            workspace: self.workspace.clone(),
            dir: self.dir.clone(),
            host: self.host.clone(),
            mocks: self.mocks.clone(),
            doubles: self.doubles.clone(),
            schemas: self.schemas.clone(),
            unfit: Vec::new(),
            uncounted: self.uncounted.clone(),
            budget: self.run.budget.clone(),
            is_linked: true,
        };
        Evaluation::new(Arc::new(project), Facts::default(), self.run.clone())
    }
}
