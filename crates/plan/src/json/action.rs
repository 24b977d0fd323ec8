//! The actions that would run, and those that are written in the configuration.

use groma_value::Value;
use groma_value::json::{JsonObject, JsonText};

use super::value;
use crate::action::Invoked;

/// Writes one action that would run.
pub(super) fn invocation(action: &Invoked, out: &mut JsonText<'_>) {
    let told = &action.invocation;
    let mut one = JsonObject::open(out);
    one.text("address", &told.address);
    one.text("type", &told.kind);
    one.text("name", &told.name);
    // What nobody configures is told nothing.
    let config = match told.config.is_null() {
        true => Value::object([]),
        false => told.config.clone(),
    };
    if value::is_shown(&config) {
        value::known(&config, one.key("config_values"));
    }
    value::sensitive(&config, one.key("config_sensitive"));
    value::unknown(&config, one.key("config_unknown"));
    one.text("provider_name", &action.provider);
    let mut trigger = one.object("lifecycle_action_trigger");
    trigger.text("triggering_resource_address", &told.triggered_by);
    trigger.text("action_trigger_event", told.event.slug());
    trigger.raw("action_trigger_block_index", &told.trigger.to_string());
    trigger.raw("actions_list_index", &told.position.to_string());
    trigger.close();
    one.close();
}
