//! Values to JSON text: [`encode`] as `jsonencode` does, [`plain`] for other programs.

use std::fmt::Write as _;

use crate::{Mismatch, Step, Value};

/// The text that `jsonencode` gives: no blanks, keys sorted, sets as lists, `<`, `>`, `&` and the
/// Unicode line separators escaped. Marks are ignored; an unknown or an infinity is refused.
pub fn encode(value: &Value) -> Result<String, Mismatch> {
    let mut out = String::new();
    write(value, &mut out, &mut Form::Language)?;
    Ok(out)
}

/// A value as plain JSON: unknown as null, sets as arrays, infinities as `"Inf"` and `"-Inf"`,
/// numbers with all their digits.
pub fn plain(value: &Value) -> String {
    let mut out = String::new();
    write_plain(value, &mut out);
    out
}

/// Writes what [`plain`] gives behind a text.
pub fn write_plain(value: &Value, out: &mut String) {
    let written = write(value, out, &mut Form::Plain);
    debug_assert!(written.is_ok());
}

/// A text as a JSON string, quotes included; only what must be escaped is.
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_string(text, &mut out);
    out
}

/// Writes what [`string`] gives behind a text.
pub fn write_string(text: &str, out: &mut String) {
    write_text(text, out, &Form::Plain);
}

enum Form {
    Language,
    Plain,
}

fn write(value: &Value, out: &mut String, form: &mut Form) -> Result<(), Mismatch> {
    match value {
        Value::Null(_) => out.push_str("null"),
        Value::Unknown(_) => match form {
            Form::Plain => out.push_str("null"),
            Form::Language => return Err(Mismatch::new("an unknown value has no JSON form yet")),
        },
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(n) if n.is_infinite() => match form {
            Form::Plain => out.push_str(if n.is_negative() { "\"-Inf\"" } else { "\"Inf\"" }),
            Form::Language => return Err(Mismatch::new("an infinite number has no JSON form")),
        },
        Value::Number(n) => {
            let text = n.to_text();
            // Numbers too large for plain digits come with an exponent of two.
            if text.contains('p') {
                match form {
                    Form::Plain => write_text(&text, out, form),
                    Form::Language => {
                        return Err(Mismatch::new("the number has too many digits for JSON"));
                    }
                }
            } else {
                out.push_str(&text);
            }
        }
        Value::String(s) => write_text(s, out, form),
        Value::List(l) => write_items(l.items(), out, form)?,
        Value::Set(s) => write_items(s.items(), out, form)?,
        Value::Tuple(t) => write_items(t.items(), out, form)?,
        Value::Map(m) => {
            let entries = m.entries().iter().map(|(key, value)| (&**key, value));
            write_entries(entries, out, form)
                .map_err(|(key, why)| why.under(Step::Index(Value::text(key))))?;
        }
        Value::Object(o) => {
            let entries = o.iter().map(|(name, value)| (&**name, value));
            write_entries(entries, out, form)
                .map_err(|(name, why)| why.under(Step::Attribute(name.into())))?;
        }
        Value::Marked(m) => write(m.value(), out, form)?,
    }
    Ok(())
}

fn write_items(items: &[Value], out: &mut String, form: &mut Form) -> Result<(), Mismatch> {
    out.push('[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(item, out, form).map_err(|why| why.under(Step::Index(Value::position(at))))?;
    }
    out.push(']');
    Ok(())
}

fn write_entries<'v>(
    entries: impl Iterator<Item = (&'v str, &'v Value)>,
    out: &mut String,
    form: &mut Form,
) -> Result<(), (&'v str, Mismatch)> {
    out.push('{');
    for (at, (name, value)) in entries.enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_text(name, out, form);
        out.push(':');
        write(value, out, form).map_err(|why| (name, why))?;
    }
    out.push('}');
    Ok(())
}

fn write_text(text: &str, out: &mut String, form: &Form) {
    let is_language = matches!(form, Form::Language);
    let special = |c: char| match c {
        '"' | '\\' | '\0'..='\x1f' => true,
        '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => is_language,
        _ => false,
    };
    out.push('"');
    // Most texts are plain, and bytes are looked at faster than characters.
    let may_be_special = |byte: &u8| match byte {
        b'"' | b'\\' | 0..=0x1f => true,
        b'<' | b'>' | b'&' | 0xe2 => is_language,
        _ => false,
    };
    let mut rest = text;
    if !text.as_bytes().iter().any(may_be_special) {
        out.push_str(text);
        out.push('"');
        return;
    }
    while let Some(at) = rest.find(special) {
        out.push_str(&rest[..at]);
        let mut chars = rest[at..].chars();
        match chars.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some('\x08') => out.push_str("\\b"),
            Some('\x0c') => out.push_str("\\f"),
            Some(c) => {
                let written = write!(out, "\\u{:04x}", u32::from(c));
                debug_assert!(written.is_ok());
            }
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}
