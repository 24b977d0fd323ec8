//! What is written about resources beside their bodies: lifecycles, conditions, provisioners, what has to be there before,
//! and the provider that one asks for.

use groma_eval::Step;
use groma_module::declare::{
    Content, Dynamic, Expression, Ignored, Lifecycle, Provision, Resource, Trigger,
};
use groma_project::Standpoint;
use groma_syntax::Place;
use groma_value::schema::BlockSchema;
use groma_value::{Str, Value, print};

use super::body::{Body, Part};
use super::change::BesideKind;
use super::condition;
use super::entry::{Aim, Entry};
use super::expression::{Here, text_of};
use super::pairing::Pair;
use super::provider;

/// Adds what counts by its code alone.
pub(super) fn entries(pair: &Pair<'_>, side: usize, all: &mut Vec<Entry>) {
    let here = &pair.here[side];
    for resource in &here.module().resources {
        let address = pair.name(side, resource.address());
        let aim = Aim::Resource(address.clone());
        let lifecycle = resource.lifecycle();
        let mut conditions = Body::empty(resource.place);
        condition::push(here, "precondition", &lifecycle.preconditions, &mut conditions);
        condition::push(here, "postcondition", &lifecycle.postconditions, &mut conditions);
        let entry = |kind, body| Entry::new(kind, address.clone(), aim.clone(), body).of_both();
        all.push(entry(BesideKind::Condition, conditions));
        all.push(entry(BesideKind::Provider, provider::asked(here, resource)));
        all.push(dependency(address, aim, resource.place, &resource.depends_on));
    }
}

/// Adds what may be worth something else though the code is the same.
pub(super) fn run(pair: &Pair<'_>, side: usize, all: &mut Vec<Entry>) {
    let here = &pair.here[side];
    for (at, resource) in here.module().resources.iter().enumerate() {
        let address = pair.name(side, resource.address());
        let aim = Aim::Resource(address.clone());
        let entry = |kind, address, body| Entry::new(kind, address, aim.clone(), body).of_both();
        let lifecycle = of_lifecycle(here, resource);
        all.push(entry(BesideKind::Lifecycle, format!("{address}.lifecycle"), lifecycle));
        let mut provisions = Body::empty(resource.place);
        let own = match resource.provisions.is_empty() {
            true => None,
            false => here.only(at),
        };
        let mut order = Vec::new();
        for provision in &resource.provisions {
            let kind = match &provision.kind {
                Some(kind) => format!("provisioner.{}", &**kind),
                None => "connection".to_owned(),
            };
            let body = of_provision(here, resource, provision, own.as_ref());
            if provision.kind.is_some() {
                order.push(body.clone());
            }
            provisions.push(&kind, body);
        }
        all.push(Entry { sequence: order, ..entry(BesideKind::Provisioner, address, provisions) });
    }
}

/// What has to be there before something.
pub(super) fn dependency(
    address: String,
    aim: Aim,
    place: Place,
    depends_on: &[Expression],
) -> Entry {
    let mut body = Body::empty(place);
    set_references("depends_on", depends_on, &mut body);
    Entry::new(BesideKind::Dependency, address, aim, body).of_both()
}

/// Adds a list of references, in whatever order and however they are written.
fn set_references(name: &str, all: &[Expression], body: &mut Body) {
    let mut found: Vec<String> = Vec::new();
    for expression in all {
        for reference in expression.located.code.references() {
            found.push(format!("{}{}", &*reference.root, path_text(&reference.steps)));
        }
        // A key that is worked out counts as it is written.
        let is_plain = |step: &Step| matches!(step, Step::Attribute(_) | Step::Index(_));
        let references = expression.located.code.references();
        if references.iter().any(|one| !one.steps.iter().all(is_plain)) {
            found.push(text_of(&expression.expr).to_string());
        }
    }
    found.sort();
    found.dedup();
    let Some(place) = all.first().map(Expression::place) else { return };
    if !found.is_empty() {
        body.set(name, Part::code(place, format!("[{}]", found.join(", "))));
    }
}

/// The steps of a reference as they are written.
fn path_text(steps: &[Step]) -> String {
    let text = |step: &Step| match step {
        Step::Attribute(name) => format!(".{}", &**name),
        Step::Index(Value::String(key)) => format!("[{}]", print::quoted(key)),
        Step::Index(key) => format!("[{}]", print::console(key)),
        Step::Splat => "[*]".to_owned(),
        Step::Unknown => "[…]".to_owned(),
    };
    steps.iter().map(text).collect()
}

fn of_lifecycle(here: &Here<'_>, resource: &Resource) -> Body {
    let lifecycle: &Lifecycle = resource.lifecycle();
    let mut body = Body::empty(resource.place);
    if let Some(expression) = &lifecycle.prevent_destroy {
        let part = here.valued("prevent_destroy", expression);
        // Not to prevent it is the same as to say nothing.
        if !part.value.as_ref().is_some_and(|value| matches!(value.bare(), Value::Bool(false))) {
            body.set("prevent_destroy", part);
        }
    } else if lifecycle.prevents_destroy {
        body.put("prevent_destroy", Value::Bool(true));
    }
    if lifecycle.create_before_destroy {
        body.put("create_before_destroy", Value::Bool(true));
    }
    if let Some(destroy) = &lifecycle.destroy {
        let part = here.valued("destroy", destroy);
        if !part.value.as_ref().is_some_and(|value| matches!(value.bare(), Value::Bool(true))) {
            body.set("destroy", part);
        }
    }
    match &lifecycle.ignored {
        Ignored::Nothing => {}
        Ignored::All => body.set("ignore_changes", Part::code(resource.place, "all")),
        Ignored::Paths(paths) => {
            let mut paths: Vec<String> = paths
                .iter()
                .map(|path| path_text(path).trim_start_matches('.').to_owned())
                .collect();
            paths.sort();
            paths.dedup();
            if !paths.is_empty() {
                let text = format!("[{}]", paths.join(", "));
                body.set("ignore_changes", Part::code(resource.place, text));
            }
        }
    }
    set_references("replace_triggered_by", &lifecycle.triggers, &mut body);
    for trigger in &lifecycle.action_triggers {
        body.push("action_trigger", of_trigger(here, trigger));
    }
    body
}

fn of_trigger(here: &Here<'_>, trigger: &Trigger) -> Body {
    let mut body = Body::empty(trigger.place);
    let mut events: Vec<&str> = trigger.events.iter().map(|event| event.word()).collect();
    events.sort_unstable();
    body.set("events", Part::code(trigger.place, format!("[{}]", events.join(", "))));
    let action = |one: &groma_module::declare::Triggered| {
        let key = one.key.as_ref().map(|key| format!("[{}]", text_of(&key.expr)));
        format!("action.{}.{}{}", &*one.kind, &*one.name, key.unwrap_or_default())
    };
    // Actions run one after the other.
    let actions: Vec<String> = trigger.actions.iter().map(action).collect();
    body.set("actions", Part::code(trigger.place, format!("[{}]", actions.join(", "))));
    if let Some(condition) = &trigger.condition {
        body.set("condition", here.coded(condition));
    }
    body
}

fn of_provision(
    here: &Here<'_>,
    resource: &Resource,
    provision: &Provision,
    own: Option<&Standpoint>,
) -> Body {
    let schema = provision.block.as_deref();
    let place = Place { span: provision.content.edge.span, ..provision.content.edge };
    let place = if place == Place::default() { resource.place } else { place };
    let mut body = of_content(here, &provision.content, schema, own, place);
    if provision.on_destroy && provision.kind.is_some() {
        body.set("when", Part::code(place, "destroy"));
    }
    if provision.ignores_failure {
        body.set("on_failure", Part::code(place, "continue"));
    }
    body
}

/// The body of a block whose meaning a schema knows, if anybody does.
pub(super) fn of_content(
    here: &Here<'_>,
    content: &Content,
    schema: Option<&BlockSchema>,
    at: Option<&Standpoint>,
    place: Place,
) -> Body {
    let mut body = Body::empty(place);
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
            // What an element is called is worth something only inside.
            Some(dynamic) => {
                let mut made = of_content(here, &block.content, inner, None, block.place);
                set_dynamic(here, dynamic, at, &mut made);
                made
            }
            None => of_content(here, &block.content, inner, at, block.place),
        };
        body.push(&kind, made);
    }
    body
}

fn set_dynamic(here: &Here<'_>, dynamic: &Dynamic, at: Option<&Standpoint>, body: &mut Body) {
    let name = |name: &str| Str::from(format!("dynamic {name}"));
    if let Some(for_each) = &dynamic.for_each {
        body.set(&name("for_each"), here.valued_at("for_each", for_each, at));
    }
    if let Some(labels) = &dynamic.labels {
        body.set(&name("labels"), here.coded(labels));
    }
}
