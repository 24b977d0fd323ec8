//! The provider and provider configuration of a resource, found from the local name that it uses and its module's requirements.

use std::collections::BTreeSet;

use groma_module::declare::{Provider, Resource};
use groma_value::Str;

use crate::tree::configuration::{self, ProviderConfiguration};
use crate::{ModuleNode, Project};

/// The provider configuration that a resource uses: the provider's address, the module that holds it with its local name and
/// alias there, and its block, if any.
#[derive(Clone)]
pub struct ProviderUse<'p> {
    /// The provider address, such as `registry.terraform.io/hashicorp/aws`.
    pub source: String,
    /// The module that contains the configuration; the root if none does.
    pub node: ModuleNode<'p>,
    /// The local name there.
    pub name: Str,
    /// The alias there.
    pub alias: Option<Str>,
    /// The `provider` block, if any.
    pub declared: Option<&'p Provider>,
}

impl Project {
    /// Returns the addresses of all providers that the project's resources use or its modules require.
    pub fn provider_sources(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![self.tree()];
        while let Some(node) = waiting.pop() {
            let module = node.module();
            let own = module.resources.iter();
            found.extend(own.map(|resource| node.provider_named(resource.provider_name())));
            let asked = module.settings.providers.iter();
            found.extend(asked.map(|one| node.provider_named(&one.name)));
            waiting.extend((0..module.calls.len()).filter_map(|call| node.child(call)));
        }
        found
    }
}

impl<'p> ModuleNode<'p> {
    /// Returns the address of the provider that a local name of the module denotes.
    pub fn provider_named(self, name: &str) -> String {
        configuration::address(self.module(), self.edition().dialect, name)
    }

    /// Returns the provider configuration that a resource of the module uses: its own module's, or one passed by callers.
    pub fn provider_of(self, resource: &Resource) -> ProviderUse<'p> {
        let alias = resource.provider().and_then(|(_, alias)| alias.clone());
        let name = Str::from(resource.provider_name());
        let dialect = self.edition().dialect;
        let ProviderConfiguration { source, at, name, alias } =
            configuration::find(&self.project.nodes, dialect, self.id, name, alias);
        let node = ModuleNode { project: self.project, id: at };
        let declared = node.declared_provider(&name, alias.as_deref());
        ProviderUse { source, node, name, alias, declared }
    }

    /// Returns the caller's local name and alias of the provider configuration that the module call passes under this local name
    /// and alias, if it passes one.
    pub fn passed_provider(
        self,
        name: &str,
        alias: Option<&str>,
    ) -> Option<&'p (Str, Option<Str>)> {
        let (parent, call) = self.parent()?;
        parent.module().calls[call].passed_provider(name, alias)
    }

    /// Returns the module's own `provider` block with a local name and alias, if declared.
    pub fn declared_provider(self, name: &str, alias: Option<&str>) -> Option<&'p Provider> {
        let module = self.module();
        module.provider_position(name, alias).map(|at| &module.providers[at])
    }
}
