//! The list of a root's contents: instances, builds or runs.

use groma_packer::Build;
use groma_project::ListedObject;

use super::TestRun;

/// The contents of a root by its kind: the instances of a module, the builds of a template or the runs of a test file.
#[derive(Debug)]
pub enum RootList {
    /// The instances of a module's resources and modules, in the order of addresses.
    Instances(Vec<ListedObject>),
    /// The builds of a Packer template, in their order.
    Builds(Vec<Build>),
    /// The runs of a test file, in the order in which they are made.
    Runs(Vec<TestRun>),
}

impl RootList {
    /// Returns the address of each instance, the name of each build or the address of each run, in the order of the list.
    pub fn addresses(&self) -> Vec<String> {
        match self {
            RootList::Instances(all) => all.iter().map(|one| one.address.to_string()).collect(),
            RootList::Builds(all) => all.iter().map(|build| build.name.to_string()).collect(),
            RootList::Runs(all) => all.iter().map(|run| format!("run.{}", &*run.name)).collect(),
        }
    }
}
