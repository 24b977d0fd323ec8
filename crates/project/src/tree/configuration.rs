//! Resolution of a module's local provider name to a provider configuration. Along the tree a configuration keeps its provider
//! but not its local name: two modules may use different names for one provider.

use groma_module::declare::{Module, RequiredProvider};
use groma_runtime::Dialect;
use groma_value::Str;

use crate::tree::{ModuleId, TreeModule};

/// A provider configuration: the provider's address, and the module that decides about it (the root if none configures the
/// provider), with the local name and alias there.
pub(crate) struct ProviderConfiguration {
    /// The provider address.
    pub(crate) source: String,
    pub(crate) at: ModuleId,
    /// The local name there.
    pub(crate) name: Str,
    /// The alias there.
    pub(crate) alias: Option<Str>,
}

/// Returns the address of the provider that a local name of a module denotes.
pub(crate) fn address(module: &Module, dialect: Dialect, name: &str) -> String {
    let host = dialect.registry();
    let source = match module.required_provider(name).and_then(RequiredProvider::source) {
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

/// Returns the provider configuration that a local name and alias denote in the module `at`: its own, or one passed by its
/// callers.
pub(crate) fn find(
    nodes: &[TreeModule],
    dialect: Dialect,
    mut at: ModuleId,
    mut name: Str,
    mut alias: Option<Str>,
) -> ProviderConfiguration {
    let source = address(&nodes[at.0 as usize].module, dialect, &name);
    loop {
        let node = &nodes[at.0 as usize];
        let declared = node.module.provider_position(&name, alias.as_deref());
        let Some((parent, call)) = node.parent else {
            return ProviderConfiguration { source, at, name, alias };
        };
        let around = &nodes[parent.0 as usize].module;
        match around.calls[call as usize].passed_provider(&name, alias.as_deref()) {
            Some(outer) => (name, alias) = outer.clone(),
            // An empty block configures the provider, too.
            None if declared.is_some() || alias.is_some() => {
                return ProviderConfiguration { source, at, name, alias };
            }
            None => name = local_name(around, dialect, &source),
        }
        at = parent;
    }
}

/// Returns the local name by which a module denotes the provider with an address.
fn local_name(module: &Module, dialect: Dialect, source: &str) -> Str {
    let mut names = module.settings.providers.iter().map(|one| &one.name);
    let known = names.find(|name| address(module, dialect, name) == source);
    let last = || Str::from(source.rsplit('/').next().unwrap_or(source));
    known.cloned().unwrap_or_else(last)
}
