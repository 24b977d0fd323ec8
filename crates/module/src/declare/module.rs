//! All that one directory declares. Lists are sorted by name, never by file.

use std::sync::Arc;

use groma_config::{RawBlock, ResourceMode};
use groma_syntax::{FileId, Place};
use groma_value::Str;

use crate::declare::settings::ModuleSettings;
use crate::declare::{
    Check, Expression, Import, ModuleCall, Output, Provider, RequiredProvider, Resource, Variable,
};
use crate::resolve::{ModuleNames, named};

/// The declarations in the files of a directory.
#[derive(Debug, Default)]
pub struct Module {
    /// The files it was read from, in the order of reading.
    pub files: Vec<FileId>,
    /// Sorted by name.
    pub variables: Vec<Arc<Variable>>,
    /// Sorted by name.
    pub locals: Vec<Arc<Local>>,
    /// Sorted by name.
    pub outputs: Vec<Arc<Output>>,
    /// Sorted by name.
    pub calls: Vec<Arc<ModuleCall>>,
    /// Sorted by mode, type and name.
    pub resources: Vec<Arc<Resource>>,
    /// Sorted by name.
    pub checks: Vec<Check>,
    /// The settings of its `terraform` and `language` blocks.
    pub settings: ModuleSettings,
    /// In source order.
    pub providers: Vec<Provider>,
    /// In source order.
    pub imports: Vec<Import>,
    /// Blocks that later stages read: moved, removed, import.
    pub others: Vec<Arc<RawBlock>>,
    /// Its names, for resolving references.
    pub names: Arc<ModuleNames>,
}

/// One local value.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: Str,
    /// The whole argument.
    pub place: Place,
    /// Its value.
    pub value: Expression,
}

impl Module {
    /// Returns what it requires under a provider's local name.
    pub fn required_provider(&self, name: &str) -> Option<&RequiredProvider> {
        self.settings.providers.iter().find(|one| *one.name == *name)
    }

    /// The names of its input variables, sorted.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|variable| &*variable.name)
    }

    /// The names of its local values, sorted.
    pub fn local_names(&self) -> impl Iterator<Item = &str> {
        self.locals.iter().map(|local| &*local.name)
    }

    /// The names of its outputs, sorted.
    pub fn output_names(&self) -> impl Iterator<Item = &str> {
        self.outputs.iter().map(|output| &*output.name)
    }

    /// The names of its module calls, sorted.
    pub fn call_names(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().map(|call| &*call.name)
    }

    /// The local value of that name.
    pub fn local(&self, name: &str) -> Option<&Local> {
        let at = self.locals.binary_search_by(|local| (*local.name).cmp(name)).ok()?;
        self.locals.get(at).map(|local| &**local)
    }

    /// The module call of that name.
    pub fn call(&self, name: &str) -> Option<&ModuleCall> {
        self.calls.get(self.call_position(name)?).map(|call| &**call)
    }

    /// The position of that call in the list.
    pub fn call_position(&self, name: &str) -> Option<usize> {
        self.names.call(name).map(|at| at as usize)
    }

    /// The position of a provider configuration in the list, by the provider's local name and the alias.
    pub fn provider_position(&self, name: &str, alias: Option<&str>) -> Option<usize> {
        self.providers.iter().position(|one| *one.name == *name && one.alias.as_deref() == alias)
    }

    /// The actions that a resource has run and whose caller it is, by their positions.
    pub fn called_by(&self, resource: u32) -> Vec<u32> {
        let Some(resource) = self.resources.get(resource as usize) else { return Vec::new() };
        if !self.names.has_callers {
            return Vec::new();
        }
        let named = named(resource);
        let mut all: Vec<u32> =
            named.filter_map(|one| self.names.action(&one.kind, &one.name)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The position of a resource in the list, by what it is and what it is called.
    pub fn resource_position(&self, mode: ResourceMode, kind: &str, name: &str) -> Option<usize> {
        self.names.resource(mode, kind, name).map(|at| at as usize)
    }

    /// The addresses of its resources inside the module, sorted by mode, type and name.
    pub fn resource_addresses(&self) -> impl Iterator<Item = String> {
        self.resources.iter().map(|one| one.address())
    }

    /// Its `terraform` and `language` blocks.
    pub fn settings(&self) -> &[Arc<RawBlock>] {
        &self.settings.blocks
    }

    /// Every file it was read from.
    pub fn files(&self) -> &[FileId] {
        &self.files
    }
}
