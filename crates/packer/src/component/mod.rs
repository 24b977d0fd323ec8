//! The components that Packer has built in, as rows: their arguments, the types of these, and which of them belong
//! together. Whatever a plugin brings has no row and is not checked.

mod communicator;
mod config;
mod duration;
mod row;
mod rows;
mod rule;

pub(crate) use config::ComponentConfig;
pub(crate) use duration::is_duration;
pub(crate) use row::{Component, ComponentKind};
pub(crate) use rule::check;

/// The row of a component.
pub(crate) fn find(kind: ComponentKind, name: &str) -> Option<&'static Component> {
    rows::COMPONENTS.iter().find(|row| row.kind == kind && row.name == name)
}

/// The names of all components of a kind.
pub(crate) fn names(kind: ComponentKind) -> impl Iterator<Item = &'static str> {
    rows::COMPONENTS.iter().filter(move |row| row.kind == kind).map(|row| row.name)
}

/// Returns true if the name is that of a component which a widely used plugin brings.
pub(crate) fn is_of_plugin(name: &str) -> bool {
    rows::PLUGINS.iter().any(|plugin| {
        name.strip_prefix(plugin).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    })
}

/// Returns true if Packer has the component built in; some have no row, since only a registry knows what is right.
pub(crate) fn is_known(kind: ComponentKind, name: &str) -> bool {
    find(kind, name).is_some() || rows::UNCHECKED.contains(&(kind, name))
}
