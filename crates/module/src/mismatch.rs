//! Why a value does not fit, in words: the path inside the value before what is wrong there.

use groma_value::{Mismatch, Path, Step, Value};

/// `the value's attribute a[0].b: a number is required, this is a string`; without a path only
/// what is wrong.
pub fn sentence(mismatch: &Mismatch) -> String {
    if mismatch.path.is_empty() {
        return mismatch.message.clone();
    }
    format!("at {}: {}", path(&mismatch.path), mismatch.message)
}

/// The path as it would be written after the value.
pub(crate) fn path(path: &Path) -> String {
    let mut text = String::new();
    for step in &path.0 {
        match step {
            Step::Attribute(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            Step::Index(Value::String(key)) => text.push_str(&format!("[\"{}\"]", &**key)),
            Step::Index(Value::Number(at)) => text.push_str(&format!("[{}]", at.to_text())),
            Step::Index(_) => text.push_str("[…]"),
        }
    }
    text
}
