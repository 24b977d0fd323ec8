//! JSON of the actions that would run.

use groma_project::ActionOccasion;
use groma_value::Value;
use groma_value::json::{JsonObject, JsonText};

use super::value;
use crate::invocation::InvokedAction;

/// Writes, as a JSON object, an action that applying the plan would run.
pub(super) fn invocation(action: &InvokedAction, out: &mut JsonText<'_>) {
    let told = &action.invocation;
    let mut one = JsonObject::open(out);
    one.text("address", &told.address);
    one.text("type", &told.kind);
    one.text("name", &told.name);
    // A provider without a configuration has no arguments.
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
    match &told.occasion {
        ActionOccasion::Triggered { by, event, trigger, position, on_failure } => {
            let mut own = one.object("lifecycle_action_trigger");
            own.text("triggering_resource_address", by);
            own.text("action_trigger_event", event.slug());
            own.raw("action_trigger_block_index", &trigger.to_string());
            own.raw("actions_list_index", &position.to_string());
            if let Some(on_failure) = on_failure {
                own.text("on_failure", on_failure.slug());
            }
            own.close();
        }
        ActionOccasion::Asked { caller } => {
            let mut own = one.object("invoke_action_trigger");
            if let Some(caller) = caller {
                own.text("calling_resource_address", caller);
            }
            own.close();
        }
    }
    one.close();
}
