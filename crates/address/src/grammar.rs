//! Grammars of addresses, as data. The rows that assign them to editions are in the crate that knows editions.

/// The forms of instance keys that an address may contain: literal only, also computed, or also `[*]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyForms {
    /// Literal keys only.
    Literal,
    /// Literal keys and computed ones, which count as no key.
    Computed,
    /// Literal keys, and `[*]` for every instance, which counts as no key.
    Wildcard,
}

/// The grammar of an address: words that cannot be a resource type, the prefixes before the type, and the allowed forms of keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressGrammar {
    /// The words that cannot be a resource type.
    pub reserved: &'static [&'static str],
    /// True if `resource` is allowed before the type, where it has no effect.
    pub takes_resource: bool,
    /// True if `ephemeral` is allowed before the type, as `data` always is.
    pub takes_ephemeral: bool,
    /// True if `action` is required before the type, as only actions are allowed.
    pub needs_action: bool,
    /// The allowed forms of instance keys.
    pub keys: KeyForms,
}

impl AddressGrammar {
    /// The grammar of addresses outside of blocks: on a command line, in a state.
    pub const PLAIN: AddressGrammar = AddressGrammar {
        reserved: &[],
        takes_resource: false,
        takes_ephemeral: false,
        needs_action: false,
        keys: KeyForms::Literal,
    };

    /// The grammar of the addresses of actions, such as `action.aws_lambda_invoke.a`.
    pub const ACTION: AddressGrammar =
        AddressGrammar { needs_action: true, ..AddressGrammar::PLAIN };

    /// Returns the same grammar with these allowed forms of instance keys.
    pub const fn with_keys(self, keys: KeyForms) -> AddressGrammar {
        AddressGrammar { keys, ..self }
    }
}
