//! The objects that can be mocked: resources and calls of all modules, with the providers of the resources. A missing module may
//! contain anything.

use std::sync::Arc;

use groma_config::{ConfigAddress, ModulePath, ResourceMode};
use groma_module::declare::Resource;
use groma_module::schema::LocalProviders;
use groma_project::{ModuleNode, Project};
use groma_value::Str;
use groma_value::schema::BlockSchema;
use rustc_hash::FxHashMap;

use crate::block::MockedConfiguration;

/// A resource that mock blocks may target, with its provider configuration and schema.
pub(crate) struct MockedResource<'p> {
    /// The number of the module that contains the resource.
    pub(crate) node: usize,
    /// The address, without keys.
    pub(crate) address: String,
    pub(crate) declared: ConfigAddress,
    pub(crate) resource: &'p Resource,
    /// The provider configuration that the resource uses.
    pub(crate) of: MockedConfiguration,
    /// The schema of its attributes, if known.
    pub(crate) block: Option<Arc<BlockSchema>>,
}

/// A module call that mock blocks may target, to give its outputs.
pub(crate) struct MockedCall<'p> {
    /// The address, without keys.
    pub(crate) address: String,
    pub(crate) path: ModulePath,
    /// The called module; `None` if it is missing.
    pub(crate) child: Option<ModuleNode<'p>>,
}

/// All resources and module calls of a project that mock blocks may target.
#[derive(Default)]
pub(crate) struct MockTree<'p> {
    pub(crate) entries: Vec<MockedResource<'p>>,
    pub(crate) calls: Vec<MockedCall<'p>>,
    /// True if any module is missing.
    pub(crate) has_gaps: bool,
    /// The index in `entries` of each resource.
    of_resource: FxHashMap<ConfigAddress, usize>,
    /// The index in `calls` of the call that leads to each module.
    of_call: FxHashMap<ModulePath, usize>,
}

impl<'p> MockTree<'p> {
    /// Collects the resources and module calls of all modules of a project.
    pub(crate) fn of(project: &'p Project) -> MockTree<'p> {
        let mut tree = MockTree::default();
        for node in project.nodes() {
            let providers = providers(node);
            for resource in &node.module().resources {
                let declared = node.declared_address(resource);
                tree.of_resource.entry(declared.clone()).or_insert(tree.entries.len());
                tree.entries.push(MockedResource {
                    node: node.number(),
                    address: declared.to_string(),
                    declared,
                    resource,
                    of: configuration(node, resource, &providers),
                    block: resource.block(),
                });
            }
            for (at, call) in node.module().calls.iter().enumerate() {
                let path = node.path().with_call(call.name.clone());
                let child = node.child(at);
                tree.has_gaps |= child.is_none();
                tree.of_call.entry(path.clone()).or_insert(tree.calls.len());
                tree.calls.push(MockedCall { address: path.to_string(), path, child });
            }
        }
        tree
    }

    /// Iterates over the resources of a mode and type in all modules.
    pub(crate) fn of_type(
        &self,
        mode: ResourceMode,
        kind: &str,
    ) -> impl Iterator<Item = &MockedResource<'p>> {
        let is_one = move |entry: &&MockedResource<'p>| {
            entry.resource.mode == mode && *entry.resource.kind == *kind
        };
        self.entries.iter().filter(is_one)
    }

    /// Returns the resource at an address without keys; `None` if the code does not have it.
    pub(crate) fn entry(&self, address: &ConfigAddress) -> Option<&MockedResource<'p>> {
        self.entries.get(*self.of_resource.get(address)?)
    }

    /// Returns the call that leads to the module with this path; `None` if the code does not have it.
    pub(crate) fn call(&self, path: &ModulePath) -> Option<&MockedCall<'p>> {
        self.calls.get(*self.of_call.get(path)?)
    }

    /// Returns true if the module with this path is missing or inside of a missing one.
    pub(crate) fn is_in_gap(&self, module: &ModulePath) -> bool {
        let names = module.names();
        let mut around = (1..=names.len()).filter_map(|count| self.of_call.get(&names[..count]));
        around.any(|at| self.calls[*at].child.is_none())
    }
}

/// Returns the providers that a module requires, by local name.
pub(crate) fn providers(node: ModuleNode<'_>) -> LocalProviders {
    LocalProviders::of(&node.module().settings.providers)
}

/// Returns the source address of the provider with a local name, in lower case and without the default registry's host.
pub(crate) fn source(providers: &LocalProviders, local: &str) -> String {
    let source = providers.source(local).to_lowercase();
    let registries = ["registry.terraform.io/", "registry.opentofu.org/"];
    let short = registries.iter().find_map(|registry| source.strip_prefix(registry));
    short.map_or(source.clone(), str::to_owned)
}

/// Returns the root module's provider configuration that a resource uses: module calls may pass it down under other names.
fn configuration(
    node: ModuleNode<'_>,
    resource: &Resource,
    providers: &LocalProviders,
) -> MockedConfiguration {
    let implied = resource.implied_provider();
    let written = resource.provider().cloned();
    let (mut name, mut alias) = written.unwrap_or_else(|| (Str::from(implied), None));
    let source = source(providers, &name);
    let mut at = node;
    while let Some((parent, call)) = at.parent() {
        let handed = &parent.module().calls[call].providers;
        let found = handed.iter().find(|one| one.inner.0 == name && one.inner.1 == alias);
        match found {
            Some(one) => (name, alias) = one.outer.clone(),
            // A configuration with an alias that no caller passes down is declared in the module itself.
            None if alias.is_some() => break,
            None => {}
        }
        at = parent;
    }
    MockedConfiguration { source, alias }
}
