//! Infinite numbers: valid in expressions, but not representable in plans and states. Using one in an intermediate value is not
//! an error.

use crate::codes;
use groma_config::ResourceMode;
use groma_project::ModuleInstance;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::Value;

use crate::output::OutputChange;

/// Reports root outputs and resources that contain an infinite number.
pub(crate) fn check(outputs: &[OutputChange], modules: &[ModuleInstance], out: &mut Diagnostics) {
    let mut report = |what: String, place: Place| {
        let detail = format!(
            "{what} contains an infinite number, which cannot be stored. Look for a division by zero."
        );
        out.push(Diagnostic::error(&codes::INFINITE_NUMBER, detail).at(place));
    };
    // The root module comes first.
    for declared in modules.first().iter().flat_map(|root| &root.module().outputs) {
        let mut planned = outputs.iter().filter(|output| output.name == declared.name);
        if planned.any(|output| is_infinite(&output.after)) {
            report(format!("The output \"{}\"", &*declared.name), declared.place);
        }
    }
    for module in modules {
        let managed = module.module().resources.iter().enumerate();
        for (at, resource) in managed.filter(|(_, resource)| resource.mode == ResourceMode::Managed)
        {
            // There may be very many instances: names are computed only where an infinite number occurs.
            if !module.values(at).any(|value| is_infinite(&value)) {
                continue;
            }
            for instance in module.instances(at).filter(|one| is_infinite(&one.value)) {
                report(instance.address.to_string(), resource.place);
            }
        }
    }
}

/// Returns true if a value contains an infinite number.
fn is_infinite(value: &Value) -> bool {
    let mut found = false;
    value.visit(&mut |part| {
        found |= part.as_number().is_some_and(|number| number.is_infinite());
        !found
    });
    found
}
