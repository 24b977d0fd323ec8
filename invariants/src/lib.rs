//! What holds of any input, as functions of bytes that panic where it does not. Two programs ask them: the fuzzer in
//! `fuzz/`, which needs a nightly compiler, and the driver here, which needs none and gives the same on every machine.
//! An input that ever failed is a seed in `fuzz/seeds`, so both begin with it.
#![forbid(unsafe_code)]

mod archive;
mod code;
mod edit;
mod folder;
mod function;
mod journal;
mod layout;
mod mutate;
mod pack;
mod plan;
mod project;
mod revision;
mod scratch;
mod state;
mod text;

use std::path::{Path, PathBuf};

use groma_runtime::{Budget, Limits, Quota};

pub use mutate::Mutator;

/// An invariant: its name and the function that checks it for one input.
pub struct Target {
    /// Its name, and that of the folder of its seeds.
    pub name: &'static str,
    /// Panics if the invariant does not hold for the input.
    pub check: fn(&[u8]),
}

/// All invariants that the fuzzer and the driver check.
pub const TARGETS: &[Target] = &[
    Target { name: "lex", check: text::lex },
    Target { name: "parse", check: text::parse },
    Target { name: "format", check: layout::format },
    Target { name: "json", check: text::json },
    Target { name: "template", check: code::template },
    Target { name: "expression", check: code::expression },
    Target { name: "module", check: project::module },
    Target { name: "packer", check: project::packer },
    Target { name: "yaml", check: function::yaml },
    Target { name: "pattern", check: function::pattern },
    Target { name: "edit", check: edit::edit },
    Target { name: "pack", check: pack::pack },
    Target { name: "state", check: state::state },
    Target { name: "show", check: state::show },
    Target { name: "plan", check: plan::plan },
    Target { name: "compared", check: plan::compared },
    Target { name: "again", check: plan::again },
    Target { name: "graph", check: plan::graph },
    Target { name: "revision", check: revision::revision },
    Target { name: "journal", check: journal::recovered },
    Target { name: "archive", check: archive::archive },
];

/// Checks the invariant of a name for one input.
///
/// # Panics
/// If it does not hold, or there is no invariant of that name.
pub fn check(target: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|one| one.name == target).expect("a target of the table");
    (target.check)(input);
}

/// Limits of one evaluation, so low that an input takes milliseconds.
pub(crate) const LIMITS: Limits = Limits {
    nesting: 200,
    steps: 20_000,
    value_bytes: 1 << 20,
    elements: 10_000,
    range: 1_024,
    findings: 50,
};

/// Returns a new budget, which all evaluations of one input share.
pub(crate) fn budget() -> Budget {
    Budget::new(Quota {
        steps: 200_000,
        bytes: 64 << 20,
        instances: 500,
        source_bytes: 8 << 20,
        ..Quota::DEFAULT
    })
}

/// Returns the input as text; `None` if it is not UTF-8, so that the invariant is not checked for it.
pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// Returns the path of the folder with the sample inputs of a target.
#[must_use]
pub fn seeds_folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target)
}

/// Returns the contents of all sample inputs of a target, sorted by file name.
///
/// # Panics
/// If there are none, since a run without input finds nothing.
#[must_use]
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(seeds_folder(target))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    let seeds: Vec<Vec<u8>> = paths.iter().filter_map(|path| std::fs::read(path).ok()).collect();
    assert!(!seeds.is_empty(), "the target {target} has no seeds");
    seeds
}
