//! Validation of a registry's metadata. Argument types are from the documentation, valid names and descriptions from Packer
//! 1.16.0; an empty name is taken from the environment. A registry may refuse labels that Packer accepts.

use std::ops::RangeInclusive;
use std::sync::Arc;

use groma_config::sentence;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Type, Value, convert};

use super::expand::BodyContext;
use crate::codes;
use crate::content::BlockContent;

/// Maximum number of characters of the description in a registry block.
const DESCRIPTION: usize = 255;

/// The valid number of characters of the bucket name in a registry block.
const BUCKET_NAME: RangeInclusive<usize> = 3..=36;

/// Evaluates the arguments of an `hcp_packer_registry` block and reports invalid ones. Unknown values are accepted.
pub(super) fn check(content: &BlockContent, context: &BodyContext<'_>, out: &mut Diagnostics) {
    for argument in &content.arguments {
        let before = out.error_count();
        let value = context.value(argument, out);
        let ty = match &*argument.name {
            "bucket_name" | "description" => Type::String,
            "bucket_labels" | "build_labels" | "labels" => Type::Map(Arc::new(Type::String)),
            _ => continue,
        };
        if out.error_count() > before || value.is_null() {
            continue;
        }
        let place = argument.value.place();
        let value = match convert(&value, &ty) {
            Ok(value) => value,
            Err(why) => {
                let detail =
                    format!("\"{}\" cannot have this value: {}.", &*argument.name, sentence(&why));
                out.push(Diagnostic::error(&codes::SETTING_TYPE, detail).at(place));
                continue;
            }
        };
        let Value::String(text) = value.bare() else { continue };
        let detail = match &*argument.name {
            "description" if text.chars().count() > DESCRIPTION => format!(
                "A registry description may have at most {DESCRIPTION} characters. Shorten it."
            ),
            "bucket_name" if !text.is_empty() && !is_bucket_name(text) => format!(
                "The name of a bucket must be {} to {} letters, digits and hyphens.",
                BUCKET_NAME.start(),
                BUCKET_NAME.end()
            ),
            _ => continue,
        };
        out.push(Diagnostic::error(&codes::REGISTRY_SETTING, detail).at(place));
    }
}

/// Returns true if a text is a valid bucket name; only ASCII letters are allowed.
fn is_bucket_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    BUCKET_NAME.contains(&text.len()) && text.bytes().all(is_part)
}
