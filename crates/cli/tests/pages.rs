//! The pages that the program answers: of the command line, of blocks, of whole modules and of Packer templates. A step is a line of shell, run in a scratch folder that
//! holds the section's files; simple lines run inside this process, all others by `sh` with the built program.
#![forbid(unsafe_code)]

mod scratch;
mod shell;

use scratch::Scratch;
use testkit::{Section, Step};

#[test]
fn pages() {
    folder("cli");
}

#[test]
fn blocks() {
    folder("blocks");
}

#[test]
fn modules() {
    folder("module");
}

#[test]
fn templates() {
    folder("packer");
}

#[test]
fn guides() {
    folder("guides");
}

#[test]
fn diagnostics() {
    folder("diagnostics");
}

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

/// What the README shows is what the program says.
#[test]
fn readme() {
    let workspace = Scratch::workspace();
    let page = testkit::workspace().join("README.md");
    testkit::page::run_file(&page, |section, step| answer(section, step, &workspace));
}

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
