//! Settings of components besides their own arguments. They are evaluated once per build, before the source is known, so only
//! the name in `build` is visible and they must be known.

use groma_config::sentence;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::sentence::brief;
use groma_value::{Str, Type, Value, convert};

use super::expand::BodyContext;
use crate::codes;
use crate::component::is_duration;
use crate::content::{BlockContent, LoweredArgument};

/// The names of the arguments that every provisioner has besides those of its type.
pub(super) const OF_PROVISIONERS: &[&str] = &[
    "name",
    "only",
    "except",
    "override",
    "pause_before",
    "max_retries",
    "timeout",
    "continue_on_error",
];

/// The names of the arguments that every post-processor has besides those of its type.
pub(super) const OF_POST_PROCESSORS: &[&str] = &["name", "only", "except", "keep_input_artifact"];

/// The arguments of a provisioner or post-processor besides those of its type, such as `only` and `except`.
#[derive(Clone, Default, Debug)]
pub(super) struct ComponentSettings {
    /// The name given to it, if any.
    pub(super) name: Option<Str>,
    /// The sources to which it applies; empty for all.
    pub(super) only: Vec<Str>,
    /// The sources to which it does not apply.
    pub(super) except: Vec<Str>,
    /// True if either list contains sensitive values.
    pub(super) hides: bool,
    /// The arguments that apply to single sources only.
    pub(super) overrides: Option<Value>,
}

impl ComponentSettings {
    /// Reads the settings with the given names from a component's block.
    pub(super) fn read(
        content: &BlockContent,
        names: &[&str],
        context: &BodyContext<'_>,
        header: Place,
        out: &mut Diagnostics,
    ) -> ComponentSettings {
        let mut settings = ComponentSettings::default();
        for argument in content.arguments.iter().filter(|one| names.contains(&&*one.name)) {
            let mut text = || match setting(argument, &Type::String, context, out)? {
                Value::String(text) => Some(text),
                _ => None,
            };
            match &*argument.name {
                "name" => settings.name = text(),
                "pause_before" | "timeout" => {
                    if let Some(text) = text()
                        && !text.is_empty()
                        && !is_duration(&text)
                    {
                        let shown = brief(&context.value(argument, &mut Diagnostics::new()));
                        let detail = format!(
                            "A duration is a number with a unit, as in \"90s\" or \"1h30m\", not {shown}."
                        );
                        let found = Diagnostic::error(&codes::DURATION, detail).at(header);
                        out.push(found.note_at("It is set here.", argument.value.place()));
                    }
                }
                "only" => settings.only = list(argument, context, &mut settings.hides, out),
                "except" => settings.except = list(argument, context, &mut settings.hides, out),
                "max_retries" => whole_number(argument, context, out),
                "override" => {
                    let value = context.value(argument, out);
                    if !value.is_null() {
                        settings.overrides = Some(value);
                    }
                }
                // Packer distinguishes a missing setting from false, so null is accepted.
                "keep_input_artifact"
                    if context.value(argument, &mut Diagnostics::new()).is_null() => {}
                _ => {
                    setting(argument, &Type::Bool, context, out);
                }
            }
        }
        if !settings.only.is_empty() && !settings.except.is_empty() {
            let detail = "only and except cannot both be set: only says for which sources this runs, except for which it does not.";
            out.push(Diagnostic::error(&codes::ONLY_AND_EXCEPT, detail).at(header));
        }
        settings
    }

    /// Returns true if the provisioner or post-processor applies to a source, given as `type.name`.
    pub(super) fn is_for(&self, source: &str) -> bool {
        let names = |list: &[Str]| list.iter().any(|name| &**name == source);
        match self.only.is_empty() {
            false => names(&self.only),
            true => !names(&self.except),
        }
    }
}

/// Reports a setting that is not a whole number.
fn whole_number(argument: &LoweredArgument, context: &BodyContext<'_>, out: &mut Diagnostics) {
    let value = setting(argument, &Type::Number, context, out);
    let Some(number) = value.and_then(|value| value.as_number()) else { return };
    if number.to_exact_i64().is_none() {
        let detail = format!("\"{}\" must be a whole number.", &*argument.name);
        out.push(Diagnostic::error(&codes::SETTING_TYPE, detail).at(argument.value.place()));
    }
}

/// Evaluates a setting that is a list of source names; `hides` becomes true if one is sensitive.
fn list(
    argument: &LoweredArgument,
    context: &BodyContext<'_>,
    hides: &mut bool,
    out: &mut Diagnostics,
) -> Vec<Str> {
    let before = out.error_count();
    let value = context.value(argument, out);
    *hides |= value.deep_marks().hide();
    if out.error_count() > before || value.is_null() {
        return Vec::new();
    }
    texts(&value, argument, context, out)
}

/// Returns the strings of a list setting; reports a list that is unknown or contains null.
pub(super) fn texts(
    value: &Value,
    argument: &LoweredArgument,
    context: &BodyContext<'_>,
    out: &mut Diagnostics,
) -> Vec<Str> {
    let ty = Type::list(Type::String);
    let Some(value) = known(value, &ty, argument, context, out) else { return Vec::new() };
    let Value::List(list) = value else { return Vec::new() };
    let mut found = Vec::new();
    for item in list.items() {
        match item.bare() {
            Value::String(text) => found.push(text.clone()),
            _ => {
                let detail = format!(
                    "\"{}\" has to be a list of strings, and one of them is null.",
                    &*argument.name
                );
                out.push(
                    Diagnostic::error(&codes::SETTING_TYPE, detail).at(argument.value.place()),
                );
            }
        }
    }
    found
}

/// Evaluates a setting and converts it to a type; `None`, after a report, if it is unknown, null or of another type.
pub(super) fn setting(
    argument: &LoweredArgument,
    ty: &Type,
    context: &BodyContext<'_>,
    out: &mut Diagnostics,
) -> Option<Value> {
    let before = out.error_count();
    let value = context.value(argument, out);
    if out.error_count() > before {
        return None;
    }
    if value.is_null() {
        let detail = format!("\"{}\" cannot be null. Leave it out instead.", &*argument.name);
        out.push(Diagnostic::error(&codes::SETTING_TYPE, detail).at(argument.value.place()));
        return None;
    }
    known(&value, ty, argument, context, out)
}

/// Converts the value of a setting to a type; `None`, after a report, if it is unknown or does not convert.
pub(super) fn known(
    value: &Value,
    ty: &Type,
    argument: &LoweredArgument,
    context: &BodyContext<'_>,
    out: &mut Diagnostics,
) -> Option<Value> {
    let place = argument.value.place();
    let converted = match convert(value, ty) {
        Ok(converted) => converted,
        Err(why) => {
            let detail =
                format!("\"{}\" cannot have this value: {}.", &*argument.name, sentence(&why));
            out.push(Diagnostic::error(&codes::SETTING_TYPE, detail).at(place));
            return None;
        }
    };
    if converted.is_wholly_known() {
        return Some(converted.bare().clone());
    }
    let causes = converted.deep_causes();
    let world = context.world;
    if causes.is_empty() || world.is_because_of(&causes, "variable") {
        // An error is already reported, and a variable without a value may still get one.
        return None;
    }
    if world.is_because_of(&causes, "data") && world.options.evaluates_data {
        let detail = format!("\"{}\" depends on a data source that was not read.", &*argument.name);
        out.push(Diagnostic::warning(&codes::SETTING_UNKNOWN, detail).at(place));
        return None;
    }
    let reason = match world.is_because_of(&causes, "data") {
        true => {
            "it depends on a data source, and data sources are not read during validation. Use -evaluate-datasources, or a value that needs no data source"
        }
        false => "it depends on values that are known only during the build",
    };
    let detail =
        format!("\"{}\" has to be known before anything is built, and {reason}.", &*argument.name);
    out.push(Diagnostic::error(&codes::SETTING_UNKNOWN, detail).at(place));
    None
}
