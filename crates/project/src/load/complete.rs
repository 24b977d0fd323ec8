//! The end of a load: code and the inputs of its root become a project. It is the same step when the code is loaded and when a
//! loaded project gets other inputs. Which diagnostics of a phase count depends on the phases before it, and collecting the
//! inputs is one of these.

use std::sync::Arc;

use groma_config::UnfitSchemas;
use groma_inputs::Values;
use groma_syntax::{Diagnostic, Diagnostics, Phase, Severity, Sources};

use super::inputs::{CollectedInputs, InputReader, check_required};
use super::partial::evaluation;
use super::phases::{constants, reader};
use super::{absent, encryption, repeated, setting};
use crate::codes;
use crate::options::{LoadPurpose, RunOptions};
use crate::project::{Project, ProjectCode};
use crate::tree::TreeModule;

impl Project {
    /// Returns the project with the inputs of these run options, reading nothing but the inputs; `None` if other code would be
    /// read with them, so that the project has to be loaded again. Diagnostics are those of a load.
    pub fn with_inputs(&self, run: &RunOptions, out: &mut Diagnostics) -> Option<Arc<Project>> {
        let code = &self.code;
        let (host, constants) = (self.host_for(&run.budget), constants(code.edition, &run.budget));
        let inputs = InputReader {
            host: &*host,
            dir: &code.dir,
            names: &code.names,
            reader: reader(&code.schemas, code.conventions, code.edition, &constants),
            inputs: code.inputs,
            sources: &self.sources,
        };
        let given = inputs.collect(self.root(), &run.assignments);
        let sources = self.sources.with_reserved(given.texts.clone());
        let is_same = code.decisive.are_same(&given.values, [&self.sources, &sources]);
        is_same.then(|| complete(code.clone(), &self.sources, given, run, out))
    }
}

/// Returns the project made of loaded code and collected inputs, and reports the diagnostics of both.
pub(super) fn complete(
    code: Arc<ProjectCode>,
    sources: &Sources,
    given: CollectedInputs,
    run: &RunOptions,
    out: &mut Diagnostics,
) -> Arc<Project> {
    let CollectedInputs { values, texts, found: of_inputs, is_unread } = given;
    let (findings, conventions) = (&code.findings, &code.conventions);
    // The code is judged as the program would, which refuses to continue where answers could still be given.
    let judging = code.purpose != LoadPurpose::Evaluate;
    let is_well = |found: &Diagnostics| !judging || !found.has_errors();
    let mut found = findings.declared.clone();
    let is_declared_badly = found.has_errors();
    // Faulty declarations are reported before missing modules.
    let is_readable = !is_declared_badly && !is_unread;
    found.extend(of_inputs);
    let errors = found.error_count();
    found.extend(findings.checked.iter().cloned());
    // No program continues after faulty declarations in the root; after invalid inputs it reads everything.
    add(&findings.linked, Phase::Link, !judging || !is_declared_badly, &mut found);
    check_early_settings(&code, &values, run, &mut found);
    // Diagnostics of a phase count only if earlier phases succeeded: most would be consequential.
    let counts = is_well(&found);
    add(&findings.joined, Phase::Join, counts, &mut found);
    if code.purpose == LoadPurpose::Plan && is_readable && found.error_count() == errors {
        check_required(&code.nodes[0].module, &values, &code.dir, code.bare, &mut found);
    }
    // If sources are computed, a cycle may be why one of them is unknown.
    let is_unsourced =
        conventions.computed_sources && found.iter().any(|one| one.code == &codes::MODULE_SOURCE);
    let counts = is_well(&found) || is_unsourced;
    add(&findings.ordered, Phase::Order, counts, &mut found);
    let is_linked = is_well(&found);
    add(&findings.late, Phase::Resolve, is_linked, &mut found);
    if findings.unmet.has_errors() {
        // Code for another version may be faulty only for that reason.
        found = Diagnostics::new();
    }
    found.extend(findings.unmet.iter().cloned());
    found.extend(code.unfit.iter().map(UnfitSchemas::diagnostic));
    let found = absent::merge_by_source(&code.nodes, &code.graph, found.into_vec());
    let mut found: Diagnostics = found.into_iter().collect();
    let files = code.nodes.iter().flat_map(|node| node.module.files.iter().copied());
    let sources = sources.with_reserved(texts).ordered(files);
    found.resolve(&sources);
    sources.sort(&mut found);
    out.extend(found);
    Arc::new(Project { code, sources, values, is_linked })
}

/// Checks the settings that must be known before evaluation: instances of providers, encryption, backends.
fn check_early_settings(
    code: &Arc<ProjectCode>,
    values: &Values,
    run: &RunOptions,
    out: &mut Diagnostics,
) {
    let evaluation = |_: &[TreeModule]| evaluation(code.clone(), values.clone(), run);
    let is_computed = code.conventions.computed_sources;
    if is_computed {
        let judging = code.purpose != LoadPurpose::Evaluate;
        repeated::check(&code.nodes, &evaluation, judging, out);
    }
    if code.purpose == LoadPurpose::Plan && !out.has_errors() {
        let constants = constants(code.edition, &run.budget);
        let reader = reader(&code.schemas, code.conventions, code.edition, &constants);
        encryption::check(&code.nodes, &reader, &evaluation, out);
        if is_computed {
            setting::check_backends(&code.nodes, &reader, &evaluation, out);
        }
    }
}

/// Adds the diagnostics of a phase to `out`, as notes unless `counts`, which is true if the phases it depends on succeeded.
fn add(found: &Diagnostics, phase: Phase, counts: bool, out: &mut Diagnostics) {
    let from = out.len();
    out.extend(found.iter().cloned().map(|one| if counts { one } else { as_note(one) }));
    out.mark_phase(from, phase);
}

/// Returns a diagnostic as a note, because it may be a consequence of an error in an earlier phase.
pub(crate) fn as_note(found: Diagnostic) -> Diagnostic {
    Diagnostic { severity: Severity::Note, ..found }
}
