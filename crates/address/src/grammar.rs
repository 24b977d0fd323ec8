//! What may stand in an address, as data. The rows that say which edition allows what belong to the crate that knows
//! editions.

/// The forms of instance keys that an address may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyForms {
    /// Keys that are written out.
    Literal,
    /// Keys that may be computed later, too; such a key counts as none.
    Computed,
    /// `[*]`, too, for every instance; such a key counts as none.
    Wildcard,
}

/// The grammar of an address: reserved words that are not resource types, and allowed keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressGrammar {
    /// The words that never start an address.
    pub reserved: &'static [&'static str],
    /// `resource` may stand in front of the type, and says only what follows.
    pub takes_resource: bool,
    /// `ephemeral` may stand in front of the type, as `data` may everywhere.
    pub takes_ephemeral: bool,
    /// `action` stands in front of the type, and has to.
    pub needs_action: bool,
    /// The forms of keys.
    pub keys: KeyForms,
}

impl AddressGrammar {
    /// The grammar of addresses that stand in no block: on a command line, in a state.
    pub const NONE: AddressGrammar = AddressGrammar {
        reserved: &[],
        takes_resource: false,
        takes_ephemeral: false,
        needs_action: false,
        keys: KeyForms::Literal,
    };

    /// The grammar of addresses of actions.
    pub const ACTION: AddressGrammar =
        AddressGrammar { needs_action: true, ..AddressGrammar::NONE };

    /// Returns the grammar with other key forms.
    pub const fn with_keys(self, keys: KeyForms) -> AddressGrammar {
        AddressGrammar { keys, ..self }
    }
}
