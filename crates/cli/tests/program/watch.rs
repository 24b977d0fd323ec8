//! `groma check --watch` in a process of its own: it prints a line for each round, and a round follows each change.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// A process of `groma check --watch`, killed on drop, and the lines that it prints.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Watching {
    /// Starts `groma check --watch` in a folder with further arguments.
    fn start(folder: &Path, arguments: &[&str]) -> Watching {
        let mut child = Command::new(env!("CARGO_BIN_EXE_groma"))
            .args(["check", "--watch"])
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Watching { child, lines }
    }

    /// Waits for the next round and returns its last line, which has the numbers of errors and warnings.
    fn next(&self) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(120));
            let line = line.expect("a round comes after a change");
            if ["No errors or warnings.", " error.", " errors."]
                .iter()
                .any(|end| line.ends_with(end))
            {
                return line;
            }
        }
    }
}

/// Creates a folder in the target directory, with a subfolder `mod`.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("watch-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("mod")).unwrap();
    folder
}

/// Writes a file atomically, as editors do, so that no round reads it while it is empty.
fn save(path: &Path, text: &str) {
    // The temporary file is outside of the watched folders, so that it starts no round itself.
    let name = path.strip_prefix(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let name = name.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "-");
    let whole = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&whole, text).unwrap();
    fs::rename(whole, path).unwrap();
}

/// Checks that a round follows each created, changed and removed file.
#[test]
fn a_round_follows_each_change() {
    let folder = folder("one");
    fs::write(folder.join("main.tf"), "locals {\n  a = var.b\n}\n").unwrap();
    let watching = Watching::start(&folder, &["--lint=off"]);
    assert_eq!(watching.next(), "1 error.");
    save(&folder.join("more.tf"), "variable \"b\" {}\n");
    assert_eq!(watching.next(), "No errors or warnings.");
    save(&folder.join("main.tf"), "locals {\n  a = var.b\n  c = 1 + \"x\"\n  d = local.e\n}\n");
    assert_eq!(watching.next(), "2 errors.");
    fs::remove_file(folder.join("main.tf")).unwrap();
    assert_eq!(watching.next(), "No errors or warnings.");
}

/// Checks that a round over many roots has one line, and that new roots are found.
#[test]
fn many_roots_have_one_line_for_each_round() {
    let folder = folder("many");
    fs::write(folder.join("main.tf"), "module \"m\" {\n  source = \"./mod\"\n}\n").unwrap();
    fs::write(folder.join("mod/main.tf"), "locals {\n  a = 1\n}\n").unwrap();
    let watching = Watching::start(&folder, &["-recursive", "--lint=off"]);
    assert_eq!(watching.next(), "2 roots, 2 files. No errors or warnings.");
    save(&folder.join("mod/main.tf"), "locals {\n  a = local.b\n}\n");
    assert_eq!(watching.next(), "2 roots, 2 files. 1 error.");
    fs::create_dir(folder.join("new")).unwrap();
    save(&folder.join("new/main.tf"), "locals {\n");
    assert!(watching.next().starts_with("3 roots, 3 files, 1 read incompletely."));
}
