//! Batch mode on the scope of something that was loaded: lines then see what the code declares. Files that a line names
//! start where the code lies, unless the caller of the batch says otherwise afterwards.

use groma_project::{Evaluation, ScopeRef};
use groma_protocol::BatchOptions;

/// Puts a batch on the scope of an instance of a module or a resource.
pub fn batch_in_module(evaluation: &Evaluation, at: &ScopeRef, options: &mut BatchOptions) {
    let project = evaluation.project();
    options.edition = project.edition();
    options.host = project.host().clone();
    options.base = project.dir().into();
    options.scope = Some(evaluation.scope_at(at));
    options.mocks = project.mocks().clone();
    options.causes = evaluation.causes().clone();
    options.sources = evaluation.sources();
}

/// Puts a batch on the scope of a Packer template.
pub fn batch_in_template(
    evaluation: &groma_packer::TemplateEvaluation,
    options: &mut BatchOptions,
) {
    let template = evaluation.template();
    options.edition = template.edition();
    options.base = template.folder().clone();
    options.scope = Some(evaluation.scope());
    options.mocks = template.mocks().clone();
    options.causes = evaluation.causes().clone();
    options.sources = evaluation.sources();
}
