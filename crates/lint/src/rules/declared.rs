//! Errors in loops and string templates that declared types imply. The programs check a loop body only once the collection is
//! known, and a template part only once its value is; the type is known before.

use std::sync::Arc;

use groma_eval::codes::{
    ARGUMENT, CONDITION, EXPANSION, INTERPOLATION, NO_ATTRIBUTE, NO_ELEMENT, NOT_ITERABLE,
    OBJECT_KEY, OPERAND,
};
use groma_project::{OlderValidation, Project, ProjectOptions, ValidationResults};
use groma_syntax::{Diagnostic, DiagnosticCode};
use rustc_hash::FxHashSet;

use crate::found::RuleFindings;
use crate::{RuleSwitches, codes};

/// The diagnostic codes of errors that depend on types alone: if they occur for a sample value, they occur for every value.
const TYPE_ERRORS: [&DiagnosticCode; 9] = [
    &ARGUMENT,
    &CONDITION,
    &EXPANSION,
    &INTERPOLATION,
    &NOT_ITERABLE,
    &NO_ATTRIBUTE,
    &NO_ELEMENT,
    &OBJECT_KEY,
    &OPERAND,
];

/// Evaluates modules, given by their numbers, with sample values of their declared types, and reports the errors that occur for
/// all values; reuses the results in `older`, and stores those for the next run in `now`.
pub(crate) fn look_at_types(
    project: &Arc<Project>,
    options: &ProjectOptions,
    modules: &[usize],
    switches: &RuleSwitches,
    (older, now): (Option<OlderValidation<'_>>, Option<&mut Option<ValidationResults>>),
    found: &mut RuleFindings,
) {
    if !switches.is_active(codes::DECLARED_TYPE.slug, true) {
        return;
    }
    let mut told = FxHashSet::default();
    let all = match now {
        None => groma_project::sample(project, options, modules),
        Some(now) => {
            let (all, results) = groma_project::sample_again(project, options, modules, older);
            *now = results;
            all
        }
    };
    for one in all {
        let Some(place) = one.place.filter(|_| TYPE_ERRORS.contains(&one.code)) else { continue };
        if told.insert(place) {
            let detail = format!(
                "{} This follows from the declared types, so it fails for every value.",
                one.detail
            );
            found.push(Diagnostic::warning(&codes::DECLARED_TYPE, detail).at(place));
        }
    }
}
