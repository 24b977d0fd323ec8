//! Changes outside of resource bodies as lines: the old and the new form, the place, and the affected objects.

use std::fmt;

use groma_impact::{OutsideChange, OutsideKind, OutsideValue};
use groma_syntax::render::harmless;
use groma_value::sentence::plural;
use groma_value::{Path, Str, Value, print};

use super::node::{ValueView, name};
use super::writer::PlanWriter;
use crate::difference::{AnnotationCursor, Annotations, ChangeSign, difference};
use crate::model::{DifferenceOrigin, Review};
use crate::style::{StyledSink, TextStyle};

/// The comment on a change whose code is equal in both revisions, but refers to something that has changed.
const LEADS_ELSEWHERE: &str = "what it refers to has changed";
/// The text displayed in place of a sensitive or secret value.
const HIDDEN: &str = "(sensitive value)";

impl Review {
    /// Writes the section of changes outside of resource bodies, if there are any.
    pub(super) fn write_outside(&self, page: &mut PlanWriter<'_>) -> fmt::Result {
        if self.outside.is_empty() {
            return Ok(());
        }
        page.put(TextStyle::Strong, "Beside the resources:")?;
        page.plain("\n")?;
        self.outside.iter().try_for_each(|change| write_change(change, page))?;
        page.plain("\n")
    }

    /// Writes the changes outside of resource bodies without a heading.
    pub(crate) fn put_outside(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        let mut page = PlanWriter::new(sink, &self.before, &self.after);
        self.outside.iter().try_for_each(|change| write_change(change, &mut page))
    }

    /// Writes one line for each change outside of resource bodies.
    pub(crate) fn put_outside_compact(&self, sink: &mut dyn StyledSink) -> fmt::Result {
        for change in &self.outside {
            sink.put(TextStyle::Plain, "  ")?;
            let (style, symbol) = match sign(change) {
                ChangeSign::Add => (TextStyle::Added, "+"),
                ChangeSign::Remove => (TextStyle::Removed, "-"),
                _ => (TextStyle::Changed, "~"),
            };
            sink.put(style, symbol)?;
            let reach = reach(change).map(|text| format!(" ({text})")).unwrap_or_default();
            let text = format!(" {} {}{reach}\n", change.kind.word(), change.address);
            sink.put(TextStyle::Plain, &harmless_line(&text))?;
        }
        Ok(())
    }
}

/// Returns a line of text with terminal control characters escaped, followed by a line end.
fn harmless_line(text: &str) -> String {
    format!("{}\n", harmless(text.trim_end_matches('\n')))
}

/// Returns the sign of a change outside of resource bodies: added, removed or changed.
fn sign(change: &OutsideChange) -> ChangeSign {
    match (&change.before, &change.after) {
        (None, _) => ChangeSign::Add,
        (_, None) => ChangeSign::Remove,
        _ => ChangeSign::Change,
    }
}

/// Returns the phrase about the resources that a change outside of resource bodies affects; `None` if there are none.
fn reach(change: &OutsideChange) -> Option<String> {
    let count = change.reaches.addresses.len();
    let managed = count - change.reaches.data.min(count);
    let is_of_provider = matches!(change.kind, OutsideKind::Provider | OutsideKind::Version);
    // An unknown value may turn out to be the same location.
    let is_known = [&change.before, &change.after].into_iter().flatten().all(is_known);
    let would = if is_known { "would" } else { "may" };
    match (change.reaches.is_elsewhere, managed) {
        _ if count == 0 => None,
        (true, 0) => {
            Some(format!("{} {would} be read from another place", plural(count, "data source")))
        }
        (true, _) => {
            Some(format!("{} {would} be managed in another place", plural(managed, "resource")))
        }
        (false, 0) if is_of_provider => Some(format!("{} under it", plural(count, "data source"))),
        (false, _) if is_of_provider => Some(format!("{} under it", plural(managed, "resource"))),
        (false, _) if count > 1 => Some(format!("the same in {}", plural(count, "call"))),
        (false, _) => None,
    }
}

/// Returns true if `shown`, one side of a change outside of resource bodies, is a value, or consists of values only: neither code
/// nor hidden.
fn is_known(shown: &OutsideValue) -> bool {
    match shown {
        OutsideValue::Value(_) => true,
        OutsideValue::Code(_) | OutsideValue::Hidden => false,
        OutsideValue::Parts(parts) => parts.iter().all(|(_, part)| is_known(part)),
    }
}

/// Writes a change outside of resource bodies with its old and new form.
fn write_change(change: &OutsideChange, page: &mut PlanWriter<'_>) -> fmt::Result {
    let place = &*change.place;
    let note = match reach(change) {
        Some(reach) => format!("{place}, {reach}"),
        None => place.to_owned(),
    };
    page.sign(0, sign(change), false)?;
    page.plain(&harmless(&change.address))?;
    page.plain(" = ")?;
    match (&change.before, &change.after) {
        (Some(OutsideValue::Hidden), _) | (_, Some(OutsideValue::Hidden)) => {
            write_text(HIDDEN, &note, page)
        }
        (Some(before), Some(after)) => match (on_a_line(before), on_a_line(after)) {
            (Some(before), Some(after)) if before == after => {
                write_text(&after, &format!("{note}, {LEADS_ELSEWHERE}"), page)
            }
            (Some(before), Some(after)) => {
                page.plain(&harmless(&before))?;
                page.put(TextStyle::Changed, " -> ")?;
                write_text(&after, &note, page)
            }
            _ => write_values(change, &note, page),
        },
        (Some(one), None) | (None, Some(one)) => match (one, on_a_line(one)) {
            (OutsideValue::Parts(parts), _) => write_parts(parts, &note, page),
            (_, Some(text)) => write_text(&text, &note, page),
            _ => write_values(change, &note, page),
        },
        (None, None) => page.plain("\n"),
    }
}

/// Returns the old or the new side of a change outside of resource bodies on one line; `None` if it needs several.
fn on_a_line(shown: &OutsideValue) -> Option<String> {
    let text = match shown {
        OutsideValue::Code(text) => text.to_string(),
        OutsideValue::Value(Value::String(text)) => print::quoted(text),
        OutsideValue::Value(value) => print::plain(value),
        OutsideValue::Hidden => HIDDEN.to_owned(),
        OutsideValue::Parts(_) => return None,
    };
    let is_text = matches!(shown, OutsideValue::Value(Value::String(text)) if text.contains('\n'));
    (!text.contains('\n') && !is_text).then_some(text)
}

/// Writes a text as the end of the current line, followed by `note`, the place and effect of a change, as a comment.
fn write_text(text: &str, note: &str, page: &mut PlanWriter<'_>) -> fmt::Result {
    page.plain(&harmless(text))?;
    page.put(TextStyle::Dim, &harmless(&format!(" # {note}")))?;
    page.plain("\n")
}

/// Writes the named parts of the old or the new side of a change as an object, one on each line, with `note`, the place and
/// effect of the change, as a comment on the first line.
fn write_parts(
    parts: &[(Str, OutsideValue)],
    note: &str,
    page: &mut PlanWriter<'_>,
) -> fmt::Result {
    if parts.is_empty() {
        return write_text("{}", note, page);
    }
    if let [(text, shown)] = parts
        && let Some(line) = on_a_line(shown)
    {
        return write_text(&format!("{{ {} = {line} }}", name(text)), note, page);
    }
    page.plain("{")?;
    page.put(TextStyle::Dim, &harmless(&format!(" # {note}")))?;
    page.plain("\n")?;
    let widest = parts.iter().map(|(text, _)| name(text).chars().count()).max();
    for (text, shown) in parts {
        let own = name(text);
        page.start(1)?;
        page.plain(&harmless(&own))?;
        page.blanks(widest.unwrap_or_default().saturating_sub(own.chars().count()))?;
        page.plain(" = ")?;
        for (at, line) in lines(shown).iter().enumerate() {
            if at > 0 {
                page.plain("\n")?;
                page.start(1)?;
            }
            page.plain(&harmless(line))?;
        }
        page.plain("\n")?;
    }
    page.start(0)?;
    page.plain("}\n")
}

/// Returns the old or the new side of a change outside of resource bodies as lines of code; a map takes one line for each entry.
fn lines(shown: &OutsideValue) -> Vec<String> {
    if let Some(text) = on_a_line(shown) {
        return vec![text];
    }
    match shown {
        OutsideValue::Parts(parts) if parts.is_empty() => vec!["{}".to_owned()],
        OutsideValue::Parts(parts) => {
            let mut all = vec!["{".to_owned()];
            for (text, inner) in parts.iter() {
                let mut inner = lines(inner).into_iter();
                let first = inner.next().unwrap_or_default();
                all.push(format!("    {} = {first}", name(text)));
                all.extend(inner.map(|line| format!("    {line}")));
            }
            all.push("}".to_owned());
            all
        }
        OutsideValue::Value(value) => print::plain(value).lines().map(str::to_owned).collect(),
        OutsideValue::Code(text) => text.lines().map(str::to_owned).collect(),
        OutsideValue::Hidden => vec![HIDDEN.to_owned()],
    }
}

/// Writes a change outside of resource bodies that needs several lines, as the difference between its old and its new value,
/// with `note`, the place and effect of the change, as a comment.
fn write_values(change: &OutsideChange, note: &str, page: &mut PlanWriter<'_>) -> fmt::Result {
    let (before, after) = (change.before.as_ref().map(value), change.after.as_ref().map(value));
    let origin = DifferenceOrigin { path: Path::default(), text: Str::from(note) };
    let origins = [origin];
    let said = Annotations::of(&[], &origins);
    let node = difference(before.as_ref(), after.as_ref(), false, AnnotationCursor::at_root(&said));
    if let (ChangeSign::Same, Some(shown)) = (node.sign, &change.after) {
        // The code is equal, but its referents differ.
        let lines = lines(shown);
        let why = match lines.iter().any(|line| line.contains(HIDDEN)) {
            // Hidden values may be equal.
            true => String::new(),
            false => format!(", {LEADS_ELSEWHERE}"),
        };
        for (at, line) in lines.iter().enumerate() {
            match at {
                0 => write_text(line, &format!("{note}{why}"), page)?,
                _ => {
                    page.start(0)?;
                    page.plain(&harmless(line))?;
                    page.plain("\n")?;
                }
            }
        }
        return Ok(());
    }
    page.value(&node, 0, ValueView::default(), "")?;
    page.plain("\n")
}

/// Converts the old or the new side of a change outside of resource bodies to a value of the language; code becomes a string.
fn value(shown: &OutsideValue) -> Value {
    match shown {
        OutsideValue::Value(value) => value.clone(),
        OutsideValue::Code(text) => Value::String(text.clone()),
        OutsideValue::Hidden => Value::String(Str::from(HIDDEN)),
        OutsideValue::Parts(parts) => {
            Value::object(parts.iter().map(|(name, one)| (name.clone(), value(one))))
        }
    }
}
