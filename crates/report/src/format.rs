//! The output formats of a report. Each has a writer in a file of its own; the choice is made here only.

use std::fmt;

use groma_value::json::{JsonLayout, JsonText};

use crate::gather::Report;
use crate::{checkstyle, compact, github, json, junit, sarif};

/// A machine-readable format of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// The format of the reference programs' `validate -json`.
    Json,
    /// SARIF 2.1.0, for code scanning services.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// JUnit XML, a suite for each root and a case for each file.
    Junit,
    /// Checkstyle XML, which many code review tools read.
    Checkstyle,
    /// One line for each diagnostic, as compilers write them.
    Compact,
}

impl ReportFormat {
    /// Every machine-readable format of a report.
    pub const ALL: [ReportFormat; 6] = [
        ReportFormat::Json,
        ReportFormat::Sarif,
        ReportFormat::Github,
        ReportFormat::Junit,
        ReportFormat::Checkstyle,
        ReportFormat::Compact,
    ];

    /// Returns the name of the format on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ReportFormat::Json => "json",
            ReportFormat::Sarif => "sarif",
            ReportFormat::Github => "github",
            ReportFormat::Junit => "junit",
            ReportFormat::Checkstyle => "checkstyle",
            ReportFormat::Compact => "compact",
        }
    }

    /// Returns the format with a command-line name; `None` if no format has it.
    pub fn of(name: &str) -> Option<ReportFormat> {
        ReportFormat::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl Report {
    /// Writes the report in a format.
    ///
    /// # Errors
    /// The error of the output stream.
    pub fn write(&self, format: ReportFormat, out: &mut dyn fmt::Write) -> fmt::Result {
        match format {
            ReportFormat::Json => self.to_text(out, |text| json::write(self, text)),
            ReportFormat::Sarif => self.to_text(out, |text| sarif::write(&self.displayed(), text)),
            ReportFormat::Github => github::write(&self.displayed(), out),
            ReportFormat::Junit => junit::write(&self.displayed(), out),
            ReportFormat::Checkstyle => checkstyle::write(&self.displayed(), out),
            ReportFormat::Compact => compact::write(&self.displayed(), out),
        }
    }

    /// Writes the report in the format of the reference programs' `validate -json`; `out` determines the indentation.
    pub fn write_json(&self, out: &mut JsonText<'_>) {
        json::write(self, out);
    }

    /// Writes the JSON that `write` produces to a stream, with indentation and a final newline.
    fn to_text(
        &self,
        out: &mut dyn fmt::Write,
        write: impl FnOnce(&mut JsonText<'_>),
    ) -> fmt::Result {
        let mut text = JsonText::to(out, JsonLayout::Pretty);
        write(&mut text);
        text.finish()?;
        out.write_char('\n')
    }
}
