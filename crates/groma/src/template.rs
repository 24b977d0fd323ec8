//! A Packer template, loaded and ready to be asked. Packer has no modules and no edits to follow, so it is loaded anew
//! each time.

use groma_packer::{BuildPlan, Evaluation};
use groma_syntax::Diagnostics;

use crate::Answer;
use crate::snapshot::NAME;

/// A Packer template. Cloning shares it.
#[derive(Clone)]
pub struct TemplateSnapshot {
    evaluation: Evaluation,
    found: Diagnostics,
}

impl TemplateSnapshot {
    pub(crate) fn new(evaluation: Evaluation, found: Diagnostics) -> TemplateSnapshot {
        TemplateSnapshot { evaluation, found }
    }

    /// The value of an expression in the template.
    pub fn evaluate(&self, text: &str) -> Answer {
        Answer::of(|out| self.evaluation.evaluate_text(text, NAME, out))
    }

    /// Everything that is wrong with it.
    pub fn findings(&self) -> Diagnostics {
        let mut found = self.found.clone();
        found.extend(self.evaluation.found());
        found.sort_by_place();
        found
    }

    /// What it would build.
    pub fn plan(&self) -> BuildPlan {
        self.evaluation.plan()
    }

    /// The evaluation, for questions that have no short form here.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }
}
