//! Targets of imports among the declarations of the module tree.

use groma_config::{AddressPattern, ResourceMode};
use groma_module::declare::Import;
use groma_module::dialect::Conventions;
use groma_syntax::Diagnostics;

use crate::project::Project;
use crate::tree::{CalledModule, ModuleId, TreeModule};

impl Project {
    /// Returns true if the managed resource at an address is certainly not declared; false if a missing module may declare it.
    pub fn is_undeclared(&self, target: &AddressPattern) -> bool {
        is_missing(&self.nodes, target)
    }
}

/// Returns true if an import is read and validated: in some editions only an import whose target is declared.
pub(crate) fn is_read(nodes: &[TreeModule], import: &Import, conventions: &Conventions) -> bool {
    !conventions.reads_declared_imports
        || !import.target.as_ref().is_some_and(|target| is_missing(nodes, target))
}

/// Reports the problems that were found while reading imports, for those imports that the edition validates.
pub(crate) fn report_problems(
    nodes: &[TreeModule],
    conventions: &Conventions,
    out: &mut Diagnostics,
) {
    for node in nodes {
        for import in &node.module.imports {
            let is_reported = match node.parent.is_some() {
                // Where called modules may import, a plan reports the faults.
                true => !conventions.imports_below_root,
                false => is_read(nodes, import, conventions),
            };
            if is_reported {
                out.extend(import.problems.iter().cloned());
            }
        }
    }
}

/// Returns true if no module in `nodes` declares the managed resource at an address; false if a missing module may declare it.
fn is_missing(nodes: &[TreeModule], target: &AddressPattern) -> bool {
    let (Some(wanted), Some(mut node)) = (&target.resource, nodes.first()) else { return false };
    for (name, _) in &target.modules {
        let Some(call) = node.module.call_position(name) else { return true };
        match node.children.get(call) {
            Some(CalledModule::Module(ModuleId(id))) => node = &nodes[*id as usize],
            _ => return false,
        }
    }
    node.module.resource_position(ResourceMode::Managed, &wanted.kind, &wanted.name).is_none()
}
