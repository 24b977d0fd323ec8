//! A loaded Packer template, ready for queries. Templates have no modules: one is loaded again when a file that it read has
//! changed.

use std::sync::{Arc, OnceLock};

use groma_config::FileKind;
use groma_module::{EditionEvidence, ParsedFiles};
use groma_packer::{BuildPlan, TemplateEvaluation};
use groma_runtime::{Host, OverlayHost};
use groma_syntax::{Diagnostics, Severity, Sources};

use groma_why::WhyTree;

use crate::ExpressionAnswer;
use crate::json::{JsonLayout, JsonObject, JsonText, ResultContext, array, write_diagnostic};
use crate::recording_host::{HostChange, RecordingHost};
use crate::root::TemplateNames;
use crate::snapshot::QUERY_NAME;

/// A Packer template at one moment, with its evaluation and diagnostics. Clones share it.
#[derive(Clone)]
pub struct TemplateSnapshot {
    path: Arc<str>,
    evaluation: TemplateEvaluation,
    found: Diagnostics,
    /// The host that recorded the files that were read; `None` outside of a workspace.
    host: Option<Arc<RecordingHost>>,
    /// The evidence for its edition; `None` if the caller has not given one.
    evidence: Option<EditionEvidence>,
    /// The index of its declarations, built on first use.
    names: Arc<OnceLock<TemplateNames>>,
}

impl TemplateSnapshot {
    /// Creates a snapshot of a template in a workspace, from its evaluation, the diagnostics of loading and the recording host.
    pub(crate) fn new(
        path: &str,
        evaluation: TemplateEvaluation,
        found: Diagnostics,
        host: Arc<RecordingHost>,
    ) -> TemplateSnapshot {
        TemplateSnapshot { host: Some(host), ..TemplateSnapshot::of(path, evaluation, found) }
    }

    /// Creates a snapshot of a template that was loaded outside of a workspace, from its evaluation and the diagnostics of
    /// loading.
    pub fn of(path: &str, evaluation: TemplateEvaluation, found: Diagnostics) -> TemplateSnapshot {
        let (path, names) = (path.into(), Arc::default());
        TemplateSnapshot { path, evaluation, found, host: None, evidence: None, names }
    }

    /// Returns the snapshot with the evidence for its edition that the caller has, if any.
    pub(crate) fn with_evidence(self, evidence: Option<EditionEvidence>) -> TemplateSnapshot {
        TemplateSnapshot { evidence, ..self }
    }

    /// Returns the path of the template as it was opened: a folder or a file.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the index of the declarations in the template's files.
    pub(crate) fn names(&self) -> &TemplateNames {
        self.names.get_or_init(|| TemplateNames::of(&self.evaluation))
    }

    /// Returns true if this snapshot and another share one evaluation, and so give the same answers.
    pub(crate) fn is_same_evaluation(&self, other: &TemplateSnapshot) -> bool {
        Arc::ptr_eq(self.evaluation.template(), other.evaluation.template())
    }

    /// Returns the edition with which the template is read, and the reason for it.
    pub(crate) fn evidence(&self) -> EditionEvidence {
        if let Some(known) = &self.evidence {
            return known.clone();
        }
        let host = self.host.as_ref().filter(|_| !FileKind::is_template(&self.path));
        let Some(host) = host else {
            let edition = self.evaluation.template().edition();
            let reason = format!("{} is a file of Packer only", self.path);
            return EditionEvidence { edition, reason, is_guess: false };
        };
        let entries = host.list(&self.path).unwrap_or_default().into_iter();
        let mut names: Vec<String> = entries.map(|entry| entry.name).collect();
        names.sort_unstable();
        EditionEvidence::of(&**host, &self.path, &names, &ParsedFiles::default())
    }

    /// Returns true if the snapshot is still valid: the host `now` gives the same answers as when the template was loaded, and
    /// evaluation has not ended early.
    pub(crate) fn is_valid(&self, now: &OverlayHost) -> bool {
        self.evaluation.end().is_none()
            && self.host.as_ref().is_some_and(|host| host.change(now, None) == HostChange::Nothing)
    }

    /// Parses and evaluates an expression in the scope of the template.
    pub fn evaluate(&self, text: &str) -> ExpressionAnswer {
        ExpressionAnswer::of(|out| self.evaluation.evaluate_text(text, QUERY_NAME, out))
    }

    /// Returns all diagnostics of loading and evaluating the template, sorted by place.
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

    /// Returns the source texts to which the template's diagnostics refer.
    pub fn sources(&self) -> Sources {
        self.evaluation.sources()
    }

    /// Returns the builds that the template defines, with their diagnostics.
    pub fn plan(&self) -> BuildPlan {
        self.evaluation.plan()
    }

    /// Writes the builds that the template defines as JSON, in the form of `groma plan -json`, and returns the diagnostics.
    pub(crate) fn write_plan(&self, out: &mut JsonText<'_>) -> Diagnostics {
        let mut found = self.findings();
        let mut plan = self.plan();
        found.extend(std::mem::take(&mut plan.found));
        write_build_plan(&plan, &found, &self.sources(), out);
        found
    }

    /// Returns the builds that the template defines as JSON, in the form of `groma plan -json`.
    pub fn plan_json(&self) -> String {
        let mut out = JsonText::new(JsonLayout::Compact);
        self.write_plan(&mut out);
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

    /// Returns the template's evaluation, for queries that have no method here.
    pub fn evaluation(&self) -> &TemplateEvaluation {
        &self.evaluation
    }
}

/// Writes the builds of a template and its diagnostics as JSON, in the form of `groma plan -json`; after errors only the
/// diagnostics.
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
