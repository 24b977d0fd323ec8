//! Workflow commands of GitHub Actions: a line for each diagnostic, which becomes an annotation in the code. A column is written
//! only for a diagnostic on a single line, as the service requires.

use std::fmt::{self, Write};

use groma_syntax::{ColumnUnit, Severity};

use crate::gather::{Report, remarks};

/// Writes a report as workflow commands of GitHub Actions, which shows them as annotations.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> fmt::Result {
    for (root, one) in report.findings() {
        let command = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let mut properties = String::new();
        if let Some(place) = one.place {
            let (source, place) = root.sources.at(place);
            if let Some(name) = report.file(source.name()) {
                let end = place.span.end.max(place.span.start);
                let (from, to) = (
                    source.point(place.span.start, ColumnUnit::Utf16),
                    source.point(end, ColumnUnit::Utf16),
                );
                property("file", &name, &mut properties);
                property("line", &(from.line + 1).to_string(), &mut properties);
                property("endLine", &(to.line + 1).to_string(), &mut properties);
                if from.line == to.line {
                    property("col", &(from.column + 1).to_string(), &mut properties);
                    property("endColumn", &(to.column + 1).to_string(), &mut properties);
                }
            }
        }
        let title = format!("{} ({})", one.code.summary, one.code.slug);
        property("title", &title, &mut properties);
        let message = format!("{}{}", one.detail, remarks(one, report, &root.sources));
        writeln!(out, "::{command} {properties}::{}", escaped(&message, false))?;
    }
    Ok(())
}

/// Appends `name=value` to the comma-separated properties of a GitHub workflow command.
fn property(name: &str, value: &str, out: &mut String) {
    if !out.is_empty() {
        out.push(',');
    }
    out.push_str(name);
    out.push('=');
    out.push_str(&escaped(value, true));
}

/// Returns a text with the characters escaped that would end a workflow command or, if `is_property`, one of its properties.
fn escaped(text: &str, is_property: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            ':' if is_property => out.push_str("%3A"),
            ',' if is_property => out.push_str("%2C"),
            c => out.push(c),
        }
    }
    out
}
