//! The kind of object that a resource block declares. Only managed resources have no word in front of their address.

/// The kind of object that a resource block declares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ResourceMode {
    /// `resource`
    Managed,
    /// `data`
    Data,
    /// `ephemeral`
    Ephemeral,
    /// `action`: it has no value, and runs when something triggers it.
    Action,
    /// `list`, in a query file.
    List,
}

impl ResourceMode {
    /// The mode of what a word declares.
    pub fn of(word: &str) -> Option<ResourceMode> {
        const ALL: [ResourceMode; 5] = [
            ResourceMode::Managed,
            ResourceMode::Data,
            ResourceMode::Ephemeral,
            ResourceMode::Action,
            ResourceMode::List,
        ];
        ALL.into_iter().find(|mode| mode.word() == word)
    }

    /// The word that declares it.
    pub fn word(self) -> &'static str {
        match self {
            ResourceMode::Managed => "resource",
            ResourceMode::Data => "data",
            ResourceMode::Ephemeral => "ephemeral",
            ResourceMode::Action => "action",
            ResourceMode::List => "list",
        }
    }

    /// Returns how it is spoken of: `data source`.
    pub fn noun(self) -> &'static str {
        match self {
            ResourceMode::Managed => "resource",
            ResourceMode::Data => "data source",
            ResourceMode::Ephemeral => "ephemeral resource",
            ResourceMode::Action => "action",
            ResourceMode::List => "list",
        }
    }

    /// Returns true if a body is one block `config`, so that its schema is that block's.
    pub fn has_config(self) -> bool {
        matches!(self, ResourceMode::Action | ResourceMode::List)
    }

    /// Returns what stands before the type in an address.
    pub fn prefix(self) -> &'static str {
        match self {
            ResourceMode::Managed => "",
            ResourceMode::Data => "data.",
            ResourceMode::Ephemeral => "ephemeral.",
            ResourceMode::Action => "action.",
            ResourceMode::List => "list.",
        }
    }
}
