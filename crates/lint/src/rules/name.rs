//! Names that violate the naming convention. Types are named by providers, and not checked.

use groma_config::ResourceMode;
use groma_syntax::{Diagnostic, Place};

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// Finds names of blocks that do not have the required format.
pub(super) fn look(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let (module, naming) = (subject.module, &subject.options().naming);
    let mut judge = |kind: &str, what: &str, name: &str, place: Place| {
        let format = naming.of(kind);
        if format.fits(name) {
            return;
        }
        let detail = format!("The {what} name \"{name}\" {}. Rename it.", format.misfit());
        found.push(Diagnostic::warning(&codes::NAMING_CONVENTION, detail).at(place));
    };
    for one in &module.variables {
        judge("variable", "variable", &one.name, one.place);
    }
    for one in &module.locals {
        judge("locals", "local value", &one.name, super::unused::name_of(one, subject));
    }
    for one in &module.outputs {
        judge("output", "output", &one.name, one.place);
    }
    for one in &module.calls {
        judge("module", "module", &one.name, one.place);
    }
    for one in &module.checks {
        judge("check", "check", &one.name, one.place);
    }
    for one in &module.resources {
        match one.mode {
            ResourceMode::Managed => judge("resource", "resource", &one.name, one.place),
            ResourceMode::Data => judge("data", "data source", &one.name, one.place),
            _ => {}
        }
    }
}
