//! The outputs of a root as `groma output -json` prints them. Sensitive values are included, as in the reference programs'
//! document, because the form is for programs.

use groma::json::{JsonObject, JsonText, write_plain};
use groma::{OutputValue, values::json_type};

/// Writes all outputs as a JSON object by name: type, value, and flags for sensitive, partly unknown and mocked values.
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
