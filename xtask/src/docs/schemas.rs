//! Generation of the JSON Schemas of `groma serve`, `docs/reference/serve.schema.json`, from the types of the crate `groma-door`.

use super::made::Made;

/// The path of the generated JSON Schema of `groma serve`.
const FILE: &str = "docs/reference/serve.schema.json";

/// Generates the JSON Schema of the requests and answers of `groma serve`.
pub(super) fn made() -> Result<Made, String> {
    let text = serde_json::to_string_pretty(&groma_door::forms::schemas());
    Ok((FILE, text.map_err(|error| error.to_string())? + "\n"))
}
