//! The console's text of a value. An unknown is shown as unknown even if it is sensitive, and a string of several lines is a
//! heredoc everywhere, even as a key.

use super::{number, quoted, type_name};
use crate::{Mark, Type, Value};

/// The wording of console output: the text for unknowns, and true if types are shown by conversion functions.
#[derive(Clone, Copy)]
struct ConsoleWords {
    /// The text for an unknown.
    unknown: &'static str,
    /// True if collections and nulls show their types by conversion functions, such as `tolist([…])`.
    conversions: bool,
}

/// Returns a value as the console of Terraform and OpenTofu prints it.
pub fn console(value: &Value) -> String {
    text_with(value, ConsoleWords { unknown: "(known after apply)", conversions: true })
}

/// Returns a value as Packer's console prints it: without conversion functions such as `tolist(…)` around collections.
pub fn plain(value: &Value) -> String {
    text_with(value, ConsoleWords { unknown: "(not known yet)", conversions: false })
}

/// Returns the console text of a value with the given wording.
fn text_with(value: &Value, words: ConsoleWords) -> String {
    let mut out = String::new();
    if value.marks().contains(&Mark::TypeText)
        && let Value::String(text) = value.bare()
    {
        return text.to_string();
    }
    write(value, 0, words, &mut out);
    out
}

/// Appends the console text of a value to `out`, with an indentation for its further lines.
fn write(value: &Value, indent: usize, words: ConsoleWords, out: &mut String) {
    if let Value::Marked(m) = value {
        if m.value().is_known() {
            if m.marks().contains(&Mark::Sensitive) {
                out.push_str("(sensitive value)");
                return;
            }
            if m.marks().contains(&Mark::Ephemeral) {
                out.push_str("(ephemeral value)");
                return;
            }
        }
        write(m.value(), indent, words, out);
        return;
    }
    match value {
        Value::Null(ty) if words.conversions => write_null(ty, out),
        Value::Null(_) => out.push_str("null"),
        Value::Unknown(_) => out.push_str(words.unknown),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Decimal(decimal) => out.push_str(&number(&decimal.number())),
        Value::Real(real) => out.push_str(&number(&real.number())),
        Value::String(text) => write_text(text, indent, out),
        Value::Tuple(t) => write_items(t.items(), indent, words, out),
        Value::List(l) => {
            wrapped("tolist(", words, out, |out| write_items(l.items(), indent, words, out))
        }
        Value::Set(s) => {
            wrapped("toset(", words, out, |out| write_items(s.items(), indent, words, out))
        }
        Value::Map(m) => wrapped("tomap(", words, out, |out| {
            let entries = m.entries().iter().map(|(key, value)| (&**key, value));
            write_entries(entries, indent, words, out);
        }),
        Value::Object(o) => {
            write_entries(o.iter().map(|(name, value)| (&**name, value)), indent, words, out);
        }
        Value::Marked(_) => {}
    }
}

/// Appends to the console text what `inside` writes, between `open`, such as `tolist(`, and `)`; without these two if
/// `words` has no conversion functions.
fn wrapped(open: &str, words: ConsoleWords, out: &mut String, inside: impl FnOnce(&mut String)) {
    if !words.conversions {
        return inside(out);
    }
    out.push_str(open);
    inside(out);
    out.push(')');
}

/// Appends a null to the console text as the result of its conversion function, such as `tostring(null)`.
fn write_null(ty: &Type, out: &mut String) {
    let of = |function: &str, element: &Type, out: &mut String| {
        out.push_str(function);
        out.push_str("(null) /* of ");
        out.push_str(&type_name(element));
        out.push_str(" */");
    };
    match ty {
        Type::Dynamic => out.push_str("null"),
        Type::Bool => out.push_str("tobool(null)"),
        Type::Number => out.push_str("tonumber(null)"),
        Type::String => out.push_str("tostring(null)"),
        Type::List(e) => of("tolist", e, out),
        Type::Set(e) => of("toset", e, out),
        Type::Map(e) => of("tomap", e, out),
        Type::Tuple(_) => out.push_str("null /* tuple */"),
        Type::Object(_) => out.push_str("null /* object */"),
    }
}

/// Begins a new line in the console text, with an indentation.
fn line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

/// Appends items in brackets to the console text, each on a line that is indented further than `indent`, the indentation of
/// the brackets.
fn write_items(items: &[Value], indent: usize, words: ConsoleWords, out: &mut String) {
    out.push('[');
    for item in items {
        line(indent + 2, out);
        write(item, indent + 2, words, out);
        out.push(',');
    }
    if !items.is_empty() {
        line(indent, out);
    }
    out.push(']');
}

/// Appends the entries of a map or object in braces to the console text, each on a line that is indented further than
/// `indent`, the indentation of the braces.
fn write_entries<'v>(
    entries: impl ExactSizeIterator<Item = (&'v str, &'v Value)>,
    indent: usize,
    words: ConsoleWords,
    out: &mut String,
) {
    let empty = entries.len() == 0;
    out.push('{');
    for (key, value) in entries {
        line(indent + 2, out);
        write_text(key, indent + 2, out);
        out.push_str(" = ");
        write(value, indent + 2, words, out);
    }
    if !empty {
        line(indent, out);
    }
    out.push('}');
}

/// Appends a string to the console text: quoted, or as a heredoc with the indentation `indent` if it has several lines.
fn write_text(text: &str, indent: usize, out: &mut String) {
    if !text.contains('\n') {
        out.push_str(&quoted(text));
        return;
    }
    // The marker must not be a line of the text.
    let mut marker = "EOT".to_owned();
    while text.split('\n').any(|line| line.trim() == marker) {
        marker.push('_');
    }
    out.push_str(if indent > 0 { "<<-" } else { "<<" });
    out.push_str(&marker);
    for part in text.split('\n').chain([marker.as_str()]) {
        line(indent, out);
        out.push_str(part);
    }
}
