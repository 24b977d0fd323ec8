//! The pages that the program answers: of the command line, of blocks, of whole modules and of Packer templates. A step is a line
//! of shell, run in a scratch folder that contains the section's files; simple lines run inside this process, all others by `sh`
//! with the built program.
#![forbid(unsafe_code)]

mod scratch;
mod shell;

use scratch::Scratch;
use testkit::{Section, Step};

/// Checks the pages in `conformance/pages/cli`.
#[test]
fn pages() {
    folder("cli");
}

/// Checks the pages in `conformance/pages/blocks`.
#[test]
fn blocks() {
    folder("blocks");
}

/// Checks the pages in `conformance/pages/module`.
#[test]
fn modules() {
    folder("module");
}

/// Checks the pages in `conformance/pages/packer`.
#[test]
fn templates() {
    folder("packer");
}

/// Checks the pages in `conformance/pages/guides`.
#[test]
fn guides() {
    folder("guides");
}

/// Checks the pages in `conformance/pages/diagnostics`.
#[test]
fn diagnostics() {
    folder("diagnostics");
}

/// Checks the pages of a directory: runs the steps of each section in a folder of its own.
fn folder(name: &str) {
    let mut scratch: Option<Scratch> = None;
    testkit::run(name, |section, step| {
        let kept = scratch.take().filter(|scratch| scratch.is_for(section));
        let folder = kept.unwrap_or_else(|| Scratch::of(section));
        let answer = answer(section, step, &folder);
        scratch = Some(folder);
        answer
    });
}

/// Checks that the examples of the README print what it shows.
#[test]
fn readme() {
    let workspace = Scratch::workspace();
    let page = testkit::workspace().join("README.md");
    testkit::page::run_file(&page, |section, step| answer(section, step, &workspace));
}

/// Runs a step, a shell line or a console input, and returns what it prints.
fn answer(section: &Section, step: &Step, folder: &Scratch) -> String {
    match step.prompt {
        '$' => shell::run(&step.input, section, folder),
        '>' => {
            // A page's console steps are inputs of `groma console`, each in a console of its own.
            let line = shell::Line::of_console(&step.input);
            let ran = shell::inside(&line, section.dialect.as_deref(), folder);
            folder.hide(&format!("{}{}", ran.out, shell::without_remark(&ran.err)))
        }
        other => format!("no page of the command line asks with {other}"),
    }
}
