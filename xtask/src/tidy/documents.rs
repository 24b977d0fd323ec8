//! Rules for prose: one word for each idea, valid links, existing commands.
//!
//! The replaced words come from the last column of the tables in `GLOSSARY.md`.

use super::finding::Finding;
use super::tree::{Tree, generated, has_word, numbered};

/// The path of the glossary.
const GLOSSARY: &str = "GLOSSARY.md";

/// Checks that words replaced by the glossary do not occur in prose or comments.
pub(super) fn use_one_word(tree: &Tree, out: &mut Vec<Finding>) {
    let replaced = replaced(tree.text(GLOSSARY).unwrap_or_default());
    let mut judge = |path: &str, number: usize, prose: &str| {
        let prose = prose.to_lowercase();
        for (word, instead) in &replaced {
            if has_word(&prose, word) {
                out.push(Finding::new(
                    path,
                    number,
                    format!("\"{word}\": we write \"{instead}\" ({GLOSSARY})"),
                ));
            }
        }
    };
    for (path, text) in prose(tree) {
        for (number, line) in numbered(text) {
            judge(path, number, line);
        }
    }
    for (path, text) in tree.ending("rs") {
        for (number, line) in numbered(text) {
            if let Some(comment) = line.trim_start().strip_prefix("//") {
                judge(path, number, comment);
            }
        }
    }
}

/// Words for people, which comments about code must not contain: code is named as the caller, the loader, the provider.
const PERSONS: &[&str] =
    &["who", "whoever", "whom", "somebody", "someone", "nobody", "anybody", "everybody"];

/// Checks that comments of crates do not speak of code as of a person, by the words in [`PERSONS`].
pub(super) fn name_what_acts(tree: &Tree, out: &mut Vec<Finding>) {
    let files =
        tree.ending("rs").filter(|(path, _)| path.starts_with("crates/") && !generated(path));
    for (path, text) in files.filter(|(path, _)| path.contains("/src/")) {
        for (number, line) in numbered(text) {
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            let comment = comment
                .to_lowercase()
                .replace("user who", "user that")
                .replace("users who", "users that");
            if let Some(person) = PERSONS.iter().find(|person| has_word(&comment, person)) {
                let says = format!(
                    "\"{person}\": code is not a person, so name what acts (the caller, the loader)"
                );
                out.push(Finding::new(path, number, says));
            }
        }
    }
}

/// Returns pairs of a word not to be used and the glossary's word for it, from table rows with three columns.
fn replaced(glossary: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for line in glossary.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [word, _, others] = cells[..] else { continue };
        let Some(word) = word.strip_prefix("**").and_then(|word| word.strip_suffix("**")) else {
            continue;
        };
        let others = others.split(',').map(str::trim).filter(|other| !other.is_empty());
        out.extend(others.map(|other| (other.to_lowercase(), word.to_string())));
    }
    out
}

/// Returns the Markdown files to check, without the glossary, which names what it replaces, and the history, which may quote.
fn prose(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.ending("md").filter(|(path, _)| {
        *path != GLOSSARY && *path != "CHANGELOG.md" && *path != "conformance/README.md"
    })
}

/// Checks that relative links lead to a file or directory of the workspace.
pub(super) fn link_to_what_exists(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in tree.ending("md") {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (number, line) in outside_fences(text) {
            for target in links(line) {
                let file = target.split('#').next().unwrap_or_default();
                let outside =
                    target.contains("://") || target.starts_with("mailto:") || file.is_empty();
                if outside {
                    continue;
                }
                match resolve(folder, file) {
                    Some(found) if tree.exists(&found) => {}
                    _ => out.push(Finding::new(
                        path,
                        number,
                        format!("the link `{target}` leads to nothing"),
                    )),
                }
            }
        }
    }
}

/// The path of the recipes.
const RECIPES: &str = "CONTRIBUTING.md";

/// Checks that each path between backticks in the recipes exists in the workspace. A path with a placeholder such as `NAME`
/// stands for many, so the directory before the placeholder must exist.
pub(super) fn name_paths_that_exist(tree: &Tree, out: &mut Vec<Finding>) {
    for (number, line) in outside_fences(tree.text(RECIPES).unwrap_or_default()) {
        let spans = line.split('`').skip(1).step_by(2);
        for word in spans.flat_map(str::split_whitespace) {
            let is_path = word.contains('/') && !word.starts_with("target/");
            if !is_path || !word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-*".contains(c)) {
                continue;
            }
            let fixed = word.split('/').take_while(|part| !is_placeholder(part));
            let path = fixed.collect::<Vec<_>>().join("/");
            if path.is_empty() || !tree.exists(&path) {
                out.push(Finding::new(RECIPES, number, format!("there is no `{word}`")));
            }
        }
    }
}

/// Returns true if a part of a path stands for many, such as `NAME.md` or `*.jsonl`.
fn is_placeholder(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default();
    part.contains('*') || stem.len() > 1 && stem.chars().all(|c| c.is_ascii_uppercase())
}

/// Returns the lines outside of code fences, with their numbers.
fn outside_fences(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    numbered(text).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// Returns the targets of `[text](target)`; text between backticks is code.
fn links(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for part in line.split('`').step_by(2) {
        let mut rest = part;
        while let Some((_, after)) = rest.split_once("](") {
            let Some((target, more)) = after.split_once(')') else { break };
            out.push(target.split_whitespace().next().unwrap_or_default());
            rest = more;
        }
    }
    out
}

/// Resolves a relative link; `None` if it leads out of the workspace.
fn resolve(folder: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Checks that under *Start* the README has the two commands for a newcomer, and that the paths in them exist.
pub(super) fn start_with_commands_that_exist(tree: &Tree, out: &mut Vec<Finding>) {
    let Some(text) = tree.text("README.md") else { return };
    let mut commands = Vec::new();
    let mut here = false;
    let mut heading = 1;
    for (number, line) in numbered(text) {
        if line.starts_with("## ") {
            here = line.trim_start_matches('#').trim() == "Start";
            heading = if here { number } else { heading };
        }
        if here && line.starts_with("cargo ") {
            commands.push((number, line));
        }
    }
    let main_job = commands.first().is_some_and(|(_, line)| line.contains("--bin groma"));
    let test = commands.get(1).is_some_and(|(_, line)| line.starts_with("cargo test"));
    if !(main_job && test) {
        let says =
            "*Start* holds two lines: `cargo run … --bin groma …` on an example, then `cargo test`";
        out.push(Finding::new("README.md", heading, says));
    }
    for (number, line) in commands {
        for word in line.split_whitespace().skip(1) {
            let path = word.rsplit_once('=').map_or(word, |(_, value)| value);
            if path.contains('/') && !tree.exists(path) {
                out.push(Finding::new("README.md", number, format!("there is no `{path}`")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tidy::tests::{finds, finds_nothing};

    /// A glossary with one row.
    const GLOSSARY: (&str, &str) = (
        "GLOSSARY.md",
        "| word | is | not |\n| --- | --- | --- |\n| **block** | x | Stanza, chunk |\n",
    );

    /// Checks that replaced words are reported in prose and comments.
    #[test]
    fn words() {
        finds(
            &[GLOSSARY, ("docs/a.md", "A stanza.\n")],
            "docs/a.md:1: \"stanza\": we write \"block\"",
        );
        finds(
            &[GLOSSARY, ("crates/eval/src/a.rs", "//! A.\n/// Chunks a chunk.\n")],
            "a.rs:2: \"chunk\"",
        );
        finds_nothing(&[GLOSSARY, ("docs/a.md", "Chunked stanzaic verse.\n")]);
    }

    /// Checks that words for people are reported in comments about code.
    #[test]
    fn persons() {
        let file = |text: &'static str| [("crates/eval/src/a.rs", text)];
        finds(&file("//! A.\n/// Whoever asks waits.\n"), "a.rs:2: \"whoever\"");
        finds(&file("//! A.\n// The one who asks.\n"), "a.rs:2: \"who\"");
        finds_nothing(&file("//! A.\n/// A user who asks waits, and the whole is done.\n"));
    }

    /// Checks which links are reported.
    #[test]
    fn links() {
        let files = |text: &'static str| {
            [("docs/a.md", text), ("docs/decisions/1.md", "One.\n"), ("README2.md", "Hi.\n")]
        };
        finds(&files("See [it](b.md).\n"), "docs/a.md:1: the link `b.md`");
        finds(&files("See [it](../../x.md).\n"), "the link");
        finds_nothing(&files(
            "[a](decisions) [b](../README2.md#top) [c](https://a.b/c) [d](#x) `[e](f)`\n```\n[g](h)\n```\n",
        ));
    }

    /// Checks which paths of the recipes are reported.
    #[test]
    fn recipes() {
        let files = |text: &'static str| {
            [("CONTRIBUTING.md", text), ("crates/eval/a.rs", "//! A.\n"), ("docs/a/b.md", "B.\n")]
        };
        finds(
            &files("See `crates/eval/b.rs`.\n"),
            "CONTRIBUTING.md:1: there is no `crates/eval/b.rs`",
        );
        finds(&files("See `cli/NAME.md`.\n"), "there is no `cli/NAME.md`");
        finds(&files("See `run docs/c`.\n"), "there is no `docs/c`");
        finds_nothing(&files(
            "`crates/eval/a.rs` `docs/a/NAME.md` `docs/*.md` `b.rs` `a / \"b\"` `target/x`\n",
        ));
    }

    /// Checks the commands that the README must have.
    #[test]
    fn start() {
        let readme = |text: &'static str| [("README.md", text), ("examples/shop/main.tf", "")];
        finds(&readme("# G\n\n## Start\n\ncargo test\n"), "README.md:3: *Start* holds");
        let good = "## Start\n\n```\ncargo run --bin groma -- output -chdir=examples/shop\ncargo test\n```\n";
        finds_nothing(&readme(good));
        finds(
            &readme("## Start\ncargo run --bin groma -- output -chdir=examples/gone\ncargo test\n"),
            "no `examples/gone`",
        );
    }
}
