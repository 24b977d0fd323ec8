//! What is told to a registry about what is built. Documents say of which types it is, and how long a description may be.
//! What a registry refuses beyond that nobody here can tell, so of names and labels nothing is claimed.

use std::sync::Arc;

use groma_folder::sentence;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Type, Value, convert};

use super::expand::Keeper;
use crate::codes;
use crate::content::Content;

/// So many characters a description may have.
const DESCRIPTION: usize = 255;

/// Evaluates the arguments of a registry's block, and reports what cannot be told to one. What is not known may be right.
pub(super) fn check(content: &Content, keeper: &Keeper<'_>, out: &mut Diagnostics) {
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
                let detail = format!("\"{}\" cannot be this: {}.", &*argument.name, sentence(&why));
                out.push(Diagnostic::error(&codes::SETTING_TYPE, detail).at(place));
                continue;
            }
        };
        if let ("description", Value::String(text)) = (&*argument.name, value.bare())
            && text.chars().count() > DESCRIPTION
        {
            let detail = format!(
                "A registry takes a description of at most {DESCRIPTION} characters, and this one has more. Say it in fewer."
            );
            out.push(Diagnostic::error(&codes::REGISTRY_SETTING, detail).at(place));
        }
    }
}
