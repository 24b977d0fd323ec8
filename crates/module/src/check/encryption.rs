//! Validation of `encryption` blocks as written: names must be unique and referable. Key providers and methods are evaluated
//! only where something is encrypted.

use groma_config::{RawBlock, ReadSetting};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::Str;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::declare::DeclarationReader;

/// Reports duplicate and invalid names of key providers and methods in an `encryption` block, and `enforced` flags that are not
/// constant bools.
pub(super) fn check(block: &RawBlock, gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    let mut seen: FxHashSet<(&Str, &str, &str)> = FxHashSet::default();
    for declared in &block.blocks {
        if matches!(&*declared.kind, "key_provider" | "method") {
            let (kind, name) = (declared.label(0), declared.label(1));
            if !seen.insert((&declared.kind, kind, name)) {
                let detail = format!(
                    "{}.{kind}.{name} is declared twice. Rename or remove one of the two.",
                    &*declared.kind
                );
                out.push(Diagnostic::error(&codes::ENCRYPTION_TWICE, detail).at(declared.header));
            }
            if let Some(label) = declared.labels.get(1)
                && !is_name(&label.text)
            {
                let detail = format!(
                    "\"{name}\" is not a valid name here: names consist of letters, digits, underscores and dashes."
                );
                out.push(Diagnostic::error(&codes::ENCRYPTION_NAME, detail).at(label.place));
            }
        }
        gatherer.flag(declared, "enforced", out);
    }
}

/// Returns true if a text is a valid name of a method or key provider: ASCII letters, digits, underscores and dashes.
fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !text.is_empty() && text.chars().all(plain)
}
