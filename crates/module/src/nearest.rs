//! A sentence about the name that was probably meant.

pub(crate) use groma_value::nearest;

/// A sentence that offers the nearest candidate, with a blank before it; empty if none is near.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, candidates) {
        Some(near) => format!(" Did you mean \"{near}\"?"),
        None => String::new(),
    }
}
