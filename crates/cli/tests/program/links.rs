//! Links while many roots are processed: cached lookups of a run lead nowhere that a single root could not go, and the next run
//! looks at the disk again.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use groma_cli::{ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run};

/// Creates a folder with a repository `root` and a folder `outside` next to it.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("links-{name}"));
    let _ = fs::remove_dir_all(&folder);
    for inner in ["root/.git", "root/a", "root/b", "root/deep/c", "outside"] {
        fs::create_dir_all(folder.join(inner)).unwrap();
    }
    fs::write(folder.join("outside/text"), "outside").unwrap();
    fs::write(folder.join("outside/main.tf"), "output \"o\" {\n  value = 1\n}\n").unwrap();
    fs::canonicalize(folder).unwrap()
}

/// Runs a command line in a folder and returns its exit code and everything that it prints.
fn groma(folder: &Path, arguments: &[&str]) -> (u8, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = run(
        arguments.iter().map(Into::into).collect(),
        RunSession {
            input: &mut std::io::empty(),
            out: &mut out,
            err: &mut err,
            terminal: TerminalStreams {
                input: false,
                output: false,
                errors: false,
                ..TerminalStreams::default()
            },
            painted: ColourChoice::default(),
            machine: MachineContext::at(folder.to_owned(), BTreeMap::new()),
            watch: RunWatch::default(),
        },
    );
    out.extend(err);
    (exit.0, String::from_utf8(out).unwrap())
}

/// Returns the code of an output that adds 1 to the number in the file at `path`, relative to the module.
fn reading(path: &str) -> String {
    format!("output \"x\" {{\n  value = 1 + file(\"${{path.module}}/{path}\")\n}}\n")
}

/// Checks that a link gives the same result whether one root or many are checked.
#[test]
fn links_lead_where_they_would_for_one_root() {
    let folder = folder("lead");
    let root = folder.join("root");
    fs::write(root.join("b/number"), "2").unwrap();
    fs::write(root.join("deep/word"), "two").unwrap();
    symlink("../b/number", root.join("a/inside")).unwrap();
    symlink("../../outside/text", root.join("a/outside")).unwrap();
    symlink("../../outside", root.join("b/folder")).unwrap();
    symlink("deep/c", root.join("away")).unwrap();
    fs::write(root.join("a/main.tf"), reading("inside")).unwrap();
    let alone = || groma(&root, &["check", "--lint=off", "a"]);
    let together = || groma(&root, &["check", "-recursive", "--lint=off"]);
    assert_eq!(alone().0, 0, "{}", alone().1);
    assert_eq!(together().0, 0, "{}", together().1);
    for (path, said) in [
        ("outside", "is outside of the root"),
        ("../b/folder/text", "is outside of the root"),
        ("../b/folder/none", "is outside of the root"),
        ("../b/none", "There is no file"),
        ("../b/number/none", "is a folder"),
        ("../away/none", "There is no file"),
    ] {
        fs::write(root.join("a/main.tf"), reading(path)).unwrap();
        for (exit, text) in [alone(), together()] {
            assert_eq!(exit, 1, "{path}: {text}");
            assert!(text.contains(said), "{path}: {text}");
        }
    }
    // A link to a folder outside is not a module, even if another root has followed it before.
    fs::write(root.join("a/main.tf"), "module \"m\" {\n  source = \"../b/folder\"\n}\n").unwrap();
    for (_, text) in [alone(), together()] {
        assert!(text.contains("outside"), "{text}");
    }
}

/// Checks that a changed link is followed to its new target by the next run of the same process.
#[test]
fn the_next_run_sees_a_link_that_was_changed() {
    let folder = folder("change");
    let root = folder.join("root");
    fs::write(root.join("b/text"), "2").unwrap();
    fs::write(root.join("deep/c/text"), "two").unwrap();
    symlink("b", root.join("way")).unwrap();
    fs::write(root.join("a/main.tf"), reading("../way/text")).unwrap();
    let look = || groma(&root, &["check", "-recursive", "--lint=off"]);
    assert_eq!(look().0, 0, "{}", look().1);
    fs::remove_file(root.join("way")).unwrap();
    symlink("deep/c", root.join("way")).unwrap();
    assert_eq!(look().0, 1, "{}", look().1);
    fs::remove_file(root.join("way")).unwrap();
    symlink("../outside", root.join("way")).unwrap();
    assert!(look().1.contains("is outside of the root"), "{}", look().1);
}
