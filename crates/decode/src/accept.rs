//! Conversion of a value given to a variable, from outside or in a module call. Nothing is evaluated here.

use crate::codes;
use groma_inputs::{GivenInput, InputSource};
use groma_module::declare::{Condition, ModuleCall, Variable};
use groma_module::dialect::Conventions;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Mark, Value};

/// The text of the note that points to the variable's declaration.
const DECLARED_HERE: &str = "The variable is declared here.";

/// Converts a given value to the variable's type; null becomes the default if the variable is not nullable; the error is the
/// diagnostic of a value that does not fit, at the variable's declaration if `mismatch_at_declaration` is true.
pub fn accept(
    variable: &Variable,
    given: GivenInput,
    mismatch_at_declaration: bool,
) -> Result<Value, Box<Diagnostic>> {
    if given.value.is_null() && !variable.nullable {
        if let Some(default) = &variable.default {
            return Ok(default.clone());
        }
        let detail = format!(
            "The variable \"{}\" is not nullable and has no default, so it needs a value other than null.",
            &*variable.name
        );
        let place = given.place.unwrap_or(variable.place);
        return Err(Box::new(Diagnostic::error(&codes::VARIABLE_NULL, detail).at(place)));
    }
    variable.convert(&given.value).map_err(|why| {
        let detail = format!(
            "The value of the variable \"{}\", given by {}, does not fit its type: {}.",
            &*variable.name,
            given.origin,
            variable.misfit(&given.value, &why)
        );
        let at_declaration = given.is_text || mismatch_at_declaration;
        let diagnostic = Diagnostic::error(&codes::VARIABLE_TYPE, detail);
        Box::new(match given.place {
            Some(place) if !at_declaration => {
                diagnostic.at(place).note_at(DECLARED_HERE, variable.place)
            }
            Some(place) if !given.is_text => diagnostic
                .at(variable.place)
                .displayed_at(place, DECLARED_HERE)
                .note_at("The value is here.", place),
            Some(place) => diagnostic.at(variable.place).note_at("The value is here.", place),
            None => diagnostic.at(variable.place),
        })
    })
}

/// Returns the diagnostic for a value that violates a variable's rule; `place` is the source range responsible for the value.
pub fn broken(variable: &Variable, rule: &Condition, place: Place, message: &str) -> Diagnostic {
    let detail =
        format!("The value of the variable \"{}\" is not accepted: {message}", &*variable.name);
    let found = Diagnostic::error(&codes::VALIDATION_FAILED, detail).at(place);
    let found = match place == variable.place {
        true => found,
        false => found.note_at(DECLARED_HERE, variable.place),
    };
    found.note_at("This is the rule.", rule.condition.place())
}

/// Returns the value that a module call passes to a variable, with its place; reports a deprecated variable, and an ephemeral
/// value for one that is not ephemeral.
pub fn call_input(
    call: &ModuleCall,
    variable: &Variable,
    value: Value,
    place: Place,
    conventions: &Conventions,
    out: &mut Diagnostics,
) -> GivenInput {
    let is_left_out = conventions.deprecation_follows_values && value.is_null();
    if let Some(advice) = variable.deprecated.as_ref().filter(|_| !is_left_out) {
        let detail = format!("The variable \"{}\" is deprecated: {}", &*variable.name, &**advice);
        out.push(Diagnostic::warning(&codes::DEPRECATED_VARIABLE, detail).at(place));
    }
    if !variable.ephemeral && value.deep_marks().contains(&Mark::Ephemeral) {
        let detail = format!(
            "The value is ephemeral and the variable \"{}\" of the module \"{}\" is not. Declare the variable with ephemeral = true.",
            &*variable.name, &*call.name
        );
        out.push(Diagnostic::error(&codes::EPHEMERAL_VALUE, detail).at(place));
    }
    let origin = format!("module \"{}\"", &*call.name);
    let by = InputSource::Call;
    GivenInput { value, place: Some(place), origin, by, is_text: false, is_unread: false }
}
