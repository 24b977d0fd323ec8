//! Messages of validation rules. A message that contains a secret or is unknown is replaced by a sentence that shows nothing.

use crate::codes;
use groma_config::sentence;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Mark, Type, Value};

/// The text shown in place of the error message of a violated condition, if that message contains a sensitive value.
const SECRET_MESSAGE: &str = "the rule is not satisfied. (Its message contains a sensitive or ephemeral value and is not shown.)";
/// The text shown in place of the error message of a violated condition, if that message could not be evaluated.
pub const UNREADABLE_MESSAGE: &str =
    "the rule is not satisfied. (Its message could not be evaluated.)";
/// The text shown in place of the error message of a violated condition, if that message is unknown.
const UNKNOWN_MESSAGE: &str = "the rule is not satisfied. (Its message is not known.)";

/// Returns the text of a rule's error message, or a replacement for a sensitive or unknown one; `None`, after a report, if it is
/// not a string.
pub fn read_message(value: &Value, place: Place, out: &mut Diagnostics) -> Option<String> {
    let problem = match groma_value::convert(value, &Type::String).map(|text| text.bare().clone()) {
        Ok(Value::Null(_)) => "it is null".to_owned(),
        Err(why) => sentence(&why),
        Ok(text) => {
            let hidden = value.deep_marks();
            let what = match (hidden.contains(&Mark::Sensitive), hidden.contains(&Mark::Ephemeral))
            {
                (false, false) => {
                    return Some(match text {
                        Value::String(text) => text.trim().to_owned(),
                        _ => UNKNOWN_MESSAGE.to_owned(),
                    });
                }
                (true, _) => {
                    "a sensitive value. Leave it out, or use nonsensitive(…) if it may be shown."
                }
                _ => "an ephemeral value. Leave it out, or use ephemeralasnull(…).",
            };
            // If the value is unknown, so is whether anything is shown.
            if text.is_known() {
                let detail = format!("The message will not be shown, because it contains {what}");
                out.push(Diagnostic::warning(&codes::HIDDEN_MESSAGE, detail).at(place));
            }
            return Some(SECRET_MESSAGE.to_owned());
        }
    };
    let detail = format!("The message has to be a string: {problem}.");
    out.push(Diagnostic::error(&codes::ERROR_MESSAGE, detail).at(place));
    None
}

/// Returns the error message of a violated rule of a variable from the message's `value` and `place`; `None` after an error,
/// which is reported; if `refused` is true, a sensitive value in the message is a further error.
pub fn rule_message(
    value: &Value,
    place: Place,
    refused: bool,
    out: &mut Diagnostics,
) -> Option<String> {
    let hidden = value.deep_marks();
    let (sensitive, ephemeral) =
        (hidden.contains(&Mark::Sensitive), hidden.contains(&Mark::Ephemeral));
    if ephemeral || sensitive && refused {
        let detail = match ephemeral {
            true => {
                "The message contains an ephemeral value and cannot be shown. Leave the value out, or use ephemeralasnull(…)."
            }
            false => {
                "The message contains a sensitive value and cannot be shown. Leave the value out, or use nonsensitive(…) if it may be shown."
            }
        };
        out.push(Diagnostic::error(&codes::HIDDEN_MESSAGE, detail).at(place));
    }
    if sensitive || ephemeral {
        return Some(SECRET_MESSAGE.to_owned());
    }
    let problem = match groma_value::convert(value, &Type::String) {
        Ok(Value::String(text)) => return Some(text.trim().to_owned()),
        Ok(Value::Null(_)) => "it is null".to_owned(),
        Ok(_) => {
            let detail = "The rule is not satisfied, and its message contains an unknown value. Leave it out.";
            out.push(Diagnostic::error(&codes::ERROR_MESSAGE, detail).at(place));
            return None;
        }
        Err(why) => sentence(&why),
    };
    let detail = format!("The message has to be a string: {problem}.");
    out.push(Diagnostic::error(&codes::ERROR_MESSAGE, detail).at(place));
    Some(UNREADABLE_MESSAGE.to_owned())
}

/// Returns the text of an error message, or a replacement for a sensitive or unknown one.
pub fn read_text(value: &Value) -> String {
    let hidden = value.deep_marks();
    match groma_value::convert(value.bare(), &Type::String) {
        _ if hidden.contains(&Mark::Sensitive) || hidden.contains(&Mark::Ephemeral) => {
            SECRET_MESSAGE.to_owned()
        }
        Ok(Value::String(text)) => text.trim().to_owned(),
        _ => UNKNOWN_MESSAGE.to_owned(),
    }
}
