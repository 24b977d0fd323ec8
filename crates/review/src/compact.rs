//! Compact form of a review: one line for each object, with its action and the names of its differing parts.

use std::fmt;

use groma_config::without_keys;
use groma_plan::{Action, ChangeReason};
use groma_syntax::render::harmless;
use groma_value::schema::BlockSchema;

use crate::difference::{ChangeSign, ComparedForm, ComparedValue};
use crate::model::{ResourceItem, Review};
use crate::possible::{listed, write_more};
use crate::reasons::ProviderDefaults;
use crate::style::{StyledSink, TextStyle};
use crate::text::{label, name, node_of, summary, symbol};

/// Maximum number of differing attributes and blocks that an object's line in a compact review names.
const MAX_NAMED: usize = 8;

impl Review {
    /// Writes one line for each object and output that changes, then the counts.
    ///
    /// # Errors
    /// The sink's error.
    pub fn write_compact(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        if self.is_empty() && self.gaps.undecided.is_empty() {
            return self.write_text(sink);
        }
        self.write_compact_drift(sink)?;
        let defaults = ProviderDefaults::of(&self.after);
        for item in self.certain() {
            put_symbol(item.action, sink)?;
            sink.put(TextStyle::Plain, " ")?;
            sink.put(TextStyle::Strong, &harmless(&label(item)))?;
            sink.put(TextStyle::Plain, &harmless(&remarks_of(item)))?;
            let parts = parts(item, &defaults);
            sink.put(TextStyle::Dim, &harmless(&parts))?;
            sink.put(TextStyle::Plain, "\n")?;
        }
        for one in &self.invoked {
            let text =
                format!("  ! {} ({}, by {})\n", &*one.address, one.event, &*one.triggered_by);
            sink.put(TextStyle::Plain, &harmless(&text))?;
        }
        let undecided = self.gaps.undecided.iter().filter(|_| self.uncounted.is_empty());
        for one in undecided {
            let text = format!("  ? {}: the number of instances is unknown\n", one.address);
            sink.put(TextStyle::Plain, &harmless(&text))?;
        }
        for one in &self.remarks {
            let text = format!("  # {} {}\n", &*one.address, one.text);
            sink.put(TextStyle::Plain, &harmless(&text))?;
        }
        self.put_outside_compact(sink)?;
        for output in self.changed_outputs() {
            put_symbol(output.action, sink)?;
            sink.put(TextStyle::Plain, &harmless(&format!(" output {}\n", name(&output.name))))?;
        }
        self.write_possible(sink)?;
        for group in &self.uncounted {
            sink.put(TextStyle::Strong, &harmless(&group.title()))?;
            sink.put(TextStyle::Plain, ":\n")?;
            let (listed, more) = listed(&group.because, group.declared.len());
            for one in group.declared.iter().take(listed) {
                sink.put(TextStyle::Plain, &harmless(&format!("  ? {}\n", one.address)))?;
            }
            write_more(more, sink)?;
            sink.put(TextStyle::Plain, "\n")?;
        }
        sink.put(TextStyle::Strong, "Plan:")?;
        sink.put(TextStyle::Plain, &format!(" {}.\n", summary(&self.counts())))?;
        self.write_missing(sink)
    }
}

/// Writes the symbol of an action, such as `+`, in its style.
pub(crate) fn put_symbol(action: Action, sink: &mut dyn StyledSink) -> fmt::Result {
    symbol(action).into_iter().try_for_each(|(style, text)| sink.put(style, text))
}

/// Returns the remarks on a change that follow the address of its instance, such as ` (tainted)`.
fn remarks_of(item: &ResourceItem) -> String {
    let mut text = String::new();
    match item.reason {
        Some(ChangeReason::Tainted) => text.push_str(" (tainted)"),
        Some(ChangeReason::Requested) => text.push_str(" (as requested)"),
        Some(ChangeReason::Triggered) => text.push_str(" (replace_triggered_by)"),
        _ => {}
    }
    if let Some(from) = &item.previous {
        text.push_str(&format!(" (moved from {})", &**from));
    }
    if let Some(importing) = &item.importing {
        let id = importing.id.as_ref().filter(|_| !importing.is_hidden);
        let id = id.map_or_else(String::new, |id| format!(" from \"{}\"", &**id));
        text.push_str(&format!(" (imported{id})"));
    }
    if item.is_provider_decided() {
        text.push_str(" (provider decides)");
    }
    for origin in item.origins.iter().filter(|one| one.path.is_empty()) {
        text.push_str(&format!(" ({})", origin.text));
    }
    text
}

/// Returns the names of the differing attributes and blocks of an instance, except the provider's defaults by the test
/// `defaults`, with a remark on those that force a replacement; empty if its action has none.
pub(crate) fn parts(item: &ResourceItem, defaults: &ProviderDefaults<'_>) -> String {
    let is_shown = item.action == Action::Update || item.action.is_replacement();
    let node = is_shown.then(|| node_of(item, &without_keys(&item.address), defaults));
    let Some(ComparedValue { form: ComparedForm::Block(body), .. }) = &node else {
        return String::new();
    };
    let mut names: Vec<String> = Vec::new();
    let attributes = body.attributes.iter().map(|(text, node)| (text, node));
    let blocks = body.blocks.iter().map(|nest| (&nest.name, &nest.node));
    for (text, node) in attributes.chain(blocks).filter(|(_, node)| node.sign != ChangeSign::Same) {
        // Computed attributes of the object follow from the named ones.
        let is_result = |block: &BlockSchema| block.attribute(text).is_some_and(|one| one.computed);
        let follows = matches!(&node.form, ComparedForm::Unknown { .. })
            && item.declared.shape.as_deref().is_some_and(is_result);
        let told = match node.forces {
            true => format!("{} (forces replacement)", name(text)),
            false => name(text).into_owned(),
        };
        if !names.contains(&told) && (!follows || node.forces) {
            names.push(told);
        }
    }
    let more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    if names.is_empty() {
        return String::new();
    }
    if more > 0 {
        names.push(format!("{more} more"));
    }
    format!(": {}", names.join(", "))
}
