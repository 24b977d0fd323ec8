//! `import` blocks: against an empty state they change nothing here, but what they take over has to be
//! declared, and the ids have to be known.

use groma_functions::Dialect;
use groma_module::declared::{Expression, Import};
use groma_module::{Evaluation, Key, Mode, Project};
use groma_syntax::{Code, Diagnostic, Diagnostics};
use groma_value::Value;

use crate::find;

static NO_TARGET: Code = Code { slug: "import-target", summary: "Import into nothing" };
static ID: Code = Code { slug: "import-id", summary: "This cannot be the id of an import" };
static IDENTITY: Code =
    Code { slug: "import-identity", summary: "This cannot be the identity of an import" };
static EACH: Code = Code { slug: "import-for-each", summary: "Import cannot repeat over this" };

/// Reports imports whose target is not declared in the root module.
pub(crate) fn check(project: &Project, out: &mut Diagnostics) {
    let root = project.root();
    for import in &root.imports {
        let Some(target) = &import.target else { continue };
        let Some(wanted) = &target.resource else { continue };
        let is_declared = root.resources.iter().any(|resource| {
            resource.mode == Mode::Managed
                && resource.kind == wanted.kind
                && resource.name == wanted.name
        });
        if target.modules.is_empty() && !is_declared {
            let detail = format!(
                "This imports into {target}, and no such resource is declared. Declare it, or remove the import."
            );
            let place = match project.edition().dialect {
                Dialect::OpenTofu => import.place,
                _ => import.to,
            };
            out.push(Diagnostic::error(&NO_TARGET, detail).at(place));
        }
    }
}

/// Reports what shows once everything is evaluated.
pub(crate) fn check_values(evaluation: &Evaluation, out: &mut Diagnostics) {
    for import in &evaluation.project().root().imports {
        match &import.for_each {
            Some(for_each) => {
                let value = evaluation.evaluate_declared(for_each, out);
                let parts = match value.bare() {
                    Value::Set(set) => set.items().to_vec(),
                    _ => Vec::new(),
                };
                if evaluation.is_pending(&value)
                    || parts.iter().any(|one| evaluation.is_pending(one))
                {
                    let detail = "What an import repeats over has to be known before the plan is carried out.";
                    out.push(Diagnostic::error(&EACH, detail).at(for_each.place()));
                }
            }
            None => single(evaluation, import, out),
        }
    }
}

fn single(evaluation: &Evaluation, import: &Import, out: &mut Diagnostics) {
    if let Some(id) = &import.id {
        let before = out.error_count();
        let value = evaluation.evaluate_declared(id, out);
        let problem = match value.bare() {
            _ if out.error_count() > before => None,
            Value::Null(_) => Some("it is null. Say by which id the provider knows the object"),
            _ if evaluation.is_pending(&value) => Some(
                "it is not known before the plan is carried out. Work it out from what is known",
            ),
            _ => None,
        };
        if let Some(problem) = problem {
            let detail = format!("An object cannot be taken over by this id: {problem}.");
            out.push(Diagnostic::error(&ID, detail).at(id.place()));
        }
    }
    if let Some(identity) = &import.identity {
        identified(evaluation, import, identity, out);
    }
    let Some(target) = &import.target else { return };
    let Some(wanted) = &target.resource else { return };
    let modules = find::below(&evaluation.root(), &target.modules);
    let exists = modules.iter().any(|module| {
        let at = find::resource(module, wanted.mode, &wanted.kind, &wanted.name);
        at.is_some_and(|at| {
            // How many there are may not be known.
            let mut keys = module.instances(at).map(|one| one.key).peekable();
            wanted.key == Key::None || keys.peek().is_none() || keys.any(|key| key == wanted.key)
        })
    });
    if !modules.is_empty() && !exists {
        let detail = format!(
            "This imports into {target}, and the resource has no such instance. Change the key, or how many there are."
        );
        out.push(Diagnostic::error(&NO_TARGET, detail).at(import.to));
    }
}

/// An object is told apart by what is known, and by a provider that can.
fn identified(
    evaluation: &Evaluation,
    import: &Import,
    identity: &Expression,
    out: &mut Diagnostics,
) {
    let before = out.error_count();
    let value = evaluation.evaluate_declared(identity, out);
    if out.error_count() > before {
        return;
    }
    let kind = import.target.as_ref().and_then(|target| target.resource.as_ref());
    let detail = if evaluation.has_pending(&value) {
        "What tells an object apart has to be known before the plan is carried out, and part of this is not. Work it out from what is known."
    } else if kind.is_some_and(|wanted| &*wanted.kind == "terraform_data") {
        "A terraform_data is known by its id only: write id in place of identity."
    } else {
        return;
    };
    out.push(Diagnostic::error(&IDENTITY, detail).at(identity.place()));
}
