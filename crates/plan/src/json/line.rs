//! Lines of JSON, one event each, as the programs print them where they are asked for JSON while they work. No line tells
//! the time unless that is pinned.

use std::fmt;

use groma_protocol::write_diagnostic;
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Severity, Sources};
use groma_value::json::{JsonLayout, JsonObject, JsonText};

/// The version of the form.
const FORM: &str = "1.2";

/// A writer of lines: what they have in common, and where they go.
pub struct EventLines<'w> {
    edition: Edition,
    /// The program's name there.
    program: &'static str,
    time: Option<String>,
    out: &'w mut dyn fmt::Write,
}

impl<'w> EventLines<'w> {
    /// One for the program of an edition; every line tells the time, where one is given.
    pub fn new(
        edition: Edition,
        time: Option<String>,
        out: &'w mut dyn fmt::Write,
    ) -> EventLines<'w> {
        EventLines { edition, program: edition.dialect.event_key(), time, out }
    }

    /// A line of a kind; `body` writes what only this kind has.
    ///
    /// # Errors
    /// When nothing more can be taken.
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

    /// The first line, which names the program and its version.
    ///
    /// # Errors
    /// When nothing more can be taken.
    pub fn version(&mut self) -> fmt::Result {
        let (edition, program) = (self.edition, self.program);
        self.line("info", &edition.to_string(), "version", |line| {
            line.text(program, &edition.version.to_string());
            line.text("ui", FORM);
        })
    }

    /// An error or a warning; the form knows no others.
    ///
    /// # Errors
    /// When nothing more can be taken.
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
