//! The parts of resources outside of their bodies, as entries to compare with those of the other revision: lifecycles,
//! conditions, provisioners, dependencies and the provider.

use groma_config::{DeclarationName, ResourceMode};
use groma_module::declare::{
    ActionTrigger, DynamicBlock, IgnoredChanges, Lifecycle, ProvisionerBlock, Resource, SchemaBody,
};
use groma_syntax::Place;
use groma_value::schema::BlockSchema;
use groma_value::{Str, Value};

use super::body::{ArgumentPart, ComparedBody};
use super::change::OutsideKind;
use super::entry::{ChangeTarget, DeclaredEntry};
use super::expression::{InstanceScopes, SideModule, text_of};
use super::pairing::ModulePair;
use super::provider;
use super::written::{dependency, path_text, push_conditions, set_references};

/// Adds, as entries to compare, the parts of the resources of one module of a pair, the older with `side` 0 and the newer with 1,
/// that are compared by code alone: conditions, the provider and dependencies.
pub(super) fn code_entries(pair: &ModulePair<'_>, side: usize, all: &mut Vec<DeclaredEntry>) {
    let here = &pair.here[side];
    for resource in &here.module().resources {
        let name = pair.name(side, DeclarationName::Resource(resource.own_name()));
        let (address, target) = (name.to_string(), ChangeTarget::Declaration(name));
        let lifecycle = resource.lifecycle();
        let mut conditions = ComparedBody::empty(resource.place);
        push_conditions(here, "precondition", &lifecycle.preconditions, &mut conditions);
        push_conditions(here, "postcondition", &lifecycle.postconditions, &mut conditions);
        let entry =
            |kind, body| DeclaredEntry::new(kind, address.clone(), target.clone(), body).of_both();
        all.push(entry(OutsideKind::Condition, conditions));
        all.push(entry(OutsideKind::Provider, provider::provider_argument(here, resource)));
        all.push(dependency(address, target, resource.place, &resource.depends_on));
    }
}

/// Adds, as entries to compare, the parts of the resources of one module of a pair, the older with `side` 0 and the newer with 1,
/// whose values may differ though the code is the same: actions, lifecycles and provisioners.
pub(super) fn evaluated_entries(pair: &ModulePair<'_>, side: usize, all: &mut Vec<DeclaredEntry>) {
    let here = &pair.here[side];
    for (at, resource) in here.module().resources.iter().enumerate() {
        let name = pair.name(side, DeclarationName::Resource(resource.own_name()));
        let (address, target) = (name.to_string(), ChangeTarget::Declaration(name));
        if resource.mode == ResourceMode::Action {
            let body = of_action(here, at, resource);
            all.push(DeclaredEntry::new(
                OutsideKind::Provisioner,
                address.clone(),
                target.clone(),
                body,
            ));
        }
        let entry =
            |kind, address, body| DeclaredEntry::new(kind, address, target.clone(), body).of_both();
        let lifecycle = of_lifecycle(here, resource);
        all.push(entry(OutsideKind::Lifecycle, format!("{address}.lifecycle"), lifecycle));
        let mut provisions = ComparedBody::empty(resource.place);
        let own = match resource.provisions.is_empty() {
            true => InstanceScopes::default(),
            false => here.instances(at),
        };
        let mut order = Vec::new();
        for provision in &resource.provisions {
            let kind = match &provision.kind {
                Some(kind) => format!("provisioner.{}", &**kind),
                None => "connection".to_owned(),
            };
            let body = of_provision(here, provision, &own);
            if provision.kind.is_some() {
                order.push(body.clone());
            }
            provisions.push(&kind, body);
        }
        all.push(DeclaredEntry {
            sequence: order,
            ..entry(OutsideKind::Provisioner, address, provisions)
        });
    }
}

/// Returns a body with the arguments of a resource's `lifecycle` block for comparison, without its conditions.
fn of_lifecycle(here: &SideModule<'_>, resource: &Resource) -> ComparedBody {
    let lifecycle: &Lifecycle = resource.lifecycle();
    let place = |name: &str| lifecycle.place_of(name).unwrap_or(resource.place);
    let mut body = ComparedBody::empty(resource.place);
    let mut set = |name: &str, part: ArgumentPart| body.set(name, part);
    let flag = |name: &str, value: bool| ArgumentPart::plain(place(name), Value::Bool(value));
    if let Some(expression) = &lifecycle.prevent_destroy {
        let part = here.valued("prevent_destroy", expression);
        // `false` equals an omitted argument.
        if !part.is_flag(false) {
            set("prevent_destroy", part);
        }
    } else if lifecycle.prevents_destroy {
        set("prevent_destroy", flag("prevent_destroy", true));
    }
    if lifecycle.create_before_destroy {
        set("create_before_destroy", flag("create_before_destroy", true));
    }
    if let Some(destroy) = &lifecycle.destroy {
        let part = here.valued("destroy", destroy);
        if !part.is_flag(true) {
            set("destroy", part);
        }
    }
    let ignored = match &lifecycle.ignored {
        IgnoredChanges::Nothing => None,
        IgnoredChanges::All => Some("all".to_owned()),
        IgnoredChanges::Paths(paths) => {
            let mut paths: Vec<String> = paths
                .iter()
                .map(|path| path_text(path).trim_start_matches('.').to_owned())
                .collect();
            paths.sort();
            paths.dedup();
            (!paths.is_empty()).then(|| format!("[{}]", paths.join(", ")))
        }
    };
    if let Some(text) = ignored {
        set("ignore_changes", ArgumentPart::code(place("ignore_changes"), text));
    }
    set_references("replace_triggered_by", &lifecycle.triggers, &mut body);
    for trigger in &lifecycle.action_triggers {
        body.push("action_trigger", of_trigger(here, trigger));
    }
    body
}

/// Returns the body of an action, the resource with the index `at` in its module, for comparison. Actions run outside of a
/// plan's changes, so no plan compares their configuration.
fn of_action(here: &SideModule<'_>, at: usize, resource: &Resource) -> ComparedBody {
    let own = here.instances(at);
    let schema = resource.schema.as_deref().map(|schema| &*schema.block);
    let mut body = of_content(here, &resource.content, schema, &own, resource.place);
    if let Some(repetition) = resource.repetition.expression() {
        body.set("instances", here.valued("instances", repetition));
    }
    body
}

/// Returns a body with the events, actions and condition of an action trigger for comparison.
fn of_trigger(here: &SideModule<'_>, trigger: &ActionTrigger) -> ComparedBody {
    let mut body = ComparedBody::empty(trigger.place);
    let mut events: Vec<&str> = trigger.events.iter().map(|event| event.word()).collect();
    events.sort_unstable();
    body.set("events", ArgumentPart::code(trigger.place, format!("[{}]", events.join(", "))));
    let action = |one: &groma_module::declare::TriggeredAction| {
        let key = one.key.as_ref().map(|key| format!("[{}]", text_of(&key.expr)));
        format!("action.{}.{}{}", &*one.kind, &*one.name, key.unwrap_or_default())
    };
    // The order of actions counts.
    let actions: Vec<String> = trigger.actions.iter().map(action).collect();
    body.set("actions", ArgumentPart::code(trigger.place, format!("[{}]", actions.join(", "))));
    if let Some(condition) = &trigger.condition {
        body.set("condition", here.coded(condition));
    }
    body
}

/// Returns the body of a provisioner or a connection for comparison, with the values of its arguments in `own`, the scopes of
/// the resource's instances.
fn of_provision(
    here: &SideModule<'_>,
    provision: &ProvisionerBlock,
    own: &InstanceScopes,
) -> ComparedBody {
    let schema = provision.block.as_deref();
    let place = provision.place;
    let mut body = of_content(here, &provision.content, schema, own, place);
    match provision.kind {
        None => body.forget_computed(),
        // The host follows from the object, whose differences are reported by themselves.
        Some(_) => body.blocks.values_mut().flatten().for_each(ComparedBody::forget_computed),
    }
    for input in provision.content.arguments.iter().filter(|one| provision.names_file(&one.name)) {
        let Some(part) = body.arguments.get_mut(&input.name) else { continue };
        part.reads = part.value.as_ref().and_then(|value| here.side.read(value));
    }
    let [when, on_failure] = provision.setting_places.map(|own| own.unwrap_or(place));
    if provision.on_destroy && provision.kind.is_some() {
        body.set("when", ArgumentPart::code(when, "destroy"));
    }
    if provision.ignores_failure {
        body.set("on_failure", ArgumentPart::code(on_failure, "continue"));
    }
    body
}

/// Returns the arguments and blocks of a body for comparison, with their values in the instances `at`; values that the schema
/// declares sensitive or write-only are hidden.
pub(super) fn of_content(
    here: &SideModule<'_>,
    content: &SchemaBody,
    schema: Option<&BlockSchema>,
    at: &InstanceScopes,
    place: Place,
) -> ComparedBody {
    let mut body = ComparedBody::empty(place);
    for input in &content.arguments {
        let part = here.valued_at(&input.name, &input.value, at);
        let attribute = schema.and_then(|schema| schema.attribute(&input.name));
        let is_hidden = attribute.is_some_and(|one| one.sensitive || one.write_only);
        body.set(&input.name, if is_hidden { part.hidden() } else { part });
    }
    for block in &content.blocks {
        let inner = schema.and_then(|schema| schema.block(&block.kind));
        let inner = inner.map(|nested| &*nested.block);
        let mut kind = block.kind.to_string();
        for label in &block.labels {
            kind = format!("{kind}.{}", &*label.text);
        }
        let made = match &block.dynamic {
            // The name of an iterator is known only inside of the block.
            Some(dynamic) => {
                let mut made = of_content(
                    here,
                    &block.content,
                    inner,
                    &InstanceScopes::default(),
                    block.place,
                );
                set_dynamic(here, dynamic, at, &mut made);
                made
            }
            None => of_content(here, &block.content, inner, at, block.place),
        };
        body.push(&kind, made);
    }
    body
}

/// Adds the `for_each` and `labels` of a `dynamic` block to `body`, which has the arguments of its content.
fn set_dynamic(
    here: &SideModule<'_>,
    dynamic: &DynamicBlock,
    at: &InstanceScopes,
    body: &mut ComparedBody,
) {
    let name = |name: &str| Str::from(format!("dynamic {name}"));
    if let Some(for_each) = &dynamic.for_each {
        body.set(&name("for_each"), here.valued_at("for_each", for_each, at));
    }
    if let Some(labels) = &dynamic.labels {
        body.set(&name("labels"), here.coded(labels));
    }
}
