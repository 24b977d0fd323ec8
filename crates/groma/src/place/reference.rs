//! Index of the references to each declaration. It is built from resolved code once per snapshot; a name in a comment or a
//! string is not a reference.

use std::collections::BTreeMap;

use groma_config::ResourceMode;
use groma_eval::{LocatedCode, Reference, Step};
use groma_module::declare::{Referent, ReferentUse};
use groma_module::visit::Declaration;
use groma_project::{ModuleNode, Project};
use groma_syntax::Place;

use crate::place::declaration::DeclarationId;
use crate::place::index::PlaceIndex;

/// A reference to a declaration in an expression: its place, and the declaration that contains it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlaceReference {
    /// The place from the reference's first name to that of the declaration, such as `module.net.id` for the output `id`.
    pub place: Place,
    /// The declaration that contains the reference.
    pub within: DeclarationId,
}

/// A call of a variable's module, with the places of the argument that sets the variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputCaller {
    /// The module call.
    pub call: DeclarationId,
    /// The place of the argument's name; `None` if the call omits the argument.
    pub argument: Option<Place>,
    /// The place of the argument's value; `None` if the call omits the argument.
    pub value: Option<Place>,
}

/// All references in a project, by the declaration that they refer to.
#[derive(Debug, Default)]
pub(super) struct ReferenceIndex(BTreeMap<DeclarationId, Vec<PlaceReference>>);

impl ReferenceIndex {
    /// Returns the references to a declaration, sorted by place.
    pub(super) fn get(&self, id: DeclarationId) -> &[PlaceReference] {
        self.0.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Builds the index of references by the declaration that they refer to, from the resolved expressions of all modules.
    pub(super) fn of(project: &Project, places: &PlaceIndex) -> ReferenceIndex {
        let mut index = ReferenceIndex::default();
        for node in project.nodes().filter(|node| places.first_of(node.number()) == node.number()) {
            node.module().visit(&mut |declaration, seen| {
                let within = DeclarationId { module: node.number(), declaration };
                let located = &seen.expression.located;
                for used in &seen.expression.uses {
                    let Some(reference) = located.code.references().get(used.reference as usize)
                    else {
                        continue;
                    };
                    for (id, steps) in declarations_of_use(node, used, reference, places) {
                        let place =
                            project.sources().resolve(located.place_of_first(reference, steps));
                        index.0.entry(id).or_default().push(PlaceReference { place, within });
                    }
                }
            });
        }
        for all in index.0.values_mut() {
            all.sort_by_key(|one| (one.place, one.within));
            all.dedup();
        }
        index
    }
}

/// Returns the declarations that a reference in the module `node` names, as resolved in `used`, each with the number of the
/// reference's steps up to the declaration's name. `module.a.b` names two: the call and the output.
pub(super) fn declarations_of_use(
    node: ModuleNode<'_>,
    used: &ReferentUse,
    reference: &Reference,
    places: &PlaceIndex,
) -> Vec<(DeclarationId, usize)> {
    let here = |declaration| DeclarationId { module: places.first_of(node.number()), declaration };
    match &used.target {
        Referent::Variable(at) => vec![(here(Declaration::Variable(*at)), 1)],
        Referent::Local(at) => vec![(here(Declaration::Local(*at)), 1)],
        Referent::Call(at) => vec![(here(Declaration::Call(*at)), 1)],
        Referent::Resource(at) => {
            let mode = node.module().resources.get(*at as usize).map(|one| one.mode);
            // `caller` and similar names refer to a resource without its address.
            let steps = match mode {
                Some(ResourceMode::Managed) => 1,
                _ => 2,
            };
            vec![(here(Declaration::Resource(*at)), steps)]
        }
        Referent::Output { call, name } => {
            let mut all = vec![(here(Declaration::Call(*call)), 1)];
            let names_it = |step: &Step| matches!(step, Step::Attribute(own) if own == name);
            let steps = reference.steps.iter().skip(1).position(names_it);
            if let (Some(child), Some(steps)) = (node.child(*call as usize), steps)
                && let Some(at) = child.module().names.output(name)
            {
                let module = places.first_of(child.number());
                let declaration = Declaration::Output(at);
                all.push((DeclarationId { module, declaration }, steps + 2));
            }
            all
        }
        Referent::Settled
        | Referent::TypeWord
        | Referent::Itself
        | Referent::Broken
        | Referent::News => Vec::new(),
    }
}

/// Returns the reference of an expression that an offset of the file touches, with the entry of `uses` that tells its
/// declaration; `None` if there is none; `resolve` converts the places of `located` to places in the file.
pub(super) fn reference_at<'c>(
    located: &'c LocatedCode,
    uses: &'c [ReferentUse],
    offset: u32,
    resolve: impl Fn(Place) -> Place,
) -> Option<(&'c ReferentUse, &'c Reference)> {
    uses.iter().find_map(|used| {
        let reference = located.code.references().get(used.reference as usize)?;
        let place = resolve(located.place(reference.span));
        place.span.touches(offset).then_some((used, reference))
    })
}
