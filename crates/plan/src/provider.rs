//! Which provider a resource belongs to: its address, by what the module requires under the local
//! name that the resource asks for.

use groma_module::Module;
use groma_module::declare::Resource;
use groma_project::ModuleNode;
use groma_runtime::Dialect;
use groma_syntax::ast::{Case, ObjectItem};
use groma_syntax::{Expr, json};

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
    let source = required(module, name).and_then(|(source, _)| source);
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

/// What a module requires under a local name: the source and the versions.
pub(crate) fn required(module: &Module, name: &str) -> Option<(Option<String>, Option<String>)> {
    let blocks = module.settings().iter().flat_map(|block| block.blocks_of("required_providers"));
    for block in blocks {
        let Some(argument) = block.argument(name) else { continue };
        if let Some(version) = groma_folder::literal_text(&argument.expr) {
            return Some((None, Some(version)));
        }
        let texts = properties(&argument.expr);
        let text = |name: &str| {
            texts.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone())
        };
        return Some((text("source"), text("version")));
    }
    None
}

/// The properties of a written object that are plain text.
fn properties(expr: &Expr) -> Vec<(String, String)> {
    let native = match expr {
        Expr::Native(native) => native,
        Expr::Json(json) => {
            let json::Case::Object(items) = json.view().case() else { return Vec::new() };
            let plain = |item: json::Property<'_>| match item.value.case() {
                json::Case::String(text) => Some((item.name.into_owned(), text.into_owned())),
                _ => None,
            };
            return items.into_iter().filter_map(plain).collect();
        }
    };
    let Case::Object(items) = native.view().case() else { return Vec::new() };
    let plain = |item: ObjectItem<'_>| {
        let name = match item.key.case() {
            Case::Root(word) => word.to_owned(),
            Case::Template(template) => template.plain()?.into_owned(),
            _ => return None,
        };
        match item.value.case() {
            Case::Template(template) => Some((name, template.plain()?.into_owned())),
            _ => None,
        }
    };
    items.into_iter().filter_map(plain).collect()
}
