//! A loaded Packer template, ready for queries. Templates have no modules, so nothing is cached between loads.

use groma_packer::{BuildPlan, TemplateEvaluation};
use groma_syntax::{Diagnostics, Sources};

use groma_why::WhyTree;

use crate::ExpressionAnswer;
use crate::json::{JsonLayout, JsonText, ResultContext};
use crate::snapshot::NAME;

/// A Packer template with its evaluation. Clones share it.
#[derive(Clone)]
pub struct TemplateSnapshot {
    evaluation: TemplateEvaluation,
    found: Diagnostics,
}

impl TemplateSnapshot {
    /// Creates a snapshot from an evaluation and the diagnostics of loading.
    pub(crate) fn new(evaluation: TemplateEvaluation, found: Diagnostics) -> TemplateSnapshot {
        TemplateSnapshot { evaluation, found }
    }

    /// Evaluates an expression in the template.
    pub fn evaluate(&self, text: &str) -> ExpressionAnswer {
        ExpressionAnswer::of(|out| self.evaluation.evaluate_text(text, NAME, out))
    }

    /// Returns all diagnostics, by place.
    pub fn findings(&self) -> Diagnostics {
        let mut found = self.found.clone();
        found.extend(self.evaluation.found());
        found.sort_by_place();
        found
    }

    /// Returns the sources of all diagnostics.
    pub fn sources(&self) -> Sources {
        self.evaluation.sources()
    }

    /// Returns the builds that the template defines.
    pub fn plan(&self) -> BuildPlan {
        self.evaluation.plan()
    }

    /// Returns a provenance tree as JSON, in the form of `groma why --json`.
    pub fn why_json(&self, tree: &WhyTree) -> String {
        let sources = self.sources();
        let around = ResultContext { sources: &sources, causes: self.evaluation.causes() };
        let mut out = JsonText::new(JsonLayout::Compact);
        groma_why::write_json(tree, &around, &mut out);
        out.into_string()
    }

    /// Returns the evaluation, for queries that have no method here.
    pub fn evaluation(&self) -> &TemplateEvaluation {
        &self.evaluation
    }
}
