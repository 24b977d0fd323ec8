//! A tree bomb: a few git objects that stand for more files than can be read. A comparison ends with a diagnostic of the limit,
//! and not with an error about the command line.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::ran;
use serde_json::Value;

/// Runs git in a folder with `input` as its standard input, and returns its trimmed output.
fn git(folder: &Path, args: &[&str], input: &str) -> String {
    let who = ["-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false"];
    let mut child = Command::new("git")
        .args(who)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success(), "{args:?}");
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

/// Checks that comparing with a commit of 10^10 files, made of few git objects, ends with a diagnostic of the limit.
#[test]
fn a_tree_bomb_ends_by_name() {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bomb-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("main.tf"), "locals {\n  a = 1\n}\n").unwrap();
    git(&folder, &["init", "-q", "-b", "main"], "");
    git(&folder, &["add", "."], "");
    git(&folder, &["commit", "-q", "-m", "base"], "");
    git(&folder, &["tag", "base"], "");
    let file = git(&folder, &["hash-object", "-w", "main.tf"], "");
    let mut tree = git(&folder, &["mktree"], &format!("100644 blob {file}\tmain.tf\n"));
    for _ in 0..10 {
        let all: String = (0..10).map(|at| format!("040000 tree {tree}\td{at}\n")).collect();
        tree = git(&folder, &["mktree"], &all);
    }
    let commit = git(&folder, &["commit-tree", "-p", "base", "-m", "many", &tree], "");
    git(&folder, &["tag", "bomb", &commit], "");
    for line in ["diff base bomb --roots **", "diff base bomb", "diff base bomb ."] {
        let words: Vec<&str> = line.split(' ').chain(["--limit", "sources=200KB"]).collect();
        let (exit, out, err) = ran(&folder, &words);
        assert_eq!((exit, out.as_str()), (1, ""), "{line}: {err}");
        assert!(err.contains("[limit-sources]"), "{line}: {err}");
        let (exit, out, err) = ran(&folder, &[&words[..], &["--json"]].concat());
        let told: Value = serde_json::from_str(&out).unwrap();
        let code = &told["diagnostics"][0]["code"];
        assert_eq!((exit, code), (1, &"limit-sources".into()), "{line}: {err}");
    }
}
