//! Missing types and descriptions of declarations.

use groma_syntax::{Diagnostic, DiagnosticCode, Place};

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// Finds variables without a type constraint.
pub(super) fn types(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    for one in subject.module.variables.iter().filter(|one| !one.has_type) {
        let detail = format!(
            "var.{} accepts every value, so a wrong one is noticed only where it is used. Declare its type.",
            &*one.name
        );
        report(&codes::VARIABLE_WITHOUT_TYPE, detail, one.place, found);
    }
}

/// Finds variables without a description.
pub(super) fn variables(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    for one in &subject.module.variables {
        if one.description.as_ref().is_none_or(|text| text.is_empty()) {
            let detail = format!("Describe in `description` what var.{} is for.", &*one.name);
            report(&codes::VARIABLE_WITHOUT_DESCRIPTION, detail, one.place, found);
        }
    }
}

/// Finds outputs without a description.
pub(super) fn outputs(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    for one in &subject.module.outputs {
        if one.description.as_ref().is_none_or(|text| text.is_empty()) {
            let detail =
                format!("Describe in `description` what the output \"{}\" is.", &*one.name);
            report(&codes::OUTPUT_WITHOUT_DESCRIPTION, detail, one.place, found);
        }
    }
}

/// Adds a lint warning with the given code and message at a place.
fn report(code: &'static DiagnosticCode, detail: String, place: Place, found: &mut RuleFindings) {
    found.push(Diagnostic::warning(code, detail).at(place));
}
