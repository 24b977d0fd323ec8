//! Forms of the language that are no blocks, arguments or functions, and which editions have them.

use groma_runtime::Availability;

/// A form.
#[derive(Debug)]
pub struct Construct {
    /// The description, in a few words.
    pub what: &'static str,
    /// A word that stands wherever it does; empty where it shows in another way.
    pub word: &'static str,
    /// The editions that have it.
    pub editions: Availability,
}

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

/// `optional(…)` in a type.
pub static OPTIONAL: Construct = construct("optional attributes in types", "optional", 0, 3);
/// The resource type that every program has built in.
pub static TERRAFORM_DATA: Construct =
    construct("the resource terraform_data", "terraform_data", 0, 4);
/// `terraform.applying`
pub static APPLYING: Construct = construct("terraform.applying", "applying", 11, 10);
/// A rule of a variable that refers to more than the variable.
pub static VALIDATION_OF_OTHERS: Construct =
    construct("rules of variables that refer to other objects", "", 9, 9);
/// The place where a module lies, worked out.
pub static COMPUTED_SOURCE: Construct =
    construct("sources of modules that are computed", "", 8, 15);
/// `prevent_destroy`, worked out.
pub static COMPUTED_PREVENT_DESTROY: Construct = Construct {
    what: "prevent_destroy that is computed",
    word: "",
    editions: Availability::OPENTOFU.opentofu_since(12),
};

/// The block `store` of a `terraform_data`.
pub static STORE: Construct = Construct {
    what: "the block store of terraform_data",
    word: "store",
    editions: Availability::TERRAFORM.terraform_since(16),
};
/// `caller` in an action.
pub static CALLER: Construct = Construct {
    what: "caller in actions",
    word: "caller",
    editions: Availability::TERRAFORM.terraform_since(16),
};

/// All of them.
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
