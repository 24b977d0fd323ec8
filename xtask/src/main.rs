//! The chores of the workspace: `cargo xtask NAME`.
//!
//! Every chore that only checks is also a test, so `cargo test` is the whole gate.
#![forbid(unsafe_code)]

mod beside;
mod codes;
mod dist;
mod docs;
mod fuzz;
mod measure;
mod oracle;
mod scale;
mod tidy;
mod unicode;

use std::process::ExitCode;

/// A subcommand of `cargo xtask`: its name, a description and the function that runs it.
struct Chore {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<(), String>,
}

/// All subcommands of `cargo xtask`, sorted by name.
const CHORES: &[Chore] = &[
    Chore {
        name: "beside",
        about: "measure check and fmt of a repository beside other programs (--tflint PATH, --terraform PATH, --root DIR, --bin PATH) FOLDER",
        run: beside::run,
    },
    Chore {
        name: "dist",
        about: "package all crates, and write archives of the command with checksums (--no-verify, --out DIR, --target TARGET …)",
        run: dist::run,
    },
    Chore {
        name: "docs",
        about: "write the indexes of functions, blocks and diagnostics, and the texts of functions (--check: only look)",
        run: docs::run,
    },
    Chore {
        name: "fuzz",
        about: "check what holds of any input on inputs made from seeds [TARGET|all] [RUNS] [SEED]",
        run: fuzz::run,
    },
    Chore {
        name: "notices",
        about: "print the notices of what is compiled into a package PACKAGE TARGET",
        run: dist::notices,
    },
    Chore {
        name: "oracle",
        about: "ask terraform what the pages show (--check: write no page) [PAGE…]",
        run: oracle::run,
    },
    Chore {
        name: "scale",
        about: "measure whole modules of a given size (--write, --bin PATH, --terraform) [NAME…]",
        run: scale::run,
    },
    Chore {
        name: "tidy",
        about: "check what the compiler does not: arrows, sizes, names, links",
        run: tidy::run,
    },
    Chore {
        name: "unicode",
        about: "write the Unicode tables of the pinned versions (--data DIR: from a node_modules)",
        run: unicode::run,
    },
];

/// Runs the subcommand that the first argument names.
#[expect(clippy::print_stderr, reason = "a command line tool speaks on standard error")]
fn main() -> ExitCode {
    let asked = std::env::args().nth(1).unwrap_or_default();
    let Some(chore) = CHORES.iter().find(|chore| chore.name == asked) else {
        eprintln!("cargo xtask NAME, where NAME is one of");
        for chore in CHORES {
            eprintln!("  {:10} {}", chore.name, chore.about);
        }
        return ExitCode::from(2);
    };
    match (chore.run)() {
        Ok(()) => ExitCode::SUCCESS,
        Err(report) => {
            eprintln!("{report}");
            ExitCode::FAILURE
        }
    }
}
