//! What exists around an expression beside the names of its module, for each place where one may stand. The resolver of
//! references and the evaluator of a check ask here, so that both see the same names.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_value::Str;

use crate::declare::{Check, Import, Repetition, Resource};
use crate::dialect::Conventions;

/// The surroundings of an expression.
#[derive(Clone, Default, Debug)]
pub struct Surroundings {
    /// `count.index`
    pub count: bool,
    /// `each.key`, `each.value`
    pub each: bool,
    /// The resource that `self` is.
    pub own: Option<u32>,
    /// The resources that `caller` may be, and `self` with it; nothing where there is no such name.
    pub callers: Option<Arc<[u32]>>,
    /// The resource that the expression belongs to.
    pub resource: Option<u32>,
    /// True if the expression is a condition of the resource, or its message.
    pub judging: bool,
    /// The check that the expression belongs to.
    pub check: Option<Str>,
    /// True if the expression is an input of a module call: these programs look at how often that is called only when
    /// they plan.
    pub is_input: bool,
    /// Names of `dynamic` blocks around.
    pub iterators: Vec<Str>,
}

/// The place where in a resource an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InResource {
    /// It says how often the resource exists.
    Repetition,
    /// It names what has to be there before.
    Order,
    /// It is in the body.
    Body,
    /// It is looked at before the resource is made or read.
    Precondition,
    /// It is looked at once the resource is there.
    Postcondition,
    /// A provisioner or its connection is told it.
    Provision,
    /// It is looked at before an action is triggered.
    Trigger,
}

impl Surroundings {
    /// Returns what the instances of a repetition see.
    pub fn inside(repetition: &Repetition) -> Surroundings {
        Surroundings {
            count: matches!(repetition, Repetition::Count(_)),
            each: matches!(repetition, Repetition::Each(_)),
            ..Surroundings::default()
        }
    }

    /// Returns what an expression of a resource sees; `at` is the resource's position, `callers` what has it
    /// run if it is an action.
    pub fn of_resource(
        at: u32,
        resource: &Resource,
        stands: InResource,
        callers: Arc<[u32]>,
        conventions: &Conventions,
    ) -> Surroundings {
        let counts_itself =
            stands == InResource::Repetition && !conventions.count_sees_itself_empty;
        let is_inside = !matches!(stands, InResource::Repetition | InResource::Order);
        let around = match is_inside {
            true => Surroundings::inside(&resource.repetition),
            false => Surroundings::default(),
        };
        let sees_itself = matches!(stands, InResource::Postcondition | InResource::Provision);
        let belongs = counts_itself || is_inside && stands != InResource::Provision;
        let callers = match (stands, resource.mode) {
            (InResource::Body, ResourceMode::Action) => Some(callers),
            (InResource::Trigger | InResource::Provision, _) => Some(Arc::from([at])),
            _ => None,
        };
        Surroundings {
            own: sees_itself.then_some(at),
            callers: callers.filter(|_| conventions.has_callers),
            resource: belongs.then_some(at),
            judging: matches!(
                stands,
                InResource::Precondition | InResource::Postcondition | InResource::Trigger
            ),
            check: resource.check.clone(),
            ..around
        }
    }

    /// Returns what the configuration of a provider sees, which may be made once for each key.
    pub fn of_provider() -> Surroundings {
        Surroundings { each: true, ..Surroundings::default() }
    }

    /// Returns what an `import` block sees.
    pub fn of_import(import: &Import) -> Surroundings {
        Surroundings { each: import.for_each.is_some(), ..Surroundings::default() }
    }

    /// Returns what the assertions of a check see.
    pub fn of_check(check: &Check) -> Surroundings {
        Surroundings { check: Some(check.name.clone()), ..Surroundings::default() }
    }
}
