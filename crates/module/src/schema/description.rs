//! Descriptions in a schema's text. Loaded schemas omit them, because they are most of the text and no value depends on them.

use groma_syntax::json::{JsonCase, JsonView};

/// Returns the value of a property of a JSON object; `None` if there is none.
fn property<'d>(view: JsonView<'d>, name: &str) -> Option<JsonView<'d>> {
    match view.case() {
        JsonCase::Object(all) => all.into_iter().find(|one| one.name == name).map(|one| one.value),
        _ => None,
    }
}

/// Returns the description of the block or attribute at a path of names in a schema; `None` if there is none, or an empty one.
pub(super) fn at(schema: JsonView<'_>, path: &[&str]) -> Option<String> {
    let mut part = property(schema, "block")?;
    let mut body = part;
    for name in path {
        let attribute = property(body, "attributes").and_then(|all| property(all, name));
        let block = || property(body, "block_types").and_then(|all| property(all, name));
        match attribute {
            Some(attribute) => {
                part = attribute;
                body = property(attribute, "nested_type").unwrap_or(attribute);
            }
            None => {
                part = property(block()?, "block")?;
                body = part;
            }
        }
    }
    match property(part, "description")?.case() {
        JsonCase::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    }
}
