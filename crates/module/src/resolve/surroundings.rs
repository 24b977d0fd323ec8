//! Names visible to an expression besides those of its module, for each position. Resolution and evaluation share this, so that
//! both see the same names.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_value::Str;

use crate::declare::{Check, Import, Repetition, Resource};
use crate::dialect::Conventions;
use crate::visit::{ExpressionRole, RuleKind, VisitedExpression};

/// The names visible to an expression because of its position, besides those of its module.
#[derive(Clone, Default, Debug)]
pub struct Surroundings {
    /// True if `count.index` is visible.
    pub count: bool,
    /// True if `each.key` and `each.value` are visible.
    pub each: bool,
    /// The resource that `self` refers to.
    pub own: Option<u32>,
    /// The resources that `caller` and `self` may refer to; `None` if there is no such name.
    pub callers: Option<Arc<[u32]>>,
    /// The resource that the expression belongs to.
    pub resource: Option<u32>,
    /// True if the expression is a condition of the resource or its message.
    pub judging: bool,
    /// The check that the expression belongs to.
    pub check: Option<Str>,
    /// True if the expression is an input of a module call: the programs check the multiplicity of that call only during a plan.
    pub is_input: bool,
    /// The iterators of enclosing `dynamic` blocks.
    pub iterators: Vec<Str>,
}

/// The position of an expression in its declaration, which decides the names that are visible to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpressionPosition {
    /// A setting of the declaration as a whole, the same for all instances.
    Setting,
    /// Its repetition.
    Repetition,
    /// Its `depends_on`.
    Order,
    /// Its value or body.
    Body,
    /// A condition that is checked before there is an object.
    Precondition,
    /// A postcondition.
    Postcondition,
    /// A provisioner or connection.
    Provision,
    /// The condition of an action trigger.
    Trigger,
    /// The instance key of a triggered action.
    TriggeredKey,
}

impl ExpressionPosition {
    /// Returns the position of an expression, which follows from its role.
    pub fn of(seen: &VisitedExpression<'_, '_>) -> ExpressionPosition {
        if seen.provision.is_some() {
            return ExpressionPosition::Provision;
        }
        match seen.role {
            ExpressionRole::Source
            | ExpressionRole::Version
            | ExpressionRole::PreventDestroy
            | ExpressionRole::Destroy => ExpressionPosition::Setting,
            ExpressionRole::Count | ExpressionRole::ForEach | ExpressionRole::Enabled => {
                ExpressionPosition::Repetition
            }
            ExpressionRole::DependsOn => ExpressionPosition::Order,
            ExpressionRole::Value
            | ExpressionRole::Argument(_)
            | ExpressionRole::BlockForEach
            | ExpressionRole::BlockLabels
            | ExpressionRole::ProviderKey
            | ExpressionRole::ReplaceTriggeredBy
            | ExpressionRole::ImportId
            | ExpressionRole::ImportIdentity
            | ExpressionRole::ImportKey => ExpressionPosition::Body,
            ExpressionRole::Condition(rule) | ExpressionRole::Message(rule) => match rule {
                RuleKind::Postcondition => ExpressionPosition::Postcondition,
                RuleKind::Validation | RuleKind::Precondition | RuleKind::Assertion => {
                    ExpressionPosition::Precondition
                }
            },
            ExpressionRole::ActionCondition(_) => ExpressionPosition::Trigger,
            ExpressionRole::ActionKey(_) => ExpressionPosition::TriggeredKey,
        }
    }
}

impl Surroundings {
    /// Returns the names that a repetition makes visible in its instances: those of `count` or `each`, if any.
    pub fn inside(repetition: &Repetition) -> Surroundings {
        Surroundings {
            count: matches!(repetition, Repetition::Count(_)),
            each: matches!(repetition, Repetition::Each(_)),
            ..Surroundings::default()
        }
    }

    /// Returns the names visible to an expression at the position `stands` of a resource; `at` is the resource's index,
    /// `callers` the resources that trigger it if it is an action.
    pub fn of_resource(
        at: u32,
        resource: &Resource,
        stands: ExpressionPosition,
        callers: Arc<[u32]>,
        conventions: &Conventions,
    ) -> Surroundings {
        let counts_itself =
            stands == ExpressionPosition::Repetition && !conventions.count_sees_itself_empty;
        let is_inside = !matches!(
            stands,
            ExpressionPosition::Setting
                | ExpressionPosition::Repetition
                | ExpressionPosition::Order
        );
        let around = match is_inside {
            true => Surroundings::inside(&resource.repetition),
            false => Surroundings::default(),
        };
        let sees_itself =
            matches!(stands, ExpressionPosition::Postcondition | ExpressionPosition::Provision);
        let belongs = counts_itself
            || is_inside
                && !matches!(
                    stands,
                    ExpressionPosition::Provision | ExpressionPosition::TriggeredKey
                );
        let callers = match (stands, resource.mode) {
            (ExpressionPosition::Body, ResourceMode::Action) => Some(callers),
            (ExpressionPosition::Trigger | ExpressionPosition::Provision, _) => {
                Some(Arc::from([at]))
            }
            _ => None,
        };
        Surroundings {
            own: sees_itself.then_some(at),
            callers: callers.filter(|_| conventions.has_callers),
            resource: belongs.then_some(at),
            judging: matches!(
                stands,
                ExpressionPosition::Precondition
                    | ExpressionPosition::Postcondition
                    | ExpressionPosition::Trigger
            ),
            check: resource.check.clone(),
            ..around
        }
    }

    /// Returns the names visible in a provider configuration besides those of its module: `each`.
    pub fn of_provider() -> Surroundings {
        Surroundings { each: true, ..Surroundings::default() }
    }

    /// Returns the names visible in an `import` block besides those of its module: `each` if it has `for_each`.
    pub fn of_import(import: &Import) -> Surroundings {
        Surroundings { each: import.for_each.is_some(), ..Surroundings::default() }
    }

    /// Returns the names visible in the assertions of a check besides those of its module: its scoped data source.
    pub fn of_check(check: &Check) -> Surroundings {
        Surroundings { check: Some(check.name.clone()), ..Surroundings::default() }
    }
}
