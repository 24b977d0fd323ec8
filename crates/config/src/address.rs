//! Grammars of addresses in the blocks of each edition, as rows. Addresses outside of blocks, on a command line or in a state,
//! have the grammar `AddressGrammar::PLAIN` in every edition.

use groma_address::AddressGrammar;
use groma_runtime::{Availability, Edition};

/// Words that cannot be a resource type in an address that does not begin with `resource`.
const RESERVED: &[&str] =
    &["arg", "count", "each", "lazy", "local", "path", "self", "template", "terraform", "var"];

/// Words that cannot be a resource type at the start of an address, in editions with list blocks: those of [`RESERVED`] and
/// `list`.
const RESERVED_WITH_LISTS: &[&str] = &[
    "arg",
    "count",
    "each",
    "lazy",
    "local",
    "path",
    "self",
    "template",
    "terraform",
    "var",
    "list",
];

/// A row of the table of address grammars: a grammar, and the editions and block type for which it applies.
struct GrammarRow {
    /// The editions in which the row applies.
    editions: Availability,
    /// The block type; `None` for all others.
    block: Option<&'static str>,
    /// The grammar.
    grammar: AddressGrammar,
}

/// The grammars of addresses in blocks, by edition and block type; the first row that matches applies.
const GRAMMARS: &[GrammarRow] = &[
    GrammarRow {
        editions: Availability::OPENTOFU,
        block: None,
        grammar: AddressGrammar { takes_ephemeral: true, ..AddressGrammar::PLAIN },
    },
    GrammarRow {
        editions: Availability::ALL,
        block: Some("removed"),
        grammar: AddressGrammar::PLAIN,
    },
    GrammarRow {
        editions: Availability::TERRAFORM.terraform_since(14),
        block: None,
        grammar: AddressGrammar {
            reserved: RESERVED_WITH_LISTS,
            takes_resource: true,
            takes_ephemeral: true,
            ..AddressGrammar::PLAIN
        },
    },
    GrammarRow {
        editions: Availability::ALL,
        block: None,
        grammar: AddressGrammar {
            reserved: RESERVED,
            takes_resource: true,
            takes_ephemeral: true,
            ..AddressGrammar::PLAIN
        },
    },
];

/// Returns the grammar of addresses in blocks of type `block`; it takes literal keys only.
pub fn address_grammar(edition: Edition, block: &str) -> AddressGrammar {
    let fits = |row: &&GrammarRow| {
        row.block.is_none_or(|kind| kind == block) && row.editions.includes(edition)
    };
    GRAMMARS.iter().find(fits).map_or(AddressGrammar::PLAIN, |row| row.grammar)
}
