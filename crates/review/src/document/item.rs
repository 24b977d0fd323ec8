//! Reading of single changes in a plan document.

use std::sync::Arc;

use groma_config::{InstanceKey, ResourceMode};
use groma_plan::{Action, ChangeReason, ImportId};
use groma_value::{Path, PathStep, Str, Value, json, ops};
use rustc_hash::FxHashSet;

use super::SchemaLookup;
use super::value::{fitted, joined};
use crate::model::{
    ActionItem, FLAG_TRIGGER, OutputItem, REQUESTED_EVENT, ResourceItem, SharedDeclaration,
};

/// The reasons of deferred changes, each with its name in plan documents and the phrase displayed for it.
const DEFERRALS: &[(&str, &str)] = &[
    ("instance_count_unknown", "the number of instances is unknown"),
    ("resource_config_unknown", "it depends on an unknown value"),
    ("provider_config_unknown", "its provider configuration is unknown"),
    ("absent_prereq", "an object that it depends on does not exist yet"),
    ("deferred_prereq", "what it depends on is deferred"),
];

/// The events that trigger actions, each with its name in plan documents and the name as written in code.
const EVENTS: &[(&str, &str)] = &[
    ("BeforeCreate", "before_create"),
    ("AfterCreate", "after_create"),
    ("BeforeUpdate", "before_update"),
    ("AfterUpdate", "after_update"),
    ("BeforeDestroy", "before_destroy"),
    ("AfterDestroy", "after_destroy"),
];

/// Returns the phrase for the reason of a deferred change, given by its name in plan documents.
pub(super) fn deferral(reason: &str) -> &'static str {
    word(DEFERRALS, reason).unwrap_or("another plan will create it")
}

/// Returns the text for the name `key` in a table of pairs of a name in plan documents and a text, such as `DEFERRALS`; `None` if
/// it is not listed.
fn word(table: &[(&str, &'static str)], key: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == key).map(|(_, word)| *word)
}

/// Returns a property of an object; `None` if it is missing or null.
pub(super) fn property<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value.bare() {
        Value::Object(object) => object.get(name).filter(|one| !one.is_null()),
        _ => None,
    }
}

/// Returns a string property of an object; `None` if it is missing or not a string.
pub(super) fn text_of(value: &Value, name: &str) -> Option<Str> {
    match property(value, name)?.bare() {
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// Returns a string property of an object; an error if it is missing or not a string.
fn required(value: &Value, name: &str) -> Result<Str, String> {
    text_of(value, name).ok_or_else(|| format!("a change without the text \"{name}\""))
}

/// Returns the elements of a JSON array; empty for other values.
fn items(value: Option<&Value>) -> &[Value] {
    match value.map(Value::bare) {
        Some(Value::Tuple(tuple)) => tuple.items(),
        _ => &[],
    }
}

/// Returns the action that the `actions` property of a change denotes; the error is a sentence.
fn action(change: &Value) -> Result<Action, String> {
    let words: Vec<&str> = items(property(change, "actions"))
        .iter()
        .filter_map(|one| match one.bare() {
            Value::String(text) => Some(&**text),
            _ => None,
        })
        .collect();
    /// The actions that a change in a document can have.
    const ALL: [Action; 10] = [
        Action::NoOp,
        Action::Create,
        Action::Read,
        Action::Update,
        Action::DeleteThenCreate,
        Action::CreateThenDelete,
        Action::Delete,
        Action::Forget,
        Action::ForgetThenCreate,
        Action::CreateThenForget,
    ];
    ALL.into_iter()
        .find(|one| one.slugs() == words)
        .ok_or_else(|| "the actions of a change are not known here".to_owned())
}

/// Returns the values of a change before and after, in which unknown and sensitive parts are marked.
fn sides(change: &Value, action: Action) -> (Option<Value>, Option<Value>) {
    let before = joined(
        property(change, "before"),
        property(change, "before_unknown"),
        property(change, "before_sensitive"),
    );
    let after = joined(
        property(change, "after"),
        property(change, "after_unknown"),
        property(change, "after_sensitive"),
    );
    let before = (!before.is_null()).then_some(before);
    (before, action.leaves_object().then_some(after))
}

/// Returns the id by which an object is imported, or its identity as text; `None` if the document has neither.
fn import_id(importing: &Value) -> Option<Str> {
    let identity = || match property(importing, "identity")?.bare() {
        Value::Object(object) => {
            let all = object.iter().filter(|(_, value)| !value.is_null());
            let all: Vec<String> =
                all.map(|(name, value)| format!("{}={}", &**name, plain(value))).collect();
            Some(Str::from(all.join(",")))
        }
        _ => None,
    };
    text_of(importing, "id").or_else(identity)
}

/// Returns a value as text: strings without quotes, others as JSON.
fn plain(value: &Value) -> String {
    match value.bare() {
        Value::String(text) => text.to_string(),
        other => json::plain(other),
    }
}

/// Reads the change of the output `name` from a plan document; the error is a sentence.
pub(super) fn output(name: &str, change: &Value) -> Result<OutputItem, String> {
    let action = action(change)?;
    let (before, after) = sides(change, action);
    let is_hidden = |name: &str| matches!(property(change, name), Some(Value::Bool(true)));
    Ok(OutputItem {
        is_possible: false,
        name: Str::from(name),
        action,
        sensitive: is_hidden("before_sensitive") || is_hidden("after_sensitive"),
        before: before.unwrap_or(Value::NULL),
        after: after.unwrap_or(Value::NULL),
        origins: Vec::new(),
    })
}

/// Reader of the changes of instances in a plan document. Consecutive changes of one resource share their declaration.
pub(super) struct ChangeReader<'s> {
    shape: SchemaLookup<'s>,
    last: Option<(Str, Arc<SharedDeclaration>)>,
    /// The addresses of all providers that occur.
    pub(super) sources: FxHashSet<Str>,
}

impl<'s> ChangeReader<'s> {
    /// Creates a reader of the changes in a plan document, which finds the schemas of resource types by the callback `shape`.
    pub(super) fn new(shape: SchemaLookup<'s>) -> ChangeReader<'s> {
        ChangeReader { shape, last: None, sources: FxHashSet::default() }
    }

    /// Returns the resource declaration of a change in a plan document, shared with the previous change if equal.
    fn declared(&mut self, one: &Value) -> Result<Arc<SharedDeclaration>, String> {
        let mode = match text_of(one, "mode").as_deref() {
            Some("data") => ResourceMode::Data,
            Some("managed") | None => ResourceMode::Managed,
            Some(_) => return Err("the mode of a change is not known here".to_owned()),
        };
        let (kind, name) = (required(one, "type")?, required(one, "name")?);
        let module = text_of(one, "module_address").unwrap_or_default();
        let source = text_of(one, "provider_name").unwrap_or_default();
        let is_same = |(known, last): &&(Str, Arc<SharedDeclaration>)| {
            let own = (&last.kind, &last.name, &last.module);
            *known == source && last.mode == mode && own == (&kind, &name, &module)
        };
        if let Some((_, last)) = self.last.as_ref().filter(is_same) {
            return Ok(last.clone());
        }
        let shape = (self.shape)(&source, mode, &kind);
        let made = Arc::new(SharedDeclaration { mode, kind, name, module, shape });
        self.sources.insert(source.clone());
        self.last = Some((source, made.clone()));
        Ok(made)
    }

    /// Reads the change of an instance from a plan document; the error is a sentence.
    pub(super) fn item(&mut self, one: &Value) -> Result<ResourceItem, String> {
        let address = required(one, "address")?;
        let declared = self.declared(one)?;
        let key = match property(one, "index").map(Value::bare) {
            Some(Value::String(text)) => InstanceKey::Text(text.clone()),
            Some(number) => number.as_position().map_or(InstanceKey::None, InstanceKey::Number),
            None => InstanceKey::None,
        };
        let change = property(one, "change").ok_or("a change is missing")?;
        let action = action(change)?;
        let (before, after) = sides(change, action);
        let (before, after) = fitted(before, after, declared.shape.as_deref());
        let reason = text_of(one, "action_reason");
        let reason = reason.and_then(|own| ChangeReason::of(&own));
        let paths = items(property(change, "replace_paths"));
        Ok(ResourceItem {
            is_possible: false,
            address,
            key,
            action,
            reason,
            previous: text_of(one, "previous_address"),
            importing: property(change, "importing")
                .map(|importing| ImportId { id: import_id(importing), is_hidden: false }),
            deposed: text_of(one, "deposed"),
            replace_paths: paths.iter().map(|path| read_path(path, before.as_ref())).collect(),
            before,
            after,
            is_open: false,
            origins: Vec::new(),
            declared,
        })
    }

    /// Reads the invocation of an action from a plan document; the error is a sentence.
    pub(super) fn invoked(&mut self, one: &Value) -> Result<ActionItem, String> {
        let declared = SharedDeclaration {
            mode: ResourceMode::Action,
            kind: required(one, "type")?,
            name: required(one, "name")?,
            module: Str::new(),
            shape: None,
        };
        let trigger = property(one, "lifecycle_action_trigger");
        let asked = property(one, "invoke_action_trigger");
        let caller = asked.and_then(|asked| text_of(asked, "calling_resource_address"));
        let told = |name: &str| trigger.and_then(|trigger| text_of(trigger, name));
        let event = told("action_trigger_event");
        let event = event.and_then(|event| word(EVENTS, &event)).unwrap_or(REQUESTED_EVENT);
        Ok(ActionItem {
            address: required(one, "address")?,
            declared: Arc::new(declared),
            event,
            triggered_by: told("triggering_resource_address")
                .or(caller)
                .unwrap_or(FLAG_TRIGGER.into()),
            config: joined(
                property(one, "config_values"),
                property(one, "config_unknown"),
                property(one, "config_sensitive"),
            ),
        })
    }
}

/// Reads the path of a part of a value from a plan document, in which attribute names and map keys are both strings: the prior
/// value `before` distinguishes them.
fn read_path(path: &Value, before: Option<&Value>) -> Path {
    let mut at = before.cloned();
    let mut steps = Vec::new();
    for step in items(Some(path)) {
        let told = at.as_ref().and_then(|value| ops::step_by(value, step.bare()));
        let step = told.unwrap_or_else(|| match step.bare() {
            Value::String(name) => PathStep::Attribute(name.clone()),
            _ => PathStep::Index(step.clone()),
        });
        at = at.and_then(|value| ops::at_step(&value, &step));
        steps.push(step);
    }
    Path(steps)
}
