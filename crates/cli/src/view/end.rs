//! The form in which a run says that it has come to its end. One diagnostic and nothing else: what was worked out by then
//! is a part, and a part must not look like an answer.

use groma::json::{JsonObject, JsonText, Layout, array, write_diagnostic};
use groma::{Checked, Format, Report};
use groma_syntax::{Diagnostic, Sources};

use crate::flag::Args;

/// The form in which a run says that it has come to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Sentences on standard error.
    Text,
    /// A document like that of the checks.
    Check(Format),
    /// A document of its own.
    Document,
    /// A line among answers.
    Line,
}

impl Form {
    fn of(args: &Args) -> Form {
        match args.command {
            _ if args.lines => Form::Line,
            "check" if let Some(format) = args.report() => Form::Check(format),
            _ if args.json || args.full => Form::Document,
            _ => Form::Text,
        }
    }

    /// What goes to standard output.
    pub(crate) fn document(self, found: &Diagnostic, sources: &Sources) -> Option<String> {
        if let Form::Check(format) = self {
            let found = [found.clone()].into_iter().collect();
            let root = Checked::new(".", found, sources.clone());
            let mut text = String::new();
            Report::of(root).write(format, &mut text).ok()?;
            return Some(text.trim_end().to_owned());
        }
        let mut out = JsonText::new(match self {
            Form::Line => Layout::Compact,
            _ => Layout::Pretty,
        });
        let mut object = JsonObject::open(&mut out);
        match self {
            Form::Text | Form::Check(_) => return None,
            Form::Line => {
                object.raw("id", "null");
                object.text("bad", "The run has ended.");
            }
            Form::Document => {
                object.text("format_version", "1.0");
                object.flag("errored", true);
            }
        }
        array([found], object.key("diagnostics"), |one, out| write_diagnostic(one, sources, out));
        object.close();
        Some(out.into_string())
    }

    /// Whether the diagnostic goes to standard error too.
    pub(crate) fn is_told_aside(self) -> bool {
        !matches!(self, Form::Check(_))
    }
}

impl Args {
    /// The form in which the run says that it has come to its end.
    pub(crate) fn end_form(&self) -> Form {
        Form::of(self)
    }
}
