//! Rules for names. A public type's name must be unique in its *layer*; a name that other crates or files see has two words, or
//! one that the glossary defines.
//!
//! A layer is a group of crates that are read together: one stage of the engine. Where two layers meet, the crate qualifies the
//! name: `module::Variable` and `packer::Variable`.

use std::collections::BTreeMap;

use super::arrows::rank;
use super::finding::Finding;
use super::tree::{Tree, generated};
use super::vocabulary::{Declared, is_one_word, types};

/// The layers in each of which a public name has one meaning, with their crates, lowest first.
const LAYERS: &[(&str, &[&str])] = &[
    ("text", &["unicode", "syntax", "format", "edit"]),
    ("values", &["value", "runtime", "functions", "eval", "protocol"]),
    ("configuration", &["address", "config", "inputs", "module", "decode", "rename", "project"]),
    ("templates", &["packer"]),
    ("answers", &["mock", "plan", "lint", "why", "impact", "review"]),
    ("library", &["manual", "disk", "groma", "report", "document", "settings"]),
    ("editor", &["ide", "lsp"]),
    ("doors", &["door", "fleet"]),
    ("command", &["git", "install", "writer", "cli"]),
];

/// Type names that say nothing about their meaning, each with advice.
const BANNED: &[(&str, &str)] = &[
    ("Found", "say what was looked for: `FoundFunction`, `PathTarget`"),
    ("Known", "say of what something is known: `KnownType`"),
    ("Told", "a report has a subject: `CauseReport`"),
    ("Asked", "say what is requested: `RequestedProvider`"),
    ("Seen", "say what was visited: `VisitedExpression`"),
    ("Held", "say what is held, or by what: `FolderLock`"),
    ("Kept", "a cache says of what: `ModuleCache`"),
    ("Taken", "say what depends on what: `SliceDependency`"),
    ("Took", "say what depends on what: `SliceDependency`"),
    ("Wanted", "say what is expected: `TargetType`"),
    ("Written", "say where or what: `WrittenPlace`"),
    ("Stated", "say what is stated: `StatedPart`"),
    ("Said", "say what it says: `Annotations`"),
    ("Says", "say what it says: `MockBlock`"),
    ("Way", "a way is a path, a frame or a direction: say which"),
    ("Ways", "a way is a path, a frame or a direction: say which"),
    ("Look", "say what is looked at, or what came of it"),
    ("Room", "say what takes the room: `MemoryCharge`, `ScratchBuffers`"),
    ("Here", "say what is there: `CurrentInstance`"),
    ("Around", "surroundings have a centre: `SliceContext`"),
    ("Standing", "say what stands in what: `InstanceContext`"),
    ("Trouble", "say what failed: `CellFailure`, `WriteTrouble`"),
    ("Worth", "the field's word is value: `ExpressionValue`"),
    ("Whom", "code is not a person: `MockTarget`"),
];

/// Checks that a public type's name is unique in its layer.
pub(super) fn are_unique_in_their_layer(tree: &Tree, out: &mut Vec<Finding>) {
    let mut first: BTreeMap<(&str, &str), (&str, &str)> = BTreeMap::new();
    let mut all = of_crates(tree);
    // The lower crate keeps the name.
    all.sort_by_key(|(krate, declared)| (rank(krate), declared.path, declared.line));
    for (krate, declared) in all {
        if !declared.is_public() {
            continue;
        }
        let Some(layer) = layer(krate) else {
            let says = format!("the crate `{krate}` is in no layer: add it to `LAYERS`");
            out.push(Finding::new(declared.path, declared.line, says));
            continue;
        };
        let (other, place) = *first.entry((layer, declared.name)).or_insert((krate, declared.path));
        if other != krate {
            let says = format!(
                "`{}` is the name of something else in {place}: call it after what it is here",
                declared.name
            );
            out.push(Finding::new(declared.path, declared.line, says));
        }
    }
}

/// Checks that a name visible outside of its file has two words or is in the glossary.
pub(super) fn say_what_they_stand_for(tree: &Tree, out: &mut Vec<Finding>) {
    let words = glossary_words(tree.text("GLOSSARY.md").unwrap_or_default());
    for (_, declared) in of_crates(tree) {
        let name = declared.name;
        if let Some((_, instead)) = BANNED.iter().find(|(banned, _)| *banned == name) {
            let says = format!("`{name}` says nothing: {instead}");
            out.push(Finding::new(declared.path, declared.line, says));
        } else if declared.is_crate_visible() && is_one_word(name) && !is_defined(name, &words) {
            let says = format!(
                "`{name}` is one word, and GLOSSARY.md does not define it: use two, or the field's word"
            );
            out.push(Finding::new(declared.path, declared.line, says));
        }
    }
}

/// Returns the types declared below `crates/`, each with the name of its crate.
fn of_crates(tree: &Tree) -> Vec<(&str, Declared<'_>)> {
    let files = tree.ending("rs").filter(|(path, _)| !generated(path));
    files
        .filter_map(|(path, text)| {
            let (krate, _) = path.strip_prefix("crates/")?.split_once("/src/")?;
            Some((krate, path, text))
        })
        .flat_map(|(krate, path, text)| types(path, text).map(move |declared| (krate, declared)))
        .collect()
}

/// Returns the name of the layer to which a crate belongs; `None` for a crate outside of [`LAYERS`].
fn layer(krate: &str) -> Option<&'static str> {
    LAYERS.iter().find(|(_, crates)| crates.contains(&krate)).map(|(layer, _)| *layer)
}

/// Returns the words that the glossary defines, in lower case: the bold ones of its tables.
fn glossary_words(glossary: &str) -> Vec<String> {
    let bold = glossary.lines().filter_map(|line| line.strip_prefix("| **"));
    bold.filter_map(|line| line.split('|').next())
        .flat_map(|cell| cell.split(','))
        .map(|word| word.replace("**", "").trim().to_lowercase())
        .collect()
}

/// Returns true if the glossary defines a word, or its singular.
fn is_defined(name: &str, words: &[String]) -> bool {
    let name = name.to_lowercase();
    let singular = name.strip_suffix('s').unwrap_or(&name);
    words.iter().any(|word| *word == name || word == singular)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files as pairs of path and text.
    type Files<'a> = &'a [(&'a str, &'a str)];

    /// Returns the number of findings of a rule in some files.
    fn found(rule: fn(&Tree, &mut Vec<Finding>), files: Files<'_>) -> usize {
        let mut out = Vec::new();
        rule(&Tree::of(files), &mut out);
        out.len()
    }

    /// Checks that a public name used twice in a layer is reported.
    #[test]
    fn a_name_that_is_taken_in_its_layer_is_found() {
        let found = |files: Files<'_>| found(are_unique_in_their_layer, files);
        let one = ("crates/value/src/a.rs", "pub struct Shape;\n");
        assert_eq!(found(&[one, ("crates/eval/src/a.rs", "pub enum Shape {}\n")]), 1);
        assert_eq!(found(&[one, ("crates/eval/src/a.rs", "pub struct Shapes;\n")]), 0);
        assert_eq!(found(&[one, ("crates/eval/src/a.rs", "pub(crate) struct Shape;\n")]), 0);
        assert_eq!(found(&[one, ("crates/eval/src/a.rs", "pub use groma_value::Shape;\n")]), 0);
        assert_eq!(found(&[one, ("crates/value/src/b.rs", "pub struct Shape;\n")]), 0);
        assert_eq!(found(&[one, ("crates/syntax/src/a.rs", "pub struct Shape;\n")]), 0);
        assert_eq!(found(&[("crates/nowhere/src/a.rs", "pub struct Shape;\n")]), 1);
    }

    /// Checks that names of one word are reported unless the glossary defines them.
    #[test]
    fn a_name_that_says_nothing_is_found() {
        let glossary = ("GLOSSARY.md", "| **shape** | what it looks like | |\n");
        let found =
            |text| found(say_what_they_stand_for, &[glossary, ("crates/value/src/a.rs", text)]);
        assert_eq!(found("pub struct Shape;\n"), 0);
        assert_eq!(found("pub struct Shapes;\n"), 0);
        assert_eq!(found("pub struct Form;\n"), 1);
        assert_eq!(found("pub(crate) struct Form;\n"), 1);
        assert_eq!(found("pub struct JsonForm;\n"), 0);
        assert_eq!(found("struct Form;\n"), 0);
        assert_eq!(found("struct Found;\n"), 1);
    }
}
