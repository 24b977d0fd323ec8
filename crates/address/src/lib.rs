//! Typed addresses of modules, declarations and instances, and their text. Code compares types; where only the text of an address
//! is available, [`text`] is the one module that splits it at keys and dots.
#![forbid(unsafe_code)]

mod declaration;
mod grammar;
mod instance;
mod key;
mod mode;
mod module;
mod parse;
mod pattern;
mod read;
pub mod text;
mod undecided;

pub use declaration::{DeclarationAddress, DeclarationName};
pub use grammar::{AddressGrammar, KeyForms};
pub use instance::{
    ConfigAddress, InstanceAddress, ResourceAddress, ResourceName, ResourceTarget, implied_provider,
};
pub use key::InstanceKey;
pub use mode::ResourceMode;
pub use module::{ModuleAddress, ModulePath};
pub use pattern::AddressPattern;
pub use undecided::{UndecidedAddress, UndecidedModule};
