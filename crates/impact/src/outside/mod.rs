//! Changes outside of resource bodies, which a plan does not show and a reviewer has to know. Provider configurations, settings,
//! lifecycles, conditions, variables and others are compared declaration by declaration and by meaning: layout, comments and
//! order do not count.

mod body;
mod change;
mod elsewhere;
mod entry;
mod expression;
mod interface;
mod pairing;
mod provider;
mod refactoring;
mod resource;
mod settings;
mod shown;
mod written;

use groma_plan::Plan;
use groma_protocol::place_text;
use groma_value::Str;

pub(crate) use change::write;
pub use change::{AffectedObjects, OutsideChange, OutsideKind};
pub(crate) use pairing::MovedDeclarations;
pub use shown::OutsideValue;

use body::BodyDifference;
use elsewhere::AffectedSearch;
use entry::DeclaredEntry;
use expression::RevisionSide;
use pairing::ModulePair;

/// Returns the changes outside of resource bodies between the code of two plans.
pub(crate) fn changes(base: &Plan, head: &Plan, moves: &MovedDeclarations) -> Vec<OutsideChange> {
    let sides = [RevisionSide::of(base.evaluation()), RevisionSide::of(head.evaluation())];
    let mut reaching = AffectedSearch::of(base, head, moves);
    let mut all = Vec::new();
    for pair in ModulePair::all([&sides[0], &sides[1]], moves) {
        let both = [entries(&pair, 0), entries(&pair, 1)];
        let mut found: Vec<(BodyDifference, AffectedObjects)> = Vec::new();
        entry::compare(both, &mut |one, target| {
            let reach = reaching.reach(&pair, target, &one);
            found.push((one, reach));
        });
        all.extend(found.into_iter().map(|(one, reaches)| {
            let BodyDifference { kind, address, place, before, after } = one;
            let side = if after.is_some() { &sides[1] } else { &sides[0] };
            let place = Str::from(place_text(place, &side.sources));
            let address = pair.address_of(&address);
            OutsideChange { kind, address, place, before, after, reaches }
        }));
    }
    all.sort_by(|one, other| (one.kind, &one.address).cmp(&(other.kind, &other.address)));
    all
}

/// Returns the declarations of one module of a pair as entries to compare; `side` is 0 for the older module and 1 for the newer
/// one.
fn entries(pair: &ModulePair<'_>, side: usize) -> Vec<DeclaredEntry> {
    let mut all = Vec::new();
    let here = &pair.here[side];
    provider::configurations(here, &mut all);
    settings::entries(here, &mut all);
    resource::evaluated_entries(pair, side, &mut all);
    if here.node.parent().is_none() {
        interface::values(here, &mut all);
    }
    if !pair.is_shared {
        interface::entries(pair, side, &mut all);
        resource::code_entries(pair, side, &mut all);
        refactoring::entries(here, &mut all);
        provider::passed_configurations(pair, side, &mut all);
    }
    all
}
