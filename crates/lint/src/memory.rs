//! What the rules found, declaration by declaration, so that the next look takes over what an edit has not touched. Only the
//! rules that look at single expressions are remembered: those that look at a whole module cost little, and what they say
//! may change with any line of it.

use std::sync::Arc;

use groma_module::declare::Module;
use groma_module::visit::Declaration;
use groma_project::{ExaminedProject, ModuleNode};
use groma_syntax::{Diagnostic, Place};
use rustc_hash::FxHashMap;

use crate::RuleSwitches;

/// The findings of rules in a project, as far as the next look may take them over.
pub struct LintMemory {
    pub(crate) switches: RuleSwitches,
    /// What declared types settle.
    pub(crate) types: Option<ExaminedProject>,
    /// By the addresses of modules.
    modules: FxHashMap<String, ModuleLooks>,
}

/// The looks at the expressions of one module.
struct ModuleLooks {
    module: Arc<Module>,
    looks: FxHashMap<Declaration, Arc<ExpressionLook>>,
}

/// One look at the expressions of a declaration.
#[derive(Default)]
pub(crate) struct ExpressionLook {
    pub(crate) found: Vec<Diagnostic>,
    /// The places that are not to be shown, in parts of texts.
    pub(crate) withheld: Vec<Place>,
    /// The declarations that it refers to.
    pub(crate) referred: Vec<Declaration>,
}

impl LintMemory {
    pub(crate) fn new(switches: &RuleSwitches) -> LintMemory {
        LintMemory { switches: switches.clone(), types: None, modules: FxHashMap::default() }
    }

    /// Returns the look at a declaration, if another one would see the same: the very same declaration, where names mean
    /// what they meant and variables are declared as they were.
    pub(crate) fn of(&self, node: ModuleNode<'_>) -> KnownLooks<'_> {
        let known = self.modules.get(&node.address()).filter(|known| {
            let (old, new) = (&known.module, node.module());
            Arc::ptr_eq(&old.names, &new.names)
                && old.files == new.files
                && old.variables.len() == new.variables.len()
                && old.variables.iter().zip(&new.variables).all(|(a, b)| Arc::ptr_eq(a, b))
        });
        KnownLooks(known)
    }

    pub(crate) fn keep(
        &mut self,
        node: ModuleNode<'_>,
        looks: FxHashMap<Declaration, Arc<ExpressionLook>>,
    ) {
        let module = node.module().clone();
        self.modules.insert(node.address(), ModuleLooks { module, looks });
    }
}

/// What is remembered of one module.
#[derive(Clone, Copy, Default)]
pub(crate) struct KnownLooks<'m>(Option<&'m ModuleLooks>);

impl KnownLooks<'_> {
    pub(crate) fn look(self, module: &Module, at: Declaration) -> Option<Arc<ExpressionLook>> {
        let known = self.0?;
        let look = known.looks.get(&at)?;
        module.shares(&known.module, at).then(|| look.clone())
    }
}
