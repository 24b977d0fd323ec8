//! What is said of a component in its row. Nothing here knows a component.

use groma_folder::ArgumentRow;

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
    pub(crate) arguments: &'static [&'static [ArgumentRow]],
    /// What has to hold of them.
    pub(crate) rules: &'static [Rule],
    /// What data gives back, where that is known without asking.
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
