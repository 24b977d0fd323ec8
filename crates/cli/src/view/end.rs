//! The form of the final report of a run that reached a limit or whose command line is not valid. It is one diagnostic and
//! nothing else, since a partial result must not look like an answer.

use std::ffi::OsString;

use groma::RootFindings;
use groma::json::{JsonLayout, JsonObject, JsonText, array, write_diagnostic};
use groma_report::{Report, ReportFormat};
use groma_syntax::{Diagnostic, Sources};

use crate::flag::CommandArgs;

/// The output format of the final report of a run that cannot give an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndForm {
    /// Text on standard error.
    Text,
    /// A document in a format of `groma check`.
    Check(ReportFormat),
    /// A JSON document with diagnostics.
    Document,
    /// A line of JSON among the answers of a batch.
    Line,
}

/// Returns a flag without its dashes; `None` if the argument does not begin with a dash.
fn name_of(argument: &str) -> Option<&str> {
    argument.strip_prefix('-').map(|one| one.trim_start_matches('-'))
}

impl EndForm {
    /// Returns the format of the final report for a parsed command line.
    fn of(args: &CommandArgs) -> EndForm {
        match args.command {
            _ if args.lines => EndForm::Line,
            "check" if let Some(format) = args.report() => EndForm::Check(format),
            "ast" => EndForm::Document,
            _ if args.json || args.full => EndForm::Document,
            _ => EndForm::Text,
        }
    }

    /// Returns the format of the final report for unparsed arguments, which need not be valid.
    pub(crate) fn of_unparsed(command: &str, arguments: &[OsString]) -> EndForm {
        let all = arguments.iter().map(|one| one.to_str().unwrap_or_default());
        let all: Vec<&str> = all.take_while(|one| *one != "--").collect();
        let has = |name: &str| {
            let is_on =
                |bare: &str| bare.strip_prefix(name).is_some_and(|v| matches!(v, "" | "=true"));
            all.iter().filter_map(|one| name_of(one)).any(is_on)
        };
        let format = all.iter().enumerate().find_map(|(at, one)| {
            match name_of(one)?.strip_prefix("format")? {
                "" => all.get(at + 1).copied(),
                rest => rest.strip_prefix('='),
            }
        });
        let is_json = has("json") || format == Some("json");
        match command {
            // Each line of answers has the id of its question.
            "eval" if has("jsonl") => EndForm::Text,
            "check" if is_json => EndForm::Check(ReportFormat::Json),
            "check" => format.and_then(ReportFormat::of).map_or(EndForm::Text, EndForm::Check),
            _ if is_json || command == "ast" || command == "eval" && has("full") => {
                EndForm::Document
            }
            _ => EndForm::Text,
        }
    }

    /// Returns the diagnostic that says why a run ended early as a document for standard output; `None` if the format is text.
    pub(crate) fn document(self, found: &Diagnostic, sources: &Sources) -> Option<String> {
        if let EndForm::Check(format) = self {
            let found = [found.clone()].into_iter().collect();
            let root = RootFindings::new(".", found, sources.clone());
            let mut text = String::new();
            Report::of(root).write(format, &mut text).ok()?;
            return Some(text.trim_end().to_owned());
        }
        let mut out = JsonText::new(match self {
            EndForm::Line => JsonLayout::Compact,
            _ => JsonLayout::Pretty,
        });
        let mut object = JsonObject::open(&mut out);
        match self {
            EndForm::Text | EndForm::Check(_) => return None,
            EndForm::Line => {
                object.raw("id", "null");
                object.text("bad", "The run has ended.");
            }
            EndForm::Document => {
                object.text("format_version", "1.0");
                object.flag("errored", true);
            }
        }
        array([found], object.key("diagnostics"), |one, out| write_diagnostic(one, sources, out));
        object.close();
        Some(out.into_string())
    }

    /// Returns true if the diagnostic that ends the run is printed to standard error, alone or beside a document on standard
    /// output; false in the formats of `groma check`.
    pub(crate) fn goes_to_stderr(self) -> bool {
        !matches!(self, EndForm::Check(_))
    }
}

impl CommandArgs {
    /// Returns the format of the run's final report.
    pub(crate) fn end_form(&self) -> EndForm {
        EndForm::of(self)
    }
}
