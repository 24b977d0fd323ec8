//! `terraform.workspace` with remote runs. Terraform 1.0 always names the workspace "default" there, so this matters only if
//! such a version is required or allowed.

use groma_config::{ReleaseVersion, VersionConstraints, literal_text};
use groma_module::declare::Module;
use groma_syntax::Diagnostic;
use groma_syntax::ast::ExprCase;

use crate::codes;
use crate::found::RuleFindings;
use crate::inner::InnerExpression;
use crate::subject::LintedModule;

/// Number of patch releases of Terraform 1.0 that are tested against a version constraint.
const PATCHES: u64 = 40;

/// Finds `terraform.workspace` in modules with remote runs, in which Terraform 1.0 always calls the workspace "default".
pub(super) fn look(
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
    found: &mut RuleFindings,
) {
    let ExprCase::Attribute { object, name: "workspace", .. } = node.case else { return };
    if !matches!(object.case(), ExprCase::Root("terraform")) || !is_affected(subject.module) {
        return;
    }
    let detail = "In a remote run Terraform 1.0 calls every workspace \"default\", and `required_version` allows that version. Use a variable, or require \">= 1.1\".";
    let place = node.place(node.view);
    found.push(Diagnostic::warning(&codes::REMOTE_WORKSPACE, detail).at(place));
}

/// Returns true if a module uses the `remote` backend and its `required_version` allows Terraform 1.0.
fn is_affected(module: &Module) -> bool {
    let blocks = &module.settings.blocks;
    let backends = || blocks.iter().flat_map(|block| block.blocks_of("backend"));
    if !backends().any(|backend| backend.label(0) == "remote") {
        return false;
    }
    let mut constraints = Vec::new();
    for argument in blocks.iter().filter_map(|block| block.argument("required_version")) {
        let parsed = literal_text(&argument.expr).map(|text| VersionConstraints::parse(&text));
        let Some(Ok(parsed)) = parsed else { return false };
        constraints.push(parsed);
    }
    let allows = |version: ReleaseVersion| constraints.iter().all(|one| one.allow(&version));
    !constraints.is_empty() && (0..PATCHES).any(|patch| allows(ReleaseVersion::new(1, 0, patch)))
}
