//! The standard file structure of a module. A module only in JSON is generated and not checked.

use groma_syntax::{Diagnostic, FileId, Place, Span};

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// The files that a module of the standard structure has.
const FILES: [&str; 3] = ["main.tf", "variables.tf", "outputs.tf"];

/// Finds deviations from the standard structure of a module: missing files, and variables or outputs in other files.
pub(super) fn look(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let module = subject.module;
    let name = |file: FileId| subject.file_name(file);
    if !module.files.iter().any(|file| is_native(name(*file))) {
        return;
    }
    let is_there = |wanted: &str| module.files.iter().any(|file| is(name(*file), wanted));
    let absent: Vec<&str> = FILES.into_iter().filter(|wanted| !is_there(wanted)).collect();
    if let (Some(first), [_, ..]) = (module.files.first(), absent.as_slice()) {
        let detail = format!(
            "The module has no {}. By convention it has one, even if it is empty.",
            absent.join(", no ")
        );
        let place = Place::new(*first, Span::at(0));
        found.push(Diagnostic::warning(&codes::MODULE_STRUCTURE, detail).at(place));
    }
    let variables = module.variables.iter().map(|one| (&one.name, "variable", one.place, FILES[1]));
    let outputs = module.outputs.iter().map(|one| (&one.name, "output", one.place, FILES[2]));
    for (own, what, place, wanted) in variables.chain(outputs) {
        let file = subject.sources.at(place).0.name();
        let file = file.rsplit('/').next().unwrap_or(file);
        if is_native(file) && !is(file, wanted) {
            let detail = format!("The {what} \"{}\" belongs in {wanted}. Move it there.", &**own);
            found.push(Diagnostic::warning(&codes::MODULE_STRUCTURE, detail).at(place));
        }
    }
}

/// Returns true if a file name is not that of a JSON file.
fn is_native(name: &str) -> bool {
    !name.ends_with(".json")
}

/// Returns true if a file is called `wanted`, such as `main.tf`, or differs from it only in the ending, such as `main.tofu`.
fn is(name: &str, wanted: &str) -> bool {
    let stem = |name: &str| name.split('.').next().map(str::to_owned);
    name == wanted || stem(name) == stem(wanted)
}
