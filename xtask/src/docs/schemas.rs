//! The JSON Schemas of `groma serve`, `docs/reference/serve.schema.json`, as the crate of the door makes them of its types.

use super::made::Made;

const FILE: &str = "docs/reference/serve.schema.json";

/// The file.
pub(super) fn made() -> Result<Made, String> {
    let text = serde_json::to_string_pretty(&groma_door::forms::schemas());
    Ok((FILE, text.map_err(|error| error.to_string())? + "\n"))
}
