//! A value on one line, cut at a maximum length. A hidden value shows neither its content nor its length.

use groma_syntax::is_identifier;
use groma_value::{Str, Value, json};

/// Text that a value on one line shows in place of a part that is marked as sensitive or ephemeral.
const HIDDEN: &str = "(sensitive value)";
/// Text that a value on one line shows in place of an unknown part.
const UNKNOWN: &str = "(known after apply)";

/// Text that a value on one line shows in place of a part that an error left unknown, recognized by an unknown without
/// causes.
const FAILED: &str = "(error)";

/// Returns a value on one line of at most `most` characters, with an ellipsis where it is cut.
pub fn short(value: &Value, most: usize) -> String {
    let mut out = String::new();
    write(value, most, &mut out);
    match out.char_indices().nth(most) {
        Some((at, _)) => {
            out.truncate(at);
            out.push('…');
            out
        }
        None => out,
    }
}

/// Appends a value to `out` until the text has `most` characters. Each level writes first, so the recursion depth is bounded too.
fn write(value: &Value, most: usize, out: &mut String) {
    if value.marks().hide() {
        return out.push_str(HIDDEN);
    }
    let items = |items: &[Value], out: &mut String| {
        out.push('[');
        for (at, item) in items.iter().enumerate() {
            if out.len() > most * 4 {
                break;
            }
            out.push_str(if at == 0 { "" } else { ", " });
            write(item, most, out);
        }
        out.push(']');
    };
    match value.bare() {
        Value::Unknown(unknown) if unknown.causes.is_empty() => out.push_str(FAILED),
        Value::Unknown(_) => out.push_str(UNKNOWN),
        Value::List(list) => items(list.items(), out),
        Value::Set(set) => items(set.items(), out),
        Value::Tuple(tuple) => items(tuple.items(), out),
        Value::Map(map) => named(map.entries().iter().map(|(key, value)| (key, value)), most, out),
        Value::Object(object) => named(object.iter(), most, out),
        plain => {
            let text: String = json::plain(plain).chars().take(most + 1).collect();
            out.push_str(&text);
        }
    }
}

/// Appends the entries of a map or an object in braces to `out`, until the text has `most` characters.
fn named<'v>(all: impl Iterator<Item = (&'v Str, &'v Value)>, most: usize, out: &mut String) {
    out.push('{');
    let mut is_first = true;
    for (name, value) in all {
        if out.len() > most * 4 {
            break;
        }
        out.push_str(if is_first { " " } else { ", " });
        is_first = false;
        match is_identifier(name) {
            true => out.push_str(name),
            false => out.push_str(&json::string(name)),
        }
        out.push_str(" = ");
        write(value, most, out);
    }
    out.push_str(if is_first { "}" } else { " }" });
}
