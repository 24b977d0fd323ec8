//! What works and yet is hardly meant. Every rule is a row; a rule that is not sure says nothing, and where something is
//! wrong each says what holds nevertheless. The rules look only at modules that belong to the code: what was brought from
//! elsewhere is not the reader's to change.
#![forbid(unsafe_code)]

mod allow;
pub mod codes;
mod found;
mod inner;
mod known;
mod options;
mod rules;
mod subject;
mod tflint;
mod trouble;

pub use allow::{RuleSwitches, UnknownRule, names};
pub use found::LintResult;
pub use rules::is_of_callers;

use std::collections::BTreeSet;
use std::sync::Arc;

use groma_project::{ModuleNode, Project, ProjectOptions};
use groma_runtime::file_path;
use groma_syntax::{Diagnostics, Sources};

use crate::found::RuleFindings;
use crate::subject::{LintedModule, text_of};
use crate::trouble::ErrorRanges;

/// Returns what the rules find in a project, by place, beside what is wrong with it.
///
/// `sources` are the project's, perhaps with more behind them. Of the modules, those count that lie in none of the folders
/// `elsewhere`: these are looked at as roots of their own.
pub fn lint(
    project: &Arc<Project>,
    options: &ProjectOptions,
    sources: Sources,
    switches: &RuleSwitches,
    elsewhere: &BTreeSet<String>,
    wrong: &Diagnostics,
) -> LintResult {
    let trouble = ErrorRanges::of(wrong, &sources);
    let mut found = RuleFindings::new(sources);
    let mut own = own_modules(project);
    if switches.options().root_only {
        own.truncate(1);
    }
    let is_elsewhere = |node: &&ModuleNode<'_>| {
        let file = node.module().files.first().map(|file| project.sources().get(*file).name());
        node.number() != 0 && file.is_some_and(|file| elsewhere.contains(&file_path::parent(file)))
    };
    let here: Vec<_> = own.iter().filter(|node| !is_elsewhere(node)).collect();
    for node in &here {
        rules::look(&LintedModule::of(**node, switches), &trouble, &mut found);
    }
    let clean = here.iter().filter(|node| trouble.is_clean(node.module(), project.sources()));
    let numbers: Vec<usize> = clean.map(|node| node.number()).collect();
    rules::look_at_types(project, options, &numbers, switches, &mut found);
    if !trouble.is_any() {
        rules::look_at_all(project, &own, switches, &mut found);
    }
    found.finish(switches, &trouble)
}

/// The modules that are called from the root by paths, each once however often it is called.
fn own_modules(project: &Project) -> Vec<ModuleNode<'_>> {
    let mut own: Vec<ModuleNode<'_>> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    // The root comes first.
    let mut rest = vec![project.tree()];
    while let Some(node) = rest.pop() {
        if !seen.insert(node.module_path().to_owned()) {
            continue;
        }
        own.push(node);
        for (at, call) in node.module().calls.iter().enumerate().rev() {
            let source = call.source.as_ref().and_then(|source| source.constant());
            let is_path = source
                .as_ref()
                .and_then(text_of)
                .is_some_and(|source| source.starts_with("./") || source.starts_with("../"));
            rest.extend(node.child(at).filter(|_| is_path));
        }
    }
    own
}
