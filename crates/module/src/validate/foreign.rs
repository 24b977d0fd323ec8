//! Functions of providers that are not at hand: whether they exist and what they take, only the
//! provider could say, so calling them is no error here.

use groma_functions::Dialect;
use groma_syntax::ast::Case;
use groma_syntax::{Diagnostic, Diagnostics, Expr};

use crate::declare::{Module, literal_text};
use crate::link::Project;

/// The source of the provider that every program has built in, however it is written.
const BUILT_IN: &str = "builtin/terraform";
/// The functions of the built-in provider.
const BUILT_IN_FUNCTIONS: [&str; 3] = ["decode_tfvars", "encode_expr", "encode_tfvars"];

/// Leaves out what is said about functions that only a provider knows.
pub fn without_foreign_functions(project: &Project, found: &mut Diagnostics) {
    if found.iter().any(|one| is_foreign(project, one)) {
        let all = found.split_off(0);
        found.extend(all.into_iter().filter(|one| !is_foreign(project, one)));
    }
}

fn is_foreign(project: &Project, found: &Diagnostic) -> bool {
    let ("unknown-function", Some(place)) = (found.code.slug, found.place) else { return false };
    let text = place.span.of(project.sources.get(place.file).text());
    let mut words = text.split("::");
    let (Some("provider"), Some(name), Some(function)) = (words.next(), words.next(), words.next())
    else {
        return false;
    };
    let nodes = project.nodes.iter();
    let Some(node) = nodes.into_iter().find(|node| node.module.files.contains(&place.file)) else {
        return false;
    };
    match source(&node.module, name) {
        None => false,
        Some(source) if source.ends_with(BUILT_IN) => {
            // Terraform knows what is built in; OpenTofu asks when it comes to a plan.
            let is_tofu = project.edition.dialect == Dialect::OpenTofu;
            let function = function.split('(').next().unwrap_or_default();
            is_tofu && !BUILT_IN_FUNCTIONS.contains(&function)
        }
        Some(_) => true,
    }
}

/// The source of a provider that a module requires; empty where it is not written.
fn source(module: &Module, name: &str) -> Option<String> {
    let blocks = module.settings.blocks.iter();
    let mut requirements = blocks.flat_map(|block| block.blocks_of("required_providers"));
    let requirement = requirements.find_map(|block| block.argument(name))?;
    let Expr::Native(native) = &requirement.expr else { return Some(String::new()) };
    let Case::Object(items) = native.view().case() else { return Some(String::new()) };
    let source = items.into_iter().find_map(|item| match (item.key.case(), item.value.case()) {
        (Case::Root("source"), Case::Template(text)) => text.plain().map(|text| text.into_owned()),
        _ => None,
    });
    Some(source.or_else(|| literal_text(&requirement.expr)).unwrap_or_default())
}
