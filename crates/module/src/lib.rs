//! The declarations of one directory, merged and validated, with every reference resolved. A module contains names and
//! expressions; values, instances and other modules come later.
#![forbid(unsafe_code)]

mod amend;
pub mod backend;
pub mod built_in;
mod call_graph;
pub mod check;
pub mod check_body;
pub mod codes;
pub mod declare;
pub mod dialect;
mod evidence;
pub mod feature_use;
mod gather;
mod kept_load;
pub mod load;
mod merge;
mod module_cache;
mod parsed;
mod provisioner;
pub mod resolve;
pub mod reuse;
pub mod schema;
mod shared_folder;
mod shared_modules;
mod test;
pub mod visit;
mod words;

pub use call_graph::{
    CallGraph, FolderCall, FolderCallers, GraphFolder, is_code, is_local_source, is_module,
    module_folders,
};
pub use declare::Module;
pub use evidence::EditionEvidence;
pub use module_cache::{ModuleCache, ModuleStore, StoreMemory};
pub use parsed::ParsedFiles;
pub use provisioner::{connection_schema, provisioner_names, provisioner_schema};
pub use schema::{ProviderSchemas, SchemaError};
pub use shared_folder::SharedFolder;
pub use shared_modules::{ReadFolder, RemovedModules, SharedModules};
pub use test::{TestFile, TestReader};
