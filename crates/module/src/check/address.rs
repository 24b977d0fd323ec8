//! `moved` and `removed` blocks as they are written: whether what they name can be moved or removed at
//! all. Whether it is still declared is a question for a plan.

use std::sync::Arc;

use groma_folder::{Key, Mode, Raw, ReadSetting, Target, keyword};
use groma_runtime::Dialect;
use groma_syntax::{Diagnostic, DiagnosticCode, Diagnostics};

use crate::declare::Gatherer;

static ADDRESS: DiagnosticCode =
    DiagnosticCode { slug: "invalid-address", summary: "This is not an address" };
static KINDS: DiagnosticCode = DiagnosticCode {
    slug: "move-kinds",
    summary: "Resources and modules cannot become each other",
};
static REMOVED: DiagnosticCode =
    DiagnosticCode { slug: "removed-address", summary: "This cannot be declared as removed" };
static PROVISIONER: DiagnosticCode =
    DiagnosticCode { slug: "removed-provisioner", summary: "Provisioner has no place here" };
static FORGOTTEN: DiagnosticCode = DiagnosticCode {
    slug: "removed-without-lifecycle",
    summary: "Removed object is only forgotten",
};

pub(super) fn check(blocks: &[Arc<Raw>], gatherer: &Gatherer<'_>, out: &mut Diagnostics) {
    for block in blocks {
        match &*block.kind {
            "moved" => moved(block, out),
            "removed" => removed(block, gatherer, out),
            _ => {}
        }
    }
}

/// The address that an argument holds; what is wrong with it is reported.
fn address(block: &Raw, name: &str, out: &mut Diagnostics) -> Option<Target> {
    let argument = block.argument(name)?;
    match Target::read(&argument.expr) {
        Ok(target) => Some(target),
        Err(detail) => {
            out.push(Diagnostic::error(&ADDRESS, detail).at(argument.expr.place()));
            None
        }
    }
}

fn moved(block: &Raw, out: &mut Diagnostics) {
    let (from, to) = (address(block, "from", out), address(block, "to", out));
    if let (Some(from), Some(to)) = (from, to)
        && from.resource.is_some() != to.resource.is_some()
    {
        let detail = format!(
            "One of {from} and {to} is a resource and the other is a module. A resource moves to a resource, a module to a module."
        );
        out.push(Diagnostic::error(&KINDS, detail).at(block.header));
    }
}

fn removed(block: &Raw, gatherer: &Gatherer<'_>, out: &mut Diagnostics) {
    let target = address(block, "from", out);
    let problem = target.as_ref().and_then(|target| {
        if target.modules.iter().any(|(_, key)| *key != Key::None) {
            return Some("A module is removed with all its instances: leave out the key.");
        }
        let resource = target.resource.as_ref()?;
        match (resource.mode, &resource.key) {
            (Mode::Managed, Key::None) => None,
            (Mode::Managed, _) => {
                Some("A resource is removed with all its instances: leave out the key.")
            }
            _ => Some(
                "Data is never destroyed, so there is nothing to say about it. Remove this block.",
            ),
        }
    });
    if let (Some(problem), Some(argument)) = (problem, block.argument("from")) {
        out.push(Diagnostic::error(&REMOVED, problem).at(argument.expr.place()));
    }
    let is_module = target.is_some_and(|target| target.resource.is_none());
    for provisioner in block.blocks_of("provisioner") {
        let when = provisioner.argument("when").and_then(|argument| keyword(&argument.expr));
        let detail = match (is_module, when.as_deref()) {
            (true, _) => {
                "Only a resource has provisioners that can run once more; this removes a module."
            }
            (false, Some("destroy")) => continue,
            _ => "What is removed is never made again: a provisioner here needs when = destroy.",
        };
        out.push(Diagnostic::error(&PROVISIONER, detail).at(provisioner.header));
    }
    let mut is_said = false;
    for lifecycle in block.blocks_of("lifecycle") {
        gatherer.flag(lifecycle, "destroy", out);
        is_said |= lifecycle.argument("destroy").is_some();
    }
    let is_tofu = gatherer.library.edition.dialect == Dialect::OpenTofu;
    if is_tofu && !is_said {
        let detail = "Unless it is said what becomes of the object, it is forgotten and goes on existing. Add lifecycle { destroy = false } if that is meant, or destroy = true if it is to go.";
        out.push(Diagnostic::warning(&FORGOTTEN, detail).at(block.header));
    }
}
