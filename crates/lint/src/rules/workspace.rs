//! `terraform.workspace` where runs are remote. Terraform 1.0 calls the workspace "default" there whatever it is called, so
//! this matters only where such a version is required or allowed.

use groma_folder::{Constraints, Release, literal_text};
use groma_module::declare::Module;
use groma_syntax::Diagnostic;
use groma_syntax::ast::Case;

use crate::codes;
use crate::found::Found;
use crate::inner::Inner;
use crate::subject::Subject;

/// No minor version has more patches.
const PATCHES: u64 = 40;

pub(super) fn look(node: &Inner<'_>, subject: &Subject<'_>, found: &mut Found) {
    let Case::Attribute { object, name: "workspace", .. } = node.case else { return };
    if !matches!(object.case(), Case::Root("terraform")) || !is_affected(subject.module) {
        return;
    }
    let detail = "In a remote run Terraform 1.0 calls every workspace \"default\", and `required_version` allows it. Use a variable, or require \">= 1.1\".";
    let place = node.place(node.view);
    found.push(Diagnostic::warning(&codes::REMOTE_WORKSPACE, detail).at(place));
}

/// Whether runs are remote and may be of that version.
fn is_affected(module: &Module) -> bool {
    let blocks = &module.settings.blocks;
    let backends = || blocks.iter().flat_map(|block| block.blocks_of("backend"));
    if !backends().any(|backend| backend.label(0) == "remote") {
        return false;
    }
    let mut constraints = Vec::new();
    for argument in blocks.iter().filter_map(|block| block.argument("required_version")) {
        let parsed = literal_text(&argument.expr).map(|text| Constraints::parse(&text));
        let Some(Ok(parsed)) = parsed else { return false };
        constraints.push(parsed);
    }
    let allows = |version: Release| constraints.iter().all(|one| one.allow(&version));
    !constraints.is_empty() && (0..PATCHES).any(|patch| allows(Release::new(1, 0, patch)))
}
