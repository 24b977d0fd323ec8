//! Lint rules: code that works and is hardly intended. Every rule is a row; an uncertain rule reports nothing, and after errors
//! each rule declares which of its findings still hold. Only modules that belong to the code are inspected: installed ones are
//! not the reader's to change.
#![forbid(unsafe_code)]

mod allow;
pub mod codes;
mod found;
mod inner;
mod known;
mod memory;
mod options;
mod rules;
mod subject;
mod tflint;
mod trouble;

pub use allow::{RuleSwitches, UnknownRule, names};
pub use found::LintResult;
pub use memory::LintMemory;
pub use rules::is_of_callers;

use std::collections::BTreeSet;
use std::sync::Arc;

use groma_project::{ModuleNode, OlderValidation, Project, ProjectOptions};
use groma_runtime::file_path;
use groma_syntax::{Diagnostics, Sources};
use rustc_hash::FxHashMap;

use crate::found::RuleFindings;
use crate::subject::{LintedModule, text_of};
use crate::trouble::ErrorRanges;

/// Runs the lint rules on a project, except modules in the folders `elsewhere`, which are checked as roots of their own, and
/// returns their findings, sorted by place, without those that may follow from an error in `wrong`, the project's own
/// diagnostics. `sources` are the texts of the project, possibly with others.
pub fn lint(
    project: &Arc<Project>,
    options: &ProjectOptions,
    sources: Sources,
    switches: &RuleSwitches,
    elsewhere: &BTreeSet<String>,
    wrong: &Diagnostics,
) -> LintResult {
    run_rules(project, options, sources, (switches, elsewhere, wrong), (None, false, None))
}

/// Runs the lint rules after an edit, except on modules in the folders `elsewhere`, and returns the findings and a memory of
/// them; those in the memory `older` that the edit does not affect are reused, `wrong` are the project's own diagnostics, and
/// `same_files` is true if no file that the older run read has changed.
pub fn lint_again(
    project: &Arc<Project>,
    options: &ProjectOptions,
    sources: Sources,
    (switches, elsewhere, wrong): (&RuleSwitches, &BTreeSet<String>, &Diagnostics),
    older: Option<&LintMemory>,
    same_files: bool,
) -> (LintResult, LintMemory) {
    let older = older.filter(|older| older.switches == *switches);
    let mut memory = LintMemory::new(switches);
    let rules = (switches, elsewhere, wrong);
    let found = run_rules(project, options, sources, rules, (older, same_files, Some(&mut memory)));
    (found, memory)
}

/// Runs the lint rules on a project, except on modules in the folders `elsewhere`, reusing the findings in the memory `older`
/// that still hold and storing all in `memory` for the next run; `wrong` are the project's own diagnostics, and `has_same_files`
/// is true if no file that the older run read has changed.
fn run_rules(
    project: &Arc<Project>,
    options: &ProjectOptions,
    sources: Sources,
    (switches, elsewhere, wrong): (&RuleSwitches, &BTreeSet<String>, &Diagnostics),
    (older, has_same_files, mut memory): (Option<&LintMemory>, bool, Option<&mut LintMemory>),
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
        let known = older.map(|older| older.of(**node)).unwrap_or_default();
        let subject = LintedModule::of(**node, switches, known);
        let mut stored = memory.is_some().then(FxHashMap::default);
        rules::inspect_module(&subject, known, stored.as_mut(), &trouble, &mut found);
        if let (Some(memory), Some(stored)) = (&mut memory, stored) {
            memory.keep(**node, stored);
        }
    }
    let clean = here.iter().filter(|node| trouble.is_clean(node.module(), project.sources()));
    let numbers: Vec<usize> = clean.map(|node| node.number()).collect();
    let types = older.and_then(|older| older.types.as_ref());
    let types = types.map(|results| OlderValidation { results, has_same_files });
    let now = memory.as_mut().map(|memory| &mut memory.types);
    rules::look_at_types(project, options, &numbers, switches, (types, now), &mut found);
    if !trouble.is_any() {
        rules::inspect_all(project, &own, switches, &mut found);
    }
    found.finish(switches, &trouble)
}

/// Returns the root module and the modules that are called from it by local paths, each once.
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
