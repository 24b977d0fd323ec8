//! Addresses in a state file, of modules, resources and providers, in the syntax of the language.

use std::sync::Arc;

use groma_config::{AddressGrammar, AddressPattern, ModuleAddress};
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Expr, FileId, parse_expression};
use groma_value::Str;

use super::model::StateProvider;

/// Parses the text of an address as an expression; `None` if that has syntax errors.
pub(crate) fn read_text(text: &str) -> Option<Expr> {
    let text: Arc<str> = text.into();
    let parse = parse_expression(&(&*text).into(), FileId::default());
    parse.diagnostics.is_empty().then(|| Expr::of(&parse))
}

/// Parses the address of a resource, an instance or a module.
///
/// # Errors
/// A sentence that says why the text is not such an address.
pub fn read_target(text: &str) -> Result<AddressPattern, String> {
    let expr = read_text(text).ok_or_else(|| "It is not an address.".to_owned())?;
    AddressPattern::read(&expr, AddressGrammar::PLAIN)
}

/// Parses the address of an action, `module.a["x"].action.aws_lambda_invoke.b`.
///
/// # Errors
/// A sentence that says why the text is not such an address.
pub fn read_action(text: &str) -> Result<AddressPattern, String> {
    let expr = read_text(text).ok_or_else(|| "It is not an address.".to_owned())?;
    let found = AddressPattern::read(&expr, AddressGrammar::ACTION)?;
    match found.resource {
        Some(_) => Ok(found),
        None => {
            Err("It is the address of a module; the address of an action in it is module.a.action.type.name."
                .into())
        }
    }
}

/// Parses the address of a module instance, such as `module.a["x"]`; `None` if it is not one.
pub(super) fn module(text: &str) -> Option<ModuleAddress> {
    if text.is_empty() {
        return Some(ModuleAddress::ROOT);
    }
    let target = read_target(text).ok()?;
    target.resource.is_none().then_some(target.modules)
}

/// Parses the address of a provider configuration, `module.a.provider["registry.terraform.io/hashicorp/aws"].b`; `None` if it
/// is not one.
pub(super) fn provider(text: &str) -> Option<StateProvider> {
    let Expr::Native(native) = read_text(text)? else { return None };
    let mut found = StateProvider::default();
    let view = match native.view().case() {
        ExprCase::Attribute { object, name, .. } if is_source(object) => {
            found.alias = Some(Str::from(name));
            object
        }
        _ => native.view(),
    };
    let outer = match view.case() {
        ExprCase::Index { object, key, .. } => {
            let ExprCase::Template(template) = key.case() else { return None };
            found.source = template.plain()?.into_owned();
            object
        }
        // Before 0.13 a provider was identified by its name.
        _ => return legacy(&names(view)?),
    };
    let mut all = names(outer)?;
    if all.pop()? != "provider" || found.source.matches('/').count() != 2 {
        return None;
    }
    for pair in all.chunks(2) {
        let [word, name] = pair else { return None };
        if word != "module" {
            return None;
        }
        found.modules.push(Str::from(name.as_str()));
    }
    Some(found)
}

/// Returns true if an expression is the provider with its source in brackets, as in
/// `provider["registry.terraform.io/hashicorp/aws"]`.
fn is_source(view: ExprView<'_>) -> bool {
    matches!(view.case(), ExprCase::Index { .. })
}

/// Parses a provider address in the form of Terraform before 0.13, without a source: `provider.aws` or `provider.aws.west`,
/// possibly in a module; `None` for other names.
pub(super) fn legacy(names: &[String]) -> Option<StateProvider> {
    let at = names.iter().position(|name| name == "provider")?;
    let (outer, own) = names.split_at(at);
    let modules = outer.chunks(2).map(|pair| match pair {
        [word, name] if word == "module" => Some(Str::from(name.as_str())),
        _ => None,
    });
    let (name, alias) = match own {
        [_, name] => (name, None),
        [_, name, alias] => (name, Some(Str::from(alias.as_str()))),
        _ => return None,
    };
    let source = match name.as_str() {
        "terraform" => "terraform.io/builtin/terraform".to_owned(),
        name => format!("registry.terraform.io/-/{name}"),
    };
    Some(StateProvider { modules: modules.collect::<Option<_>>()?, source, alias })
}

/// Returns the names of a traversal such as `module.a.aws_vpc.b`; `None` if it has keys.
pub(super) fn names(view: ExprView<'_>) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut at = view;
    loop {
        at = match at.case() {
            ExprCase::Root(word) => {
                found.push(word.to_owned());
                break;
            }
            ExprCase::Attribute { object, name, .. } => {
                found.push(name.to_owned());
                object
            }
            _ => return None,
        };
    }
    found.reverse();
    Some(found)
}
