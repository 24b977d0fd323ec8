//! Validation of `moved` blocks: they must agree with the declarations, whether anything moves or not. The source of a move must
//! no longer be declared.

use std::collections::BTreeMap;

use groma_config::{
    AddressPattern, DeclarationAddress, DeclarationName, InstanceKey, address_grammar,
};
use groma_project::{Evaluation, ModuleInstance, Project};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::Str;

use crate::apply_moves;
use crate::codes;
use crate::find;
use crate::targets::TargetSelection;

/// A `moved` block with the module that contains it.
pub(crate) struct MovedEntry {
    /// The path of the module that contains the block.
    pub(crate) path: Vec<Str>,
    /// The `from` address as written.
    pub(crate) from: AddressPattern,
    pub(crate) to: AddressPattern,
    pub(crate) place: Place,
}

impl MovedEntry {
    /// Returns true if the `moved` block moves a single instance of a resource or module.
    pub(crate) fn is_of_one(&self) -> bool {
        let has_key = |target: &AddressPattern| match &target.resource {
            Some(resource) => resource.key != InstanceKey::None,
            None => target.modules.last().is_some_and(|(_, key)| *key != InstanceKey::None),
        };
        has_key(&self.from) || has_key(&self.to)
    }

    /// Returns the source and target addresses of the move in every instance of the containing module.
    fn instances(&self, root: &ModuleInstance) -> Vec<(AddressPattern, AddressPattern)> {
        let around = find::anywhere(root, &self.path);
        let ends = around.iter().map(|module| {
            let way = module.path();
            let below = |end: &AddressPattern| AddressPattern {
                modules: way.iter().chain(&end.modules).cloned().collect(),
                resource: end.resource.clone(),
            };
            (below(&self.from), below(&self.to))
        });
        ends.collect()
    }

    /// Returns the source and target addresses of the move, relative to the root module.
    pub(crate) fn ends(&self) -> (AddressPattern, AddressPattern) {
        (self.from.below(&self.path), self.to.below(&self.path))
    }
}

/// Returns every `moved` block of a project, in source order.
pub(crate) fn collect(project: &Project) -> Vec<MovedEntry> {
    let mut moves = Vec::new();
    let mut rest = vec![(project.tree(), Vec::new())];
    while let Some((node, path)) = rest.pop() {
        for block in &node.module().others {
            let words = address_grammar(project.edition(), &block.kind);
            let read = |name| AddressPattern::read(&block.argument(name)?.expr, words).ok();
            if &*block.kind == "moved"
                && let (Some(from), Some(to)) = (read("from"), read("to"))
            {
                moves.push(MovedEntry { path: path.clone(), from, to, place: block.header });
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
    moves.sort_by_key(|one| one.place);
    moves
}

/// Reports `moved` blocks that contradict each other, form a cycle, or move what is still declared; in a limited plan, the
/// last is reported only of sources within `scope`.
pub(crate) fn check(
    evaluation: &Evaluation,
    scope: Option<&TargetSelection>,
    out: &mut Diagnostics,
) {
    let moves = collect(evaluation.project());
    let before = out.error_count();
    let root = evaluation.root();
    // A move of one instance does not conflict with a move of all of them.
    let mut by_from: BTreeMap<(AddressPattern, bool), (AddressPattern, &MovedEntry)> =
        BTreeMap::new();
    let mut by_to: BTreeMap<(AddressPattern, bool), (AddressPattern, &MovedEntry)> =
        BTreeMap::new();
    for one in &moves {
        let (from, to) = one.ends();
        let is_one = one.is_of_one();
        if from == to {
            let detail = format!("{from} moves to its own address. Remove the block.");
            out.push(Diagnostic::error(&codes::REDUNDANT_MOVE, detail).at(one.place));
            continue;
        }
        if is_looked_at(scope, &from) && is_declared(&root, one) {
            let detail = format!(
                "{from} is moved to {to}, but it is still declared. Rename its declaration, or remove the block."
            );
            out.push(Diagnostic::error(&codes::MOVED_STILL_DECLARED, detail).at(one.place));
        }
        // A block applies to every instance of its module, and a fault is reported once.
        let mut twice = None;
        for (from, to) in one.instances(&root) {
            let other = |known: Option<&(AddressPattern, &MovedEntry)>, end: &AddressPattern| {
                let (other, first) = known.filter(|(other, _)| other != end)?;
                Some((other.clone(), first.place))
            };
            let goes = other(by_from.get(&(from.clone(), is_one)), &to).map(|(there, place)| {
                (format!("{from} already moves to {there}, so it cannot also move to {to}."), place)
            });
            let comes = other(by_to.get(&(to.clone(), is_one)), &from).map(|(start, place)| {
                (format!("{start} already moves to {to}, so {from} cannot also move there."), place)
            });
            twice = twice.or(goes).or(comes);
            by_from.entry((from.clone(), is_one)).or_insert((to.clone(), one));
            by_to.entry((to, is_one)).or_insert((from, one));
        }
        out.extend(twice.map(|(detail, first)| {
            let found = Diagnostic::error(&codes::AMBIGUOUS_MOVE, detail).at(one.place);
            found.note_at("The other move is here.", first)
        }));
    }
    // If one of the moves is wrong by itself, correcting it usually breaks the cycle.
    if out.error_count() == before
        && let Some(first) = apply_moves::first_in_cycle(&moves)
    {
        let (from, _) = first.ends();
        let detail = format!(
            "These moves form a cycle, so {from} has no final address: an object moves back to where it started, or a part and its whole move against each other. Remove one of the moves, or replace them with a single move to the final address."
        );
        out.push(Diagnostic::error(&codes::MOVE_RING, detail).at(first.place));
    }
}

/// Returns true if the source of a move belongs to what `-target` and `-exclude` let the plan evaluate, so that its declaration
/// is known.
fn is_looked_at(scope: Option<&TargetSelection>, from: &AddressPattern) -> bool {
    let Some(scope) = scope else { return true };
    match &from.resource {
        Some(resource) => {
            let name = DeclarationName::Resource(resource.without_keys());
            scope.contains_declaration(&DeclarationAddress::new(from.modules.without_keys(), name))
        }
        None => true,
    }
}

/// Returns true if the source of a move is still declared: as a whole, or as the instance that moves.
fn is_declared(root: &ModuleInstance, one: &MovedEntry) -> bool {
    let (from, to) = (&one.from, &one.to);
    let around = find::anywhere(root, &one.path);
    match (&from.resource, &to.resource) {
        (Some(resource), Some(other)) => {
            let by_key = resource.key != InstanceKey::None || other.key != InstanceKey::None;
            let modules = around.iter().flat_map(|module| find::below(module, &from.modules));
            modules.into_iter().any(|module| {
                module
                    .module()
                    .resource_position(resource.mode, &resource.kind, &resource.name)
                    .is_some_and(|at| !by_key || module.is_declared(at, &resource.key))
            })
        }
        (None, None) => {
            let Some(((name, key), outer)) = from.modules.split_last() else { return false };
            let by_key = *key != InstanceKey::None
                || to.modules.last().is_some_and(|(_, other)| *other != InstanceKey::None);
            let modules = around.iter().flat_map(|module| find::below(module, outer));
            modules.into_iter().any(|module| {
                module
                    .module()
                    .call_position(name)
                    .is_some_and(|at| !by_key || module.child(at, key).is_some())
            })
        }
        _ => false,
    }
}
