//! What is told to a registry about what is built. Documents say of which types it is, and Packer 1.16.0 which names and
//! descriptions it takes; an empty name is left to the environment. Of labels a registry may refuse what Packer does not.

use std::ops::RangeInclusive;
use std::sync::Arc;

use groma_config::sentence;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Type, Value, convert};

use super::expand::BodyContext;
use crate::codes;
use crate::content::BlockContent;

/// The maximum number of characters a description that may have.
const DESCRIPTION: usize = 255;

/// The number of characters that the name of a bucket has.
const BUCKET_NAME: RangeInclusive<usize> = 3..=36;

/// Evaluates the arguments of a registry's block, and reports what cannot be told to one. What is not known may be right.
pub(super) fn check(content: &BlockContent, keeper: &BodyContext<'_>, out: &mut Diagnostics) {
    for argument in &content.arguments {
        let before = out.error_count();
        let value = keeper.value(argument, out);
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

/// Only ASCII letters count.
fn is_bucket_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    BUCKET_NAME.contains(&text.len()) && text.bytes().all(is_part)
}
