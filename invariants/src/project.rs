//! Whole folders: loading, checking and evaluating them ends, says the same each time, and points into the files.

use std::sync::Arc;

use groma_packer::Template;
use groma_project::{Evaluation, Facts, Project, ProjectOptions, RunOptions};
use groma_syntax::{Diagnostics, Sources};
use groma_value::json;

use crate::folder::host;
use crate::{LIMITS, budget};

/// Returns each diagnostic as its code and message, after checking that its place lies inside of the text.
pub(crate) fn told(found: &Diagnostics, sources: &Sources) -> Vec<String> {
    let mut told = Vec::new();
    for one in found.iter() {
        assert!(!one.detail.is_empty());
        if let Some(place) = one.place {
            let text = sources.get(place.file).text();
            assert!(place.span.end as usize <= text.len(), "{} points past the end", one.code.slug);
        }
        told.push(format!("{} {}", one.code.slug, one.detail));
    }
    told
}

/// Checks that loading and evaluating a module gives the same values and diagnostics each time.
pub(crate) fn module(bytes: &[u8]) {
    let Some(host) = host(bytes, "main.tf") else { return };
    let host = Arc::new(host);
    let run = || {
        let run = RunOptions { limits: LIMITS, budget: budget(), ..RunOptions::default() };
        let options = ProjectOptions { run, ..ProjectOptions::default() };
        let mut found = Diagnostics::new();
        let project = Project::load(".", &options, host.clone(), &mut found);
        let evaluation = Evaluation::new(project, Facts::default(), options.run);
        evaluation.evaluate_all(&mut found);
        let value =
            evaluation.evaluate_text("[local, var, module]", "<input>", &mut Diagnostics::new());
        found.sort_by_place();
        (told(&found, &evaluation.sources()), json::plain(&value))
    };
    assert_eq!(run(), run());
}

/// Checks that loading and planning a Packer template gives the same builds and diagnostics each time.
pub(crate) fn packer(bytes: &[u8]) {
    let Some(host) = host(bytes, "main.pkr.hcl") else { return };
    let host = Arc::new(host);
    let run = |judging| {
        let options = groma_packer::TemplateOptions {
            limits: LIMITS,
            budget: budget(),
            strict: judging,
            judging,
            evaluates_data: !judging,
            ..groma_packer::TemplateOptions::default()
        };
        let mut found = Diagnostics::new();
        let template = Template::load(".", &options, host.clone(), &mut found);
        let evaluation = groma_packer::TemplateEvaluation::new(template, options);
        evaluation.check();
        let plan = evaluation.plan().builds_json();
        let sources = evaluation.sources();
        (told(&found, &sources), told(&evaluation.found(), &sources), plan)
    };
    for judging in [false, true] {
        assert_eq!(run(judging), run(judging));
    }
}
