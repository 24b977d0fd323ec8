//! The forms of a report. Each is written by a file of its own; which of them is meant is known here only.

use std::fmt;

use groma_value::json::{JsonLayout, JsonText};

use crate::gather::Report;
use crate::{checkstyle, compact, github, json, junit, sarif};

/// A form of a report that another program reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// The form of the reference programs' `validate -json`.
    Json,
    /// SARIF 2.1.0, as code scanning reads it.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// JUnit's XML, a suite for each root and a case for each file.
    Junit,
    /// Checkstyle's XML, which many reviewers of code read.
    Checkstyle,
    /// A line for each finding, as compilers write them.
    Compact,
}

impl ReportFormat {
    /// All of them.
    pub const ALL: [ReportFormat; 6] = [
        ReportFormat::Json,
        ReportFormat::Sarif,
        ReportFormat::Github,
        ReportFormat::Junit,
        ReportFormat::Checkstyle,
        ReportFormat::Compact,
    ];

    /// Returns what it is called.
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

    /// The format of that name.
    pub fn of(name: &str) -> Option<ReportFormat> {
        ReportFormat::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl Report {
    /// Writes the report.
    ///
    /// # Errors
    /// The error of the stream that takes the text.
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

    /// Writes the report in the form of the reference programs' `validate -json`, in the layout of the text.
    pub fn write_json(&self, out: &mut JsonText<'_>) {
        json::write(self, out);
    }

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
