//! Provider versions in a lock file, which `init` leaves beside the code.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_config::literal_text;
use groma_syntax::{Body, BodyItem, FileId, parse_file};

/// The name of the file that locks provider versions: `.terraform.lock.hcl`.
pub const LOCK_FILE: &str = ".terraform.lock.hcl";

/// Returns the version of each provider in a lock file, by provider address. Entries that are not literal are skipped.
pub fn locked_versions(text: &str) -> BTreeMap<String, String> {
    let text: Arc<str> = text.into();
    let parse = parse_file(&text, FileId(0));
    let mut found = BTreeMap::new();
    for item in Body::of(&parse).items() {
        let BodyItem::Block(block) = item else { continue };
        let Some(label) = block.labels.first().filter(|_| &*block.kind.text == "provider") else {
            continue;
        };
        let version = block.body.items().into_iter().find_map(|item| match item {
            BodyItem::Argument(argument) if &*argument.name.text == "version" => {
                literal_text(&argument.expr)
            }
            _ => None,
        });
        found.extend(version.map(|version| (label.text.to_string(), version)));
    }
    found
}
