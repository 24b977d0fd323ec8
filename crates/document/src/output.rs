//! The outputs of a root as `groma output -json` prints them. Sensitive values stand in it in full, as in the reference
//! programs' document: the form is for programs.

use groma::json::{JsonObject, JsonText, write_plain};
use groma::{OutputValue, values::json_type};

/// Writes an object of all outputs by name: type, value, and whether it is sensitive, not wholly known, or rests on a mock.
pub fn write_outputs(outputs: &[OutputValue], out: &mut JsonText<'_>) {
    let mut document = JsonObject::open(out);
    for output in outputs {
        let mut about = document.object(&output.name);
        about.flag("sensitive", output.sensitive);
        json_type::write_into(&output.value.ty(), about.key("type"));
        write_plain(&output.value, about.key("value"));
        if !output.value.is_wholly_known() {
            about.flag("unknown", true);
        }
        if output.value.summary().mocked {
            about.flag("mocked", true);
        }
        about.close();
    }
    document.close();
}
