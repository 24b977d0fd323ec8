//! JSON lines, one event each, in the form of the programs' machine-readable output. Lines have timestamps only if the clock is
//! pinned.

use std::fmt;

use groma_protocol::write_diagnostic;
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Severity, Sources};
use groma_value::json::{JsonLayout, JsonObject, JsonText};

/// The version of the format of event lines.
const FORMAT: &str = "1.2";

/// A writer of JSON event lines, each with the same program, edition and timestamp.
pub struct EventLines<'w> {
    edition: Edition,
    /// The program's name in the `@module` property.
    program: &'static str,
    time: Option<String>,
    out: &'w mut dyn fmt::Write,
}

impl<'w> EventLines<'w> {
    /// Returns a writer for the program of an edition; every line has the timestamp `time`, if given.
    pub fn new(
        edition: Edition,
        time: Option<String>,
        out: &'w mut dyn fmt::Write,
    ) -> EventLines<'w> {
        EventLines { edition, program: edition.dialect.event_key(), time, out }
    }

    /// Writes an event line of a kind; `body` writes the properties of that kind.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn line(
        &mut self,
        level: &str,
        message: &str,
        kind: &str,
        body: impl FnOnce(&mut JsonObject<'_, '_>),
    ) -> fmt::Result {
        let mut text = JsonText::new(JsonLayout::Compact);
        let mut line = JsonObject::open(&mut text);
        line.text("@level", level);
        line.text("@message", message);
        line.text("@module", &format!("{}.ui", self.program));
        if let Some(time) = &self.time {
            line.text("@timestamp", time);
        }
        body(&mut line);
        line.text("type", kind);
        line.close();
        self.out.write_str(&text.into_string())?;
        self.out.write_str("\n")
    }

    /// Writes the first line, which names the program and its version.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn version(&mut self) -> fmt::Result {
        let (edition, program) = (self.edition, self.program);
        self.line("info", &edition.to_string(), "version", |line| {
            line.text(program, &edition.version.to_string());
            line.text("ui", FORMAT);
        })
    }

    /// Writes a diagnostic that is an error or a warning; leaves out a note, since the format has no such severity.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn diagnostic(&mut self, one: &Diagnostic, sources: &Sources) -> fmt::Result {
        let (level, word) = match one.severity {
            Severity::Error => ("error", "Error"),
            Severity::Warning => ("warn", "Warning"),
            Severity::Note => return Ok(()),
        };
        let message = format!("{word}: {}", one.code.summary);
        self.line(level, &message, "diagnostic", |line| {
            write_diagnostic(one, sources, line.key("diagnostic"));
        })
    }
}
