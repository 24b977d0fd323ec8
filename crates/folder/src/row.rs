//! What files may hold, as rows: blocks, their labels, arguments and nested blocks. A row says in which
//! editions it counts; nobody asks for a dialect's name.

use groma_runtime::Availability;

/// One kind of block.
#[derive(Debug)]
pub struct BlockRow {
    /// The word that starts the block.
    pub kind: &'static str,
    /// What it is for, in one sentence.
    pub doc: &'static str,
    /// What each label is.
    pub labels: &'static [&'static str],
    /// The arguments it may hold.
    pub arguments: &'static [ArgumentRow],
    /// The blocks it may hold.
    pub blocks: &'static [BlockRow],
    /// What it may hold beside the rows.
    pub open: Open,
    /// Which editions know it.
    pub editions: Availability,
}

impl BlockRow {
    /// Whether a block of the outer row holds at most one of it.
    pub(crate) fn is_single_in(&self, outer: &BlockRow) -> bool {
        const SINGLE: [&str; 9] = [
            "_",
            "config",
            "connection",
            "default",
            "fallback",
            "lifecycle",
            "plan",
            "remote_state_data_sources",
            "state",
        ];
        SINGLE.contains(&self.kind) && outer.kind != "removed"
    }
}

/// `an import`, `a resource`: a kind of block with its article.
pub fn a(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// `An import`, `A resource`: the same where a sentence starts.
pub fn capital_a(kind: &str) -> String {
    let named = a(kind);
    format!("A{}", &named[1..])
}

/// One argument of a block.
#[derive(Debug)]
pub struct ArgumentRow {
    /// Its name.
    pub name: &'static str,
    /// Whether the block is wrong without it.
    pub required: bool,
    /// Which editions know it.
    pub editions: Availability,
}

/// What a block may hold beside its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Open {
    /// Nothing.
    Closed,
    /// Any argument.
    Arguments,
    /// Any argument and any block: somebody else knows what they mean.
    Body,
}

/// An argument that may be left out, in every edition.
pub const fn optional(name: &'static str) -> ArgumentRow {
    ArgumentRow { name, required: false, editions: Availability::ALL }
}

/// An argument without which the block is wrong, in every edition.
pub const fn required(name: &'static str) -> ArgumentRow {
    ArgumentRow { name, required: true, editions: Availability::ALL }
}

/// A block of every edition.
pub const fn block(
    kind: &'static str,
    doc: &'static str,
    labels: &'static [&'static str],
    arguments: &'static [ArgumentRow],
    blocks: &'static [BlockRow],
    open: Open,
) -> BlockRow {
    BlockRow { kind, doc, labels, arguments, blocks, open, editions: Availability::ALL }
}
