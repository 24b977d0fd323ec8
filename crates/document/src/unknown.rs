//! Values as JSON with markers for unknown parts, as `--unknown=keep` prints them. Known values are written by the value crate.

use groma::json::{JsonObject, JsonText, ReportedCauses, ResultContext, array, write_plain};
use groma::{
    Unknown, Value,
    values::{Str, json_type},
};

/// Writes a value as JSON, with an object `{"unknown":{…}}` of type and causes in place of each unknown part;
/// `reasons` holds the causes.
pub fn write_keeping(value: &Value, reasons: &ResultContext<'_>, out: &mut JsonText<'_>) {
    if value.is_wholly_known() {
        return write_plain(value, out);
    }
    let items = |items: &[Value], out: &mut JsonText<'_>| {
        array(items, out, |item, out| write_keeping(item, reasons, out));
    };
    match value.bare() {
        Value::Unknown(unknown) => write_unknown_marker(unknown, reasons, out),
        Value::List(list) => items(list.items(), out),
        Value::Set(set) => items(set.items(), out),
        Value::Tuple(tuple) => items(tuple.items(), out),
        Value::Map(map) => {
            let entries = map.entries().iter().map(|(key, value)| (key, value));
            write_properties(entries, reasons, out);
        }
        Value::Object(object) => write_properties(object.iter(), reasons, out),
        known => write_plain(known, out),
    }
}

/// Writes named values as a JSON object, with objects that tell type and causes in place of unknown parts; `reasons` holds the
/// causes.
fn write_properties<'v>(
    entries: impl Iterator<Item = (&'v Str, &'v Value)>,
    reasons: &ResultContext<'_>,
    out: &mut JsonText<'_>,
) {
    let mut object = JsonObject::open(out);
    for (name, value) in entries {
        write_keeping(value, reasons, object.key(name));
    }
    object.close();
}

/// Writes the JSON object that replaces an unknown value: its type and the causes of its being unknown.
fn write_unknown_marker(unknown: &Unknown, reasons: &ResultContext<'_>, out: &mut JsonText<'_>) {
    let mut object = JsonObject::open(out);
    let mut about = object.object("unknown");
    json_type::write_into(&unknown.ty, about.key("type"));
    ReportedCauses::of(&unknown.causes, reasons).write(about.key("because"));
    about.close();
    object.close();
}
