//! Changes outside of the plan since the objects were recorded, written before the plan's own.

use std::fmt;

use groma_plan::Action;
use groma_syntax::render::harmless;
use groma_value::Str;

use super::{label, write_body};
use crate::model::{ResourceItem, Review};
use crate::reasons::ProviderDefaults;
use crate::style::{StyledSink, TextStyle};
use crate::text::PlanWriter;

/// Returns the phrase, to follow the address, for an object that something else than this program changed since it was
/// recorded.
fn drift_phrase(item: &ResourceItem) -> &'static str {
    match item.action {
        Action::Delete => " has been deleted",
        _ => " has changed",
    }
}

impl Review {
    /// Writes the objects that something else than this program changed since they were recorded, under the heading of the
    /// reference programs: `Note: Objects have changed outside of …`.
    pub(crate) fn write_drift(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        if self.drift.is_empty() {
            return Ok(());
        }
        let mut page = PlanWriter::new(sink, &self.before, &self.after);
        let program = self.program.map_or("the program".to_owned(), |program| program.to_string());
        page.put(TextStyle::Strong, "Note: Objects have changed outside of ")?;
        page.put(TextStyle::Strong, &program)?;
        page.plain("\n\n")?;
        let defaults = ProviderDefaults::of(&self.after);
        for item in &self.drift {
            page.set_subject(&item.address);
            page.heading(&label(item), (drift_phrase(item), "", ""))?;
            write_body(item, &defaults, &mut page)?;
            page.plain("\n")?;
        }
        Ok(())
    }

    /// Writes one line for each object that something else than this program changed since it was recorded.
    pub(crate) fn write_compact_drift(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        for item in &self.drift {
            let text = format!("  # {}{} outside of the plan\n", label(item), drift_phrase(item));
            sink.put(TextStyle::Plain, &harmless(&text))?;
        }
        Ok(())
    }

    /// Returns the addresses of the objects that something else than this program changed since they were recorded, each with a
    /// phrase for the change.
    pub(crate) fn drifted(&self) -> impl Iterator<Item = (&Str, &'static str)> {
        self.drift.iter().map(|item| (&item.address, drift_phrase(item)))
    }
}
