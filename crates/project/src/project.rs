//! A project: the tree of modules below a directory, the values given to its root, and the graph
//! of its references. It is complete when loading returns; evaluating adds nothing to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_config::{RawBlock, UnfitSchemas};
use groma_eval::FunctionMocks;
use groma_module::declare::Module;
use groma_module::dialect::Conventions;
use groma_module::{EditionEvidence, ProviderSchemas};
use groma_runtime::{Budget, Edition, EditionDifference, Host, MeteredHost, Semantics};
use groma_syntax::{FileId, Place, Sources};
use groma_value::Value;

use crate::graph::Graph;
use crate::tree::manifest::{InstalledModule, RemoteCall, RemoteModules};
use crate::tree::mapping::MappingUse;
use crate::tree::{CalledModule, ModuleId, TreeModule};
use groma_decode::{InputSource, Values};

/// A loaded project.
pub struct Project {
    pub(crate) edition: Edition,
    /// The reason why it is that one.
    pub(crate) evidence: EditionEvidence,
    pub(crate) conventions: Conventions,
    /// The edition's semantics, and a note of those that decided something.
    pub(crate) semantics: Arc<Semantics>,
    pub(crate) sources: Sources,
    /// Texts before this number are there for other projects too.
    pub(crate) shared: u32,
    /// The tree; the root is the first.
    pub(crate) nodes: Vec<TreeModule>,
    pub(crate) elsewhere: RemoteModules,
    pub(crate) values: Values,
    pub(crate) graph: Graph,
    pub(crate) workspace: String,
    /// The place where the root module is, as the host knows it.
    pub(crate) dir: Arc<str>,
    pub(crate) host: Arc<dyn Host>,
    /// The answers in place of functions that cannot be asked.
    pub(crate) mocks: Arc<FunctionMocks>,
    /// The blocks that stand for the answers of providers, as written.
    pub(crate) doubles: Arc<[RawBlock]>,
    /// The schemas of providers that it was loaded with.
    pub(crate) schemas: ProviderSchemas,
    /// Providers whose schemas are of another version than is asked for.
    pub(crate) unfit: Vec<UnfitSchemas>,
    /// The host whose readings no budget counts, for runs with another budget than that of the load.
    pub(crate) uncounted: Arc<dyn Host>,
    /// The budget of the load.
    pub(crate) budget: Budget,
    /// True if nothing is wrong with the declarations, the modules and how they fit together: what they refer to is
    /// looked at only then.
    pub(crate) is_linked: bool,
}

/// A module at its place in the tree.
#[derive(Clone, Copy)]
pub struct ModuleNode<'p> {
    pub(crate) project: &'p Project,
    pub(crate) id: ModuleId,
}

impl<'p> ModuleNode<'p> {
    fn node(self) -> &'p TreeModule {
        &self.project.nodes[self.id.0 as usize]
    }

    /// The edition that the files are read as.
    pub fn edition(self) -> Edition {
        self.project.edition
    }

    /// The project that it is a part of.
    pub fn project(self) -> &'p Project {
        self.project
    }

    /// Returns which of the project's modules it is; the root is 0.
    pub fn number(self) -> usize {
        self.id.0 as usize
    }

    /// Returns what is declared there.
    pub fn module(self) -> &'p Arc<Module> {
        &self.node().module
    }

    /// `module.a.module.b`, empty for the root.
    pub fn address(self) -> String {
        self.node().address()
    }

    /// The directory seen from the root module: what `path.module` is there.
    pub fn module_path(self) -> &'p str {
        &self.node().at
    }

    /// Returns what a call leads to, by its position in the module's list.
    pub fn child(self, call: usize) -> Option<ModuleNode<'p>> {
        match self.node().children.get(call)? {
            CalledModule::Module(id) => Some(ModuleNode { project: self.project, id: *id }),
            CalledModule::Absent => None,
        }
    }

    /// The module that calls it, and which of its calls that is.
    pub fn parent(self) -> Option<(ModuleNode<'p>, usize)> {
        let (id, call) = self.node().parent?;
        Some((ModuleNode { project: self.project, id }, call as usize))
    }
}

impl Project {
    /// Every text that was read.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The edition that the files are read as.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// The conventions of that edition.
    pub fn conventions(&self) -> &Conventions {
        &self.conventions
    }

    /// Returns true if its edition has actions.
    pub fn has_actions(&self) -> bool {
        self.conventions.has_actions
    }

    /// Returns what has decided an answer so far that editions do differently.
    pub fn decided(&self) -> Vec<&'static EditionDifference> {
        self.semantics.decided()
    }

    /// Returns why they are read as that edition.
    pub fn evidence(&self) -> &EditionEvidence {
        &self.evidence
    }

    /// Returns where the root module is, as the host knows it.
    pub fn dir(&self) -> &str {
        &self.dir
    }

    /// Returns what was read from.
    pub fn host(&self) -> &Arc<dyn Host> {
        &self.host
    }

    /// The same, counted for a run.
    pub(crate) fn host_for(&self, budget: &Budget) -> Arc<dyn Host> {
        match self.budget.is_same(budget) {
            true => self.host.clone(),
            false => Arc::new(MeteredHost::new(self.uncounted.clone(), budget.clone())),
        }
    }

    /// The schemas of providers that it was loaded with.
    pub fn schemas(&self) -> &ProviderSchemas {
        &self.schemas
    }

    /// The root of the tree of modules.
    pub fn tree(&self) -> ModuleNode<'_> {
        ModuleNode { project: self, id: ModuleId::ROOT }
    }

    /// The root module.
    pub fn root(&self) -> &Arc<Module> {
        &self.nodes[0].module
    }

    /// Every module of the tree at its place, by number.
    pub fn nodes(&self) -> impl Iterator<Item = ModuleNode<'_>> {
        (0..self.nodes.len() as u32).map(|at| ModuleNode { project: self, id: ModuleId(at) })
    }

    /// Every module of the tree with its address; the root's is empty.
    pub fn modules(&self) -> impl Iterator<Item = (String, &Arc<Module>)> {
        self.nodes.iter().map(|node| (node.address(), &node.module))
    }

    /// The calls of modules that lie elsewhere, installed or not, those in installed modules among them. Where
    /// `--module` says where a source lies, nothing has to be installed for it.
    pub fn remote_calls(&self) -> &[RemoteCall] {
        &self.elsewhere.calls
    }

    /// Returns what became of the folders that were named for sources.
    pub fn mapping_use(&self) -> &MappingUse {
        &self.elsewhere.mappings
    }

    /// All that is listed as installed, by the names of the calls joined by dots, whether or not it is still called.
    pub fn installed_modules(&self) -> BTreeMap<&str, &InstalledModule> {
        self.elsewhere.manifest.sorted()
    }

    /// Every file that was read for it: those of its modules, and what gives its root values.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        let modules = self.nodes.iter().flat_map(|node| node.module.files.iter().copied());
        let own = self.sources.iter().map(|(file, _)| file).filter(|file| file.0 >= self.shared);
        modules.chain(own)
    }

    /// Returns what is answered in place of functions that cannot be asked.
    pub fn mocks(&self) -> &Arc<FunctionMocks> {
        &self.mocks
    }

    /// Returns what is to be taken for the answers of providers, as it is written in mock files.
    pub fn doubles(&self) -> &[RawBlock] {
        &self.doubles
    }

    /// Returns true if anything is answered by a mock.
    pub fn is_mocked(&self) -> bool {
        !self.mocks.is_empty() || !self.doubles.is_empty()
    }

    /// Returns what is given to a variable of the root module from outside, before it is converted to the variable's
    /// type.
    pub fn given(&self, variable: &str) -> Option<&Value> {
        self.values.get(variable).map(|given| &given.value)
    }

    /// The source of a root variable's value, and where that is written, if it is.
    pub fn giver(&self, variable: &str) -> Option<(InputSource, Option<Place>)> {
        self.values.get(variable).map(|given| (given.by, given.place))
    }

    /// The selected workspace.
    pub fn workspace(&self) -> &str {
        &self.workspace
    }
}
