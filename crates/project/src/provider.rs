//! Which provider a resource belongs to, by what its module requires under the local name that the resource asks for,
//! and which configuration of it.

use std::collections::BTreeSet;

use groma_module::declare::{Provider, Resource};
use groma_value::Str;

use crate::tree::configuration::{self, ProviderConfiguration};
use crate::{ModuleNode, Project};

/// A configuration of a provider, as a resource uses it.
#[derive(Clone)]
pub struct ProviderUse<'p> {
    /// The address of the provider, as in `registry.terraform.io/hashicorp/aws`.
    pub source: String,
    /// The module that configures it; the root where none does.
    pub node: ModuleNode<'p>,
    /// What it is called there.
    pub name: Str,
    /// What tells it there from others of its name.
    pub alias: Option<Str>,
    /// What is written about it, if anything is.
    pub declared: Option<&'p Provider>,
}

impl Project {
    /// The addresses of all providers that resources of the project are of, or that its modules ask for.
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
    /// The address of the provider that a local name stands for.
    pub fn provider_named(self, name: &str) -> String {
        configuration::address(self.module(), self.edition().dialect, name)
    }

    /// The configuration that a resource of the module uses: its own module's, or what the callers hand over.
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

    /// The caller's name and alias of the configuration that the call of the module hands over under these.
    pub fn handed_provider(
        self,
        name: &str,
        alias: Option<&str>,
    ) -> Option<&'p (Str, Option<Str>)> {
        let (parent, call) = self.parent()?;
        parent.module().calls[call].handed_provider(name, alias)
    }

    /// Returns what the module itself says of a provider.
    pub fn declared_provider(self, name: &str, alias: Option<&str>) -> Option<&'p Provider> {
        let module = self.module();
        module.provider_position(name, alias).map(|at| &module.providers[at])
    }
}
