//! Rules of the project that no compiler checks.
//!
//! Each rule is a function from the tree of files to findings; a finding names the file, the line, the violation and the remedy.
//! Rules read text and not syntax: they catch honest mistakes, not deliberate evasion.

mod arrows;
mod circles;
mod codes;
mod dialects;
mod documents;
mod finding;
mod functions;
mod names;
mod packages;
mod sources;
mod tree;
mod vocabulary;

use finding::Finding;
use tree::Tree;
use vocabulary::Vocabulary;

/// A function that checks a rule in the tree of files and adds the violations.
type Rule = fn(&Tree, &mut Vec<Finding>);

/// All rules that `cargo xtask tidy` checks.
const RULES: &[Rule] = &[
    arrows::point_down,
    arrows::command_asks_the_library,
    arrows::manifests_are_alike,
    circles::are_small,
    codes::are_declared_once,
    codes::stand_in_their_tables,
    dialects::are_data,
    functions::are_short,
    names::are_unique_in_their_layer,
    names::say_what_they_stand_for,
    packages::are_whole,
    packages::dependencies_have_reasons,
    vocabulary::stays_plain,
    sources::are_short,
    sources::say_what_they_are,
    sources::are_named_for_what_they_hold,
    sources::leave_the_world_to_the_host,
    sources::do_not_unwrap,
    documents::use_one_word,
    documents::name_what_acts,
    documents::link_to_what_exists,
    documents::name_paths_that_exist,
    documents::start_with_commands_that_exist,
];

/// Returns the violations of all rules in a tree of files, sorted by file and line.
fn findings(tree: &Tree) -> Vec<Finding> {
    let mut out = Vec::new();
    for rule in RULES {
        rule(tree, &mut out);
    }
    out.sort();
    out.dedup();
    out
}

/// Runs every rule over the workspace, and prints the measures of the vocabulary.
#[expect(clippy::print_stdout, reason = "the measures are half of what this is run for")]
pub(crate) fn run() -> Result<(), String> {
    let tree = Tree::read();
    println!("{}", Vocabulary::of(&tree));
    let found = findings(&tree);
    if found.is_empty() {
        return Ok(());
    }
    Err(found.iter().map(|finding| format!("{finding}\n")).collect())
}

#[cfg(test)]
mod tests {
    /// Checks all rules over the workspace.
    #[test]
    fn the_workspace_is_tidy() {
        if let Err(report) = super::run() {
            panic!("\n{report}");
        }
    }

    /// Returns the findings of all rules in some files, as text.
    pub(super) fn found(files: &[(&str, &str)]) -> Vec<String> {
        let tree = super::Tree::of(files);
        super::findings(&tree).iter().map(ToString::to_string).collect()
    }

    /// Checks that a finding in some files contains the text `wanted`.
    #[track_caller]
    pub(super) fn finds(files: &[(&str, &str)], wanted: &str) {
        let found = found(files);
        assert!(found.iter().any(|line| line.contains(wanted)), "{wanted:?} is not in {found:#?}");
    }

    /// Checks that no rule has a finding in some files.
    #[track_caller]
    pub(super) fn finds_nothing(files: &[(&str, &str)]) {
        assert_eq!(found(files), Vec::<String>::new());
    }
}
