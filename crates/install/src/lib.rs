//! Brings modules from where they lie into `.terraform/modules`, with the manifest that the programs and the engine read:
//! registries, git repositories, archives. Nothing else is brought, and nothing of what is brought is run. This is the
//! only crate that talks to a network, and no other crate but the command may use it.
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
