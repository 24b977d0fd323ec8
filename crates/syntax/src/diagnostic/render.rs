//! The picture of a diagnostic in a terminal.

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Sources;

/// Draws one diagnostic.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, _colour: bool) -> String {
    let word = match diagnostic.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Note => "Note",
    };
    let mut out = format!("{word}: {}\n\n", diagnostic.code.summary);
    if let Some(place) = diagnostic.place {
        let source = sources.get(place.file);
        let start = source.position(place.span.start);
        out.push_str(&format!("  on {} line {}:\n\n", source.name(), start.line));
    }
    out.push_str(&diagnostic.detail);
    out.push('\n');
    out
}
