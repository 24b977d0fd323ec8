//! Questions about a Packer template. A template has values and builds; questions about outputs, a state or a comparison of plans
//! have no answer here.

use groma::json::{ErrorStage, JsonLayout, JsonText, ResultContext, write_result};
use groma::packer::why_at_address;
use groma::{Budget, RootFindings, TemplateSnapshot};
use groma_document::{DeclaredNames, graph, write_build_names, write_syntax};
use groma_report::Report;

use crate::open_root::OpenRoot;
use crate::question;
use crate::request::{AstQuestion, DoorError, DoorQuestion, EvalQuestion, WhyQuestion};

/// The questions that a template can answer, for a sentence.
const ANSWERED: &str = "check, plan, eval, why, list, graph, ast, fmt or edit";

/// Returns the error of a question that a template cannot answer.
pub(crate) fn no_answer(question: &str) -> DoorError {
    let message = format!("A Packer template has no answer to {question:?}; ask {ANSWERED}.");
    DoorError::new("no-answer", message)
}

/// Answers a question about a Packer template, as JSON on one line.
pub(crate) fn answer(
    root: &OpenRoot,
    question: DoorQuestion,
    begun: &dyn Fn(&Budget),
) -> Result<String, DoorError> {
    let purpose = question::purpose(&question);
    let of_template = |write: &dyn Fn(&TemplateSnapshot, &mut JsonText<'_>)| {
        root.with_template(purpose, begun, |template| {
            let mut out = JsonText::new(JsonLayout::Compact);
            write(template, &mut out);
            Ok(out.into_string())
        })
    };
    match question {
        DoorQuestion::Check => of_template(&|template, out| {
            let findings = RootFindings {
                evidence: Some(root.template_evidence()),
                ..RootFindings::new(&root.dir, template.checked(), template.sources())
            };
            Report::of(findings).write_json(out);
        }),
        DoorQuestion::Plan => {
            root.with_template(purpose, begun, |template| Ok(template.plan_json()))
        }
        DoorQuestion::Eval(EvalQuestion { at: Some(_), .. }) => {
            let message = "A Packer template has no instances; leave out \"at\".";
            Err(DoorError::new("no-answer", message))
        }
        DoorQuestion::Eval(EvalQuestion { expression, at: None }) => {
            of_template(&|template, out| {
                let answer = template.evaluate(&expression);
                let sources = template.sources();
                let causes = template.evaluation().causes();
                let around = ResultContext { sources: &sources, causes };
                write_result(&answer.value, &answer.findings, ErrorStage::Eval, &around, out);
            })
        }
        DoorQuestion::Why(WhyQuestion { address }) => {
            root.with_template(purpose, begun, |template| {
                let tree = why_at_address(&address, template.evaluation());
                let tree = tree.map_err(|why| DoorError::new("no-such-address", why.detail))?;
                Ok(template.why_json(&tree))
            })
        }
        DoorQuestion::List | DoorQuestion::Resources => of_template(&|template, out| {
            write_build_names(&template.plan().builds, &template.sources(), out);
        }),
        DoorQuestion::Graph => of_template(&|template, out| {
            let sources = template.sources();
            graph::write_json(&template.evaluation().references(), &sources, out);
        }),
        DoorQuestion::Ast(AstQuestion { values: true, .. }) => {
            let message = "\"values\" is for modules; of a Packer template ask \"eval\".";
            Err(DoorError::new("no-answer", message))
        }
        DoorQuestion::Ast(asked) => {
            let read = question::parsed(root, &asked)?;
            of_template(&|template, out| {
                let references = template.evaluation().references();
                let declared = DeclaredNames::of(&references.vertices, &template.sources());
                write_syntax(&read, &declared, out);
            })
        }
        DoorQuestion::Fmt(asked) => question::fmt(root, &asked),
        DoorQuestion::Edit(asked) => question::edit(root, &asked),
        DoorQuestion::Outputs => Err(no_answer("outputs")),
        DoorQuestion::Diff(_) => Err(no_answer("diff")),
    }
}
