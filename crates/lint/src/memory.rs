//! Memory of findings per declaration, so that the next run reuses those that an edit has not affected. Only rules about single
//! expressions are remembered: rules about whole modules are cheap, and any line may change their findings.

use std::sync::Arc;

use groma_module::declare::Module;
use groma_module::visit::Declaration;
use groma_project::{ModuleNode, ValidationResults};
use groma_syntax::{Diagnostic, Place};
use rustc_hash::FxHashMap;

use crate::RuleSwitches;

/// The findings of a lint run by declaration, stored for reuse in the next run.
pub struct LintMemory {
    /// The choice of rules with which the findings were made.
    pub(crate) switches: RuleSwitches,
    /// The results of evaluating declared types.
    pub(crate) types: Option<ValidationResults>,
    /// Findings by module address.
    modules: FxHashMap<String, ModuleFindings>,
}

/// The stored findings about the declarations of one module.
struct ModuleFindings {
    /// The module at that time.
    module: Arc<Module>,
    /// The findings by declaration.
    by_declaration: FxHashMap<Declaration, Arc<StoredFindings>>,
}

/// The stored findings about the expressions of one declaration.
#[derive(Default)]
pub(crate) struct StoredFindings {
    /// The findings.
    pub(crate) found: Vec<Diagnostic>,
    /// The source ranges that must not be shown, by parts of texts.
    pub(crate) withheld: Vec<Place>,
    /// The declarations that its expressions refer to.
    pub(crate) referred: Vec<Declaration>,
}

impl LintMemory {
    /// Creates an empty memory for a choice of rules.
    pub(crate) fn new(switches: &RuleSwitches) -> LintMemory {
        LintMemory { switches: switches.clone(), types: None, modules: FxHashMap::default() }
    }

    /// Returns an estimate of the bytes of memory that the stored findings occupy.
    pub fn held_bytes(&self) -> usize {
        let stored = self.modules.values().flat_map(|module| module.by_declaration.values());
        let bytes = stored.map(|stored| {
            let found: usize = stored.found.iter().map(Diagnostic::held_bytes).sum();
            let (withheld, referred) =
                (size_of_val(&*stored.withheld), size_of_val(&*stored.referred));
            size_of::<StoredFindings>() + withheld + referred + found
        });
        let types = self.types.as_ref().map_or(0, ValidationResults::held_bytes);
        types + bytes.sum::<usize>()
    }

    /// Returns the stored findings about a module; empty if its files, names or declared variables have changed.
    pub(crate) fn of(&self, node: ModuleNode<'_>) -> ReusableFindings<'_> {
        let known = self.modules.get(&node.address()).filter(|known| {
            let (old, new) = (&known.module, node.module());
            Arc::ptr_eq(&old.names, &new.names)
                && old.files == new.files
                && old.shares_variables(new)
        });
        ReusableFindings(known)
    }

    /// Stores the findings about the declarations of a module.
    pub(crate) fn keep(
        &mut self,
        node: ModuleNode<'_>,
        by_declaration: FxHashMap<Declaration, Arc<StoredFindings>>,
    ) {
        let module = node.module().clone();
        self.modules.insert(node.address(), ModuleFindings { module, by_declaration });
    }
}

/// The findings about one module that an earlier run stored; empty if none can be reused.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReusableFindings<'m>(Option<&'m ModuleFindings>);

impl ReusableFindings<'_> {
    /// Returns the stored findings about a declaration, if it is unchanged in `module`.
    pub(crate) fn stored(self, module: &Module, at: Declaration) -> Option<Arc<StoredFindings>> {
        let known = self.0?;
        let stored = known.by_declaration.get(&at)?;
        module.shares(&known.module, at).then(|| stored.clone())
    }
}
