//! What changed beside the resources, for programs.

use groma_value::json::{JsonObject, JsonText, array, plain, texts};

use super::change::BesideChange;
use super::shown::{BesideValue, HIDDEN};

/// So many addresses are listed of what a change concerns.
const LISTED: usize = 100;

/// Writes the list.
pub(crate) fn write(changes: &[BesideChange], out: &mut JsonText<'_>) {
    array(changes, out, |change, out| {
        let mut one = JsonObject::open(out);
        one.text("kind", change.kind.word());
        one.text("address", &change.address);
        one.text("place", &change.place);
        for (name, shown) in [("before", &change.before), ("after", &change.after)] {
            match shown {
                Some(shown) => write_shown(shown, one.key(name)),
                None => one.raw(name, "null"),
            }
        }
        texts(change.reaches.addresses.iter().take(LISTED), one.key("reaches"));
        one.close();
    });
}

fn write_shown(shown: &BesideValue, out: &mut JsonText<'_>) {
    match shown {
        BesideValue::Value(value) => out.push_str(&plain(value)),
        BesideValue::Code(text) => out.string(text),
        BesideValue::Hidden => out.string(HIDDEN),
        BesideValue::Parts(parts) => {
            let mut object = JsonObject::open(out);
            for (name, shown) in parts.iter() {
                write_shown(shown, object.key(name));
            }
            object.close();
        }
    }
}
