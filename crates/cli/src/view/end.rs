//! The form in which a run says that it has come to its end. One diagnostic and nothing else: what was worked out by then
//! is a part, and a part must not look like an answer.

use groma_eval::diagnostic_json;
use groma_syntax::{Diagnostic, Sources};

use super::json::{self, Object};
use crate::flag::Args;

/// The form in which a run says that it has come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Sentences on standard error.
    Text,
    /// A document like that of the checks.
    Check,
    /// A document of its own.
    Document,
    /// A line among answers.
    Line,
}

impl Form {
    fn of(args: &Args) -> Form {
        match args.command {
            _ if args.lines => Form::Line,
            "check" if args.json => Form::Check,
            _ if args.json || args.full => Form::Document,
            _ => Form::Text,
        }
    }

    /// What goes to standard output.
    pub(crate) fn document(self, found: &Diagnostic, sources: &Sources) -> Option<String> {
        let found = diagnostic_json(found, sources);
        let list = json::array([found]);
        let object = Object::default();
        let object = match self {
            Form::Text => return None,
            Form::Line => {
                let line = object.with("id", "null").with("bad", "\"The run has ended.\"");
                return Some(line.with("diagnostics", &list).finish());
            }
            Form::Check => object
                .with("format_version", "\"1.0\"")
                .with("valid", "false")
                .with("error_count", "1")
                .with("warning_count", "0"),
            Form::Document => object.with("format_version", "\"1.0\"").with("errored", "true"),
        };
        Some(json::pretty(&object.with("diagnostics", &list).finish()))
    }

    /// Whether the diagnostic goes to standard error too.
    pub(crate) fn is_told_aside(self) -> bool {
        self != Form::Check
    }
}

impl Args {
    /// The form in which the run says that it has come to its end.
    pub(crate) fn end_form(&self) -> Form {
        Form::of(self)
    }
}
