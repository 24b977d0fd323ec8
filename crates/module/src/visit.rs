//! Visitor of every expression of a module, with its role. Code that looks at all expressions, or at all of a kind, asks here
//! and chooses by role: no walk of its own can then forget a block that was added later.
//!
//! Not every expression is evaluated by an evaluation: what only a plan or a run of a provisioner looks at is visited, too, and
//! [`VisitedExpression::when`] tells it apart. What is no expression of a declaration (settings, `moved`, `removed`) is kept as
//! it is written, in [`Module::settings`] and [`Module::others`].

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_syntax::Place;
use groma_value::Str;

use crate::declare::{
    ActionTrigger, Check, Condition, Expression, Import, InnerBlock, InputArgument, Module,
    ModuleCall, Output, Provider, ProvisionerBlock, Repetition, Resource, SchemaBody, Variable,
};

/// A declaration, as its kind and its index in the module's list of that kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Declaration {
    /// Among the variables.
    Variable(u32),
    /// Among the local values.
    Local(u32),
    /// Among the module calls.
    Call(u32),
    /// Among the resources, data sources and their like.
    Resource(u32),
    /// Among the outputs.
    Output(u32),
    /// Among the checks.
    Check(u32),
    /// Among the provider configurations.
    Provider(u32),
    /// Among the `import` blocks.
    Import(u32),
}

impl Declaration {
    /// The kinds, each as a constructor from an index.
    pub const KINDS: [fn(u32) -> Declaration; 8] = [
        Declaration::Variable,
        Declaration::Local,
        Declaration::Call,
        Declaration::Resource,
        Declaration::Output,
        Declaration::Check,
        Declaration::Provider,
        Declaration::Import,
    ];

    /// Returns the index of its kind and its index in the list of that kind.
    pub fn position(self) -> (usize, u32) {
        match self {
            Declaration::Variable(at) => (0, at),
            Declaration::Local(at) => (1, at),
            Declaration::Call(at) => (2, at),
            Declaration::Resource(at) => (3, at),
            Declaration::Output(at) => (4, at),
            Declaration::Check(at) => (5, at),
            Declaration::Provider(at) => (6, at),
            Declaration::Import(at) => (7, at),
        }
    }

    /// Returns the keyword of its kind; for a resource that of its mode.
    pub fn word(self, module: &Module) -> &'static str {
        match self {
            Declaration::Variable(_) => "variable",
            Declaration::Local(_) => "local",
            Declaration::Call(_) => "module",
            Declaration::Resource(at) => module.resources[at as usize].mode.word(),
            Declaration::Output(_) => "output",
            Declaration::Check(_) => "check",
            Declaration::Provider(_) => "provider",
            Declaration::Import(_) => "import",
        }
    }

    /// Returns its address within the module. A provider configuration and an import have no address of their own, and get that
    /// of the provider and of the target.
    pub fn address(self, module: &Module) -> String {
        match self {
            Declaration::Variable(at) => format!("var.{}", &*module.variables[at as usize].name),
            Declaration::Local(at) => format!("local.{}", &*module.locals[at as usize].name),
            Declaration::Call(at) => format!("module.{}", &*module.calls[at as usize].name),
            Declaration::Resource(at) => module.resources[at as usize].address(),
            Declaration::Output(at) => format!("output.{}", &*module.outputs[at as usize].name),
            Declaration::Check(at) => format!("check.{}", &*module.checks[at as usize].name),
            Declaration::Provider(at) => {
                let provider = &module.providers[at as usize];
                let alias = provider.alias.iter().map(|alias| format!(".{}", &**alias));
                format!("provider.{}{}", &*provider.name, alias.collect::<String>())
            }
            Declaration::Import(at) => match &module.imports[at as usize].target {
                Some(target) => format!("import.{target}"),
                None => "import".to_owned(),
            },
        }
    }

    /// Returns its source range.
    pub fn place(self, module: &Module) -> Place {
        match self {
            Declaration::Variable(at) => module.variables[at as usize].place,
            Declaration::Local(at) => module.locals[at as usize].place,
            Declaration::Call(at) => module.calls[at as usize].place,
            Declaration::Resource(at) => module.resources[at as usize].place,
            Declaration::Output(at) => module.outputs[at as usize].place,
            Declaration::Check(at) => module.checks[at as usize].place,
            Declaration::Provider(at) => module.providers[at as usize].place,
            Declaration::Import(at) => module.imports[at as usize].place,
        }
    }
}

/// The kind of rule that a condition belongs to.
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

/// The role of an expression.
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

/// The time at which an expression is evaluated.
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

/// An expression that is visited.
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
    /// Returns the time at which it is evaluated.
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

    /// Returns true if an evaluation, and not only a plan or apply, evaluates it.
    pub fn is_evaluated(&self) -> bool {
        self.when() <= EvaluationTime::Judging
    }

    /// Returns true if it contributes to the value of a declaration or its number of instances, or checks them.
    pub fn is_of_instances(&self) -> bool {
        matches!(
            self.when(),
            EvaluationTime::Expanding | EvaluationTime::Evaluating | EvaluationTime::Judging
        )
    }

    /// Returns the name of the argument that it is or is part of; for a local value, its name.
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

/// A visitor of expressions.
pub type See<'s, 'm> = &'s mut dyn FnMut(VisitedExpression<'_, 'm>);

/// Visits an expression outside of nested blocks.
fn plainly<'m>(role: ExpressionRole<'m>, expression: &'m Expression, see: See<'_, 'm>) {
    see(VisitedExpression { role, blocks: &[], provision: None, expression });
}

/// Visits the conditions and messages of rules.
fn rules<'m>(kind: RuleKind, conditions: &'m [Condition], see: See<'_, 'm>) {
    for condition in conditions {
        plainly(ExpressionRole::Condition(kind), &condition.condition, see);
        plainly(ExpressionRole::Message(kind), &condition.message, see);
    }
}

/// Visits the expression of a repetition.
fn repetition<'m>(repetition: &'m Repetition, see: See<'_, 'm>) {
    match repetition {
        Repetition::Single => {}
        Repetition::Count(expression) => plainly(ExpressionRole::Count, expression, see),
        Repetition::Each(expression) => plainly(ExpressionRole::ForEach, expression, see),
        Repetition::Enabled(expression) => plainly(ExpressionRole::Enabled, expression, see),
    }
}

impl SchemaBody {
    /// Visits every expression of the body, those of blocks in it included.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.walk(None, &mut Vec::new(), see);
    }

    /// Visits the expressions of a body; `blocks` are the enclosing blocks.
    fn walk<'m>(
        &'m self,
        provision: Option<&'m ProvisionerBlock>,
        blocks: &mut Vec<&'m InnerBlock>,
        see: See<'_, 'm>,
    ) {
        for input in &self.arguments {
            let role = ExpressionRole::Argument(input);
            see(VisitedExpression { role, blocks, provision, expression: &input.value });
        }
        for block in &self.blocks {
            blocks.push(block);
            if let Some(dynamic) = &block.dynamic {
                let roles = [
                    (ExpressionRole::BlockForEach, &dynamic.for_each),
                    (ExpressionRole::BlockLabels, &dynamic.labels),
                ];
                for (role, expression) in roles {
                    if let Some(expression) = expression {
                        see(VisitedExpression { role, blocks, provision, expression });
                    }
                }
            }
            block.content.walk(provision, blocks, see);
            blocks.pop();
        }
    }
}

impl Variable {
    /// Visits its expressions. The default is a constant and not visited.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        rules(RuleKind::Validation, &self.validations, see);
    }
}

impl Output {
    /// Visits its expressions.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.value.iter().for_each(|value| plainly(ExpressionRole::Value, value, see));
        self.depends_on.iter().for_each(|one| plainly(ExpressionRole::DependsOn, one, see));
        rules(RuleKind::Precondition, &self.preconditions, see);
    }
}

impl ModuleCall {
    /// Visits its expressions.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.source.iter().for_each(|source| plainly(ExpressionRole::Source, source, see));
        self.version.iter().for_each(|version| plainly(ExpressionRole::Version, version, see));
        repetition(&self.repetition, see);
        self.inputs.iter().for_each(|one| plainly(ExpressionRole::Argument(one), &one.value, see));
        self.depends_on.iter().for_each(|one| plainly(ExpressionRole::DependsOn, one, see));
    }
}

impl Resource {
    /// Visits its expressions: those of its value first, those of a plan or run last.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        repetition(&self.repetition, see);
        let asked = self.asked.iter().filter_map(|asked| asked.key.as_ref());
        asked.for_each(|key| plainly(ExpressionRole::ProviderKey, key, see));
        self.content.visit(see);
        let lifecycle = self.lifecycle();
        rules(RuleKind::Precondition, &lifecycle.preconditions, see);
        rules(RuleKind::Postcondition, &lifecycle.postconditions, see);
        self.depends_on.iter().for_each(|one| plainly(ExpressionRole::DependsOn, one, see));
        lifecycle
            .triggers
            .iter()
            .for_each(|one| plainly(ExpressionRole::ReplaceTriggeredBy, one, see));
        for trigger in &lifecycle.action_triggers {
            let condition = trigger.condition.iter();
            condition.for_each(|one| plainly(ExpressionRole::ActionCondition(trigger), one, see));
            let keys = trigger.actions.iter().filter_map(|action| action.key.as_ref());
            keys.for_each(|key| plainly(ExpressionRole::ActionKey(trigger), key, see));
        }
        lifecycle
            .prevent_destroy
            .iter()
            .for_each(|one| plainly(ExpressionRole::PreventDestroy, one, see));
        lifecycle.destroy.iter().for_each(|one| plainly(ExpressionRole::Destroy, one, see));
        for provision in &self.provisions {
            provision.visit(see);
        }
    }
}

impl ProvisionerBlock {
    /// Visits the expressions of its body.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.content.walk(Some(self), &mut Vec::new(), see);
    }
}

impl Check {
    /// Visits its expressions. A scoped data source is a separate declaration.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        rules(RuleKind::Assertion, &self.assertions, see);
    }
}

impl Provider {
    /// Visits its expressions.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.for_each.iter().for_each(|one| plainly(ExpressionRole::ForEach, one, see));
        self.content.visit(see);
    }
}

impl Import {
    /// Visits its expressions.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.for_each.iter().for_each(|one| plainly(ExpressionRole::ForEach, one, see));
        self.id.iter().for_each(|one| plainly(ExpressionRole::ImportId, one, see));
        self.identity.iter().for_each(|one| plainly(ExpressionRole::ImportIdentity, one, see));
        self.keys.iter().for_each(|key| plainly(ExpressionRole::ImportKey, &key.value, see));
    }
}

impl Module {
    /// Returns the number of declarations of each kind, in the order of [`Declaration::KINDS`].
    pub fn counts(&self) -> [u32; Declaration::KINDS.len()] {
        [
            self.variables.len(),
            self.locals.len(),
            self.calls.len(),
            self.resources.len(),
            self.outputs.len(),
            self.checks.len(),
            self.providers.len(),
            self.imports.len(),
        ]
        .map(|count| count as u32)
    }

    /// Returns the declaration with an address, as given by [`Declaration::address`]; `None` for kinds without addresses of
    /// their own.
    pub fn declaration(&self, address: &str) -> Option<Declaration> {
        let (word, name) = address.split_once('.')?;
        match word {
            "var" => self.names.variable(name).map(Declaration::Variable),
            "local" => self.names.local(name).map(Declaration::Local),
            "output" => self.names.output(name).map(Declaration::Output),
            "module" => self.names.call(name).map(Declaration::Call),
            "check" => {
                let mut checks = (0_u32..).zip(&self.checks);
                checks.find(|(_, one)| *one.name == *name).map(|(at, _)| Declaration::Check(at))
            }
            _ => {
                let mode = ResourceMode::of(word);
                let labels = if mode.is_some() { name } else { address };
                let (kind, name) = labels.split_once('.')?;
                let mode = mode.unwrap_or(ResourceMode::Managed);
                self.names.resource(mode, kind, name).map(Declaration::Resource)
            }
        }
    }

    /// Returns every declaration of the module, by kind and then in list order.
    pub fn declarations(&self) -> impl Iterator<Item = Declaration> + use<> {
        let kinds = Declaration::KINDS.into_iter().zip(self.counts());
        kinds.flat_map(|(make, count)| (0..count).map(make))
    }

    /// Visits every expression of one declaration; none if it does not exist.
    pub fn visit_one<'m>(&'m self, declaration: Declaration, see: See<'_, 'm>) {
        /// Returns the declaration at an index, if any.
        fn at<T>(list: &[T], position: u32) -> Option<&T> {
            list.get(position as usize)
        }
        match declaration {
            Declaration::Variable(i) => {
                at(&self.variables, i).into_iter().for_each(|v| v.visit(see))
            }
            Declaration::Local(i) => {
                at(&self.locals, i)
                    .into_iter()
                    .for_each(|l| plainly(ExpressionRole::Value, &l.value, see));
            }
            Declaration::Output(i) => at(&self.outputs, i).into_iter().for_each(|o| o.visit(see)),
            Declaration::Call(i) => at(&self.calls, i).into_iter().for_each(|c| c.visit(see)),
            Declaration::Resource(i) => {
                at(&self.resources, i).into_iter().for_each(|r| r.visit(see));
            }
            Declaration::Check(i) => at(&self.checks, i).into_iter().for_each(|c| c.visit(see)),
            Declaration::Provider(i) => {
                at(&self.providers, i).into_iter().for_each(|p| p.visit(see));
            }
            Declaration::Import(i) => at(&self.imports, i).into_iter().for_each(|i| i.visit(see)),
        }
    }

    /// Visits every expression of the module, with its declaration.
    pub fn visit<'m>(&'m self, see: &mut dyn FnMut(Declaration, VisitedExpression<'_, 'm>)) {
        for declaration in self.declarations() {
            self.visit_one(declaration, &mut |seen| see(declaration, seen));
        }
    }

    /// Visits every expression of the module, except in declarations that `other` shares at the same index.
    pub fn visit_unlike<'m>(
        &'m self,
        other: &Module,
        see: &mut dyn FnMut(Declaration, VisitedExpression<'_, 'm>),
    ) {
        for declaration in self.declarations().filter(|one| !self.shares(other, *one)) {
            self.visit_one(declaration, &mut |seen| see(declaration, seen));
        }
    }

    /// Returns true if the other module has the very same declaration at the same index. Checks, providers and imports are never
    /// shared.
    pub fn shares(&self, other: &Module, declaration: Declaration) -> bool {
        /// Returns true if both lists share the same declaration at an index.
        fn same<T>(own: &[Arc<T>], others: &[Arc<T>], at: u32) -> bool {
            match (own.get(at as usize), others.get(at as usize)) {
                (Some(own), Some(other)) => Arc::ptr_eq(own, other),
                _ => false,
            }
        }
        match declaration {
            Declaration::Variable(at) => same(&self.variables, &other.variables, at),
            Declaration::Local(at) => same(&self.locals, &other.locals, at),
            Declaration::Output(at) => same(&self.outputs, &other.outputs, at),
            Declaration::Call(at) => same(&self.calls, &other.calls, at),
            Declaration::Resource(at) => same(&self.resources, &other.resources, at),
            Declaration::Check(_) | Declaration::Provider(_) | Declaration::Import(_) => false,
        }
    }
}
