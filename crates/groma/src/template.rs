//! A loaded Packer template, ready for queries. Templates have no modules: one is loaded again when a file that it read has
//! changed.

use std::sync::Arc;

use groma_packer::{BuildPlan, TemplateEvaluation};
use groma_runtime::OverlayHost;
use groma_syntax::{Diagnostics, Severity, Sources};

use groma_why::WhyTree;

use crate::ExpressionAnswer;
use crate::json::{JsonLayout, JsonObject, JsonText, ResultContext, array, write_diagnostic};
use crate::recording_host::{HostChange, RecordingHost};
use crate::snapshot::NAME;

/// A Packer template with its evaluation. Clones share it.
#[derive(Clone)]
pub struct TemplateSnapshot {
    evaluation: TemplateEvaluation,
    found: Diagnostics,
    host: Arc<RecordingHost>,
}

impl TemplateSnapshot {
    /// Creates a snapshot from an evaluation, the diagnostics of loading and the host that was read.
    pub(crate) fn new(
        evaluation: TemplateEvaluation,
        found: Diagnostics,
        host: Arc<RecordingHost>,
    ) -> TemplateSnapshot {
        TemplateSnapshot { evaluation, found, host }
    }

    /// Returns true if a host still gives everything that the template has read so far, and its run has not ended.
    pub(crate) fn holds(&self, now: &OverlayHost) -> bool {
        self.evaluation.end().is_none() && self.host.change(now, None) == HostChange::Nothing
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

    /// Returns the diagnostics of the template and, if loading found no errors, of its builds, as `groma check` reports them.
    pub fn checked(&self) -> Diagnostics {
        let mut found = self.found.clone();
        if !found.has_errors() {
            let mut plan = self.evaluation.plan();
            found.extend(self.evaluation.check_of(&mut plan));
        }
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

    /// Returns what it would build as JSON, in the form of `groma plan -json`.
    pub fn plan_json(&self) -> String {
        let mut found = self.findings();
        let mut plan = self.plan();
        found.extend(std::mem::take(&mut plan.found));
        let mut out = JsonText::new(JsonLayout::Compact);
        write_build_plan(&plan, &found, &self.sources(), &mut out);
        out.into_string()
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

/// Writes the builds of a template with their diagnostics as `groma plan -json` prints them; after errors only the diagnostics.
pub fn write_build_plan(
    plan: &BuildPlan,
    found: &Diagnostics,
    sources: &Sources,
    out: &mut JsonText<'_>,
) {
    let mut document = JsonObject::open(out);
    document.text("format_version", "1.0");
    if found.has_errors() {
        document.flag("errored", true);
    } else {
        plan.write_builds(document.key("builds"));
        document.key_if("groma", |out| plan.write_more(out));
    }
    let told = found.iter().filter(|one| one.severity != Severity::Note);
    array(told, document.key("diagnostics"), |one, out| write_diagnostic(one, sources, out));
    document.close();
}
