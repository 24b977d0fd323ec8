//! What an edition does differently, as plain data. Whoever evaluates branches on these fields
//! only, never on a dialect's name.

use std::sync::Arc;

use groma_value::grapheme::Unicode;

use crate::{Dialect, Edition};

/// The differences between editions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Semantics {
    /// The edition that this describes.
    pub edition: Edition,
    /// `&&` and `||` decide from one side: an error or an unknown on the other does not matter.
    pub short_circuit: bool,
    /// `null && true` is false, instead of an error.
    pub null_in_logic: bool,
    /// The rules of grapheme clusters for lengths and substrings.
    pub unicode: Unicode,
    /// Numbers are equal when their shortest decimal texts are, whole numbers too.
    pub numbers_equal_by_text: bool,
    /// `[name]` of an unknown object has the type of the attribute, as `.name` has everywhere.
    pub typed_index: bool,
    /// `element` counts negative indexes from the end, instead of refusing them.
    pub negative_element: bool,
    /// A template file may render another template file.
    pub nested_templatefile: bool,
    /// A template file may give null, instead of failing.
    pub null_templatefile: bool,
    /// `templatestring` takes any expression, instead of references only.
    pub templatestring_of_anything: bool,
    /// `replace` reads a pattern between slashes as a regular expression.
    pub regex_in_replace: bool,
    /// `yamldecode` has no hexadecimal numbers and no lists of merges, and a null document is unknown.
    pub older_yaml: bool,
    /// Names of Unicode classes in patterns need not be exact.
    pub loose_class_names: bool,
    /// `lookup` works without a default and then fails for an absent key.
    pub lookup_without_default: bool,
    /// `format` takes an untyped null; before, the result was unknown.
    pub format_takes_bare_null: bool,
    /// `startswith` and `jsonencode` use and say how a text that is not known yet starts.
    pub known_starts: bool,
    /// `jsondecode` refuses a repeated key whose values differ in type.
    pub json_duplicates_checked: bool,
    /// `fileset` reads patterns as its older library did.
    pub older_globs: bool,
    /// A leading zero in an address is an error, instead of a decimal digit.
    pub strict_addresses: bool,
    /// `core::NAME` names the built-in function.
    pub core_namespace: bool,
    /// `provider::NAME::FUNCTION` names a provider's function.
    pub provider_functions: bool,
    /// The console's `type` function exists.
    pub console_type: bool,
}

impl Semantics {
    /// The behaviour of an edition.
    pub fn of(edition: Edition) -> Arc<Semantics> {
        let tofu = edition.dialect == Dialect::OpenTofu;
        let packer = edition.dialect == Dialect::Packer;
        let tofu_since = |minor| edition.is_at_least(Dialect::OpenTofu, 1, minor);
        let terraform_since = |minor| edition.is_at_least(Dialect::Terraform, 1, minor);
        Arc::new(Semantics {
            edition,
            short_circuit: packer || tofu_since(10) || terraform_since(12),
            null_in_logic: packer || tofu_since(10) || terraform_since(12),
            numbers_equal_by_text: packer,
            typed_index: packer,
            negative_element: tofu_since(10) || terraform_since(12),
            nested_templatefile: tofu_since(7),
            null_templatefile: edition.dialect != Dialect::Terraform,
            templatestring_of_anything: tofu,
            regex_in_replace: !packer,
            unicode: if packer { Unicode::V13 } else { Unicode::V15 },
            older_yaml: packer,
            loose_class_names: tofu_since(12),
            lookup_without_default: !packer,
            format_takes_bare_null: tofu,
            known_starts: !packer,
            json_duplicates_checked: tofu,
            older_globs: !tofu,
            strict_addresses: packer,
            core_namespace: tofu_since(7) || terraform_since(8),
            provider_functions: tofu_since(7) || terraform_since(8),
            console_type: !packer,
        })
    }
}
