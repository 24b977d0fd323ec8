//! Parts of messages that the crates for modules and templates share: mismatches, suggestions of similar names, and shortened
//! lists of names.

use groma_value::{Mismatch, Path, PathStep, Value, nearest};

/// Returns the message of a mismatch, preceded by its path if it has one, as in `at a[0].b: a number is required`.
pub fn sentence(mismatch: &Mismatch) -> String {
    if mismatch.path.is_empty() {
        return mismatch.message.clone();
    }
    format!("at {}: {}", path(&mismatch.path), mismatch.message)
}

/// Joins the first `most` names with the separator `between`, and adds the number of the others.
pub fn first_of(names: &[String], between: &str, most: usize) -> String {
    let shown = names[..names.len().min(most)].join(between);
    match names.len().saturating_sub(most) {
        0 => shown,
        left => format!("{shown} and {left} more"),
    }
}

/// Formats a path into a value as text, such as `a[0].b`.
pub fn path(path: &Path) -> String {
    let mut text = String::new();
    for step in &path.0 {
        match step {
            PathStep::Attribute(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
            PathStep::Index(Value::String(key)) => text.push_str(&format!("[\"{}\"]", &**key)),
            PathStep::Index(key) => match key.as_number() {
                Some(at) => text.push_str(&format!("[{}]", at.to_text())),
                None => text.push_str("[…]"),
            },
        }
    }
    text
}

/// Returns a sentence that suggests the most similar candidate, with a leading space; empty if none is similar.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, candidates) {
        Some(near) => format!(" Did you mean \"{near}\"?"),
        None => String::new(),
    }
}
