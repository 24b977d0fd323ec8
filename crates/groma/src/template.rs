//! A Packer template, loaded and ready to be asked. Packer has no modules and no edits to follow, so it is loaded anew
//! each time.

use groma_packer::{BuildPlan, TemplateEvaluation};
use groma_syntax::{Diagnostics, Sources};

use groma_why::WhyTree;

use crate::ExpressionAnswer;
use crate::json::{JsonLayout, JsonText, ResultContext};
use crate::snapshot::NAME;

/// A Packer template. Cloning shares it.
#[derive(Clone)]
pub struct TemplateSnapshot {
    evaluation: TemplateEvaluation,
    found: Diagnostics,
}

impl TemplateSnapshot {
    pub(crate) fn new(evaluation: TemplateEvaluation, found: Diagnostics) -> TemplateSnapshot {
        TemplateSnapshot { evaluation, found }
    }

    /// The value of an expression in the template.
    pub fn evaluate(&self, text: &str) -> ExpressionAnswer {
        ExpressionAnswer::of(|out| self.evaluation.evaluate_text(text, NAME, out))
    }

    /// Everything that is wrong with it.
    pub fn findings(&self) -> Diagnostics {
        let mut found = self.found.clone();
        found.extend(self.evaluation.found());
        found.sort_by_place();
        found
    }

    /// Every text that a finding may be about.
    pub fn sources(&self) -> Sources {
        self.evaluation.sources()
    }

    /// Returns what it would build.
    pub fn plan(&self) -> BuildPlan {
        self.evaluation.plan()
    }

    /// Returns a tree of origins as JSON, in the form of `groma why --json`.
    pub fn why_json(&self, tree: &WhyTree) -> String {
        let sources = self.sources();
        let around = ResultContext { sources: &sources, causes: self.evaluation.causes() };
        let mut out = JsonText::new(JsonLayout::Compact);
        groma_why::write_json(tree, &around, &mut out);
        out.into_string()
    }

    /// The evaluation, for questions that have no short form here.
    pub fn evaluation(&self) -> &TemplateEvaluation {
        &self.evaluation
    }
}
