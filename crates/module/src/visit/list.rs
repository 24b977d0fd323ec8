//! The list of all expressions of each kind of declaration, written once for two visits: one passes each expression with its
//! role, the other, in the same order, lets it be changed, so that results of the first can be stored in the expressions.

use crate::declare::{
    Check, Expression, Import, InnerBlock, Local, ModuleCall, Output, Provider, ProvisionerBlock,
    Repetition, Resource, SchemaBody, Variable,
};
use crate::visit::role::{ExpressionRole, RuleKind, VisitedExpression};

/// A function that is called with each visited expression.
pub type ExpressionVisitor<'s, 'm> = &'s mut dyn FnMut(VisitedExpression<'_, 'm>);

/// A visit that passes each expression of a declaration to a visitor, with its role and the blocks around it.
pub(super) struct ExpressionReader<'s, 'm> {
    see: ExpressionVisitor<'s, 'm>,
    /// The enclosing blocks inside the body, outermost first.
    blocks: Vec<&'m InnerBlock>,
    provision: Option<&'m ProvisionerBlock>,
}

impl<'s, 'm> ExpressionReader<'s, 'm> {
    /// Returns a reader that passes expressions to `see`, with no block around the first.
    pub(super) fn new(see: ExpressionVisitor<'s, 'm>) -> Self {
        ExpressionReader { see, blocks: Vec::new(), provision: None }
    }

    /// Passes an expression with its role and the blocks around it to the visitor.
    fn show(&mut self, role: ExpressionRole<'m>, expression: &'m Expression) {
        let (blocks, provision) = (&*self.blocks, self.provision);
        (self.see)(VisitedExpression { role, blocks, provision, expression });
    }

    /// Adds a block to those around the next expressions.
    fn enter(&mut self, block: &'m InnerBlock) {
        self.blocks.push(block);
    }

    /// Removes the innermost block from those around the next expressions.
    fn leave(&mut self) {
        self.blocks.pop();
    }

    /// Records the provisioner that the next expressions belong to.
    fn enter_provision(&mut self, provision: &'m ProvisionerBlock) {
        self.provision = Some(provision);
    }

    /// Records that the next expressions belong to no provisioner.
    fn leave_provision(&mut self) {
        self.provision = None;
    }
}

/// A visit that passes each expression of a declaration to a function that may change it.
pub(super) struct ExpressionWriter<'s> {
    change: &'s mut dyn FnMut(&mut Expression),
}

impl<'s> ExpressionWriter<'s> {
    /// Returns a writer that passes each expression to `change`.
    pub(super) fn new(change: &'s mut dyn FnMut(&mut Expression)) -> Self {
        ExpressionWriter { change }
    }

    /// Does nothing at the start of a block: a writer changes expressions and does not say in which block they are.
    fn enter(&mut self, _: &InnerBlock) {}

    /// Does nothing at the end of a block: a writer changes expressions and does not say in which block they are.
    fn leave(&mut self) {}

    /// Does nothing at the start of a provisioner: a writer does not say to which one an expression belongs.
    fn enter_provision(&mut self, _: &ProvisionerBlock) {}

    /// Does nothing at the end of a provisioner: a writer does not say to which one an expression belongs.
    fn leave_provision(&mut self) {}
}

/// Hands an expression with its role to a reader.
macro_rules! show {
    ($to:ident, $role:expr, $expression:expr) => {
        $to.show($role, $expression)
    };
}

/// Hands an expression to a writer, which has no use for the role.
macro_rules! change {
    ($to:ident, $role:expr, $expression:expr) => {
        ($to.change)($expression)
    };
}

/// Hands out the conditions and messages of rules of one kind.
macro_rules! rules {
    ($give:ident, $to:ident, $kind:ident, ($($own:tt)?), $rules:expr) => {
        for rule in &$($own)? $rules {
            $give!($to, ExpressionRole::Condition(RuleKind::$kind), &$($own)? rule.condition);
            $give!($to, ExpressionRole::Message(RuleKind::$kind), &$($own)? rule.message);
        }
    };
}

/// The list: which expressions each declaration has, with their roles, in the order of the visit. `$go` is the name of the
/// methods, `$give` hands out one expression, `$own` is empty or `mut`.
macro_rules! expressions {
    ($go:ident, $give:ident, ($($own:tt)?), $to:ty) => {
        impl Repetition {
            fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                match self {
                    Repetition::Single => {}
                    Repetition::Count(expression) => $give!(to, ExpressionRole::Count, expression),
                    Repetition::Each(expression) => $give!(to, ExpressionRole::ForEach, expression),
                    Repetition::Enabled(expression) => {
                        $give!(to, ExpressionRole::Enabled, expression);
                    }
                }
            }
        }

        impl SchemaBody {
            fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                for input in &$($own)? self.arguments {
                    $give!(to, ExpressionRole::Argument(input), &$($own)? input.value);
                }
                for block in &$($own)? self.blocks {
                    to.enter(block);
                    if let Some(dynamic) = &$($own)? block.dynamic {
                        if let Some(expression) = &$($own)? dynamic.for_each {
                            $give!(to, ExpressionRole::BlockForEach, expression);
                        }
                        if let Some(expression) = &$($own)? dynamic.labels {
                            $give!(to, ExpressionRole::BlockLabels, expression);
                        }
                    }
                    block.content.$go(to);
                    to.leave();
                }
            }
        }

        impl Variable {
            // The default is a constant.
            pub(super) fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                rules!($give, to, Validation, ($($own)?), self.validations);
            }
        }

        impl Local {
            pub(super) fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                $give!(to, ExpressionRole::Value, &$($own)? self.value);
            }
        }

        impl Output {
            pub(super) fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                if let Some(value) = &$($own)? self.value {
                    $give!(to, ExpressionRole::Value, value);
                }
                for item in &$($own)? self.depends_on {
                    $give!(to, ExpressionRole::DependsOn, item);
                }
                rules!($give, to, Precondition, ($($own)?), self.preconditions);
            }
        }

        impl ModuleCall {
            pub(super) fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                if let Some(source) = &$($own)? self.source {
                    $give!(to, ExpressionRole::Source, source);
                }
                if let Some(version) = &$($own)? self.version {
                    $give!(to, ExpressionRole::Version, version);
                }
                self.repetition.$go(to);
                for input in &$($own)? self.inputs {
                    $give!(to, ExpressionRole::Argument(input), &$($own)? input.value);
                }
                for item in &$($own)? self.depends_on {
                    $give!(to, ExpressionRole::DependsOn, item);
                }
            }
        }

        impl Resource {
            // Those of its value come first, those of a plan or run last.
            pub(super) fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                self.repetition.$go(to);
                if let Some(asked) = &$($own)? self.asked
                    && let Some(key) = &$($own)? asked.key
                {
                    $give!(to, ExpressionRole::ProviderKey, key);
                }
                self.content.$go(to);
                if let Some(lifecycle) = &$($own)? self.lifecycle {
                    rules!($give, to, Precondition, ($($own)?), lifecycle.preconditions);
                    rules!($give, to, Postcondition, ($($own)?), lifecycle.postconditions);
                }
                for item in &$($own)? self.depends_on {
                    $give!(to, ExpressionRole::DependsOn, item);
                }
                if let Some(lifecycle) = &$($own)? self.lifecycle {
                    for item in &$($own)? lifecycle.triggers {
                        $give!(to, ExpressionRole::ReplaceTriggeredBy, item);
                    }
                    for trigger in &$($own)? lifecycle.action_triggers {
                        if let Some(condition) = &$($own)? trigger.condition {
                            $give!(to, ExpressionRole::ActionCondition(trigger), condition);
                        }
                        for action in &$($own)? trigger.actions {
                            if let Some(key) = &$($own)? action.key {
                                $give!(to, ExpressionRole::ActionKey(trigger), key);
                            }
                        }
                    }
                    if let Some(setting) = &$($own)? lifecycle.prevent_destroy {
                        $give!(to, ExpressionRole::PreventDestroy, setting);
                    }
                    if let Some(setting) = &$($own)? lifecycle.destroy {
                        $give!(to, ExpressionRole::Destroy, setting);
                    }
                }
                for provision in &$($own)? self.provisions {
                    provision.$go(to);
                }
            }
        }

        impl ProvisionerBlock {
            fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                to.enter_provision(self);
                self.content.$go(to);
                to.leave_provision();
            }
        }

        impl Check {
            // A scoped data source is a separate declaration.
            pub(super) fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                rules!($give, to, Assertion, ($($own)?), self.assertions);
            }
        }

        impl Provider {
            pub(super) fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                if let Some(over) = &$($own)? self.for_each {
                    $give!(to, ExpressionRole::ForEach, over);
                }
                self.content.$go(to);
            }
        }

        impl Import {
            pub(super) fn $go<'m>(&'m $($own)? self, to: &mut $to) {
                if let Some(over) = &$($own)? self.for_each {
                    $give!(to, ExpressionRole::ForEach, over);
                }
                if let Some(id) = &$($own)? self.id {
                    $give!(to, ExpressionRole::ImportId, id);
                }
                if let Some(identity) = &$($own)? self.identity {
                    $give!(to, ExpressionRole::ImportIdentity, identity);
                }
                for key in &$($own)? self.keys {
                    $give!(to, ExpressionRole::ImportKey, &$($own)? key.value);
                }
            }
        }
    };
}

expressions!(show_all, show, (), ExpressionReader<'_, 'm>);
expressions!(change_all, change, (mut), ExpressionWriter<'_>);

/// Gives types the public way into the list.
macro_rules! visits {
    ($($part:ty),*) => {$(
        impl $part {
            /// Visits the expressions of the declaration, those in its nested blocks included.
            pub fn visit<'m>(&'m self, see: ExpressionVisitor<'_, 'm>) {
                self.show_all(&mut ExpressionReader::new(see));
            }
        }
    )*};
}

visits!(
    SchemaBody,
    Variable,
    Output,
    ModuleCall,
    Resource,
    ProvisionerBlock,
    Check,
    Provider,
    Import
);
