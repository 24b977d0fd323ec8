//! Provider configurations of a module and their uses by resources and calls, as entries to compare with those of the other
//! revision.

use groma_config::DeclarationName;
use groma_module::declare::Resource;
use groma_module::visit::Declaration;
use groma_value::Str;

use super::body::{ArgumentPart, ComparedBody};
use super::change::OutsideKind;
use super::entry::{ChangeTarget, DeclaredEntry};
use super::expression::{SideModule, text_of};
use super::pairing::ModulePair;
use super::resource::of_content;

/// Adds the provider configurations of a module as entries to compare with those of the other revision.
pub(super) fn configurations(here: &SideModule<'_>, all: &mut Vec<DeclaredEntry>) {
    let module = here.module();
    for (at, provider) in (0_u32..).zip(&module.providers) {
        let schema = provider.schema.as_deref().map(|schema| &*schema.block);
        let place = provider.place;
        let mut body = of_content(here, &provider.content, schema, &here.here(), place);
        if let Some(version) = &provider.version {
            body.set("version", ArgumentPart::code(version.place(), text_of(version)));
        }
        if let Some(for_each) = &provider.for_each {
            body.set("for_each", here.valued("for_each", for_each));
        }
        let address = Declaration::Provider(at).address(module);
        let target = ChangeTarget::Configuration(provider.name.clone(), provider.alias.clone());
        all.push(DeclaredEntry::new(OutsideKind::Provider, address, target, body));
    }
}

/// Returns a body with the `provider` argument of a resource for comparison. The implied provider equals an omitted argument.
pub(super) fn provider_argument(here: &SideModule<'_>, resource: &Resource) -> ComparedBody {
    let mut body = ComparedBody::empty(resource.place);
    let Some(asked) = &resource.asked else { return body };
    let Some((name, alias)) = &asked.name else { return body };
    let implied = resource.implied_provider();
    if **name == *implied && alias.is_none() && asked.key.is_none() {
        return body;
    }
    let text = configuration(name, alias.as_ref());
    let part = match &asked.key {
        None => ArgumentPart::code(asked.place, text),
        Some(key) => {
            let key = here.coded(key);
            let text = Str::from(format!("{text}[{}]", &*key.text));
            let code = key.code.map(|code| code.with((&**name, alias.as_deref())));
            ArgumentPart { code, ..ArgumentPart::code(asked.place, text) }
        }
    };
    body.set("provider", part);
    body
}

/// Adds, for each call in one module of a pair, the older with `side` 0 and the newer with 1, the provider configurations that
/// it passes under another name; one passed under its own name equals an omitted one.
pub(super) fn passed_configurations(
    pair: &ModulePair<'_>,
    side: usize,
    all: &mut Vec<DeclaredEntry>,
) {
    for call in &pair.here[side].module().calls {
        let mut body = ComparedBody::empty(call.place);
        for one in &call.providers {
            if one.inner == one.outer && one.inner.1.is_none() {
                continue;
            }
            let inner = configuration(&one.inner.0, one.inner.1.as_ref());
            let outer = configuration(&one.outer.0, one.outer.1.as_ref());
            body.set(&format!("providers.{inner}"), ArgumentPart::code(one.place, outer));
        }
        let name = pair.name(side, DeclarationName::Call(call.name.clone()));
        let (address, target) = (name.to_string(), ChangeTarget::Below(name));
        all.push(DeclaredEntry::new(OutsideKind::Provider, address, target, body).of_both());
    }
}

/// Returns the name of a provider configuration, `NAME` or `NAME.ALIAS`.
fn configuration(name: &str, alias: Option<&Str>) -> String {
    match alias {
        Some(alias) => format!("{name}.{}", &**alias),
        None => name.to_owned(),
    }
}
