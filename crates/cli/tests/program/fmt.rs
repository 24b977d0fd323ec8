//! The cases of `conformance/fmt/cli.md`: the effect of `groma fmt` on files, by flags. `--dialect` selects the program to
//! follow; without it, files that any of the programs formats are formatted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use groma_cli::{ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run};

/// The number of folders created so far, which makes their names unique.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A file's text that formatting changes.
const UGLY: &str = "a=1\n";
/// The formatted form of [`UGLY`].
const FINE: &str = "a = 1\n";
/// A file's text that cannot be parsed.
const BROKEN: &str = "a = [1\n";

/// A temporary folder with files, removed on drop.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The result of a run: exit code, standard output and standard error.
struct Ran {
    exit: u8,
    out: String,
    err: String,
}

impl Folder {
    /// Creates a temporary folder with these files, given as paths and texts.
    fn with(files: &[(&str, &str)]) -> Folder {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("fmt-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        let folder = Folder(fs::canonicalize(path).unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    /// Writes a file in the folder.
    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Returns the text of a file in the folder.
    fn read(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.0.join(name)).unwrap()).into_owned()
    }

    /// Runs a command line, in which `HERE` stands for the folder's path, and checks that no temporary file is left.
    fn groma(&self, line: &str, input: &[u8]) -> Ran {
        let here = self.0.to_str().unwrap();
        let words = line.split_whitespace().map(|word| word.replace("HERE", here).into());
        let (mut input, mut out, mut err) = (input, Vec::new(), Vec::new());
        let session = RunSession {
            input: &mut input,
            out: &mut out,
            err: &mut err,
            terminal: TerminalStreams::default(),
            machine: MachineContext::at(self.0.clone(), BTreeMap::new()),
            painted: ColourChoice::default(),
            watch: RunWatch::default(),
        };
        let exit = run(words.collect(), session).0;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let ran = Ran { exit, out: text(out), err: text(err) };
        let left = fs::read_dir(&self.0).unwrap().flatten();
        let litter = left.filter(|one| one.file_name().to_string_lossy().ends_with(".tmp"));
        assert_eq!(litter.count(), 0, "{line} leaves a file behind");
        ran
    }
}

/// The unified diff from [`UGLY`] to [`FINE`] in `a.tf`.
const DIFF: &str = "--- old/a.tf\n+++ new/a.tf\n@@ -1 +1 @@\n-a=1\n+a = 1\n";

/// Checks exit code, output and written file for combinations of flags.
#[test]
fn flags() {
    let listed_diff = format!("a.tf\n{DIFF}");
    for (flags, exit, out, written) in [
        ("", 0, "a.tf\n", true),
        ("-check", 3, "a.tf\n", false),
        ("-check -write=true", 3, "a.tf\n", false),
        ("-diff", 0, &*listed_diff, true),
        ("-check -diff", 3, &*listed_diff, false),
        ("-write=false", 0, "a.tf\n", false),
        ("-write=false -diff", 0, &*listed_diff, false),
        ("-list=false", 0, "", true),
        ("-check -list=false", 3, "", false),
        ("-check -list=false -diff", 3, "", false),
        ("-list=false -diff -write=false", 0, DIFF, false),
        ("-list=false -write=false", 0, "a = 1\n", false),
        ("--check --list=0", 3, "", false),
        ("-diff=false -check=false -list=true -write=true", 0, "a.tf\n", true),
        ("a.tf", 0, "a.tf\n", true),
        ("./a.tf HERE/a.tf", 0, "a.tf\n", true),
    ] {
        for dialect in ["", "--dialect opentofu", "--dialect terraform@1.11"] {
            let folder = Folder::with(&[("a.tf", UGLY)]);
            let ran = folder.groma(&format!("fmt {dialect} {flags}"), b"");
            assert_eq!((ran.exit, &*ran.out), (exit, out), "{dialect} {flags}: {}", ran.err);
            let wanted = if written { FINE } else { UGLY };
            assert_eq!(folder.read("a.tf"), wanted, "{flags}");
        }
        let folder = Folder::with(&[("a.tf", FINE)]);
        let ran = folder.groma(&format!("fmt {flags}"), b"");
        let out = if flags == "-list=false -write=false" { FINE } else { "" };
        assert_eq!((ran.exit, &*ran.out, &*ran.err), (0, out, ""), "{flags}");
    }
}

/// Checks that the other files are formatted if one cannot be parsed.
#[test]
fn a_broken_file_stops_nothing_else() {
    for (flags, out, written) in [
        ("", "a.tf\nz.tf\n", true),
        // Exit code 2 takes precedence over 3, and the other files are not listed.
        ("-check", "", false),
        ("-list=false", "", true),
    ] {
        let folder = Folder::with(&[("a.tf", UGLY), ("m.tf", BROKEN), ("z.tf", UGLY)]);
        let ran = folder.groma(&format!("fmt {flags}"), b"");
        assert_eq!((ran.exit, &*ran.out), (2, out), "{flags}");
        assert!(ran.err.contains("on m.tf line 1"), "{}", ran.err);
        assert_eq!(folder.read("m.tf"), BROKEN);
        assert_eq!(folder.read("z.tf"), if written { FINE } else { UGLY });
    }
}

/// Checks that a missing path ends the run, after the operands before it were formatted.
#[test]
fn a_path_that_leads_nowhere_ends_the_list() {
    for (operands, written) in [("nope.tf a.tf", false), ("a.tf nope.tf", true), ("nope", false)] {
        let folder = Folder::with(&[("a.tf", UGLY)]);
        let ran = folder.groma(&format!("fmt {operands}"), b"");
        assert_eq!(ran.exit, 2);
        assert!(ran.err.contains("nope"), "{}", ran.err);
        assert_eq!(folder.read("a.tf"), if written { FINE } else { UGLY }, "{operands}");
    }
}

/// Checks the file name endings that each dialect formats, in folders and as operands.
#[test]
fn endings() {
    /// File names of every ending, of which each dialect formats some.
    const ALL: [&str; 18] = [
        "x.auto.tfvars",
        "x.hcl",
        "x.json",
        "x.lock.hcl",
        "x.pkr.hcl",
        "x.pkr.json",
        "x.pkrvars.hcl",
        "x.tf",
        "x.tf.json",
        "x.tfmock.hcl",
        "x.tfquery.hcl",
        "x.tftest.hcl",
        "x.tfvars",
        "x.tofu",
        "x.tofutest.hcl",
        "x.tofuvars",
        "x.txt",
        "y.TF",
    ];
    let both = ["x.auto.tfvars", "x.tf", "x.tftest.hcl", "x.tfvars"];
    for (dialect, own) in [
        ("opentofu", &["x.tofu", "x.tofutest.hcl"][..]),
        ("terraform@1.11", &["x.tfmock.hcl"]),
        ("terraform@1.15", &["x.tfmock.hcl", "x.tfquery.hcl"]),
        ("packer", &["x.pkr.hcl", "x.pkrvars.hcl"]),
    ] {
        let mut taken: Vec<&str> = own.to_vec();
        taken.extend(both.iter().filter(|_| dialect != "packer"));
        taken.sort_unstable();
        let folder = Folder::with(&ALL.map(|name| (name, UGLY)));
        let ran = folder.groma(&format!("fmt -check --dialect {dialect}"), b"");
        assert_eq!(ran.out.lines().collect::<Vec<_>>(), taken, "{dialect}");
        for name in ALL {
            let ran = folder.groma(&format!("fmt -check --dialect {dialect} {name}"), b"");
            assert_eq!(ran.exit, if taken.contains(&name) { 3 } else { 2 }, "{dialect} {name}");
        }
    }
    let folder = Folder::with(&ALL.map(|name| (name, UGLY)));
    assert_eq!(folder.groma("fmt", b"").out.lines().count(), 10);
}

/// Checks that an operand with another ending is refused and that the others are formatted.
#[test]
fn other_files_are_refused_and_the_rest_is_done() {
    let folder = Folder::with(&[("a.tf", UGLY), ("x.txt", UGLY)]);
    let ran = folder.groma("fmt x.txt a.tf", b"");
    assert_eq!((ran.exit, &*ran.out), (2, "a.tf\n"));
    assert_eq!(folder.read("x.txt"), UGLY);
}

/// Checks which files of folders are formatted, and how their paths are printed.
#[test]
fn folders() {
    let names = ["A.tf", "a.tf", "b.tf", "s/c.tf", "s/t/d.tf", "z.tf", "node_modules/n.tf"];
    let mut files = names.map(|name| (name, UGLY)).to_vec();
    let hidden = [".x.tf", ".h/a.tf", ".terraform/a.tf", "a.tf~", "#a.tf#", "d.tf/e.tf"];
    files.extend(hidden.map(|name| (name, UGLY)));
    let folder = Folder::with(&files);
    assert_eq!(folder.groma("fmt -check", b"").out, "A.tf\na.tf\nb.tf\nz.tf\n");
    assert_eq!(
        folder.groma("fmt -check -recursive", b"").out,
        "A.tf\na.tf\nb.tf\nd.tf/e.tf\nnode_modules/n.tf\ns/c.tf\ns/t/d.tf\nz.tf\n"
    );
    // Operands are formatted even if they are hidden.
    assert_eq!(
        folder.groma("fmt -check .h .terraform .x.tf d.tf", b"").out,
        ".h/a.tf\n.terraform/a.tf\n.x.tf\nd.tf/e.tf\n"
    );
    // Paths are printed relative to the current folder.
    assert_eq!(folder.groma("fmt -check ./s/ HERE/s/../b.tf", b"").out, "s/c.tf\nb.tf\n");
    assert_eq!(folder.groma("-chdir=s fmt -check . ../b.tf", b"").out, "c.tf\n../b.tf\n");
    assert_eq!(folder.groma("-chdir=s/t fmt -check -recursive ..", b"").out, "../c.tf\nd.tf\n");
    let empty = Folder::with(&[("sub/readme.md", "")]);
    let ran = empty.groma("fmt sub", b"");
    assert_eq!((ran.exit, &*ran.out), (0, ""));
}

/// Checks that many files, which are formatted in parallel, are printed in order.
#[test]
fn many_files_keep_their_order() {
    let names: Vec<String> = (0..300).map(|number| format!("f{number:03}.tf")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, UGLY)).collect();
    let folder = Folder::with(&files);
    let listed: String = names.iter().map(|name| format!("{name}\n")).collect();
    assert_eq!(folder.groma("fmt -check", b"").out, listed);
    assert_eq!(folder.groma("fmt", b"").out, listed);
    assert!(names.iter().all(|name| folder.read(name) == FINE));
}

/// Checks line ends, missing final newlines, byte order marks and bytes that are not UTF-8.
#[test]
fn texts_stay_what_they_are() {
    for (given, wanted) in [
        ("a=1\r\nbb=2\r\n", "a  = 1\r\nbb = 2\r\n"),
        ("a=1\r\nbb=2\n", "a  = 1\r\nbb = 2\n"),
        ("a=1", "a = 1"),
        ("", ""),
        ("\u{feff}a = 1\n", "a = 1\n"),
        ("\n\n", "\n\n"),
    ] {
        let folder = Folder::with(&[("a.tf", given)]);
        let ran = folder.groma("fmt", b"");
        assert_eq!((ran.exit, ran.out.is_empty()), (0, given == wanted), "{given:?}");
        assert_eq!(folder.read("a.tf"), wanted);
        assert_eq!(folder.groma("fmt -check", b"").exit, 0, "{given:?}");
    }
    let folder = Folder::with(&[]);
    folder.write("comment.tf", b"# \xff\na=1\n");
    folder.write("name.tf", b"a = \"\xff\"\n");
    let ran = folder.groma("fmt", b"");
    assert_eq!((ran.exit, &*ran.out), (2, "comment.tf\n"));
    assert_eq!(fs::read(folder.0.join("comment.tf")).unwrap(), b"# \xff\na = 1\n");
    assert_eq!(fs::read(folder.0.join("name.tf")).unwrap(), b"a = \"\xff\"\n");
}

/// Checks `groma fmt -` with combinations of flags and texts.
#[test]
fn standard_input() {
    let folder = Folder::with(&[("a.tf", UGLY)]);
    let diff = DIFF.replace("a.tf", "<stdin>");
    for (flags, given, exit, out) in [
        ("", UGLY, 0, FINE),
        ("", FINE, 0, FINE),
        ("", "a=1", 0, "a = 1"),
        ("", "", 0, ""),
        ("--dialect terraform", "a=1", 0, FINE),
        ("--dialect terraform", "", 0, "\n"),
        ("-check", UGLY, 3, ""),
        ("-check", FINE, 0, ""),
        ("-diff", UGLY, 0, &*diff),
        ("-diff", FINE, 0, ""),
        ("-check -diff", UGLY, 3, ""),
        ("-write=false", UGLY, 0, FINE),
        ("-write=true -list=true -recursive", UGLY, 0, FINE),
        ("--dialect packer", "a=\"${b}\"\n", 0, "a = \"${b}\"\n"),
        ("", "a=\"${b}\"\n", 0, "a = b\n"),
        ("", BROKEN, 2, ""),
    ] {
        let ran = folder.groma(&format!("fmt {flags} -"), given.as_bytes());
        assert_eq!((ran.exit, &*ran.out), (exit, out), "{flags} {given:?}");
        assert_eq!(ran.err.contains("on <stdin> line 1"), exit == 2, "{}", ran.err);
    }
    assert_eq!(folder.groma("fmt - a.tf", UGLY.as_bytes()).out, FINE);
    assert_eq!(folder.read("a.tf"), UGLY);
}

/// Checks help, an unknown flag with a suggestion, and an invalid value of a flag.
#[test]
fn the_command_line() {
    let folder = Folder::with(&[("a.tf", UGLY)]);
    assert_eq!(folder.groma("fmt -help", b"").exit, 0);
    let ran = folder.groma("fmt -chekc", b"");
    assert_eq!((ran.exit, &*ran.out), (2, ""));
    assert!(ran.err.contains("Did you mean -check?"), "{}", ran.err);
    assert_eq!(folder.groma("fmt -list=perhaps", b"").exit, 2);
    assert_eq!(folder.read("a.tf"), UGLY);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    /// Checks that a formatted file keeps its permissions.
    #[test]
    fn modes_stay() {
        for mode in [0o755, 0o600, 0o664] {
            let folder = Folder::with(&[("a.tf", UGLY)]);
            let path = folder.0.join("a.tf");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(folder.groma("fmt", b"").exit, 0);
            let found = fs::metadata(&path).unwrap();
            assert_eq!((found.mode() & 0o777, folder.read("a.tf")), (mode, FINE.to_owned()));
        }
    }

    /// Checks that links to files are kept and followed, and that links to folders are followed only as operands.
    #[test]
    fn links() {
        let folder =
            Folder::with(&[("real/a.txt", UGLY), ("real/t/b.tf", UGLY), ("here/c.tf", FINE)]);
        let link = |to: &str, name: &str| symlink(to, folder.0.join(name)).unwrap();
        link("../real/a.txt", "here/l.tf");
        link("../real/t", "here/t");
        link("../real/t", "here/u.tf");
        link("real/t", "there");
        assert_eq!(folder.groma("fmt -recursive here", b"").out, "here/l.tf\n");
        assert_eq!(folder.read("real/a.txt"), FINE);
        assert!(fs::symlink_metadata(folder.0.join("here/l.tf")).unwrap().is_symlink());
        assert_eq!(folder.groma("fmt -check there", b"").out, "there/b.tf\n");
        link("nowhere", "here/a.tf");
        let ran = folder.groma("fmt here real/t", b"");
        assert_eq!((ran.exit, &*ran.out), (2, "real/t/b.tf\n"));
        assert!(ran.err.contains("here/a.tf"), "{}", ran.err);
    }

    /// Checks that a read-only file is reported and that the others are formatted.
    #[test]
    fn what_may_not_be_written_is_told_after_the_others() {
        let folder = Folder::with(&[("a.tf", UGLY), ("b.tf", UGLY)]);
        let path = folder.0.join("a.tf");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        if fs::OpenOptions::new().write(true).open(&path).is_ok() {
            // The superuser can write read-only files.
            return;
        }
        assert_eq!(folder.groma("fmt -check", b"").exit, 3);
        let ran = folder.groma("fmt", b"");
        assert_eq!((ran.exit, &*ran.out), (2, "a.tf\nb.tf\n"));
        assert!(ran.err.contains("a.tf: It may not be written."), "{}", ran.err);
        assert_eq!((folder.read("a.tf"), folder.read("b.tf")), (UGLY.into(), FINE.into()));
    }

    /// Checks that a named pipe in a folder is skipped.
    #[test]
    fn pipes_are_left_out() {
        let folder = Folder::with(&[("b.tf", UGLY)]);
        let made = std::process::Command::new("mkfifo").arg(folder.0.join("a.tf")).status();
        if !made.is_ok_and(|made| made.success()) {
            return;
        }
        assert_eq!(folder.groma("fmt", b"").out, "b.tf\n");
    }
}
