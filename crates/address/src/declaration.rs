//! Addresses of declarations of every kind, without instance keys. Each is a single pointer; clones share its target.

use std::fmt;
use std::sync::Arc;

use groma_value::Str;

use crate::instance::{ConfigAddress, InstanceAddress, ResourceAddress, ResourceName, joined};
use crate::mode::ResourceMode;
use crate::module::ModulePath;

/// The name of a declaration within its module or template, with its kind: variable, local, call, output, check, resource and
/// others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DeclarationName {
    /// An input variable.
    Variable(Str),
    /// A local value.
    Local(Str),
    /// A module call.
    Call(Str),
    /// An output value.
    Output(Str),
    /// A `check` block.
    Check(Str),
    /// A resource of any mode.
    Resource(ResourceName),
    /// A source block of a Packer template: its type and its name.
    Source(Str, Str),
    /// A build block of a Packer template with a name.
    Build(Str),
    /// A build block of a Packer template without a name, by its position among the builds.
    BuildAt(usize),
}

/// The address of a declaration of any kind: the path of its module and its name there, without instance keys.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DeclarationAddress(Arc<(ModulePath, DeclarationName)>);

impl DeclarationAddress {
    /// Creates the address of a declaration from the path of its module and its name there.
    pub fn new(module: ModulePath, name: DeclarationName) -> DeclarationAddress {
        DeclarationAddress(Arc::new((module, name)))
    }

    /// Returns the address of the module call that leads to a module; `None` for the root module.
    pub fn of_module(module: &ModulePath) -> Option<DeclarationAddress> {
        let name = module.names().last()?.clone();
        Some(DeclarationAddress::new(module.caller()?, DeclarationName::Call(name)))
    }

    /// Parses the text of a declaration address, such as `module.a.var.b`; `None` for other texts.
    pub fn parse(text: &str) -> Option<DeclarationAddress> {
        let mut steps = text.split('.');
        let mut modules: Vec<Str> = Vec::new();
        let mut next = || steps.next().filter(|step| !step.is_empty());
        let mut word = next()?;
        let name = loop {
            let name = next()?;
            if word != "module" {
                break name;
            }
            match next() {
                Some(inner) => {
                    modules.push(name.into());
                    word = inner;
                }
                None => break name,
            }
        };
        let name = match word {
            "var" => DeclarationName::Variable(name.into()),
            "local" => DeclarationName::Local(name.into()),
            "module" => DeclarationName::Call(name.into()),
            "output" => DeclarationName::Output(name.into()),
            "check" => DeclarationName::Check(name.into()),
            "source" => DeclarationName::Source(name.into(), next()?.into()),
            "build" => DeclarationName::Build(name.into()),
            _ => DeclarationName::Resource(match ResourceMode::of(word) {
                Some(mode) if mode != ResourceMode::Managed => {
                    ResourceName { mode, kind: name.into(), name: next()?.into() }
                }
                _ => {
                    let mode = ResourceMode::Managed;
                    ResourceName { mode, kind: word.into(), name: name.into() }
                }
            }),
        };
        let is_whole = next().is_none();
        let modules: ModulePath = modules.into_iter().collect();
        is_whole.then(|| DeclarationAddress::new(modules, name))
    }

    /// Returns the path of the module that contains the declaration.
    pub fn module(&self) -> &ModulePath {
        &self.0.0
    }

    /// Returns the declaration's name within its module.
    pub fn name(&self) -> &DeclarationName {
        &self.0.1
    }

    /// Returns the path of the module that a module call leads to; `None` for other declarations.
    pub fn called_module(&self) -> Option<ModulePath> {
        match self.name() {
            DeclarationName::Call(name) => Some(self.module().with_call(name.clone())),
            _ => None,
        }
    }

    /// Returns the address as a [`ConfigAddress`] if it is that of a resource or module call; `None` for others.
    pub fn config(&self) -> Option<ConfigAddress> {
        match self.name() {
            DeclarationName::Resource(name) => {
                Some(ConfigAddress::new(self.module().clone(), Some(name.clone())))
            }
            _ => Some(ConfigAddress::new(self.called_module()?, None)),
        }
    }

    /// Returns the resource mode (managed, data or other) if the address is that of a resource; `None` for other kinds.
    pub fn mode(&self) -> Option<ResourceMode> {
        match self.name() {
            DeclarationName::Resource(name) => Some(name.mode),
            _ => None,
        }
    }
}

impl ConfigAddress {
    /// Returns the address as that of a declaration, a resource or a module call; `None` for the root module, which no
    /// declaration calls.
    pub fn declaration(&self) -> Option<DeclarationAddress> {
        match self.resource() {
            Some(name) => {
                let name = DeclarationName::Resource(name.clone());
                Some(DeclarationAddress::new(self.module().clone(), name))
            }
            None => DeclarationAddress::of_module(self.module()),
        }
    }
}

impl From<&ResourceAddress> for DeclarationAddress {
    fn from(address: &ResourceAddress) -> DeclarationAddress {
        let name = DeclarationName::Resource(address.name().clone());
        DeclarationAddress::new(address.module().without_keys(), name)
    }
}

impl From<&InstanceAddress> for DeclarationAddress {
    fn from(address: &InstanceAddress) -> DeclarationAddress {
        address.resource().into()
    }
}

impl fmt::Display for DeclarationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeclarationName::Variable(name) => write!(f, "var.{}", &**name),
            DeclarationName::Local(name) => write!(f, "local.{}", &**name),
            DeclarationName::Call(name) => write!(f, "module.{}", &**name),
            DeclarationName::Output(name) => write!(f, "output.{}", &**name),
            DeclarationName::Check(name) => write!(f, "check.{}", &**name),
            DeclarationName::Resource(name) => name.fmt(f),
            DeclarationName::Source(kind, name) => write!(f, "source.{}.{}", &**kind, &**name),
            DeclarationName::Build(name) => write!(f, "build.{}", &**name),
            DeclarationName::BuildAt(at) => write!(f, "build[{at}]"),
        }
    }
}

impl fmt::Display for DeclarationAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.module().names().is_empty(), self.module(), Some(self.name()))
    }
}
