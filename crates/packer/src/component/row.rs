//! The form of a component's row, independent of particular components.

use groma_config::ArgumentRow;

use super::rule::ComponentRule;

/// The kind of a component: builder, provisioner, post-processor or data source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ComponentKind {
    /// A builder, which a source configures.
    Builder,
    /// A provisioner of a build.
    Provisioner,
    /// A post-processor of a build.
    PostProcessor,
    /// A data source.
    Data,
}

impl ComponentKind {
    /// Returns the kind as written in code, such as `provisioner`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            ComponentKind::Builder => "builder",
            ComponentKind::Provisioner => "provisioner",
            ComponentKind::PostProcessor => "post-processor",
            ComponentKind::Data => "data source",
        }
    }
}

/// The row of a component built into Packer: its kind, name, arguments, output and rules.
#[derive(Debug)]
pub(crate) struct Component {
    pub(crate) kind: ComponentKind,
    /// The label of its blocks.
    pub(crate) name: &'static str,
    /// The arguments, in tables that are shared among components.
    pub(crate) arguments: &'static [&'static [ArgumentRow]],
    /// The rules for its arguments.
    pub(crate) rules: &'static [ComponentRule],
    /// The attributes of a data source, if known without reading it.
    pub(crate) output: Option<&'static [ArgumentRow]>,
}

impl Component {
    /// Returns the row of the argument called `name`, if the component has it.
    pub(crate) fn argument(&self, name: &str) -> Option<&'static ArgumentRow> {
        self.arguments().find(|row| row.name == name)
    }

    /// Returns the rows of all arguments of the component.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &'static ArgumentRow> {
        self.arguments.iter().copied().flatten()
    }
}
