//! Measures of the project's vocabulary, and their limits. They cover `crates/*/src` without generated tables and inline tests; a
//! name defined in several files counts once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::finding::Finding;
use super::tree::{Tree, generated, numbered};

/// Maximum percentage of type names of one word.
const MAX_ONE_WORD: f64 = 35.0;
/// Maximum percentage of type names defined in three files or more.
const MAX_REPEATED: f64 = 1.5;
/// Maximum percentage of documentation that begins with one of [`OPENINGS`].
const MAX_OPENINGS: f64 = 8.0;

/// Words with which documentation should not begin, because they state a question instead of the answer.
const OPENINGS: &[&str] = &["What", "Whether", "How", "Where", "Which", "Why", "So"];

/// The declaration of a type in a source file: name, visibility, path and line.
pub(super) struct Declared<'t> {
    pub(super) name: &'t str,
    visibility: &'t str,
    pub(super) path: &'t str,
    pub(super) line: usize,
}

impl Declared<'_> {
    /// Returns true if the type is `pub`.
    pub(super) fn is_public(&self) -> bool {
        self.visibility == "pub"
    }

    /// Returns true if the type is `pub` or `pub(crate)`.
    pub(super) fn is_crate_visible(&self) -> bool {
        matches!(self.visibility, "pub" | "pub(crate)")
    }
}

/// Returns the types that a file declares outside of its inline tests.
pub(super) fn types<'t>(path: &'t str, text: &'t str) -> impl Iterator<Item = Declared<'t>> {
    /// The keywords of type declarations.
    const KINDS: [&str; 3] = ["struct ", "enum ", "trait "];
    numbered(outside_tests(text)).filter_map(move |(line, text)| {
        let (visibility, rest) = split_visibility(text.trim_start());
        let rest = KINDS.iter().find_map(|kind| rest.strip_prefix(kind))?;
        let name = word(rest);
        (!name.is_empty()).then_some(Declared { name, visibility, path, line })
    })
}

/// Returns true if a camel case name is one word.
pub(super) fn is_one_word(name: &str) -> bool {
    name.chars().filter(|c| c.is_uppercase()).count() <= 1
}

/// The counts of type names and documentation from which the measures of plain language are computed.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// The names of types, with the files that define them.
    types: BTreeMap<String, BTreeSet<String>>,
    functions: BTreeSet<String>,
    documented: usize,
    openings: usize,
}

impl Vocabulary {
    /// Counts the type names and the documentation in a tree of files.
    pub(super) fn of(tree: &Tree) -> Vocabulary {
        let mut all = Vocabulary::default();
        let files = tree.ending("rs").filter(|(path, _)| {
            path.starts_with("crates/") && path.contains("/src/") && !generated(path)
        });
        for (path, text) in files {
            for declared in types(path, text) {
                all.types.entry(declared.name.to_string()).or_default().insert(path.to_string());
            }
            let mut inside = false;
            for (_, line) in numbered(outside_tests(text)) {
                let line = line.trim_start();
                let documentation = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
                if let (Some(sentence), false) = (documentation, inside) {
                    all.documented += 1;
                    all.openings += usize::from(OPENINGS.contains(&word(sentence.trim_start())));
                }
                inside = documentation.is_some();
                let rest = split_visibility(line).1;
                let rest = rest.strip_prefix("const ").unwrap_or(rest);
                all.functions.extend(rest.strip_prefix("fn ").map(|rest| word(rest).to_string()));
            }
        }
        all
    }

    /// Returns the percentage of type names of one word.
    fn one_word(&self) -> f64 {
        percent(self.types.keys().filter(|name| is_one_word(name)).count(), self.types.len())
    }

    /// Returns the percentage of type names defined in three files or more.
    fn repeated(&self) -> f64 {
        percent(self.types.values().filter(|files| files.len() >= 3).count(), self.types.len())
    }

    /// Returns the percentage of documentation that begins with a question word.
    fn openings(&self) -> f64 {
        percent(self.openings, self.documented)
    }
}

impl fmt::Display for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = |names: &mut dyn Iterator<Item = &String>, count: usize| {
            names.map(|name| name.chars().count()).sum::<usize>() as f64 / count.max(1) as f64
        };
        writeln!(
            f,
            "{} names of types: {:.1} % are one word (at most {MAX_ONE_WORD}), {:.1} % stand in three files or more (at \
             most {MAX_REPEATED}), {:.1} letters on average",
            self.types.len(),
            self.one_word(),
            self.repeated(),
            mean(&mut self.types.keys(), self.types.len()),
        )?;
        write!(
            f,
            "{} names of functions: {:.1} letters on average; {:.1} % of {} pieces of documentation begin with {} (at \
             most {MAX_OPENINGS})",
            self.functions.len(),
            mean(&mut self.functions.iter(), self.functions.len()),
            self.openings(),
            self.documented,
            OPENINGS.join(", "),
        )
    }
}

/// Checks that the measures of the vocabulary are within their limits.
pub(super) fn stays_plain(tree: &Tree, out: &mut Vec<Finding>) {
    let all = Vocabulary::of(tree);
    let bounds = [
        (all.one_word(), MAX_ONE_WORD, "names of types are one word"),
        (all.repeated(), MAX_REPEATED, "names of types stand in three files or more"),
        (all.openings(), MAX_OPENINGS, "pieces of documentation begin with a question word"),
    ];
    for (value, maximum, says) in bounds {
        if value > maximum {
            let says = format!("{value:.1} % of the {says}, {maximum} are the maximum");
            out.push(Finding::new("CONTRIBUTING.md", 1, says));
        }
    }
}

/// Returns a part of a whole in percent.
fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Returns the text before a file's inline tests.
fn outside_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default()
}

/// Splits a line of code into the visibility at its beginning, such as `pub(crate)`, and the rest.
fn split_visibility(line: &str) -> (&str, &str) {
    let Some(rest) = line.strip_prefix("pub") else { return ("", line) };
    let end = match rest.strip_prefix('(') {
        Some(inner) => inner.find(')').map_or(rest.len(), |at| at + 2),
        None => 0,
    };
    let (scope, rest) = rest.split_at(end);
    match rest.strip_prefix(' ') {
        Some(rest) => (&line[.."pub".len() + scope.len()], rest),
        None => ("", line),
    }
}

/// Returns the identifier at the beginning of a text; empty if there is none.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the measures of a small tree.
    #[test]
    fn measures_names_and_openings() {
        let tree = Tree::of(&[
            (
                "crates/value/src/a.rs",
                "//! Shapes.\n\n/// What it is.\npub(crate) struct Shape;\n\nfn area() {}\n",
            ),
            (
                "crates/eval/src/a.rs",
                "struct Shape;\nenum ShapeKind {}\n/// A whole.\nconst fn whole() {}\n",
            ),
            (
                "crates/eval/src/b.rs",
                "struct Shape;\n\n#[cfg(test)]\nmod tests {\n    struct Other;\n}\n",
            ),
            ("crates/eval/src/generated/c.rs", "struct Other;\n"),
            ("xtask/src/main.rs", "struct Other;\n"),
        ]);
        let all = Vocabulary::of(&tree);
        assert_eq!((all.one_word(), all.repeated()), (50.0, 50.0));
        assert_eq!((all.openings, all.documented), (1, 3));
        assert_eq!(all.functions.len(), 2);
        let mut out = Vec::new();
        stays_plain(&tree, &mut out);
        assert_eq!(out.len(), 3);
    }

    /// Checks the split of a line after its visibility.
    #[test]
    fn reads_visibility() {
        assert_eq!(split_visibility("pub(crate) struct A"), ("pub(crate)", "struct A"));
        assert_eq!(split_visibility("pub struct A"), ("pub", "struct A"));
        assert_eq!(split_visibility("publish()"), ("", "publish()"));
        assert_eq!(split_visibility("struct A"), ("", "struct A"));
    }
}
