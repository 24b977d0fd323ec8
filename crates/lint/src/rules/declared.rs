//! What the declared types of variables settle inside of loops and texts. The programs look at a loop only once they know
//! what it walks over, and at a part of a text only once they know its value; the type is known before.

use std::sync::Arc;

use groma_eval::codes::{
    ARGUMENT, CONDITION, EXPANSION, INTERPOLATION, NO_ATTRIBUTE, NO_ELEMENT, NOT_ITERABLE,
    OBJECT_KEY, OPERAND,
};
use groma_project::{ExaminedProject, Project, ProjectOptions};
use groma_syntax::{Diagnostic, DiagnosticCode};
use rustc_hash::FxHashSet;

use crate::found::RuleFindings;
use crate::{RuleSwitches, codes};

/// The diagnostics that a type alone can settle. Others may come from what only a value decides.
const SETTLED: [&DiagnosticCode; 9] = [
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

/// Looks at the modules with these numbers. Takes over what an `older` look has worked out, and puts into `now` what the next
/// one may take over.
pub(crate) fn look_at_types(
    project: &Arc<Project>,
    options: &ProjectOptions,
    modules: &[usize],
    switches: &RuleSwitches,
    (older, now): (Option<&ExaminedProject>, Option<&mut Option<ExaminedProject>>),
    found: &mut RuleFindings,
) {
    if !switches.counts(codes::DECLARED_TYPE.slug, true) {
        return;
    }
    let mut told = FxHashSet::default();
    let all = match now {
        None => groma_project::sample(project, options, modules),
        Some(now) => {
            let (all, examined) = groma_project::sample_again(project, options, modules, older);
            *now = examined;
            all
        }
    };
    for one in all {
        let Some(place) = one.place.filter(|_| SETTLED.contains(&one.code)) else { continue };
        if told.insert(place) {
            let detail = format!(
                "{} This follows from the declared types, so it fails for every value.",
                one.detail
            );
            found.push(Diagnostic::warning(&codes::DECLARED_TYPE, detail).at(place));
        }
    }
}
