//! Which provider a resource belongs to, by what its module requires under the local name that the resource asks for,
//! and which configuration of it. Along the tree a configuration keeps its provider and not its local name: two modules
//! may call one provider by different names.

use std::collections::BTreeSet;

use groma_module::declare::{Provider, RequiredProvider, Resource};
use groma_runtime::Dialect;
use groma_value::Str;

use crate::{ModuleNode, Project};

/// A configuration of a provider, as a resource uses it.
#[derive(Clone)]
pub struct ProviderUse<'p> {
    /// The address of the provider, as in `registry.terraform.io/hashicorp/aws`.
    pub source: String,
    /// The module that configures it; the root where nobody does.
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
        let host = match self.edition().dialect {
            Dialect::OpenTofu => "registry.opentofu.org",
            _ => "registry.terraform.io",
        };
        let source = self.module().required_provider(name).and_then(RequiredProvider::source);
        let source = match source {
            Some(source) => source,
            None if name == "terraform" => return "terraform.io/builtin/terraform".to_owned(),
            None => name.to_owned(),
        };
        match source.matches('/').count() {
            0 => format!("{host}/hashicorp/{source}"),
            1 => format!("{host}/{source}"),
            _ => source,
        }
    }

    /// The configuration that a resource of the module uses: its own module's, or what the callers hand over.
    pub fn provider_of(self, resource: &Resource) -> ProviderUse<'p> {
        let source = self.provider_named(resource.provider_name());
        let alias = resource.provider().and_then(|(_, alias)| alias.clone());
        let (mut node, mut name, mut alias) = (self, Str::from(resource.provider_name()), alias);
        loop {
            let declared = node.declared_provider(&name, alias.as_deref());
            let is_bare =
                |one: &Provider| one.content.arguments.is_empty() && one.content.blocks.is_empty();
            let done = |declared| ProviderUse {
                source: source.clone(),
                node,
                name: name.clone(),
                alias: alias.clone(),
                declared,
            };
            let Some((parent, _)) = node.parent() else { return done(declared) };
            match node.handed_provider(&name, alias.as_deref()) {
                Some(outer) => (name, alias) = outer.clone(),
                // A block that says nothing only asks for what the caller has.
                None if declared.is_some_and(|one| !is_bare(one)) => return done(declared),
                None if alias.is_some() => return done(declared),
                None => name = parent.name_of_provider(&source),
            }
            node = parent;
        }
    }

    /// The caller's name and alias of the configuration that the call of the module hands over under these.
    pub fn handed_provider(
        self,
        name: &str,
        alias: Option<&str>,
    ) -> Option<&'p (Str, Option<Str>)> {
        let (parent, call) = self.parent()?;
        let mut handed = parent.module().calls[call].providers.iter().rev();
        let is_it = |inner: &(Str, Option<Str>)| *inner.0 == *name && inner.1.as_deref() == alias;
        handed.find(|one| is_it(&one.inner)).map(|one| &one.outer)
    }

    /// What the module itself says of a provider.
    pub fn declared_provider(self, name: &str, alias: Option<&str>) -> Option<&'p Provider> {
        let mut all = self.module().providers.iter();
        all.find(|one| *one.name == *name && one.alias.as_deref() == alias)
    }

    /// What a provider is called in the module.
    fn name_of_provider(self, source: &str) -> Str {
        let required = self.module().settings.providers.iter();
        let mut names = required.map(|one| &one.name);
        let known = names.find(|name| self.provider_named(name) == source);
        let last = || Str::from(source.rsplit('/').next().unwrap_or(source));
        known.cloned().unwrap_or_else(last)
    }
}
