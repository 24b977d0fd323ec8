//! What changed beside the resources: what a plan does not show and a reviewer has to know. Provider configurations,
//! settings, lifecycles, conditions, variables and the like are compared declaration by declaration, and by what they
//! mean: layout, comments and order do not count.

mod body;
mod condition;
mod document;
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

use groma_plan::Plan;
use groma_report::place_text;
use groma_value::Str;

pub(crate) use document::write;
pub(crate) use pairing::Moves;
pub use shown::Shown;

use body::Found;
use elsewhere::Reaching;
use entry::entries;
use expression::Side;
use pairing::Pair;

/// The kinds of what changes beside the resources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BesideKind {
    /// The configuration of a provider, or which one a resource uses.
    Provider,
    /// Where the state is kept, and how.
    Backend,
    /// Which versions of the program and of providers are asked for.
    Version,
    /// `lifecycle` of a resource, without its conditions.
    Lifecycle,
    /// A provisioner or its connection.
    Provisioner,
    /// A validation, precondition, postcondition or check.
    Condition,
    /// An input variable.
    Variable,
    /// An output, without its value.
    Output,
    /// Where a called module is, and its version.
    Module,
    /// `depends_on`.
    Dependency,
    /// `moved`, `removed` and `import` blocks.
    Refactoring,
    /// What value files give the root.
    Values,
}

impl BesideKind {
    /// Returns the word that documents use for it.
    pub fn word(self) -> &'static str {
        match self {
            BesideKind::Provider => "provider",
            BesideKind::Backend => "backend",
            BesideKind::Version => "version",
            BesideKind::Lifecycle => "lifecycle",
            BesideKind::Provisioner => "provisioner",
            BesideKind::Condition => "condition",
            BesideKind::Variable => "variable",
            BesideKind::Output => "output",
            BesideKind::Module => "module",
            BesideKind::Dependency => "dependency",
            BesideKind::Refactoring => "refactoring",
            BesideKind::Values => "values",
        }
    }
}

/// Something beside the resources that is not the same in two revisions.
#[derive(Clone, Debug)]
pub struct BesideChange {
    /// What it belongs to.
    pub kind: BesideKind,
    /// The address of the declaration, and the way to the part of it that differs.
    pub address: String,
    /// Where it is written, as `FILE:LINE`: in the newer code, or in the older code what is gone.
    pub place: Str,
    /// What was there; nothing where it is new.
    pub before: Option<Shown>,
    /// What is there now; nothing where it is gone.
    pub after: Option<Shown>,
    /// What it concerns.
    pub reaches: Reach,
}

/// What a change concerns.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The addresses, sorted.
    pub addresses: Vec<String>,
    /// Whether those of resources would be other objects in another place: in another region or account.
    pub is_elsewhere: bool,
    /// How many of the addresses are those of data sources, where they are of resources.
    pub data: usize,
}

impl Reach {
    fn to(addresses: Vec<String>) -> Reach {
        Reach { addresses, ..Reach::default() }
    }
}

/// Compares what two plans of a root were made from.
pub(crate) fn changes(base: &Plan, head: &Plan, moves: &Moves) -> Vec<BesideChange> {
    let sides = [Side::of(base.evaluation()), Side::of(head.evaluation())];
    let mut reaching = Reaching::of(base, head, moves);
    let mut all = Vec::new();
    for pair in Pair::all([&sides[0], &sides[1]], moves) {
        let both = [entries(&pair, 0), entries(&pair, 1)];
        let mut found: Vec<(Found, Reach)> = Vec::new();
        entry::compare(both, &mut |one, aim| {
            let reach = reaching.reach(&pair, aim, &one);
            found.push((one, reach));
        });
        all.extend(found.into_iter().map(|(one, reaches)| {
            let Found { kind, address, place, before, after } = one;
            let side = if after.is_some() { &sides[1] } else { &sides[0] };
            let place = Str::from(place_text(place, &side.sources));
            let address = pair.address_of(&address);
            BesideChange { kind, address, place, before, after, reaches }
        }));
    }
    all.sort_by(|one, other| (one.kind, &one.address).cmp(&(other.kind, &other.address)));
    all
}
