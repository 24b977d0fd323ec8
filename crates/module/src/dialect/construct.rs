//! Language constructs other than blocks, arguments and functions, with the editions that support them.

use groma_runtime::Availability;

/// A form of the language other than a block, argument or function, with the editions that support it.
#[derive(Debug)]
pub struct Construct {
    /// A short description.
    pub what: &'static str,
    /// A word that is part of every use; empty if there is none.
    pub word: &'static str,
    /// The editions that support it.
    pub editions: Availability,
}

/// Builds a construct from its description, a word that is part of every use of it, and the first minor versions that support
/// it; 0 means always, `NEVER` never.
const fn construct(
    what: &'static str,
    word: &'static str,
    opentofu: u32,
    terraform: u32,
) -> Construct {
    let always = Availability::NOT_PACKER;
    let own = if opentofu == 0 { always } else { always.opentofu_since(opentofu) };
    Construct { what, word, editions: own.terraform_since(terraform) }
}

/// The construct `optional(…)` in a type constraint.
pub static OPTIONAL: Construct = construct("optional attributes in types", "optional", 0, 3);
/// The use of the resource type `terraform_data`, as a construct.
pub static TERRAFORM_DATA: Construct =
    construct("the resource terraform_data", "terraform_data", 0, 4);
/// The construct `terraform.applying`, which is true during an apply.
pub static APPLYING: Construct = construct("terraform.applying", "applying", 11, 10);
/// The construct of a `validation` that refers to more than its own variable.
pub static VALIDATION_OF_OTHERS: Construct =
    construct("rules of variables that refer to other objects", "", 9, 9);
/// The construct of a module source that is not a literal.
pub static COMPUTED_SOURCE: Construct =
    construct("sources of modules that are computed", "", 8, 15);
/// The construct of a `prevent_destroy` that is not a literal.
pub static COMPUTED_PREVENT_DESTROY: Construct = Construct {
    what: "prevent_destroy that is computed",
    word: "",
    editions: Availability::OPENTOFU.opentofu_since(12),
};

/// The block `store` of a `terraform_data`, as a construct.
pub static STORE: Construct = Construct {
    what: "the block store of terraform_data",
    word: "store",
    editions: Availability::TERRAFORM.terraform_since(16),
};
/// The construct `caller` in an action, which refers to the resource that triggers it.
pub static CALLER: Construct = Construct {
    what: "caller in actions",
    word: "caller",
    editions: Availability::TERRAFORM.terraform_since(16),
};

/// Every construct that this file defines.
pub static ALL: &[&Construct] = &[
    &OPTIONAL,
    &TERRAFORM_DATA,
    &APPLYING,
    &VALIDATION_OF_OTHERS,
    &COMPUTED_SOURCE,
    &COMPUTED_PREVENT_DESTROY,
    &STORE,
    &CALLER,
];
