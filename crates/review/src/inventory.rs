//! The objects recorded in a state as text: each as it would be written in code, without signs.

use std::fmt;

use groma_config::ResourceMode;
use groma_plan::{StateInventory, StateObject};
use groma_syntax::render::harmless;
use groma_value::{Mark, Value, print};

use crate::difference::{AnnotationCursor, ObjectComparer};
use crate::planned::shown;
use crate::reasons::UnknownReasons;
use crate::style::{StyledSink, TextStyle};
use crate::text::{PlanWriter, ValueView, name, opening};

/// Writes all objects of a state and its outputs as they would be written in code.
///
/// # Errors
/// The sink's error.
pub fn write_inventory(all: &StateInventory, sink: &mut dyn StyledSink) -> fmt::Result {
    for (at, one) in all.objects.iter().enumerate() {
        sink.put(TextStyle::Plain, if at > 0 { "\n" } else { "" })?;
        write_state_object(one, sink)?;
    }
    if all.outputs.is_empty() {
        return Ok(());
    }
    sink.put(TextStyle::Plain, if all.objects.is_empty() { "" } else { "\n" })?;
    sink.put(TextStyle::Strong, "Outputs:")?;
    sink.put(TextStyle::Plain, "\n\n")?;
    for (own, value, _, sensitive) in &all.outputs {
        let is_hidden = *sensitive || value.marks().contains(&Mark::Sensitive);
        let text = match is_hidden {
            true => "(sensitive value)".to_owned(),
            false => print::console(value),
        };
        sink.put(TextStyle::Plain, &format!("{} = {}\n", name(own), harmless(&text)))?;
    }
    Ok(())
}

/// Writes one object of a state as code.
///
/// # Errors
/// The sink's error.
pub fn write_state_object(one: &StateObject, sink: &mut dyn StyledSink) -> fmt::Result {
    let reasons = UnknownReasons::default();
    let mut page = PlanWriter::new(sink, &reasons, &reasons).without_margin();
    page.set_subject(&one.address);
    let deposed = one.deposed.as_deref().map(|key| format!(" (deposed object {key})"));
    let tainted = if one.tainted { " (tainted)" } else { "" };
    let head = format!("# {}:{}{tainted}", one.address, deposed.unwrap_or_default());
    page.put(TextStyle::Strong, &harmless(&head))?;
    page.plain("\n")?;
    if let Err(why) = &one.value {
        return page.plain(&format!("# (not shown: {})\n", harmless(why)));
    }
    let (mode, kind, own) = match &one.target.resource {
        Some(own) => (own.mode, own.kind.clone(), own.name.clone()),
        None => (ResourceMode::Managed, Default::default(), Default::default()),
    };
    page.plain(&format!("{} ", harmless(&opening(mode, &kind, &own))))?;
    let value = one.value.as_ref().ok().filter(|value: &&Value| !value.is_null());
    let value = value.map(|value| shown(value, &kind));
    let value = value.as_ref();
    let shape = one.shape.as_deref();
    let node = ObjectComparer { is_left: &|_| false }.body(
        (value, value),
        shape,
        AnnotationCursor::default(),
    );
    page.body(&node, 0, ValueView { whole: true, says_null: false, is_bare: true })?;
    page.plain("\n")
}
