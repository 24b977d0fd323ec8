//! `removed` blocks: their targets are no longer declared, and they say if recorded objects are destroyed or only forgotten.

use std::collections::BTreeMap;

use groma_config::{
    AddressPattern, ConfigAddress, InstanceAddress, RawBlock, address_grammar, keyword,
};
use groma_project::{ModuleNode, Project};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place, json};
use groma_value::Str;

use crate::codes;

/// The targets of a project's `removed` blocks, each with true if its objects are destroyed rather than forgotten.
#[derive(Default)]
pub(crate) struct RemovedBlocks {
    /// True for each address whose objects are destroyed, relative to the root and without keys.
    destroyed: BTreeMap<ConfigAddress, bool>,
}

impl RemovedBlocks {
    /// Returns true if the nearest removal destroys the object recorded at an address, false if it forgets it; `None` if no
    /// removal covers it.
    pub(crate) fn destroys(&self, address: &InstanceAddress) -> Option<bool> {
        if self.destroyed.is_empty() {
            return None;
        }
        let mut at = address.without_keys();
        loop {
            match self.destroyed.get(&at) {
                Some(destroys) => return Some(*destroys),
                None => at = at.around()?,
            }
        }
    }
}

/// Returns the `removed` blocks of all modules of a project.
pub(crate) fn collect(project: &Project) -> RemovedBlocks {
    let mut found = RemovedBlocks::default();
    visit(project, &mut |_, path, target, block| {
        let destroys = block
            .blocks_of("lifecycle")
            .find_map(|lifecycle| lifecycle.argument("destroy"))
            .and_then(|argument| literal_flag(&argument.expr));
        let destroys = destroys.unwrap_or(!project.conventions().removed_is_forgotten);
        found.destroyed.insert(target.below(path).without_keys(), destroys);
    });
    found
}

/// Returns the value of an expression that is `true` or `false`, else `None`.
fn literal_flag(expr: &Expr) -> Option<bool> {
    let word = match expr {
        Expr::Json(document) => match document.view().case() {
            json::JsonCase::Bool(flag) => return Some(flag),
            _ => keyword(expr)?,
        },
        Expr::Native(_) => keyword(expr)?,
    };
    word.parse().ok()
}

/// Reports `removed` blocks whose targets are still declared.
pub(crate) fn check(project: &Project, out: &mut Diagnostics) {
    let blames_block = project.conventions().blames_blocks;
    visit(project, &mut |node, _, target, block| {
        let place = blames_block.then_some(block.header);
        out.extend(removed(node, &target, place));
    });
}

/// A visitor of `removed` blocks: the module, its path, the target address and the block.
type RemovalVisitor<'v, 'p> = &'v mut dyn FnMut(ModuleNode<'p>, &[Str], AddressPattern, &RawBlock);

/// Calls `see` with each `removed` block of a project.
fn visit<'p>(project: &'p Project, see: RemovalVisitor<'_, 'p>) {
    let mut rest = vec![(project.tree(), Vec::new())];
    while let Some((node, path)) = rest.pop() {
        for block in node.module().others.iter().filter(|block| &*block.kind == "removed") {
            let words = address_grammar(project.edition(), "removed");
            let from = block.argument("from");
            let target = from.and_then(|from| AddressPattern::read(&from.expr, words).ok());
            if let Some(target) = target {
                see(node, &path, target, block);
            }
        }
        for (at, call) in node.module().calls.iter().enumerate() {
            if let Some(child) = node.child(at) {
                let mut path = path.clone();
                path.push(call.name.clone());
                rest.push((child, path));
            }
        }
    }
}

/// Returns the diagnostic for a `removed` block if its target is still declared.
fn removed(
    mut node: ModuleNode<'_>,
    target: &AddressPattern,
    place: Option<Place>,
) -> Option<Diagnostic> {
    let mut last = None;
    for (at, (name, _)) in target.modules.iter().enumerate() {
        let call = node.module().call_position(name)?;
        last = Some(node.module().calls[call].place);
        if at + 1 < target.modules.len() || target.resource.is_some() {
            node = node.child(call)?;
        }
    }
    let declared = match &target.resource {
        None => last?,
        Some(wanted) => {
            let at = node.module().resource_position(wanted.mode, &wanted.kind, &wanted.name)?;
            node.module().resources[at].place
        }
    };
    let detail = format!(
        "{target} is still declared, although a removed block removes it. Remove the declaration or the removed block."
    );
    Some(Diagnostic::error(&codes::REMOVED_STILL_DECLARED, detail).at(place.unwrap_or(declared)))
}
