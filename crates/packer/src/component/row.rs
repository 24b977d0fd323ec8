//! What is said of a component in its row. Nothing here knows a component.

use groma_value::Type;

use super::rule::Rule;

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
    /// What it takes, in tables that components share.
    pub(crate) parameters: &'static [&'static [Parameter]],
    /// What has to hold of them.
    pub(crate) rules: &'static [Rule],
    /// What data gives back.
    pub(crate) output: &'static [(&'static str, ParameterType)],
}

/// One argument that a component takes.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) takes: ParameterType,
}

/// What an argument takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ParameterType {
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

impl ParameterType {
    /// The type that values are converted to.
    pub(crate) fn value_type(self) -> Type {
        match self {
            ParameterType::Text | ParameterType::Duration => Type::String,
            ParameterType::Number => Type::Number,
            ParameterType::Flag => Type::Bool,
            ParameterType::Texts => Type::list(Type::String),
            ParameterType::Numbers => Type::list(Type::Number),
            ParameterType::Table => Type::map(Type::String),
        }
    }
}

impl Component {
    /// What it takes under that name.
    pub(crate) fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters().find(|parameter| parameter.name == name)
    }

    /// Everything that it takes.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        self.parameters.iter().copied().flatten()
    }
}

/// A parameter that takes a text.
pub(super) const fn text(name: &'static str) -> Parameter {
    Parameter { name, takes: ParameterType::Text }
}

/// A parameter that takes a number.
pub(super) const fn number(name: &'static str) -> Parameter {
    Parameter { name, takes: ParameterType::Number }
}

/// A parameter that takes a bool.
pub(super) const fn flag(name: &'static str) -> Parameter {
    Parameter { name, takes: ParameterType::Flag }
}

/// A parameter that takes a list of texts.
pub(super) const fn texts(name: &'static str) -> Parameter {
    Parameter { name, takes: ParameterType::Texts }
}

/// A parameter that takes a list of numbers.
pub(super) const fn numbers(name: &'static str) -> Parameter {
    Parameter { name, takes: ParameterType::Numbers }
}

/// A parameter that takes a map of texts.
pub(super) const fn table(name: &'static str) -> Parameter {
    Parameter { name, takes: ParameterType::Table }
}

/// A parameter that takes a duration.
pub(super) const fn duration(name: &'static str) -> Parameter {
    Parameter { name, takes: ParameterType::Duration }
}
