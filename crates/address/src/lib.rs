//! Addresses of modules, declarations and instances as types, and their text. Code between the edges compares types;
//! what has only the text of an address goes through [`text`], the one place that knows where a key begins and ends.
#![forbid(unsafe_code)]

mod grammar;
mod instance;
mod key;
mod mode;
mod module;
mod parse;
mod pattern;
mod read;
pub mod text;

pub use grammar::{AddressGrammar, KeyForms};
pub use instance::{
    ConfigAddress, InstanceAddress, ResourceName, ResourceTarget, implied_provider,
};
pub use key::InstanceKey;
pub use mode::ResourceMode;
pub use module::{ModuleAddress, ModulePath};
pub use pattern::AddressPattern;
