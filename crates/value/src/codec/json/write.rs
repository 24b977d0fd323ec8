//! Values to JSON text: [`encode`] as `jsonencode` does, [`plain`] for other programs.

use super::text::{JsonObject, JsonText, Layout, array};
use crate::{Mismatch, Number, PathStep, Value};

/// The text that `jsonencode` gives: no blanks, keys sorted, sets as lists, `<`, `>`, `&` and the
/// Unicode line separators escaped. Marks are ignored; an unknown or an infinity is refused.
pub fn encode(value: &Value) -> Result<String, Mismatch> {
    let mut out = JsonText::new(Layout::Compact);
    write(value, &mut out, Form::Language)?;
    Ok(out.into_string())
}

/// A value as plain JSON: unknown as null, sets as arrays, infinities as `"Inf"` and `"-Inf"`,
/// numbers with all their digits.
pub fn plain(value: &Value) -> String {
    let mut out = JsonText::new(Layout::Compact);
    write_plain(value, &mut out);
    out.into_string()
}

/// Writes what [`plain`] gives.
pub fn write_plain(value: &Value, out: &mut JsonText<'_>) {
    let written = write(value, out, Form::Plain);
    debug_assert!(written.is_ok());
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Language,
    Plain,
}

impl Form {
    fn string(self, text: &str, out: &mut JsonText<'_>) {
        match self {
            Form::Language => out.careful_string(text),
            Form::Plain => out.string(text),
        }
    }
}

fn write(value: &Value, out: &mut JsonText<'_>, form: Form) -> Result<(), Mismatch> {
    match value {
        Value::Null(_) => out.push_str("null"),
        Value::Unknown(_) => match form {
            Form::Plain => out.push_str("null"),
            Form::Language => return Err(Mismatch::new("an unknown value has no JSON form yet")),
        },
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Decimal(decimal) => out.push_str(&decimal.number().to_text()),
        Value::Real(real) => write_real(&real.number(), out, form)?,
        Value::String(s) => form.string(s, out),
        Value::List(l) => write_items(l.items(), out, form)?,
        Value::Set(s) => write_items(s.items(), out, form)?,
        Value::Tuple(t) => write_items(t.items(), out, form)?,
        Value::Map(m) => {
            let entries = m.entries().iter().map(|(key, value)| (&**key, value));
            write_entries(entries, out, form)
                .map_err(|(key, why)| why.under(PathStep::Index(Value::text(key))))?;
        }
        Value::Object(o) => {
            let entries = o.iter().map(|(name, value)| (&**name, value));
            write_entries(entries, out, form)
                .map_err(|(name, why)| why.under(PathStep::Attribute(name.into())))?;
        }
        Value::Marked(m) => write(m.value(), out, form)?,
    }
    Ok(())
}

fn write_real(number: &Number, out: &mut JsonText<'_>, form: Form) -> Result<(), Mismatch> {
    let text = number.to_text();
    match form {
        Form::Plain if number.is_infinite() => {
            out.push_str(if number.is_negative() { "\"-Inf\"" } else { "\"Inf\"" });
        }
        Form::Language if number.is_infinite() => {
            return Err(Mismatch::new("an infinite number has no JSON form"));
        }
        // Numbers too large for plain digits come with an exponent of two.
        Form::Plain if text.contains('p') => out.string(&text),
        Form::Language if text.contains('p') => {
            return Err(Mismatch::new("the number has too many digits for JSON"));
        }
        Form::Plain | Form::Language => out.push_str(&text),
    }
    Ok(())
}

fn write_items(items: &[Value], out: &mut JsonText<'_>, form: Form) -> Result<(), Mismatch> {
    let mut outcome = Ok(());
    array(items.iter().enumerate(), out, |(at, item), out| {
        if outcome.is_ok() {
            outcome = write(item, out, form)
                .map_err(|why| why.under(PathStep::Index(Value::position(at))));
        }
    });
    outcome
}

fn write_entries<'v>(
    entries: impl Iterator<Item = (&'v str, &'v Value)>,
    out: &mut JsonText<'_>,
    form: Form,
) -> Result<(), (&'v str, Mismatch)> {
    let mut object = JsonObject::open(out);
    for (name, value) in entries {
        if object.is_over() {
            break;
        }
        let out = object.key_by(name, |out, name| form.string(name, out));
        write(value, out, form).map_err(|why| (name, why))?;
    }
    object.close();
    Ok(())
}
