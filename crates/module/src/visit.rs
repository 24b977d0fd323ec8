//! Every expression of a module, and what it is there for. Whoever looks at all expressions, or at all of a kind, asks
//! here and chooses by role: no walk of its own can then forget a block that was added later.
//!
//! Not every expression is evaluated by an evaluation: what only a plan or a run of a provisioner looks at is visited,
//! too, and [`Seen::when`] tells it apart. What is no expression of a declaration (settings, `moved`, `removed`) is
//! kept as it is written, in [`Module::settings`] and [`Module::others`].

use std::sync::Arc;

use groma_folder::Mode;
use groma_syntax::Place;
use groma_value::Str;

use crate::declare::{
    Check, Condition, Content, Expression, Import, InnerBlock, Input, Module, ModuleCall, Output,
    Provider, Provision, Repetition, Resource, Trigger, Variable,
};

/// A declaration, by its position in its module's list of its kind.
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
    /// The kinds, each as what makes one of a position.
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

    /// Which of the kinds it is of, and its position in the list of that kind.
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

    /// Returns the word for what kind of thing it is: of a resource that of its mode.
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

    /// Its address within its module. A provider configuration and an import have none of their own, and are called
    /// after what they configure and take over.
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

    /// Where it stands.
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

/// Which rule a condition belongs to.
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

/// What an expression is there for.
#[derive(Clone, Copy, Debug)]
pub enum Role<'m> {
    /// What a local value or an output is worth.
    Value,
    /// An argument of a body whose meaning a schema knows, or an input of a module call.
    Argument(&'m Input),
    /// `count`
    Count,
    /// `for_each`, also that of an `import` block or a provider configuration.
    ForEach,
    /// `enabled`
    Enabled,
    /// What a `dynamic` block repeats over.
    BlockForEach,
    /// The labels of the blocks that a `dynamic` block makes.
    BlockLabels,
    /// Where a called module is.
    Source,
    /// Which versions of it.
    Version,
    /// An item of `depends_on`, or all of it.
    DependsOn,
    /// Which instance of a repeated provider configuration.
    ProviderKey,
    /// What has to hold.
    Condition(RuleKind),
    /// What is said if it does not.
    Message(RuleKind),
    /// An item of `replace_triggered_by`, or all of it.
    ReplaceTriggeredBy,
    /// When an action is triggered.
    ActionCondition(&'m Trigger),
    /// Which instance of an action is triggered.
    ActionKey(&'m Trigger),
    /// `prevent_destroy`, where it is worked out.
    PreventDestroy,
    /// `destroy` of `lifecycle`.
    Destroy,
    /// By which id an object is taken over.
    ImportId,
    /// What tells that object apart instead.
    ImportIdentity,
    /// A key in the address that it is taken over to.
    ImportKey,
}

/// When somebody wants to know what an expression is worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum When {
    /// While modules are looked for.
    Loading,
    /// To know how many instances there are, or which provider's.
    Expanding,
    /// To know what an instance is.
    Evaluating,
    /// To know whether it may be so.
    Judging,
    /// Never: its references say what has to be there before.
    Ordering,
    /// Once it is known that something changes.
    Planning,
    /// While something is made or destroyed, which nobody does here.
    Running,
}

/// An expression that is visited.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'v, 'm> {
    /// What it is there for.
    pub role: Role<'m>,
    /// The blocks around it inside the body of its declaration, outermost first.
    pub blocks: &'v [&'m InnerBlock],
    /// The provisioner or connection whose body it stands in.
    pub provision: Option<&'m Provision>,
    /// The expression.
    pub expression: &'m Expression,
}

impl<'m> Seen<'_, 'm> {
    /// When it matters what it is worth.
    pub fn when(&self) -> When {
        if self.provision.is_some() {
            return When::Running;
        }
        match self.role {
            Role::Source | Role::Version => When::Loading,
            Role::Count | Role::ForEach | Role::Enabled | Role::ProviderKey => When::Expanding,
            Role::Value | Role::Argument(_) | Role::BlockForEach | Role::BlockLabels => {
                When::Evaluating
            }
            Role::Condition(_) | Role::Message(_) => When::Judging,
            Role::DependsOn => When::Ordering,
            Role::ReplaceTriggeredBy
            | Role::ActionCondition(_)
            | Role::ActionKey(_)
            | Role::PreventDestroy
            | Role::Destroy
            | Role::ImportId
            | Role::ImportIdentity
            | Role::ImportKey => When::Planning,
        }
    }

    /// Whether an evaluation looks at it, however often it does.
    pub fn is_evaluated(&self) -> bool {
        self.when() <= When::Judging
    }

    /// Whether it says what a declaration is worth or how often it exists, or judges that.
    pub fn is_of_instances(&self) -> bool {
        matches!(self.when(), When::Expanding | When::Evaluating | When::Judging)
    }

    /// The name of the argument that it is, or that it stands in; that of a local value is the local value's.
    pub fn argument(&self) -> Option<&'m str> {
        Some(match self.role {
            Role::Value => return None,
            Role::Argument(input) => &input.name,
            Role::Count => "count",
            Role::ForEach | Role::BlockForEach => "for_each",
            Role::Enabled => "enabled",
            Role::BlockLabels => "labels",
            Role::Source => "source",
            Role::Version => "version",
            Role::DependsOn => "depends_on",
            Role::ProviderKey => "provider",
            Role::Condition(_) | Role::ActionCondition(_) => "condition",
            Role::Message(_) => "error_message",
            Role::ReplaceTriggeredBy => "replace_triggered_by",
            Role::ActionKey(_) => "actions",
            Role::PreventDestroy => "prevent_destroy",
            Role::Destroy => "destroy",
            Role::ImportId => "id",
            Role::ImportIdentity => "identity",
            Role::ImportKey => "to",
        })
    }

    /// The names that `dynamic` blocks around it give to their elements, outermost first. What a dynamic block repeats
    /// over stands outside of it.
    pub fn iterators(&self) -> impl Iterator<Item = &'m Str> {
        let blocks = match self.role {
            Role::BlockForEach => self.blocks.split_last().map_or(self.blocks, |(_, rest)| rest),
            _ => self.blocks,
        };
        blocks.iter().filter_map(|block| Some(&block.dynamic.as_ref()?.iterator))
    }
}

/// Looks at one expression after the other.
pub type See<'s, 'm> = &'s mut dyn FnMut(Seen<'_, 'm>);

fn plainly<'m>(role: Role<'m>, expression: &'m Expression, see: See<'_, 'm>) {
    see(Seen { role, blocks: &[], provision: None, expression });
}

fn rules<'m>(kind: RuleKind, conditions: &'m [Condition], see: See<'_, 'm>) {
    for condition in conditions {
        plainly(Role::Condition(kind), &condition.condition, see);
        plainly(Role::Message(kind), &condition.message, see);
    }
}

fn repetition<'m>(repetition: &'m Repetition, see: See<'_, 'm>) {
    match repetition {
        Repetition::Single => {}
        Repetition::Count(expression) => plainly(Role::Count, expression, see),
        Repetition::Each(expression) => plainly(Role::ForEach, expression, see),
        Repetition::Enabled(expression) => plainly(Role::Enabled, expression, see),
    }
}

impl Content {
    /// Visits every expression of the body, those of blocks in it included.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.walk(None, &mut Vec::new(), see);
    }

    fn walk<'m>(
        &'m self,
        provision: Option<&'m Provision>,
        blocks: &mut Vec<&'m InnerBlock>,
        see: See<'_, 'm>,
    ) {
        for input in &self.arguments {
            let role = Role::Argument(input);
            see(Seen { role, blocks, provision, expression: &input.value });
        }
        for block in &self.blocks {
            blocks.push(block);
            if let Some(dynamic) = &block.dynamic {
                let roles =
                    [(Role::BlockForEach, &dynamic.for_each), (Role::BlockLabels, &dynamic.labels)];
                for (role, expression) in roles {
                    if let Some(expression) = expression {
                        see(Seen { role, blocks, provision, expression });
                    }
                }
            }
            block.content.walk(provision, blocks, see);
            blocks.pop();
        }
    }
}

impl Variable {
    /// Visits its expressions. Its default is a constant, and none.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        rules(RuleKind::Validation, &self.validations, see);
    }
}

impl Output {
    /// Visits its expressions.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.value.iter().for_each(|value| plainly(Role::Value, value, see));
        self.depends_on.iter().for_each(|one| plainly(Role::DependsOn, one, see));
        rules(RuleKind::Precondition, &self.preconditions, see);
    }
}

impl ModuleCall {
    /// Visits its expressions.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.source.iter().for_each(|source| plainly(Role::Source, source, see));
        self.version.iter().for_each(|version| plainly(Role::Version, version, see));
        repetition(&self.repetition, see);
        self.inputs.iter().for_each(|one| plainly(Role::Argument(one), &one.value, see));
        self.depends_on.iter().for_each(|one| plainly(Role::DependsOn, one, see));
    }
}

impl Resource {
    /// Visits its expressions: what it is first, what only a plan or a run looks at last.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        repetition(&self.repetition, see);
        let asked = self.asked.iter().filter_map(|asked| asked.key.as_ref());
        asked.for_each(|key| plainly(Role::ProviderKey, key, see));
        self.content.visit(see);
        let lifecycle = self.lifecycle();
        rules(RuleKind::Precondition, &lifecycle.preconditions, see);
        rules(RuleKind::Postcondition, &lifecycle.postconditions, see);
        self.depends_on.iter().for_each(|one| plainly(Role::DependsOn, one, see));
        lifecycle.triggers.iter().for_each(|one| plainly(Role::ReplaceTriggeredBy, one, see));
        for trigger in &lifecycle.action_triggers {
            let condition = trigger.condition.iter();
            condition.for_each(|one| plainly(Role::ActionCondition(trigger), one, see));
            let keys = trigger.actions.iter().filter_map(|action| action.key.as_ref());
            keys.for_each(|key| plainly(Role::ActionKey(trigger), key, see));
        }
        lifecycle.prevent_destroy.iter().for_each(|one| plainly(Role::PreventDestroy, one, see));
        lifecycle.destroy.iter().for_each(|one| plainly(Role::Destroy, one, see));
        for provision in &self.provisions {
            provision.visit(see);
        }
    }
}

impl Provision {
    /// Visits the expressions of its body.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.content.walk(Some(self), &mut Vec::new(), see);
    }
}

impl Check {
    /// Visits its expressions. The data source inside is a declaration of its own.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        rules(RuleKind::Assertion, &self.assertions, see);
    }
}

impl Provider {
    /// Visits its expressions.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.for_each.iter().for_each(|one| plainly(Role::ForEach, one, see));
        self.content.visit(see);
    }
}

impl Import {
    /// Visits its expressions.
    pub fn visit<'m>(&'m self, see: See<'_, 'm>) {
        self.for_each.iter().for_each(|one| plainly(Role::ForEach, one, see));
        self.id.iter().for_each(|one| plainly(Role::ImportId, one, see));
        self.identity.iter().for_each(|one| plainly(Role::ImportIdentity, one, see));
        self.keys.iter().for_each(|key| plainly(Role::ImportKey, &key.value, see));
    }
}

impl Module {
    /// How many declarations there are of each kind, in the order of [`Declaration::KINDS`].
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

    /// The declaration with an address, as [`Declaration::address`] gives it; nothing for what has none of its own.
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
                let mode = Mode::of(word);
                let labels = if mode.is_some() { name } else { address };
                let (kind, name) = labels.split_once('.')?;
                let mode = mode.unwrap_or(Mode::Managed);
                self.names.resource(mode, kind, name).map(Declaration::Resource)
            }
        }
    }

    /// Every declaration of the module, by kind and then as its list is sorted.
    pub fn declarations(&self) -> impl Iterator<Item = Declaration> + use<> {
        let kinds = Declaration::KINDS.into_iter().zip(self.counts());
        kinds.flat_map(|(make, count)| (0..count).map(make))
    }

    /// Visits every expression of one declaration; none where there is no such declaration.
    pub fn visit_one<'m>(&'m self, declaration: Declaration, see: See<'_, 'm>) {
        /// Who stands at a position, if somebody does.
        fn at<T>(list: &[T], position: u32) -> Option<&T> {
            list.get(position as usize)
        }
        match declaration {
            Declaration::Variable(i) => {
                at(&self.variables, i).into_iter().for_each(|v| v.visit(see))
            }
            Declaration::Local(i) => {
                at(&self.locals, i).into_iter().for_each(|l| plainly(Role::Value, &l.value, see));
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

    /// Visits every expression of the module, with the declaration that it belongs to.
    pub fn visit<'m>(&'m self, see: &mut dyn FnMut(Declaration, Seen<'_, 'm>)) {
        for declaration in self.declarations() {
            self.visit_one(declaration, &mut |seen| see(declaration, seen));
        }
    }

    /// The same, but for declarations that the other module shares at the same position.
    pub fn visit_unlike<'m>(
        &'m self,
        other: &Module,
        see: &mut dyn FnMut(Declaration, Seen<'_, 'm>),
    ) {
        for declaration in self.declarations().filter(|one| !self.shares(other, *one)) {
            self.visit_one(declaration, &mut |seen| see(declaration, seen));
        }
    }

    /// Whether the other module has the very same declaration at the same position. Checks, providers and imports are
    /// read anew with each module.
    pub fn shares(&self, other: &Module, declaration: Declaration) -> bool {
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
