//! The answer of one root, and the line that holds it. An answer and an error may both be there: code with errors still has
//! findings to report, and a plan of the rest.

use groma::json::{JsonLayout, JsonText, string};
use groma::rules::RuleSwitches;
use groma::states::StateFile;
use groma::{Diagnostic, Diagnostics, PlanOptions, RootFindings, Severity, Snapshot};
use groma_document::{write_evaluated, write_listed, write_outputs};
use groma_report::Report;

/// A question that is asked of every root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FleetQuestion {
    /// The findings of the code, as `groma check -json` prints them.
    Check,
    /// The plan, as `groma plan -json` prints it.
    Plan,
    /// The instances, as `groma list --json` prints them.
    List,
    /// The outputs, as `groma output -json` prints them.
    Outputs,
    /// The value of an expression in the root module, as `groma eval --full` prints it.
    Eval(String),
}

impl FleetQuestion {
    /// The question as a text that no other question has.
    pub fn text(&self) -> String {
        match self {
            FleetQuestion::Check => "check".to_owned(),
            FleetQuestion::Plan => "plan".to_owned(),
            FleetQuestion::List => "list".to_owned(),
            FleetQuestion::Outputs => "outputs".to_owned(),
            FleetQuestion::Eval(expression) => format!("eval {expression}"),
        }
    }
}

/// The answer of one root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootAnswer {
    /// The document of the command of that name, as JSON on one line; nothing where nothing could be worked out.
    pub answer: Option<String>,
    /// The code and the summary of the first error.
    pub error: Option<(String, String)>,
}

impl RootAnswer {
    /// Asks a root. `rules` are those that `Check` applies, if any; with `denies_all` it takes warnings for errors.
    pub fn of(
        question: &FleetQuestion,
        snapshot: &Snapshot,
        rules: Option<&RuleSwitches>,
        denies_all: bool,
    ) -> RootAnswer {
        match question {
            FleetQuestion::Check => {
                let mut checked = snapshot.checked();
                if let Some(rules) = rules {
                    checked.take_in(snapshot.lint(rules));
                }
                if denies_all {
                    checked.deny_warnings();
                }
                RootAnswer::of_findings(checked)
            }
            FleetQuestion::Plan => {
                let plan = snapshot.plan(PlanOptions::default());
                RootAnswer::written([plan.diagnostics()], |out| plan.write_json(out))
            }
            FleetQuestion::List => {
                let mut found = Diagnostics::new();
                let listed = snapshot.evaluation().instances(&mut found);
                RootAnswer::written([snapshot.found(), &found], |out| {
                    write_listed(snapshot, &listed, out);
                })
            }
            FleetQuestion::Outputs => {
                let with_state = snapshot.against(StateFile::Usual);
                let outputs = with_state.value.outputs();
                RootAnswer::written(
                    [snapshot.found(), &with_state.findings, &outputs.findings],
                    |out| write_outputs(&outputs.value, out),
                )
            }
            FleetQuestion::Eval(expression) => {
                let with_state = snapshot.against(StateFile::Usual);
                let snapshot = &with_state.value;
                let answer = snapshot.evaluate(expression);
                let found = [snapshot.found(), &with_state.findings, &answer.findings];
                RootAnswer::written(found, |out| write_evaluated(snapshot, &answer, out))
            }
        }
    }

    /// The answer to `Check` where the findings are at hand.
    pub fn of_findings(root: RootFindings) -> RootAnswer {
        let error = first_error([&root.found]);
        let report = Report::of(root);
        let mut out = JsonText::new(JsonLayout::Compact);
        report.write_json(&mut out);
        RootAnswer { answer: Some(out.into_string()), error }
    }

    /// A document that is at hand, and what was found on the way to it.
    pub fn with_findings(document: String, found: &Diagnostics) -> RootAnswer {
        RootAnswer { answer: Some(document), error: first_error([found]) }
    }

    /// An error without an answer: nothing could be read, or a limit was met.
    pub fn refused(code: &str, summary: &str) -> RootAnswer {
        RootAnswer { answer: None, error: Some((code.to_owned(), summary.to_owned())) }
    }

    /// The error of a diagnostic, without an answer.
    pub fn ended(end: &Diagnostic) -> RootAnswer {
        RootAnswer { answer: None, error: Some(described(end)) }
    }

    fn written<'d>(
        found: impl IntoIterator<Item = &'d Diagnostics>,
        write: impl FnOnce(&mut JsonText<'_>),
    ) -> RootAnswer {
        let error = first_error(found);
        let mut out = JsonText::new(JsonLayout::Compact);
        write(&mut out);
        RootAnswer { answer: Some(out.into_string()), error }
    }

    /// Returns true if the root has no error.
    pub fn is_ok(&self) -> bool {
        self.error.is_none()
    }

    /// The line of JSON for a root, without its end. `root` is the path as it was given.
    pub fn line(&self, root: &str) -> String {
        let mut line = String::from("{\"root\":");
        line.push_str(&string(root));
        line.push_str(if self.is_ok() { ",\"ok\":true" } else { ",\"ok\":false" });
        if let Some(answer) = &self.answer {
            line.push_str(",\"answer\":");
            line.push_str(answer);
        }
        if let Some((code, summary)) = &self.error {
            line.push_str(",\"error\":{\"code\":");
            line.push_str(&string(code));
            line.push_str(",\"summary\":");
            line.push_str(&string(summary));
            line.push('}');
        }
        line.push('}');
        line
    }
}

fn first_error<'d>(found: impl IntoIterator<Item = &'d Diagnostics>) -> Option<(String, String)> {
    let mut all = found.into_iter().flat_map(|found| found.iter());
    all.find(|one| one.severity == Severity::Error).map(described)
}

/// The code and the summary of a diagnostic, without colours or line breaks of its own.
fn described(one: &Diagnostic) -> (String, String) {
    (one.code.slug.to_owned(), one.code.summary.to_string())
}
