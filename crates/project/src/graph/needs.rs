//! The graph for those who walk it: declarations by number, of which each module of the tree has its own, however often
//! its directory is called. Checks, provider configurations and imports have numbers too, though nothing needs them.

use groma_module::visit::Declaration;

use crate::graph::Edges;
use crate::project::{ModuleNode, Project};

/// The declarations of a project, and which of them each needs.
#[derive(Clone, Copy)]
pub struct Needs<'p>(&'p Project);

/// Who needs a declaration.
pub struct Needers(Edges);

impl Project {
    /// The declaration with an address, without keys of instances, and the module that it stands in. A module that is not
    /// there has none.
    pub fn declared(&self, address: &str) -> Option<(ModuleNode<'_>, Declaration)> {
        let mut node = self.tree();
        let mut rest = address;
        while let Some((name, inner)) =
            rest.strip_prefix("module.").and_then(|rest| rest.split_once('.'))
        {
            node = node.child(node.module().call_position(name)?)?;
            rest = inner;
        }
        Some((node, node.module().declaration(rest)?))
    }

    /// Its declarations by number; [`Project::references`] shows the same to people.
    pub fn needs(&self) -> Needs<'_> {
        Needs(self)
    }
}

impl<'p> Needs<'p> {
    /// How many declarations there are: their numbers are below that.
    pub fn count(self) -> usize {
        self.0.graph.edges().count()
    }

    /// The declaration behind a number, which is below [`Needs::count`], and the module that it stands in. Numbers of one
    /// module follow each other.
    pub fn declaration(self, number: u32) -> (ModuleNode<'p>, Declaration) {
        let (id, declaration) = self.0.graph.declaration(&self.0.nodes, number);
        (ModuleNode { project: self.0, id }, declaration)
    }

    /// The number of a declaration of a module.
    pub fn number(self, node: ModuleNode<'_>, declaration: Declaration) -> u32 {
        self.0.graph.number(&self.0.nodes, node.id, declaration)
    }

    /// Who needs whom.
    pub fn needers(self) -> Needers {
        Needers(self.0.graph.edges().reversed())
    }
}

impl Needers {
    /// The numbers of the declarations that need this one, ascending; none for what has no number.
    pub fn of(&self, number: u32) -> &[u32] {
        self.0.of(number)
    }
}
