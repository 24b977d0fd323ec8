//! `prevent_destroy`: a plan that would destroy a protected object is refused. Undeclared data sources are not protected.

use groma_config::{ModuleAddress, ResourceMode};
use groma_project::{Evaluation, ModuleInstance};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Str, Type, Value};

use crate::change::{Action, Change};
use crate::codes;
use crate::find;

/// Reports objects with `prevent_destroy` that the changes would destroy.
pub(crate) fn check(evaluation: &Evaluation, changes: &[Change], out: &mut Diagnostics) {
    let mut known: Option<(ModuleAddress, Vec<ModuleInstance>)> = None;
    for change in changes {
        let is_meant = change.mode == ResourceMode::Managed && change.deposed.is_none();
        // A replaced object counts as destroyed if only its taint allows it to be forgotten.
        let is_gone = change.action.destroys() || change.action == Action::CreateThenForget;
        if !is_meant || !is_gone {
            continue;
        }
        if known.as_ref().is_none_or(|(path, _)| path != change.path()) {
            // The instance may be gone, and the configuration is the same for all.
            let names: Vec<Str> = change.path().iter().map(|(name, _)| name.clone()).collect();
            let all = find::anywhere(&evaluation.root(), &names);
            let own = find::below(&evaluation.root(), change.path());
            known = Some((change.path().clone(), if own.is_empty() { all } else { own }));
        }
        let Some(module) = known.as_ref().and_then(|(_, all)| all.first()) else { continue };
        let Some(at) = module.module().resource_position(change.mode, &change.kind, &change.name)
        else {
            continue;
        };
        let lifecycle = module.module().resources[at].lifecycle();
        let is_protected = match &lifecycle.prevent_destroy {
            Some(expression) => {
                let value = module.evaluate(expression, None, &mut Diagnostics::new());
                if !value.is_known() {
                    let detail = format!(
                        "{} would be destroyed, and whether that is allowed is known only at the apply.",
                        change.instance.address
                    );
                    let place = expression.place();
                    out.push(Diagnostic::error(&codes::PREVENT_DESTROY, detail).at(place));
                }
                matches!(groma_value::convert(value.bare(), &Type::Bool), Ok(Value::Bool(true)))
            }
            None => lifecycle.prevents_destroy,
        };
        if is_protected {
            let what = match (change.action.is_replacement(), change.action.destroys()) {
                (true, true) => "be replaced, and the existing object would be destroyed",
                (true, false) => "be replaced by another object",
                (false, _) => "be destroyed",
            };
            let detail = format!(
                "{} would {what}, but its lifecycle sets prevent_destroy. Leave it as it is, or remove the setting.",
                change.instance.address
            );
            out.push(
                Diagnostic::error(&codes::PROTECTED_RESOURCE, detail)
                    .at(module.module().resources[at].place),
            );
        }
    }
}
