//! The forms of a report. Each is written by a file of its own; which of them is meant is known here only.

use std::fmt;

use groma_value::json::{JsonText, Layout};

use super::gather::Report;
use super::{checkstyle, compact, github, json, junit, sarif};

/// A form of a report that another program reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
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

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] = [
        Format::Json,
        Format::Sarif,
        Format::Github,
        Format::Junit,
        Format::Checkstyle,
        Format::Compact,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Sarif => "sarif",
            Format::Github => "github",
            Format::Junit => "junit",
            Format::Checkstyle => "checkstyle",
            Format::Compact => "compact",
        }
    }

    /// The format of that name.
    pub fn of(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl Report {
    /// Writes the report.
    ///
    /// # Errors
    /// When whoever takes the text does not.
    pub fn write(&self, format: Format, out: &mut dyn fmt::Write) -> fmt::Result {
        match format {
            Format::Json => self.to_text(out, |text| json::write(self, text)),
            Format::Sarif => self.to_text(out, |text| sarif::write(&self.displayed(), text)),
            Format::Github => github::write(&self.displayed(), out),
            Format::Junit => junit::write(&self.displayed(), out),
            Format::Checkstyle => checkstyle::write(&self.displayed(), out),
            Format::Compact => compact::write(&self.displayed(), out),
        }
    }

    fn to_text(
        &self,
        out: &mut dyn fmt::Write,
        write: impl FnOnce(&mut JsonText<'_>),
    ) -> fmt::Result {
        let mut text = JsonText::to(out, Layout::Pretty);
        write(&mut text);
        text.finish()?;
        out.write_char('\n')
    }
}
