//! Addresses of declarations whose number of instances is undecided, and of declarations inside of these. Keys are known down to
//! one module instance; below it a step has `[*]` if its declaration is repeated, and no key otherwise.

use std::fmt;
use std::sync::Arc;

use crate::declaration::{DeclarationAddress, DeclarationName};
use crate::instance::{InstanceAddress, joined};
use crate::module::{ModuleAddress, ModulePath};

/// The text displayed in place of an undecided key.
const UNDECIDED_KEY: &str = "[*]";

/// The address of a module, possibly with undecided keys. Modules are equal if and only if they are displayed alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct UndecidedModule {
    /// The innermost module instance with a known address.
    known: ModuleAddress,
    path: ModulePath,
    /// For each call below the known instance, true if it is repeated. The first one always is.
    repeated: Option<Arc<[bool]>>,
}

/// The address of a resource or module call whose number of instances is undecided, or that is inside of such a call. Addresses
/// are equal if and only if they are displayed alike.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct UndecidedAddress {
    module: UndecidedModule,
    name: DeclarationName,
    is_repeated: bool,
}

impl UndecidedModule {
    /// Returns a flag for each module call below [`UndecidedModule::known`]: true if the call is repeated, so that its key is
    /// undecided.
    fn repeated(&self) -> &[bool] {
        self.repeated.as_deref().unwrap_or_default()
    }

    /// Returns the known part of the address: that of the innermost module instance around this module without an undecided
    /// key, or of the module itself if all its keys are known.
    pub fn known(&self) -> &ModuleAddress {
        &self.known
    }

    /// Returns true if every key in the module's address is known.
    pub fn is_known(&self) -> bool {
        self.repeated.is_none()
    }

    /// Returns the address of the declaration `name` in this module; `is_repeated` is true if its own key is undecided, too. If
    /// the module instance is known, the declaration itself has the undecided number of instances, so it counts as repeated.
    pub fn declared(&self, name: DeclarationName, is_repeated: bool) -> UndecidedAddress {
        let is_repeated = is_repeated || self.is_known();
        UndecidedAddress { module: self.clone(), name, is_repeated }
    }
}

impl UndecidedAddress {
    /// Returns the module that contains the declaration, possibly with undecided keys.
    pub fn module(&self) -> &UndecidedModule {
        &self.module
    }

    /// Returns the declaration's name within its module.
    pub fn name(&self) -> &DeclarationName {
        &self.name
    }

    /// Returns the called module; `None` if the declaration is not a module call.
    pub fn called(&self) -> Option<UndecidedModule> {
        let DeclarationName::Call(name) = &self.name else { return None };
        let repeated = self.module.repeated().iter().copied().chain([self.is_repeated]);
        Some(UndecidedModule {
            known: self.module.known.clone(),
            path: self.module.path.with_call(name.clone()),
            repeated: Some(repeated.collect()),
        })
    }

    /// Returns true if the declaration's own number of instances is undecided, rather than that of a module call around it.
    pub fn is_outermost(&self) -> bool {
        self.module.is_known()
    }

    /// Returns the address of the declaration, without keys.
    pub fn declaration(&self) -> DeclarationAddress {
        DeclarationAddress::new(self.module.path.clone(), self.name.clone())
    }

    /// Returns true if the instance may be one that this address stands for: it has the same names, and the same keys in the
    /// outer module calls, whose keys are known. Further in, any key or none is possible: keys of a previous run do not determine
    /// the future ones.
    pub fn contains(&self, instance: &InstanceAddress) -> bool {
        let outer = instance.module();
        let names = || outer.steps().iter().map(|(name, _)| name);
        let is_inside = |path: &ModulePath| {
            self.module.known.contains(outer)
                && path.names().len() <= outer.len()
                && path.names().iter().zip(names()).all(|(own, other)| own == other)
        };
        match &self.name {
            DeclarationName::Resource(name) => {
                name == instance.resource().name()
                    && self.module.path.names().len() == outer.len()
                    && is_inside(&self.module.path)
            }
            DeclarationName::Call(name) => is_inside(&self.module.path.with_call(name.clone())),
            _ => false,
        }
    }
}

impl From<&ModuleAddress> for UndecidedModule {
    fn from(known: &ModuleAddress) -> UndecidedModule {
        UndecidedModule { known: known.clone(), path: known.without_keys(), repeated: None }
    }
}

impl fmt::Display for UndecidedModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.known.fmt(f)?;
        let below = self.path.names().iter().skip(self.known.len());
        let mut dot = if self.known.is_empty() { "" } else { "." };
        for (name, is_repeated) in below.zip(self.repeated()) {
            let key = if *is_repeated { UNDECIDED_KEY } else { "" };
            write!(f, "{dot}module.{}{key}", &**name)?;
            dot = ".";
        }
        Ok(())
    }
}

impl fmt::Display for UndecidedAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.module.path.is_root(), &self.module, Some(&self.name))?;
        f.write_str(if self.is_repeated { UNDECIDED_KEY } else { "" })
    }
}
