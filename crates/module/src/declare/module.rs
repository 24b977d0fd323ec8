//! The declarations of one directory. Lists are sorted by name, never by file.

use std::sync::Arc;

use groma_config::{RawBlock, ResourceMode};
use groma_syntax::{FileId, Place};
use groma_value::Str;

use crate::declare::settings::ModuleSettings;
use crate::declare::{
    Check, Expression, Import, ModuleCall, Output, Provider, RequiredProvider, Resource, Variable,
};
use crate::resolve::{ModuleNames, named};

/// The declarations in the files of one directory.
#[derive(Debug, Default)]
pub struct Module {
    /// The files it was read from, in the order of reading.
    pub files: Vec<FileId>,
    /// The input variables, sorted by name.
    pub variables: Vec<Arc<Variable>>,
    /// The local values, sorted by name.
    pub locals: Vec<Arc<Local>>,
    /// The outputs, sorted by name.
    pub outputs: Vec<Arc<Output>>,
    /// The module calls, sorted by name.
    pub calls: Vec<Arc<ModuleCall>>,
    /// The resources of all modes, sorted by mode, type and name.
    pub resources: Vec<Arc<Resource>>,
    /// The `check` blocks, sorted by name.
    pub checks: Vec<Check>,
    /// The settings of its `terraform` and `language` blocks.
    pub settings: ModuleSettings,
    /// The provider configurations, in source order.
    pub providers: Vec<Provider>,
    /// The `import` blocks, in source order.
    pub imports: Vec<Import>,
    /// Blocks interpreted by later stages: `moved`, `removed` and `import`.
    pub others: Vec<Arc<RawBlock>>,
    /// An index of its names, for resolving references.
    pub names: Arc<ModuleNames>,
}

/// The declaration of a local value: name and expression.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: Str,
    /// The source range of the whole argument.
    pub place: Place,
    /// Its value.
    pub value: Expression,
}

impl Module {
    /// Returns the `required_providers` entry with this local name; `None` if there is none.
    pub fn required_provider(&self, name: &str) -> Option<&RequiredProvider> {
        self.settings.providers.iter().find(|one| *one.name == *name)
    }

    /// Returns the names of the input variables, sorted.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|variable| &*variable.name)
    }

    /// Returns the names of the local values, sorted.
    pub fn local_names(&self) -> impl Iterator<Item = &str> {
        self.locals.iter().map(|local| &*local.name)
    }

    /// Returns the names of the outputs, sorted.
    pub fn output_names(&self) -> impl Iterator<Item = &str> {
        self.outputs.iter().map(|output| &*output.name)
    }

    /// Returns the names of the module calls, sorted.
    pub fn call_names(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().map(|call| &*call.name)
    }

    /// Returns the local value with this name; `None` if it is not declared.
    pub fn local(&self, name: &str) -> Option<&Local> {
        let at = self.locals.binary_search_by(|local| (*local.name).cmp(name)).ok()?;
        self.locals.get(at).map(|local| &**local)
    }

    /// Returns the module call with this name; `None` if it is not declared.
    pub fn call(&self, name: &str) -> Option<&ModuleCall> {
        self.calls.get(self.call_position(name)?).map(|call| &**call)
    }

    /// Returns the index in `calls` of the module call with this name; `None` if it is not declared.
    pub fn call_position(&self, name: &str) -> Option<usize> {
        self.names.call(name).map(|at| at as usize)
    }

    /// Returns the index in `providers` of the provider configuration with this local name and alias; `None` if there is none.
    pub fn provider_position(&self, name: &str, alias: Option<&str>) -> Option<usize> {
        self.providers.iter().position(|one| *one.name == *name && one.alias.as_deref() == alias)
    }

    /// Returns the indices of the actions that the resource at an index triggers, sorted; none in editions without `caller`.
    pub fn triggered_actions(&self, resource: u32) -> Vec<u32> {
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

    /// Returns the index in `resources` of the resource with this mode, type and name; `None` if it is not declared.
    pub fn resource_position(&self, mode: ResourceMode, kind: &str, name: &str) -> Option<usize> {
        self.names.resource(mode, kind, name).map(|at| at as usize)
    }

    /// Returns the address of each resource within the module, sorted by mode, type and name.
    pub fn resource_addresses(&self) -> impl Iterator<Item = String> {
        self.resources.iter().map(|one| one.address())
    }

    /// Returns the module's `terraform` and `language` blocks, as written.
    pub fn settings(&self) -> &[Arc<RawBlock>] {
        &self.settings.blocks
    }

    /// Returns the id of every file that the module was read from.
    pub fn files(&self) -> &[FileId] {
        &self.files
    }
}
