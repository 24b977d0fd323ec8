//! Batch mode in the scope of loaded code: lines see its declarations. Relative file names start from the directory of the code,
//! unless the caller changes the options afterwards.

use groma_project::{Evaluation, ScopeRef};
use groma_protocol::BatchOptions;

/// Sets the options of a batch of expressions so that they are evaluated in the scope `at`, an instance of a module or resource.
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

/// Sets the options of a batch of expressions so that they are evaluated in the scope of a Packer template.
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
