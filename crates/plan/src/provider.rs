//! Which provider a resource belongs to: its address, by what the module requires under the local
//! name that the resource asks for.

use groma_module::Module;
use groma_module::declare::{RequiredProvider, Resource};
use groma_project::ModuleNode;
use groma_runtime::Dialect;

/// The local name of a resource's provider.
pub(crate) fn local_name(resource: &Resource) -> &str {
    match &resource.provider {
        Some((name, _)) => name,
        None => resource.kind.split('_').next().unwrap_or_default(),
    }
}

/// The address of a resource's provider.
pub(crate) fn address(node: ModuleNode<'_>, resource: &Resource) -> String {
    let host = match node.edition().dialect {
        Dialect::OpenTofu => "registry.opentofu.org",
        _ => "registry.terraform.io",
    };
    named(node.module(), local_name(resource), host)
}

/// The address that a local name stands for in a module.
pub(crate) fn named(module: &Module, name: &str, host: &str) -> String {
    let source = required(module, name).and_then(RequiredProvider::source);
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

/// What a module requires under a local name.
pub(crate) fn required<'m>(module: &'m Module, name: &str) -> Option<&'m RequiredProvider> {
    module.settings.providers.iter().find(|one| *one.name == *name)
}
