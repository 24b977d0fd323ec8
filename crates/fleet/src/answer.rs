//! The answer of one root, and the line of JSON with it. An answer and an error can occur together: code with errors still has
//! diagnostics, and a plan of the rest.

use groma::folders::hex_digest;
use groma::json::{JsonLayout, JsonText, string};
use groma::root::{NoAnswer, Root, RootScope};
use groma::rules::RuleSwitches;
use groma::states::StateFile;
use groma::{Diagnostic, Diagnostics, ExpressionAnswer, RootFindings, Severity};
use groma_document::{write_evaluated, write_list, write_outputs};
use groma_report::Report;

/// A question that `groma fleet` asks every root: its diagnostics, plan, instances, outputs, or the value of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FleetQuestion {
    /// The diagnostics of the code, as `groma check -json` prints them.
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
    /// Returns a text that identifies the question: the name of its flag, or `eval` and the expression.
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

/// The answer of one root to a question: a JSON document, the first error, or both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootAnswer {
    /// The JSON document of the command of the question's name, on one line; `None` if nothing could be computed.
    pub answer: Option<String>,
    /// The code and the summary of the first error.
    pub error: Option<(String, String)>,
}

impl RootAnswer {
    /// Asks a root a question and returns its answer; `rules` are the lint rules for `Check`, in which with `denies_all` warnings
    /// count as errors.
    pub fn of(
        question: &FleetQuestion,
        root: &dyn Root,
        rules: Option<&RuleSwitches>,
        denies_all: bool,
    ) -> RootAnswer {
        let answer = match question {
            FleetQuestion::Check => {
                let mut checked = root.checked(rules);
                if denies_all {
                    checked.deny_warnings();
                }
                Ok(RootAnswer::of_findings(checked))
            }
            FleetQuestion::Plan => {
                let mut out = JsonText::new(JsonLayout::Compact);
                let found = root.write_plan(&mut out);
                found.map(|found| RootAnswer::with_findings(out.into_string(), &found))
            }
            FleetQuestion::List => {
                let ExpressionAnswer { value: list, findings } = root.list();
                let found = [&root.found(), &findings];
                Ok(RootAnswer::written(found, |out| write_list(root, &list, out)))
            }
            FleetQuestion::Outputs => with_state(root, |recorded, of_state| {
                recorded.outputs().map(|outputs| {
                    let found = [&root.found(), of_state, &outputs.findings];
                    RootAnswer::written(found, |out| write_outputs(&outputs.value, out))
                })
            }),
            FleetQuestion::Eval(expression) => with_state(root, |recorded, of_state| {
                let mut findings = Diagnostics::new();
                let scope = RootScope::default();
                let value =
                    recorded.evaluate_text(&scope, expression, "<expression>", &mut findings)?;
                let answer = ExpressionAnswer { value, findings };
                let found = [&root.found(), of_state, &answer.findings];
                Ok(RootAnswer::written(found, |out| write_evaluated(recorded, &answer, out)))
            }),
        };
        answer.unwrap_or_else(|why| {
            let (kind, what) = (why.kind.phrase(), question.text());
            let why = format!("{kind} has no {what}; ask --check, --plan, --list or -e.");
            RootAnswer::refused("no-answer", &why)
        })
    }

    /// Returns the answer to the question `Check` for a root whose diagnostics are known already.
    pub fn of_findings(root: RootFindings) -> RootAnswer {
        let error = first_error([&root.found]);
        let report = Report::of(root);
        let mut out = JsonText::new(JsonLayout::Compact);
        report.write_json(&mut out);
        RootAnswer { answer: Some(out.into_string()), error }
    }

    /// Returns an answer with a document, and with the first error among the diagnostics `found`.
    pub fn with_findings(document: String, found: &Diagnostics) -> RootAnswer {
        RootAnswer { answer: Some(document), error: first_error([found]) }
    }

    /// Returns an answer that consists only of an error, because nothing could be read or a limit was reached.
    pub fn refused(code: &str, summary: &str) -> RootAnswer {
        RootAnswer { answer: None, error: Some((code.to_owned(), summary.to_owned())) }
    }

    /// Returns an answer that consists only of the error `end`, because a limit was reached.
    pub fn ended(end: &Diagnostic) -> RootAnswer {
        RootAnswer { answer: None, error: Some(described(end)) }
    }

    /// Returns the answer with the JSON that `write` produces, and the first error in the diagnostics `found`.
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

    /// Returns the line of JSON for a root, without a line end. `root` is the path as it was given.
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

/// A root's answer as a line of JSON, with the code of its error if it has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnswerLine {
    /// The line of JSON, without its end.
    pub text: String,
    /// The code of the answer's error; `None` without an error.
    pub error: Option<String>,
    /// The digest of the text, if it is computed already.
    digest: Option<String>,
}

impl AnswerLine {
    /// Writes a root's answer as a line; the digest is computed when it is needed.
    pub fn of(root: &str, answer: &RootAnswer) -> AnswerLine {
        let error = answer.error.as_ref().map(|(code, _)| code.clone());
        AnswerLine { text: answer.line(root), error, digest: None }
    }

    /// Returns the line with its digest computed, so that [`digest`](AnswerLine::digest) need not compute it at each call.
    #[must_use]
    pub fn digested(self) -> AnswerLine {
        AnswerLine { digest: Some(self.digest()), ..self }
    }

    /// Returns the digest of the line's text in hexadecimal.
    pub fn digest(&self) -> String {
        self.digest.clone().unwrap_or_else(|| hex_digest(&self.text))
    }
}

/// Calls `ask` with a root, evaluated against the state that its configuration and workspace name, and the diagnostics of reading
/// that state. A root that is not a module has no state and is passed as it is.
fn with_state(
    root: &dyn Root,
    ask: impl FnOnce(&dyn Root, &Diagnostics) -> Result<RootAnswer, NoAnswer>,
) -> Result<RootAnswer, NoAnswer> {
    match root.module() {
        Ok(snapshot) => {
            let recorded = snapshot.against(StateFile::Usual);
            ask(&recorded.value, &recorded.findings)
        }
        Err(_) => ask(root, &Diagnostics::new()),
    }
}

/// Returns the slug and summary of the first error in some diagnostics; `None` if there is no error.
fn first_error<'d>(found: impl IntoIterator<Item = &'d Diagnostics>) -> Option<(String, String)> {
    let mut all = found.into_iter().flat_map(|found| found.iter());
    all.find(|one| one.severity == Severity::Error).map(described)
}

/// Returns the slug and the summary of a diagnostic's code.
fn described(one: &Diagnostic) -> (String, String) {
    (one.code.slug.to_owned(), one.code.summary.to_string())
}
