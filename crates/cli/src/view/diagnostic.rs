//! Diagnostics for people, drawn by the syntax crate.

use std::io::{self, Write};

use groma_syntax::{Diagnostic, Sources, render};

/// Writes all of them, each followed by an empty line.
pub(crate) fn print<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    sources: &Sources,
    colour: bool,
    err: &mut dyn Write,
) -> io::Result<()> {
    for diagnostic in diagnostics {
        writeln!(err, "{}\n", render::render(diagnostic, sources, colour).trim_end())?;
    }
    Ok(())
}
