//! Installation of modules from registries, git repositories and archives into `.terraform/modules`, with the manifest that the
//! programs and the engine read. Nothing of what is fetched is executed. This is the only crate with network access, and only the
//! command may use it.
#![forbid(unsafe_code)]

mod archive;
mod client;
pub mod codes;
mod fault;
mod fetch;
mod git;
mod install;
mod links;
mod manifest;
mod origin;
mod proxy;
mod registry;
mod settings;
mod staging;

pub use archive::unpack_archive;
pub use install::{CalledModules, InstallObserver, InstallResult, ModulesFolder, install};
pub use manifest::ManifestEntry;
pub use settings::HostSettings;
