//! The components that Packer has built in, as rows: their arguments, the types of these, and which of them belong
//! together. Whatever a plugin brings has no row and is not checked.

mod communicator;
mod duration;
mod rows;
mod rule;

use groma_value::Type;

pub(crate) use duration::is_duration;
pub(crate) use rule::{Rule, check};

/// What a component is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Builder,
    Provisioner,
    PostProcessor,
    Data,
}

impl Kind {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Builder => "builder",
            Kind::Provisioner => "provisioner",
            Kind::PostProcessor => "post-processor",
            Kind::Data => "data source",
        }
    }
}

/// One component.
#[derive(Debug)]
pub(crate) struct Component {
    pub(crate) kind: Kind,
    /// The label of its blocks.
    pub(crate) name: &'static str,
    /// Its arguments, in tables that components share.
    pub(crate) arguments: &'static [&'static [Argument]],
    /// What has to hold of them.
    pub(crate) rules: &'static [Rule],
    /// What data gives back.
    pub(crate) output: &'static [(&'static str, Shape)],
}

/// One argument of a component.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
}

/// What an argument takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Text,
    Number,
    Flag,
    /// A text such as `1m30s`.
    Duration,
    Texts,
    Numbers,
    /// A map of texts.
    Table,
}

impl Shape {
    /// The type that values are converted to.
    pub(crate) fn ty(self) -> Type {
        match self {
            Shape::Text | Shape::Duration => Type::String,
            Shape::Number => Type::Number,
            Shape::Flag => Type::Bool,
            Shape::Texts => Type::list(Type::String),
            Shape::Numbers => Type::list(Type::Number),
            Shape::Table => Type::map(Type::String),
        }
    }
}

impl Component {
    /// The argument of that name.
    pub(crate) fn argument(&self, name: &str) -> Option<&'static Argument> {
        self.names().find(|argument| argument.name == name)
    }

    /// Every argument.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static Argument> {
        self.arguments.iter().copied().flatten()
    }
}

/// The row of a component.
pub(crate) fn find(kind: Kind, name: &str) -> Option<&'static Component> {
    rows::COMPONENTS.iter().find(|row| row.kind == kind && row.name == name)
}

/// The names of all components of a kind.
pub(crate) fn names(kind: Kind) -> impl Iterator<Item = &'static str> {
    rows::COMPONENTS.iter().filter(move |row| row.kind == kind).map(|row| row.name)
}

/// Whether the name is that of a component which a widely used plugin brings.
pub(crate) fn is_of_plugin(name: &str) -> bool {
    rows::PLUGINS.iter().any(|plugin| {
        name.strip_prefix(plugin).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    })
}

/// Whether Packer has the component built in; some have no row, since only a registry knows what is right.
pub(crate) fn is_known(kind: Kind, name: &str) -> bool {
    find(kind, name).is_some() || rows::UNCHECKED.contains(&(kind, name))
}
