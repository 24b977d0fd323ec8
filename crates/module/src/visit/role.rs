//! Roles of expressions, and properties that follow from them: the time of evaluation, and the argument that contains it.

use groma_value::Str;

use crate::declare::{ActionTrigger, Expression, InnerBlock, InputArgument, ProvisionerBlock};

/// The kind of block that a condition belongs to, such as `validation`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RuleKind {
    /// `validation` of a variable.
    Validation,
    /// `precondition` of an output or a resource.
    Precondition,
    /// `postcondition` of a resource.
    Postcondition,
    /// `assert` of a check.
    Assertion,
}

/// The role of an expression: the argument or part of a declaration that it is.
#[derive(Clone, Copy, Debug)]
pub enum ExpressionRole<'m> {
    /// The value of a local value or an output.
    Value,
    /// An argument of a body that a schema interprets, or an input of a module call.
    Argument(&'m InputArgument),
    /// `count`
    Count,
    /// `for_each`, also that of an `import` block or a provider configuration.
    ForEach,
    /// `enabled`
    Enabled,
    /// The collection that a `dynamic` block iterates over.
    BlockForEach,
    /// The labels of the blocks that a `dynamic` block generates.
    BlockLabels,
    /// The source of a called module.
    Source,
    /// The version constraint.
    Version,
    /// An item of `depends_on`, or all of it.
    DependsOn,
    /// The key of an instance of a repeated provider configuration.
    ProviderKey,
    /// A condition.
    Condition(RuleKind),
    /// The message of a condition.
    Message(RuleKind),
    /// An item of `replace_triggered_by`, or all of it.
    ReplaceTriggeredBy,
    /// The condition of an action trigger.
    ActionCondition(&'m ActionTrigger),
    /// The instance key of a triggered action.
    ActionKey(&'m ActionTrigger),
    /// A computed `prevent_destroy`.
    PreventDestroy,
    /// `destroy` of `lifecycle`.
    Destroy,
    /// The id of an import.
    ImportId,
    /// The identity that selects an imported object instead of an id.
    ImportIdentity,
    /// A computed key in the target address of an import.
    ImportKey,
}

/// The time at which an expression is evaluated, from loading to apply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EvaluationTime {
    /// While modules are loaded.
    Loading,
    /// While instances are counted, or provider configurations selected.
    Expanding,
    /// While instances are evaluated.
    Evaluating,
    /// While conditions are checked.
    Judging,
    /// Never: its references only state dependencies.
    Ordering,
    /// During a plan, once a change is known.
    Planning,
    /// During apply, which does not happen here.
    Running,
}

/// An expression passed to a visitor, with its role and the blocks around it.
#[derive(Clone, Copy, Debug)]
pub struct VisitedExpression<'v, 'm> {
    /// The role.
    pub role: ExpressionRole<'m>,
    /// The blocks around it inside the body of its declaration, outermost first.
    pub blocks: &'v [&'m InnerBlock],
    /// The provisioner or connection that contains it.
    pub provision: Option<&'m ProvisionerBlock>,
    /// The expression.
    pub expression: &'m Expression,
}

impl<'m> VisitedExpression<'_, 'm> {
    /// Returns the time at which the expression is evaluated.
    pub fn when(&self) -> EvaluationTime {
        if self.provision.is_some() {
            return EvaluationTime::Running;
        }
        match self.role {
            ExpressionRole::Source | ExpressionRole::Version => EvaluationTime::Loading,
            ExpressionRole::Count
            | ExpressionRole::ForEach
            | ExpressionRole::Enabled
            | ExpressionRole::ProviderKey => EvaluationTime::Expanding,
            ExpressionRole::Value
            | ExpressionRole::Argument(_)
            | ExpressionRole::BlockForEach
            | ExpressionRole::BlockLabels => EvaluationTime::Evaluating,
            ExpressionRole::Condition(_) | ExpressionRole::Message(_) => EvaluationTime::Judging,
            ExpressionRole::DependsOn => EvaluationTime::Ordering,
            ExpressionRole::ReplaceTriggeredBy
            | ExpressionRole::ActionCondition(_)
            | ExpressionRole::ActionKey(_)
            | ExpressionRole::PreventDestroy
            | ExpressionRole::Destroy
            | ExpressionRole::ImportId
            | ExpressionRole::ImportIdentity
            | ExpressionRole::ImportKey => EvaluationTime::Planning,
        }
    }

    /// Returns true if the expression is evaluated without a plan: for loading, expanding, evaluating or checking conditions.
    pub fn is_evaluated(&self) -> bool {
        self.when() <= EvaluationTime::Judging
    }

    /// Returns true if the expression contributes to the value of a declaration or its number of instances, or checks them.
    pub fn is_of_instances(&self) -> bool {
        matches!(
            self.when(),
            EvaluationTime::Expanding | EvaluationTime::Evaluating | EvaluationTime::Judging
        )
    }

    /// Returns the name of the argument that the expression is or is part of; `None` for the value of a local value or an
    /// output.
    pub fn argument(&self) -> Option<&'m str> {
        Some(match self.role {
            ExpressionRole::Value => return None,
            ExpressionRole::Argument(input) => &input.name,
            ExpressionRole::Count => "count",
            ExpressionRole::ForEach | ExpressionRole::BlockForEach => "for_each",
            ExpressionRole::Enabled => "enabled",
            ExpressionRole::BlockLabels => "labels",
            ExpressionRole::Source => "source",
            ExpressionRole::Version => "version",
            ExpressionRole::DependsOn => "depends_on",
            ExpressionRole::ProviderKey => "provider",
            ExpressionRole::Condition(_) | ExpressionRole::ActionCondition(_) => "condition",
            ExpressionRole::Message(_) => "error_message",
            ExpressionRole::ReplaceTriggeredBy => "replace_triggered_by",
            ExpressionRole::ActionKey(_) => "actions",
            ExpressionRole::PreventDestroy => "prevent_destroy",
            ExpressionRole::Destroy => "destroy",
            ExpressionRole::ImportId => "id",
            ExpressionRole::ImportIdentity => "identity",
            ExpressionRole::ImportKey => "to",
        })
    }

    /// Returns the iterators of the enclosing `dynamic` blocks, outermost first. The collection of a dynamic block is outside of
    /// its own iterator.
    pub fn iterators(&self) -> impl Iterator<Item = &'m Str> {
        let blocks = match self.role {
            ExpressionRole::BlockForEach => {
                self.blocks.split_last().map_or(self.blocks, |(_, rest)| rest)
            }
            _ => self.blocks,
        };
        blocks.iter().filter_map(|block| Some(&block.dynamic.as_ref()?.iterator))
    }
}
