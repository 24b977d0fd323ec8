//! The row of a component. Nothing here knows a particular component.

use groma_config::ArgumentRow;

use super::rule::ComponentRule;

/// The kind of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ComponentKind {
    Builder,
    Provisioner,
    PostProcessor,
    Data,
}

impl ComponentKind {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            ComponentKind::Builder => "builder",
            ComponentKind::Provisioner => "provisioner",
            ComponentKind::PostProcessor => "post-processor",
            ComponentKind::Data => "data source",
        }
    }
}

/// One component.
#[derive(Debug)]
pub(crate) struct Component {
    pub(crate) kind: ComponentKind,
    /// The label of its blocks.
    pub(crate) name: &'static str,
    /// The arguments, in tables that components share.
    pub(crate) arguments: &'static [&'static [ArgumentRow]],
    /// The rules that they must keep.
    pub(crate) rules: &'static [ComponentRule],
    /// The attributes of data, where they are known without asking.
    pub(crate) output: Option<&'static [ArgumentRow]>,
}

impl Component {
    /// The argument of that name.
    pub(crate) fn argument(&self, name: &str) -> Option<&'static ArgumentRow> {
        self.arguments().find(|row| row.name == name)
    }

    /// Everything that it takes.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &'static ArgumentRow> {
        self.arguments.iter().copied().flatten()
    }
}
