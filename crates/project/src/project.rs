//! A loaded project: the tree of modules below a directory, the root's inputs, and the dependency graph. It is immutable after
//! loading; evaluation adds nothing to it.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use groma_config::{ConfigAddress, ModulePath, RawBlock, UnfitSchemas};
use groma_eval::FunctionMocks;
use groma_module::declare::{Module, Resource};
use groma_module::dialect::Conventions;
use groma_module::{EditionEvidence, ProviderSchemas};
use groma_runtime::{Budget, Edition, EditionDifference, Host, MeteredHost, Semantics};
use groma_syntax::{FileId, Place, Sources};
use groma_value::Value;

use crate::graph::Graph;
use crate::load_findings::{DecisiveInputs, LoadFindings};
use crate::options::{LoadPurpose, RootInputs};
use crate::tree::manifest::{InstalledModule, RemoteCall, RemoteModules};
use crate::tree::mapping::MappingUse;
use crate::tree::{CalledModule, ModuleId, TreeModule};
use groma_inputs::{InputSource, Values};

/// A loaded project with the inputs of its root. Projects of the same code with other inputs share the code.
pub struct Project {
    pub(crate) code: Arc<ProjectCode>,
    /// Every text that was read, with those of the inputs.
    pub(crate) sources: Sources,
    pub(crate) values: Values,
    /// True if declarations, modules, calls and inputs are free of errors: references are checked only then.
    pub(crate) is_linked: bool,
}

/// The code of a project, which is the same for all inputs that lead to the same modules.
pub struct ProjectCode {
    pub(crate) edition: Edition,
    /// The reason for the edition.
    pub(crate) evidence: EditionEvidence,
    pub(crate) conventions: Conventions,
    /// The edition's semantics, with a record of those that affected a result.
    pub(crate) semantics: Arc<Semantics>,
    /// Texts before this number are shared with other projects.
    pub(crate) shared: u32,
    /// The module tree; the root is first.
    pub(crate) nodes: Vec<TreeModule>,
    pub(crate) elsewhere: RemoteModules,
    pub(crate) graph: Graph,
    pub(crate) workspace: String,
    /// The directory of the root module, as the host knows it.
    pub(crate) dir: Arc<str>,
    /// The names of the files in that directory.
    pub(crate) names: Vec<String>,
    pub(crate) host: Arc<dyn Host>,
    /// The mocked results of functions.
    pub(crate) mocks: Arc<FunctionMocks>,
    /// The blocks of mock files, which stand in for providers, as written.
    pub(crate) mock_blocks: Arc<[RawBlock]>,
    /// The provider schemas of the load.
    pub(crate) schemas: ProviderSchemas,
    /// Providers whose schemas have a version other than the required one.
    pub(crate) unfit: Vec<UnfitSchemas>,
    /// The host without budget accounting, for runs with a budget other than the load's.
    pub(crate) uncounted: Arc<dyn Host>,
    /// The budget of the load.
    pub(crate) budget: Budget,
    /// The purpose of the load.
    pub(crate) purpose: LoadPurpose,
    /// The inputs that apply.
    pub(crate) inputs: RootInputs,
    /// True if a folder without files is valid.
    pub(crate) bare: bool,
    pub(crate) findings: LoadFindings,
    pub(crate) decisive: DecisiveInputs,
}

impl Deref for Project {
    type Target = ProjectCode;

    fn deref(&self) -> &ProjectCode {
        &self.code
    }
}

/// A borrowed handle of one module in the module tree of a project: the project and the module's number.
#[derive(Clone, Copy)]
pub struct ModuleNode<'p> {
    pub(crate) project: &'p Project,
    pub(crate) id: ModuleId,
}

impl<'p> ModuleNode<'p> {
    /// Returns the module as it is stored in the module tree, with its path, its directory and its children.
    fn node(self) -> &'p TreeModule {
        &self.project.nodes[self.id.0 as usize]
    }

    /// Returns the edition with which the project's files are read.
    pub fn edition(self) -> Edition {
        self.project.edition
    }

    /// Returns the project that contains the module.
    pub fn project(self) -> &'p Project {
        self.project
    }

    /// Returns the module's number in the project; that of the root is 0.
    pub fn number(self) -> usize {
        self.id.0 as usize
    }

    /// Returns the declarations of the module.
    pub fn module(self) -> &'p Arc<Module> {
        &self.node().module
    }

    /// Returns the address of the module, such as `module.a.module.b`; empty for the root.
    pub fn address(self) -> String {
        self.node().address()
    }

    /// Returns the names of the calls that lead to the module.
    pub fn path(self) -> ModulePath {
        self.node().path.clone()
    }

    /// Returns the address of a resource that the module declares.
    pub fn declared_address(self, resource: &Resource) -> ConfigAddress {
        ConfigAddress::new(self.path(), Some(resource.own_name()))
    }

    /// Returns the module's directory relative to the root module: the value of `path.module`.
    pub fn module_path(self) -> &'p str {
        &self.node().at
    }

    /// Returns the module of a call, by the call's index; `None` if it is missing.
    pub fn child(self, call: usize) -> Option<ModuleNode<'p>> {
        match self.node().children.get(call)? {
            CalledModule::Module(id) => Some(ModuleNode { project: self.project, id: *id }),
            CalledModule::Absent => None,
        }
    }

    /// Returns the calling module and the index of the call in it; `None` for the root.
    pub fn parent(self) -> Option<(ModuleNode<'p>, usize)> {
        let (id, call) = self.node().parent?;
        Some((ModuleNode { project: self.project, id }, call as usize))
    }
}

impl Project {
    /// Returns true if both projects share their code, which was read once, perhaps with other inputs.
    pub fn is_same_code(&self, other: &Project) -> bool {
        Arc::ptr_eq(&self.code, &other.code)
    }

    /// Returns the texts of all files that were read for the project.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the edition with which the project's files are read.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns the conventions of the project's edition.
    pub fn conventions(&self) -> &Conventions {
        &self.conventions
    }

    /// Returns true if the project's edition has `action` blocks.
    pub fn has_actions(&self) -> bool {
        self.conventions.has_actions
    }

    /// Returns the differences between editions that have affected a result so far.
    pub fn effective_differences(&self) -> Vec<&'static EditionDifference> {
        self.semantics.effective_differences()
    }

    /// Returns the edition of the project with the reason why it was selected.
    pub fn evidence(&self) -> &EditionEvidence {
        &self.evidence
    }

    /// Returns the directory of the root module, as the host knows it.
    pub fn dir(&self) -> &str {
        &self.dir
    }

    /// Returns the host from which the project's files are read.
    pub fn host(&self) -> &Arc<dyn Host> {
        &self.host
    }

    /// Returns the host from which the project's files are read, with all reads charged to `budget`.
    pub(crate) fn host_for(&self, budget: &Budget) -> Arc<dyn Host> {
        match self.budget.is_same(budget) {
            true => self.host.clone(),
            false => Arc::new(MeteredHost::new(self.uncounted.clone(), budget.clone())),
        }
    }

    /// Returns the provider schemas with which the project was loaded.
    pub fn schemas(&self) -> &ProviderSchemas {
        &self.schemas
    }

    /// Returns the root module as a node of the module tree.
    pub fn tree(&self) -> ModuleNode<'_> {
        ModuleNode { project: self, id: ModuleId::ROOT }
    }

    /// Returns the declarations of the root module.
    pub fn root(&self) -> &Arc<Module> {
        &self.nodes[0].module
    }

    /// Returns every module of the tree, by number.
    pub fn nodes(&self) -> impl Iterator<Item = ModuleNode<'_>> {
        (0..self.nodes.len() as u32).map(|at| ModuleNode { project: self, id: ModuleId(at) })
    }

    /// Returns every module of the tree with its address; the root's is empty.
    pub fn modules(&self) -> impl Iterator<Item = (&ModulePath, &Arc<Module>)> {
        self.nodes.iter().map(|node| (&node.path, &node.module))
    }

    /// Returns the calls of remote modules, installed or not, including those in installed modules. A source with a `--module`
    /// mapping needs no installation.
    pub fn remote_calls(&self) -> &[RemoteCall] {
        &self.elsewhere.calls
    }

    /// Returns the record of the source mappings that applied to calls.
    pub fn mapping_use(&self) -> &MappingUse {
        &self.elsewhere.mappings
    }

    /// Returns all installed modules, by call names joined by dots, still called or not.
    pub fn installed_modules(&self) -> BTreeMap<&str, &InstalledModule> {
        self.elsewhere.manifest.sorted()
    }

    /// Returns every file read for the project: module files and files with inputs.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        let modules = self.nodes.iter().flat_map(|node| node.module.files.iter());
        let modules = modules.map(|file| self.sources.file_of(*file));
        let own = self.sources.iter().map(|(file, _)| file).filter(|file| file.0 >= self.shared);
        modules.chain(own)
    }

    /// Returns the results that mock files give for function calls.
    pub fn mocks(&self) -> &Arc<FunctionMocks> {
        &self.mocks
    }

    /// Returns the blocks of mock files that stand in for providers, as written.
    pub fn mock_blocks(&self) -> &[RawBlock] {
        &self.mock_blocks
    }

    /// Returns true if the project has any mocks, of functions or of providers.
    pub fn is_mocked(&self) -> bool {
        !self.mocks.is_empty() || !self.mock_blocks.is_empty()
    }

    /// Returns the value given to a root variable, before conversion to its type; `None` if there is none.
    pub fn given_value(&self, variable: &str) -> Option<&Value> {
        self.values.get(variable).map(|given| &given.value)
    }

    /// Returns the origin of a root variable's value, such as a file or an option, and its source range there, if any; `None`
    /// without a given value.
    pub fn input_source(&self, variable: &str) -> Option<(InputSource, Option<Place>)> {
        self.values.get(variable).map(|given| (given.by, given.place))
    }

    /// Returns the name of the selected workspace.
    pub fn workspace(&self) -> &str {
        &self.workspace
    }
}
