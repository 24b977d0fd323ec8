//! Values to JSON text: [`encode`] like `jsonencode`, [`plain`] for other programs.

use super::text::{JsonLayout, JsonObject, JsonText, array};
use crate::{Mismatch, Number, PathStep, Value};

/// Returns the JSON that `jsonencode` yields: compact, keys sorted, sets as lists, `<`, `>`, `&` and the Unicode line
/// separators escaped. Marks are ignored; an unknown or an infinity is an error.
pub fn encode(value: &Value) -> Result<String, Mismatch> {
    let mut out = JsonText::new(JsonLayout::Compact);
    write(value, &mut out, JsonForm::Language)?;
    Ok(out.into_string())
}

/// Returns a value as JSON for other programs: unknowns are null, sets arrays, infinities `"Inf"` and `"-Inf"`, and numbers have
/// all their digits.
pub fn plain(value: &Value) -> String {
    let mut out = JsonText::new(JsonLayout::Compact);
    write_plain(value, &mut out);
    out.into_string()
}

/// Writes a value to `out` as JSON for other programs, as [`plain`] does: with unknowns as null and infinities as strings.
pub fn write_plain(value: &Value, out: &mut JsonText<'_>) {
    let written = write(value, out, JsonForm::Plain);
    debug_assert!(written.is_ok());
}

/// The form in which values are written as JSON: that of `jsonencode`, or plain JSON for other programs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JsonForm {
    /// As `jsonencode` writes it.
    Language,
    /// For other programs, with unknowns as nulls and infinities as strings.
    Plain,
}

impl JsonForm {
    /// Writes a JSON string with the escapes of this form.
    fn string(self, text: &str, out: &mut JsonText<'_>) {
        match self {
            JsonForm::Language => out.careful_string(text),
            JsonForm::Plain => out.string(text),
        }
    }
}

/// Writes a value as JSON in a form; that of `jsonencode` fails for unknowns and infinities.
fn write(value: &Value, out: &mut JsonText<'_>, form: JsonForm) -> Result<(), Mismatch> {
    match value {
        Value::Null(_) => out.push_str("null"),
        Value::Unknown(_) => match form {
            JsonForm::Plain => out.push_str("null"),
            JsonForm::Language => {
                return Err(Mismatch::new("an unknown value has no JSON form yet"));
            }
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

/// Writes a number that is not a decimal; the form of `jsonencode` fails for infinities and too large numbers.
fn write_real(number: &Number, out: &mut JsonText<'_>, form: JsonForm) -> Result<(), Mismatch> {
    let text = number.to_text();
    match form {
        JsonForm::Plain if number.is_infinite() => {
            out.string(if number.is_negative() { "-Inf" } else { "Inf" });
        }
        JsonForm::Language if number.is_infinite() => {
            return Err(Mismatch::new("an infinite number has no JSON form"));
        }
        // Numbers too large for plain digits are written with an exponent of two, such as `3p4000000`.
        JsonForm::Plain if text.contains('p') => out.string(&text),
        JsonForm::Language if text.contains('p') => {
            return Err(Mismatch::new("the number has too many digits for JSON"));
        }
        JsonForm::Plain | JsonForm::Language => out.push_str(&text),
    }
    Ok(())
}

/// Writes the items of a list, set or tuple as a JSON array.
fn write_items(items: &[Value], out: &mut JsonText<'_>, form: JsonForm) -> Result<(), Mismatch> {
    let mut outcome = Ok(());
    array(items.iter().enumerate(), out, |(at, item), out| {
        if outcome.is_ok() {
            outcome = write(item, out, form)
                .map_err(|why| why.under(PathStep::Index(Value::position(at))));
        }
    });
    outcome
}

/// Writes the entries of a map or object as a JSON object; the error includes the name of the entry that failed.
fn write_entries<'v>(
    entries: impl Iterator<Item = (&'v str, &'v Value)>,
    out: &mut JsonText<'_>,
    form: JsonForm,
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
