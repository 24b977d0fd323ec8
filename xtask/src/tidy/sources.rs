//! Rules for source files.
//!
//! They check line by line; everything after `#[cfg(test)]` in a file counts as test.

use super::finding::Finding;
use super::tree::{Tree, generated, has_word, numbered};

/// Maximum number of lines of a hand-written file.
const LIMIT: usize = 600;

/// Names of files, directories and modules that say nothing about their contents.
const EMPTY_NAMES: &[&str] = &[
    "base", "common", "core", "helper", "helpers", "manager", "meta", "misc", "shared", "stuff",
    "util", "utils",
];

/// The crate that implements the engine's host over the disk.
const DISK: &str = "crates/disk/src/";

/// The file of the command that may access files, the environment and the clock.
const HOST: &str = "crates/cli/src/host.rs";

/// The file of the command that finds, reads and writes the files that the user names.
const FILES: &str = "crates/cli/src/files.rs";

/// The files that write to the disk.
const WRITER: [&str; 2] = ["crates/writer/src/system.rs", "crates/writer/src/system/unlinked.rs"];

/// The crate that installs modules over the network, used by the command alone.
const BRINGING: &str = "crates/install/src/";

/// Paths of the standard library with access to the outside, and the alternatives.
const WORLD: &[(&str, &str)] = &[
    ("std::fs", "read through `Host`"),
    ("std::env", "ask `Host`"),
    ("TcpStream", "nothing here speaks to a network"),
    ("TcpListener", "nothing here speaks to a network"),
    ("UdpSocket", "nothing here speaks to a network"),
    ("ToSocketAddrs", "nothing here speaks to a network"),
    ("std::process::Command", "nothing here starts a program"),
    ("SystemTime", "the time comes in through the context"),
    ("Instant", "measure in benches/peers"),
];

/// Functions that panic without threads or a clock, as in a browser, and the alternatives.
const BELOW_THE_COMMAND: &[(&str, &str)] = &[
    ("thread::spawn", "start it by its `Builder`, which gives an error where there are no threads"),
    ("thread::sleep", "nothing here waits for time to pass"),
    ("available_parallelism", "who embeds the engine says on how many threads"),
];

/// Checks that no hand-written file has more than [`LIMIT`] lines.
pub(super) fn are_short(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in tree.texts() {
        let lines = text.lines().count();
        let list = path.ends_with(".txt") || path.ends_with(".toml");
        if lines > LIMIT && !generated(path) && !list {
            out.push(Finding::new(
                path,
                LIMIT + 1,
                format!("{lines} lines, {LIMIT} are the limit: split it by what it does"),
            ));
        }
    }
}

/// Checks that every file opens with a `//!` comment that describes it.
pub(super) fn say_what_they_are(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in tree.ending("rs") {
        let opening = text.lines().next().unwrap_or_default();
        if !opening.starts_with("//! ") {
            out.push(Finding::new(
                path,
                1,
                "does not open with `//!`: say what this is and what a reader would get wrong",
            ));
        }
    }
}

/// Checks that no file, directory or module has a meaningless name such as `utils`.
pub(super) fn are_named_for_what_they_hold(tree: &Tree, out: &mut Vec<Finding>) {
    let says = |name: &str| {
        format!("`{name}` says nothing: name it for what it defines, or for the verb of its stage")
    };
    for (path, text) in tree.ending("rs") {
        for part in path.trim_end_matches(".rs").split('/') {
            if EMPTY_NAMES.contains(&part) {
                out.push(Finding::new(path, 1, says(part)));
            }
        }
        for (number, line) in numbered(text) {
            let line =
                line.trim().trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ");
            let name = line
                .trim_start_matches("pub ")
                .strip_prefix("mod ")
                .map(|rest| rest.trim_end_matches([';', '{', ' ']));
            if let Some(name) = name.filter(|name| EMPTY_NAMES.contains(name)) {
                out.push(Finding::new(path, number, says(name)));
            }
        }
    }
}

/// Checks that only hosts access files, the environment and the clock.
pub(super) fn leave_the_world_to_the_host(tree: &Tree, out: &mut Vec<Finding>) {
    let may = |path: &str| {
        [HOST, FILES].contains(&path)
            || WRITER.contains(&path)
            || [DISK, BRINGING].iter().any(|folder| path.starts_with(folder))
    };
    for (path, text) in engine(tree).filter(|(path, _)| !may(path)) {
        let mut group = false;
        for (number, line) in code(text) {
            for (name, instead) in WORLD {
                if has_word(line, name) {
                    out.push(Finding::new(
                        path,
                        number,
                        format!("`{name}` outside {HOST}: {instead}"),
                    ));
                }
            }
            let panicking = BELOW_THE_COMMAND.iter().filter(|_| !path.starts_with("crates/cli/"));
            for (name, instead) in panicking.filter(|(name, _)| has_word(line, name)) {
                let says = format!("`{name}` below the command: {instead}");
                out.push(Finding::new(path, number, says));
            }
            group |= line.trim_start().starts_with("use std::{");
            for name in ["fs", "env"] {
                if group && has_word(line, name) {
                    out.push(Finding::new(path, number, format!("`std::{name}` outside {HOST}")));
                }
            }
            group &= !line.contains(';');
        }
    }
}

/// Checks that code outside of tests does not use `unwrap`.
pub(super) fn do_not_unwrap(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in engine(tree) {
        for (number, line) in code(text) {
            if line.contains(".unwrap()") {
                let says = "`unwrap` outside tests: return what went wrong, or `expect(\"the invariant\")`";
                out.push(Finding::new(path, number, says));
            }
        }
    }
}

/// Returns the sources of the engine, without tests and tools.
fn engine(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.ending("rs").filter(|(path, _)| {
        (path.starts_with("crates/") || path.starts_with("bindings/"))
            && !path.contains("/tests/")
            && !path.contains("/benches/")
            && !path.ends_with("/tests.rs")
    })
}

/// Returns the lines of a file before its inline tests, without comments, with their numbers.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    numbered(text)
        .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
        .map(|(number, line)| (number, line.split_once("//").map_or(line, |(code, _)| code)))
}

#[cfg(test)]
mod tests {
    use crate::tidy::tests::{finds, finds_nothing};

    /// Checks that a long file is reported unless it is generated.
    #[test]
    fn size() {
        let long = format!("//! Long.\n{}", "// more\n".repeat(600));
        finds(&[("crates/value/src/set.rs", &long)], "crates/value/src/set.rs:601: 601 lines");
        finds_nothing(&[("crates/value/src/generated/table.rs", &long)]);
    }

    /// Checks that a file without a description is reported.
    #[test]
    fn opening() {
        finds(&[("xtask/src/a.rs", "fn main() {}\n")], "xtask/src/a.rs:1: does not open");
    }

    /// Checks that meaningless names of files and modules are reported.
    #[test]
    fn names() {
        finds(&[("crates/value/src/utils.rs", "//! Utils.\n")], "`utils` says nothing");
        finds(&[("crates/value/src/core/set.rs", "//! Set.\n")], "`core` says nothing");
        finds(
            &[("crates/value/src/lib.rs", "//! Values.\n\npub(crate) mod helpers;\n")],
            "lib.rs:3: `helpers`",
        );
        finds_nothing(&[("crates/value/src/score.rs", "//! Score.\nmod commons;\n")]);
    }

    /// Checks that access to files, environment and clock is reported outside of hosts and tests.
    #[test]
    fn the_world() {
        let file = |text: &'static str| [("crates/eval/src/scope.rs", text)];
        finds(&file("//! S.\nuse std::fs;\n"), "scope.rs:2: `std::fs`");
        finds(&file("//! S.\nuse std::{\n    fmt,\n    env,\n};\n"), "scope.rs:4: `std::env`");
        finds(&file("//! S.\nlet now = SystemTime::now();\n"), "`SystemTime`");
        finds(&file("//! S.\nstd::thread::spawn(work);\n"), "`thread::spawn` below");
        finds_nothing(&file(
            "//! S.\nuse std::{fmt, io};\nlet env = Instantly; // std::fs\n#[cfg(test)]\nuse std::fs;\n",
        ));
        finds_nothing(&[
            ("crates/cli/src/host.rs", "//! H.\nuse std::fs;\n"),
            ("crates/value/tests/a.rs", "//! A.\nuse std::fs;\n"),
        ]);
    }

    /// Checks that `unwrap` is reported outside of tests.
    #[test]
    fn unwrap() {
        finds(
            &[("crates/value/src/set.rs", "//! S.\nlet a = b.unwrap();\n")],
            "set.rs:2: `unwrap`",
        );
        finds_nothing(&[(
            "crates/value/src/set.rs",
            "//! S.\n/// a.unwrap()\nlet a = b.unwrap_or(1);\n#[cfg(test)]\nb.unwrap()\n",
        )]);
    }
}
