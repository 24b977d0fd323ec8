//! Addresses of what a comparison compares: instances with their keys, and declarations that have none, such as outputs.

use std::fmt;

use groma_config::{
    DeclarationAddress, DeclarationName, InstanceAddress, InstanceKey, ModulePath, ResourceMode,
    ResourceName,
};
use groma_value::Str;
use groma_why::WhyStep;

/// The address of an instance, or of a declaration without instances of its own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ComparedAddress {
    /// An instance of a resource.
    Instance(InstanceAddress),
    /// An output, or a declaration as a whole.
    Declaration(DeclarationAddress),
}

impl ComparedAddress {
    /// Returns the address of an output of the root.
    pub fn output(name: &Str) -> ComparedAddress {
        let name = DeclarationName::Output(name.clone());
        DeclarationAddress::new(ModulePath::ROOT, name).into()
    }

    /// Returns the address of the declaration; for an instance, that of its resource.
    pub(crate) fn declaration(&self) -> DeclarationAddress {
        match self {
            ComparedAddress::Instance(address) => address.into(),
            ComparedAddress::Declaration(address) => address.clone(),
        }
    }

    /// Returns the steps by which a query for the provenance of a value reaches the address.
    pub(crate) fn steps(&self) -> Vec<WhyStep> {
        let mut found = Vec::new();
        match self {
            ComparedAddress::Instance(address) => {
                for (name, key) in address.module() {
                    push_call(name, key, &mut found);
                }
                push_resource(address.resource().name(), address.key(), &mut found);
            }
            ComparedAddress::Declaration(address) => {
                for name in address.module().names() {
                    push_call(name, &InstanceKey::None, &mut found);
                }
                push_name(address.name(), &mut found);
            }
        }
        found
    }
}

/// Appends the steps of a provenance query that lead from a module to an instance of a module that it calls.
fn push_call(name: &Str, key: &InstanceKey, steps: &mut Vec<WhyStep>) {
    steps.extend([WhyStep::Name("module".into()), WhyStep::Name(name.clone())]);
    steps.extend(key_step(key));
}

/// Appends the steps of a provenance query that lead from a module to an instance of its resource.
fn push_resource(resource: &ResourceName, key: &InstanceKey, steps: &mut Vec<WhyStep>) {
    let mode = (resource.mode != ResourceMode::Managed).then(|| resource.mode.word().into());
    let names = mode.into_iter().chain([resource.kind.clone(), resource.name.clone()]);
    steps.extend(names.map(WhyStep::Name));
    steps.extend(key_step(key));
}

/// Appends the steps of a provenance query that lead from a module to its declaration; none for a declaration without provenance.
fn push_name(name: &DeclarationName, steps: &mut Vec<WhyStep>) {
    let (word, name) = match name {
        DeclarationName::Variable(name) => ("var", name),
        DeclarationName::Local(name) => ("local", name),
        DeclarationName::Output(name) => ("output", name),
        DeclarationName::Check(name) => ("check", name),
        DeclarationName::Call(name) => return push_call(name, &InstanceKey::None, steps),
        DeclarationName::Resource(resource) => {
            return push_resource(resource, &InstanceKey::None, steps);
        }
        DeclarationName::Source(..) | DeclarationName::Build(_) | DeclarationName::BuildAt(_) => {
            return;
        }
    };
    steps.extend([WhyStep::Name(word.into()), WhyStep::Name(name.clone())]);
}

/// Returns the step of a provenance query for an instance key; `None` without a key.
fn key_step(key: &InstanceKey) -> Option<WhyStep> {
    match key {
        InstanceKey::None => None,
        InstanceKey::Number(at) => Some(WhyStep::At(*at)),
        InstanceKey::Text(text) => Some(WhyStep::Name(text.clone())),
    }
}

impl From<InstanceAddress> for ComparedAddress {
    fn from(address: InstanceAddress) -> ComparedAddress {
        ComparedAddress::Instance(address)
    }
}

impl From<DeclarationAddress> for ComparedAddress {
    fn from(address: DeclarationAddress) -> ComparedAddress {
        ComparedAddress::Declaration(address)
    }
}

impl fmt::Display for ComparedAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComparedAddress::Instance(address) => address.fmt(f),
            ComparedAddress::Declaration(address) => address.fmt(f),
        }
    }
}
