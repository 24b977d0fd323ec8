//! Validation of `moved` and `removed` blocks as written: their addresses must be of movable or removable things. Declarations
//! of the targets are a plan's concern.

use std::sync::Arc;

use groma_config::{
    AddressPattern, InstanceKey, RawBlock, ReadSetting, ResourceMode, address_grammar, keyword,
};
use groma_syntax::{Diagnostic, Diagnostics};

use crate::codes;
use crate::declare::DeclarationReader;

/// Reports `moved` and `removed` blocks with invalid addresses or settings.
pub(super) fn check(
    blocks: &[Arc<RawBlock>],
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) {
    for block in blocks {
        match &*block.kind {
            "moved" => moved(block, gatherer, out),
            "removed" => removed(block, gatherer, out),
            _ => {}
        }
    }
}

/// Returns the address in the argument `name` of a `moved` or `removed` block; `None` if it is missing, or invalid, which is
/// reported.
fn address(
    block: &RawBlock,
    name: &str,
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) -> Option<AddressPattern> {
    let argument = block.argument(name)?;
    match AddressPattern::read(
        &argument.expr,
        address_grammar(gatherer.library.edition, &block.kind),
    ) {
        Ok(target) => Some(target),
        Err(detail) => {
            out.push(Diagnostic::error(&codes::INVALID_ADDRESS, detail).at(argument.expr.place()));
            None
        }
    }
}

/// Reports a `moved` block with an invalid or ephemeral address, or with one address of a resource and one of a module.
fn moved(block: &RawBlock, gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    let before = out.error_count();
    let (from, to) = (address(block, "from", gatherer, out), address(block, "to", gatherer, out));
    if !gatherer.conventions.moves_keep_ephemeral {
        let is_ephemeral = |target: &&AddressPattern| {
            target
                .resource
                .as_ref()
                .is_some_and(|resource| resource.mode == ResourceMode::Ephemeral)
        };
        let detail = match [&from, &to].into_iter().flatten().find(is_ephemeral) {
            Some(target) => Some(format!(
                "{target} is ephemeral and never stored, so there is nothing to move. Remove the block."
            )),
            None if out.error_count() > before => Some(
                "This block moves nothing, because one of its addresses is not valid.".to_owned(),
            ),
            None => None,
        };
        if let Some(detail) = detail {
            out.push(Diagnostic::error(&codes::NOT_MOVABLE, detail).at(block.header));
            return;
        }
    }
    if let (Some(from), Some(to)) = (from, to)
        && from.resource.is_some() != to.resource.is_some()
    {
        let detail = format!(
            "One of {from} and {to} is a resource and the other is a module. A resource moves to a resource, a module to a module."
        );
        out.push(Diagnostic::error(&codes::MOVE_KINDS, detail).at(block.header));
    }
}

/// Reports a `removed` block whose address has an instance key or is not that of a managed resource or module, or whose
/// provisioners or lifecycle are invalid.
fn removed(block: &RawBlock, gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    let before = out.error_count();
    let target = address(block, "from", gatherer, out);
    let problem = target.as_ref().and_then(|target| {
        if target.modules.iter().any(|(_, key)| *key != InstanceKey::None) {
            return Some("A module is removed with all its instances: leave out the key.");
        }
        let resource = target.resource.as_ref()?;
        match (resource.mode, &resource.key) {
            (ResourceMode::Managed, InstanceKey::None) => None,
            (ResourceMode::Managed, _) => {
                Some("A resource is removed with all its instances: leave out the key.")
            }
            (ResourceMode::Data, _) => {
                Some("A data source is never destroyed, so this block has no effect. Remove it.")
            }
            _ => Some(
                "An ephemeral resource is never stored, so this block has no effect. Remove it.",
            ),
        }
    });
    if let (Some(problem), Some(argument)) = (problem, block.argument("from")) {
        out.push(Diagnostic::error(&codes::REMOVED_ADDRESS, problem).at(argument.expr.place()));
    }
    let mut provisioners = 0;
    for provisioner in block.blocks_of("provisioner") {
        provisioners += 1;
        let when = provisioner.argument("when").and_then(|argument| keyword(&argument.expr));
        if when.as_deref() != Some("destroy") {
            let detail = "A removed resource is never created again: a provisioner here needs when = destroy.";
            out.push(Diagnostic::error(&codes::REMOVED_PROVISIONER, detail).at(provisioner.header));
        } else if target.as_ref().is_some_and(|target| target.resource.is_none()) {
            let detail = "Provisioners are for resources, but this block removes a module. Remove the provisioner.";
            let place =
                if gatherer.conventions.blames_blocks { block.header } else { provisioner.header };
            out.push(Diagnostic::error(&codes::REMOVED_PROVISIONER, detail).at(place));
        }
    }
    let mut destroys = None;
    for (number, lifecycle) in block.blocks_of("lifecycle").enumerate() {
        if number > 0 && gatherer.conventions.single_removed_lifecycle {
            let detail = "A removed block may have only one lifecycle block. Merge the two.";
            out.push(Diagnostic::error(&codes::BLOCK_COUNT, detail).at(lifecycle.header));
        }
        destroys = gatherer.flag(lifecycle, "destroy", out).or(destroys);
    }
    if !gatherer.conventions.advises_removals
        || out.error_count() > before
        || block.argument("from").is_none()
    {
        return;
    }
    match destroys {
        None => {
            let detail = "By default the object is only forgotten and continues to exist. Add lifecycle { destroy = false } if that is meant, or destroy = true to destroy it.";
            out.push(
                Diagnostic::warning(&codes::REMOVED_WITHOUT_LIFECYCLE, detail).at(block.header),
            );
        }
        Some(false) if provisioners > 0 => {
            let detail = "The object is only forgotten (destroy = false), so its destroy provisioners never run. Remove them, or set destroy = true.";
            out.push(
                Diagnostic::warning(&codes::REMOVED_PROVISIONER_NOT_RUN, detail).at(block.header),
            );
        }
        Some(_) => {}
    }
}
