//! `import` blocks: against an empty state they change nothing here, but what they import into has
//! to be declared.

use groma_functions::Dialect;
use groma_module::{Mode, Project};
use groma_syntax::ast::{Case, Expression};
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr};

static NO_TARGET: Code = Code { slug: "import-target", summary: "Import into nothing" };

/// Reports imports whose target is not declared.
pub(crate) fn check(project: &Project, out: &mut Diagnostics) {
    let root = project.root();
    for import in root.others.iter().filter(|block| &*block.kind == "import") {
        let Some(to) = import.argument("to") else { continue };
        let Expr::Native(native) = &to.expr else { continue };
        // Targets inside of modules need the tree, and are left alone.
        let Some((kind, name)) = target(native.view()) else { continue };
        let is_declared = root
            .resources
            .iter()
            .any(|r| r.mode == Mode::Managed && *r.kind == *kind && *r.name == *name);
        if !is_declared {
            let detail = format!(
                "This imports into {kind}.{name}, and no such resource is declared. Declare it, or remove the import."
            );
            let place = match project.edition().dialect {
                Dialect::OpenTofu => import.header,
                _ => to.expr.place(),
            };
            out.push(Diagnostic::error(&NO_TARGET, detail).at(place));
        }
    }
}

/// The type and the name in `type.name` or `type.name[key]`.
fn target(view: Expression<'_>) -> Option<(String, String)> {
    let named = match view.case() {
        Case::Index { object, .. } => object.case(),
        case => case,
    };
    let Case::Attribute { object, name, .. } = named else { return None };
    match object.case() {
        Case::Root(kind) if kind != "module" => Some((kind.to_owned(), name.to_owned())),
        _ => None,
    }
}
