//! Resource modes: the kinds of objects that blocks declare. Only managed resources have no prefix in their addresses.

/// The kind of a resource: managed, data source, ephemeral, action or list, by the type of its block.
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
    /// Returns the mode that a block type such as `data` declares; `None` for other words.
    pub fn of(word: &str) -> Option<ResourceMode> {
        /// All resource modes, for the look-up by block type.
        const ALL: [ResourceMode; 5] = [
            ResourceMode::Managed,
            ResourceMode::Data,
            ResourceMode::Ephemeral,
            ResourceMode::Action,
            ResourceMode::List,
        ];
        ALL.into_iter().find(|mode| mode.word() == word)
    }

    /// Returns the block type that declares resources of the mode, such as `data`.
    pub fn word(self) -> &'static str {
        match self {
            ResourceMode::Managed => "resource",
            ResourceMode::Data => "data",
            ResourceMode::Ephemeral => "ephemeral",
            ResourceMode::Action => "action",
            ResourceMode::List => "list",
        }
    }

    /// Returns the noun of the mode for messages, such as `data source`.
    pub fn noun(self) -> &'static str {
        match self {
            ResourceMode::Managed => "resource",
            ResourceMode::Data => "data source",
            ResourceMode::Ephemeral => "ephemeral resource",
            ResourceMode::Action => "action",
            ResourceMode::List => "list",
        }
    }

    /// Returns true if the arguments are in a nested `config` block, to which the schema applies, as in actions and lists.
    pub fn has_config(self) -> bool {
        matches!(self, ResourceMode::Action | ResourceMode::List)
    }

    /// Returns the text before the resource type in addresses of this mode, such as `data.`.
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
