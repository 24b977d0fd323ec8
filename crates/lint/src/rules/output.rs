//! Unused outputs of modules. A module may be called from elsewhere, so only modules inside the folder of a configured root are
//! checked: a root with a backend or provider configurations. If many roots are checked together, a finding holds only if all
//! callers of the module agree.

use groma_config::{FileKind, FilePurpose};
use groma_module::declare::{Module, Referent};
use groma_module::visit::ExpressionRole;
use groma_project::{ModuleNode, Project};
use groma_syntax::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::found::RuleFindings;

/// Finds unused outputs: those of the project's own modules, `own`, that no call of their module refers to.
pub(super) fn look(project: &Project, own: &[ModuleNode<'_>], found: &mut RuleFindings) {
    if !is_set_up(project.root()) || is_tested(project, project.dir()) {
        return;
    }
    // For each folder, its used outputs, or that all are used.
    let mut used: FxHashMap<&str, FxHashSet<String>> = FxHashMap::default();
    let mut whole: FxHashSet<&str> = FxHashSet::default();
    for node in project.nodes() {
        node.module().visit(&mut |_, seen| {
            for one in seen.expression.uses.iter() {
                let (call, name) = match &one.target {
                    Referent::Output { call, name } => (*call, Some(name)),
                    Referent::Call(call) if !matches!(seen.role, ExpressionRole::DependsOn) => {
                        (*call, None)
                    }
                    _ => continue,
                };
                let Some(child) = node.child(call as usize) else { continue };
                match name {
                    Some(name) => {
                        used.entry(child.module_path()).or_default().insert(name.to_string());
                    }
                    None => drop(whole.insert(child.module_path())),
                }
            }
        });
    }
    for node in own.iter().filter(|node| node.number() != 0) {
        let folder = node.module_path();
        let is_inside = !folder.starts_with("..") && !folder.starts_with('/');
        if !is_inside || whole.contains(folder) || is_tested(project, folder) {
            continue;
        }
        for output in &node.module().outputs {
            let is_used = used.get(folder).is_some_and(|names| names.contains(&*output.name));
            // An output with a precondition may exist for that.
            if is_used || !output.preconditions.is_empty() {
                continue;
            }
            let detail = format!(
                "Nothing refers to the output \"{}\" where this module is called.",
                &*output.name
            );
            found.push(Diagnostic::warning(&codes::UNUSED_OUTPUT, detail).at(output.place));
        }
    }
}

/// Returns true if a module is meant as a root, not to be called: it has a backend or provider configurations.
fn is_set_up(module: &Module) -> bool {
    let blocks = module.settings.blocks.iter().flat_map(|block| &block.blocks);
    let keeps_state = blocks.into_iter().any(|one| matches!(&*one.kind, "backend" | "cloud"));
    keeps_state || !module.providers.is_empty()
}

/// Returns true if a folder contains test files, which may refer to any output.
fn is_tested(project: &Project, folder: &str) -> bool {
    let folder = match folder == project.dir() {
        true => folder.to_owned(),
        false => groma_config::path::join(project.dir(), folder),
    };
    let folders = [groma_config::path::join(&folder, "tests"), folder];
    folders.iter().any(|folder| {
        let entries = project.host().list(folder).unwrap_or_default();
        entries.iter().any(|entry| FileKind::has_purpose(&entry.name, FilePurpose::Test))
    })
}
