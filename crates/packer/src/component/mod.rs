//! Rows of the components built into Packer: arguments, types and rules. A plugin's component has no row and is not validated.

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

/// Returns the row of the built-in component with this kind and name; `None` for any other component, whose arguments are not
/// validated.
pub(crate) fn find(kind: ComponentKind, name: &str) -> Option<&'static Component> {
    rows::COMPONENTS.iter().find(|row| row.kind == kind && row.name == name)
}

/// Returns the names of the built-in components of a kind that have a row.
pub(crate) fn names(kind: ComponentKind) -> impl Iterator<Item = &'static str> {
    rows::COMPONENTS.iter().filter(move |row| row.kind == kind).map(|row| row.name)
}

/// Returns true if a widely used plugin provides components with this name, such as `amazon-ebs`.
pub(crate) fn is_of_plugin(name: &str) -> bool {
    rows::PLUGINS.iter().any(|plugin| {
        name.strip_prefix(plugin).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    })
}

/// Returns true if a component is built into Packer, including those without a row, whose arguments are not validated.
pub(crate) fn is_known(kind: ComponentKind, name: &str) -> bool {
    find(kind, name).is_some() || rows::UNCHECKED.contains(&(kind, name))
}
