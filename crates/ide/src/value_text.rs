//! Values as text for people: as the console prints them, cut to a few lines. What is marked as sensitive or ephemeral is shown as
//! such and never as itself.

use groma::place::InstanceValue;
use groma::{
    Snapshot, Value,
    values::{print, sentence},
};

use crate::rich_text::{RichText, code_span};

/// The language of code in answers.
pub(crate) const LANGUAGE: &str = "terraform";

/// Lines of a value that are shown.
const MAX_LINES: usize = 12;

/// Causes of an unknown value that are listed.
const MAX_CAUSES: usize = 3;

/// Values of instances, ready to be written.
pub(crate) struct ShownValues<'v> {
    values: &'v [InstanceValue],
    has_more: bool,
    is_pending: bool,
}

impl<'v> ShownValues<'v> {
    pub(crate) fn new(values: &'v [InstanceValue], has_more: bool, is_pending: bool) -> Self {
        ShownValues { values, has_more, is_pending }
    }

    /// Adds the values, their type and the first causes of what is unknown.
    pub(crate) fn write(&self, snapshot: &Snapshot, text: &mut RichText) {
        match self.values {
            [] if self.is_pending => text.text("The value is being worked out."),
            [] => {}
            [only] if !self.has_more => {
                text.code(LANGUAGE, console(&only.value));
                about(snapshot, &only.value, text);
            }
            several => {
                for one in several {
                    if !one.instance.is_empty() {
                        text.text(code_span(&one.instance));
                    }
                    text.code(LANGUAGE, console(&one.value));
                }
                if self.has_more {
                    text.text("There are more instances.");
                }
                about(snapshot, &several[0].value, text);
            }
        }
        if self.is_pending && !self.values.is_empty() {
            text.text("Further values are being worked out.");
        }
    }
}

fn about(snapshot: &Snapshot, value: &Value, text: &mut RichText) {
    text.text(format!("Type: {}", code_span(&type_text(value))));
    text.list(causes(snapshot, value));
}

/// The value as the console of a Packer template prints it, cut in the same way.
pub(crate) fn plain(value: &Value) -> String {
    cut(print::plain(value))
}

/// The value as the console prints it: past twelve lines the first of them, and how many more there are.
pub(crate) fn console(value: &Value) -> String {
    cut(print::console(value))
}

fn cut(whole: String) -> String {
    let lines = whole.lines().count();
    if lines <= MAX_LINES {
        return whole;
    }
    let shown: Vec<&str> = whole.lines().take(MAX_LINES).collect();
    let more = lines - MAX_LINES;
    format!("{}\n… {more} more line{}", shown.join("\n"), if more == 1 { "" } else { "s" })
}

/// The type of a value, without what a hidden value has in it.
pub(crate) fn type_text(value: &Value) -> String {
    let veiled = sentence::veiled(value);
    let whole = print::type_name(&veiled.ty());
    match whole.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &whole[..at]),
        None => whole,
    }
}

/// The first causes of what is unknown in a value, in words.
fn causes(snapshot: &Snapshot, value: &Value) -> Vec<String> {
    let all = value.deep_causes();
    let table = snapshot.evaluation().causes();
    let known: Vec<_> = all.ids().iter().filter_map(|id| table.get(*id)).collect();
    let mut points: Vec<String> = known
        .iter()
        .take(MAX_CAUSES)
        .map(|cause| format!("unknown because of {} ({})", code_span(&cause.address), cause.kind))
        .collect();
    let left = known.len().saturating_sub(MAX_CAUSES);
    if left > 0 || all.has_more() {
        points.push("and more".to_owned());
    }
    points
}

/// The value on one line of at most `columns` characters.
pub(crate) fn brief(value: &Value, columns: usize) -> String {
    one_line(&print::console(value), columns)
}

/// The same as the console of a Packer template prints it.
pub(crate) fn brief_plain(value: &Value, columns: usize) -> String {
    one_line(&print::plain(value), columns)
}

fn one_line(whole: &str, columns: usize) -> String {
    let mut line = String::new();
    for word in whole.lines().map(str::trim) {
        if !line.is_empty() && !line.ends_with(['[', '(']) {
            line.push(' ');
        }
        line.push_str(word);
        // What is behind the cut need not be read.
        if line.len() > columns * 4 {
            break;
        }
    }
    if line.chars().count() <= columns {
        return line;
    }
    let mut cut: String = line.chars().take(columns.saturating_sub(1)).collect();
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}
