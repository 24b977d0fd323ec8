//! One line for each diagnostic, as compilers write them and editors parse them: place, severity, message, and the slug in
//! brackets.

use std::fmt::{self, Write};

use groma_syntax::Severity;

use crate::gather::Report;

/// Writes a report as text with one line for each diagnostic.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> fmt::Result {
    for (root, one) in report.findings() {
        match one.place.map(|place| root.sources.at(place)) {
            Some((source, place)) => {
                let at = source.position(place.span.start);
                let name = report.file(source.name()).unwrap_or_else(|| source.name().to_owned());
                write!(out, "{}:{}:{}: ", in_a_line(&name), at.line, at.column)?;
            }
            None => {
                let dir = report.file(&root.dir).unwrap_or_else(|| root.dir.clone());
                write!(out, "{}: ", in_a_line(&dir))?;
            }
        }
        let severity = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let (summary, detail) = (one.code.summary, in_a_line(&one.detail));
        writeln!(out, "{severity}: {summary}: {detail} [{}]", one.code.slug)?;
    }
    Ok(())
}

/// Returns a text in which control characters are replaced by spaces.
fn in_a_line(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}
