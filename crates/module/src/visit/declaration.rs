//! Declarations of a module as positions: the kind, and the index in the module's list of that kind.

use std::sync::Arc;

use groma_config::{DeclarationName, ResourceMode};
use groma_syntax::Place;

use crate::declare::Module;

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
    /// The constructors of all kinds of declarations from an index.
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

    /// Returns the index of the declaration's kind in [`KINDS`](Self::KINDS), and the declaration's index in the list of that
    /// kind.
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

    /// Returns the keyword of the declaration's kind; for a resource that of its mode.
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

    /// Returns the declaration's name within the module; `None` for a provider configuration or an import, which have no
    /// address of their own.
    pub fn name(self, module: &Module) -> Option<DeclarationName> {
        Some(match self {
            Declaration::Variable(at) => {
                DeclarationName::Variable(module.variables[at as usize].name.clone())
            }
            Declaration::Local(at) => {
                DeclarationName::Local(module.locals[at as usize].name.clone())
            }
            Declaration::Call(at) => DeclarationName::Call(module.calls[at as usize].name.clone()),
            Declaration::Resource(at) => {
                DeclarationName::Resource(module.resources[at as usize].own_name())
            }
            Declaration::Output(at) => {
                DeclarationName::Output(module.outputs[at as usize].name.clone())
            }
            Declaration::Check(at) => {
                DeclarationName::Check(module.checks[at as usize].name.clone())
            }
            Declaration::Provider(_) | Declaration::Import(_) => return None,
        })
    }

    /// Returns the declaration's address within the module; for a provider configuration that of the provider, for an import
    /// that of the target.
    pub fn address(self, module: &Module) -> String {
        match self {
            Declaration::Variable(at) => format!("var.{}", &*module.variables[at as usize].name),
            Declaration::Local(at) => format!("local.{}", &*module.locals[at as usize].name),
            Declaration::Call(at) => module.calls[at as usize].address(),
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

    /// Returns the source range of the declaration.
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

    /// Returns the declaration with a name, as given by [`Declaration::name`]; `None` if the module has none.
    pub fn named(&self, name: &DeclarationName) -> Option<Declaration> {
        match name {
            DeclarationName::Variable(name) => self.names.variable(name).map(Declaration::Variable),
            DeclarationName::Local(name) => self.names.local(name).map(Declaration::Local),
            DeclarationName::Output(name) => self.names.output(name).map(Declaration::Output),
            DeclarationName::Call(name) => self.names.call(name).map(Declaration::Call),
            DeclarationName::Check(name) => {
                let mut checks = (0_u32..).zip(&self.checks);
                checks.find(|(_, one)| one.name == *name).map(|(at, _)| Declaration::Check(at))
            }
            DeclarationName::Resource(own) => {
                self.names.resource(own.mode, &own.kind, &own.name).map(Declaration::Resource)
            }
            DeclarationName::Source(..)
            | DeclarationName::Build(_)
            | DeclarationName::BuildAt(_) => None,
        }
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
            "check" => self.named(&DeclarationName::Check(name.into())),
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

    /// Returns true if the other module has this declaration at the same index as the same shared object. Checks, providers and
    /// imports are never shared.
    pub fn shares(&self, other: &Module, declaration: Declaration) -> bool {
        /// Returns true if both lists hold the same shared object at an index.
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

    /// Returns true if both modules have the same list of variables, each a shared object.
    pub fn shares_variables(&self, other: &Module) -> bool {
        is_same_list(&self.variables, &other.variables)
    }

    /// Returns true if both modules have the same list of outputs, each a shared object.
    pub fn shares_outputs(&self, other: &Module) -> bool {
        is_same_list(&self.outputs, &other.outputs)
    }

    /// Returns true if the declaration is of a kind that several modules can share in memory.
    pub(crate) fn may_be_shared(&self, declaration: Declaration) -> bool {
        match declaration {
            Declaration::Variable(_)
            | Declaration::Local(_)
            | Declaration::Call(_)
            | Declaration::Resource(_)
            | Declaration::Output(_) => true,
            Declaration::Check(_) | Declaration::Provider(_) | Declaration::Import(_) => false,
        }
    }

    /// Returns true if another module holds this declaration, too, as the same shared object.
    pub(crate) fn is_shared(&self, declaration: Declaration) -> bool {
        /// Returns true if the declaration at an index of a list is also referred to from outside of the list.
        fn held<T>(list: &[Arc<T>], at: u32) -> bool {
            list.get(at as usize).is_some_and(|one| Arc::strong_count(one) > 1)
        }
        match declaration {
            Declaration::Variable(at) => held(&self.variables, at),
            Declaration::Local(at) => held(&self.locals, at),
            Declaration::Output(at) => held(&self.outputs, at),
            Declaration::Call(at) => held(&self.calls, at),
            Declaration::Resource(at) => held(&self.resources, at),
            Declaration::Check(_) | Declaration::Provider(_) | Declaration::Import(_) => false,
        }
    }
}

/// Returns true if both lists consist of the same shared objects in the same order.
fn is_same_list<T>(own: &[Arc<T>], others: &[Arc<T>]) -> bool {
    own.len() == others.len() && own.iter().zip(others).all(|(own, other)| Arc::ptr_eq(own, other))
}
