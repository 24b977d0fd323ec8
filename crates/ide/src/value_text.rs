//! Values as text, as the console prints them, shortened to a few lines. Sensitive and ephemeral values are replaced by
//! placeholders.

use groma::place::InstanceValue;
use groma::root::Root;
use groma::{
    Value,
    values::{print, sentence},
};

use crate::rich_text::{RichText, code_span};

/// The language tag of the code blocks in which values are shown.
pub(crate) const LANGUAGE: &str = "terraform";

/// Maximum number of lines shown of a value; the number of further lines follows.
const MAX_LINES: usize = 12;

/// Maximum number of causes listed for an unknown value; "and more" stands for further ones.
const MAX_CAUSES: usize = 3;

/// The values of a declaration or expression in several instances, to be written as Markdown.
pub(crate) struct ShownValues<'v> {
    values: &'v [InstanceValue],
    has_more: bool,
    is_pending: bool,
}

impl<'v> ShownValues<'v> {
    /// Creates the values to show from those of some instances; `has_more` if there are further instances, `is_pending` if values
    /// are still being evaluated.
    pub(crate) fn new(values: &'v [InstanceValue], has_more: bool, is_pending: bool) -> Self {
        ShownValues { values, has_more, is_pending }
    }

    /// Writes the values, their type and the first causes of unknown parts.
    pub(crate) fn write(&self, root: &dyn Root, text: &mut RichText) {
        match self.values {
            [] if self.is_pending => text.text("The value is being worked out."),
            [] => {}
            [only] if !self.has_more => {
                text.code(language(root), shorten(root.console_text(&only.value)));
                write_type_and_causes(root, &only.value, text);
            }
            several => {
                for one in several {
                    if !one.instance.is_empty() {
                        text.text(code_span(&one.instance));
                    }
                    text.code(language(root), shorten(root.console_text(&one.value)));
                }
                if self.has_more {
                    text.text("There are more instances.");
                }
                write_type_and_causes(root, &several[0].value, text);
            }
        }
        if self.is_pending && !self.values.is_empty() {
            text.text("Further values are being worked out.");
        }
    }
}

/// Writes the type of a value and the causes of its unknown parts.
fn write_type_and_causes(root: &dyn Root, value: &Value, text: &mut RichText) {
    text.text(format!("Type: {}", code_span(&type_text(value))));
    text.list(causes(root, value));
}

/// Returns the language tag of the Markdown code blocks that show values of a root.
fn language(root: &dyn Root) -> &'static str {
    match root.edition().dialect.has_modules() {
        true => LANGUAGE,
        false => "hcl",
    }
}

/// Cuts a text after [`MAX_LINES`] lines and appends the number of omitted lines, if any.
fn shorten(whole: String) -> String {
    let lines = whole.lines().count();
    if lines <= MAX_LINES {
        return whole;
    }
    let shown: Vec<&str> = whole.lines().take(MAX_LINES).collect();
    let more = lines - MAX_LINES;
    format!("{}\n… {more} more line{}", shown.join("\n"), if more == 1 { "" } else { "s" })
}

/// Returns the type of a value, without the structure of sensitive parts.
pub(crate) fn type_text(value: &Value) -> String {
    let redacted = sentence::redacted(value);
    let whole = print::type_name(&redacted.ty());
    match whole.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &whole[..at]),
        None => whole,
    }
}

/// Returns the first causes of the unknown parts of a value, as sentences.
fn causes(root: &dyn Root, value: &Value) -> Vec<String> {
    let all = value.deep_causes();
    let table = root.causes();
    let known: Vec<_> = all.ids().iter().filter_map(|id| table.get(*id)).collect();
    let mut points: Vec<String> = known
        .iter()
        .take(MAX_CAUSES)
        .map(|cause| {
            format!("unknown because of {} ({})", code_span(cause.address.text()), cause.kind)
        })
        .collect();
    let left = known.len().saturating_sub(MAX_CAUSES);
    if left > 0 || all.has_more() {
        points.push("and more".to_owned());
    }
    points
}

/// Returns a value on one line of at most `columns` characters.
pub(crate) fn brief(value: &Value, columns: usize) -> String {
    one_line(&print::console(value), columns)
}

/// Returns a value of a root on one line of at most `columns` characters, as the console of its program prints it.
pub(crate) fn brief_in(root: &dyn Root, value: &Value, columns: usize) -> String {
    one_line(&root.console_text(value), columns)
}

/// Joins lines and shortens the result to `columns` characters.
fn one_line(whole: &str, columns: usize) -> String {
    let mut line = String::new();
    for word in whole.lines().map(str::trim) {
        if !line.is_empty() && !line.ends_with(['[', '(']) {
            line.push(' ');
        }
        line.push_str(word);
        // Text behind the cut need not be joined.
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
