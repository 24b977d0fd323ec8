//! Bringing a repository with the `git` of the machine: it knows the user's keys, agents and helpers. It is told nothing
//! that could be taken for a flag, follows no other protocols than those that are named, and runs no hook.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::client::shown;

/// Clones a repository into `folder`, which is not there yet.
pub(crate) fn clone(
    url: &str,
    reference: Option<&str>,
    depth: Option<u32>,
    folder: &Path,
) -> Result<(), String> {
    let mut clone = git();
    clone.arg("clone").arg("--quiet");
    if let Some(depth) = depth {
        clone.arg(format!("--depth={depth}"));
        if let Some(reference) = reference {
            clone.arg(format!("--branch={reference}"));
        }
    }
    clone.arg("--").arg(url).arg(folder);
    carry_out(clone, url)?;
    if let Some(reference) = reference.filter(|_| depth.is_none()) {
        let mut checkout = git();
        checkout.arg("-C").arg(folder);
        carry_out_with(checkout, &["checkout", "--quiet", "--detach"], reference, url, folder)?;
    }
    if folder.join(".gitmodules").is_file() {
        let mut update = git();
        update.arg("-C").arg(folder);
        update.args(["submodule", "--quiet", "update", "--init", "--recursive"]);
        if let Some(depth) = depth {
            update.arg(format!("--depth={depth}"));
        }
        carry_out(update, url)?;
    }
    Ok(())
}

/// Checks out a tag, a commit, or a branch as it is there.
fn carry_out_with(
    mut checkout: Command,
    words: &[&str],
    reference: &str,
    url: &str,
    folder: &Path,
) -> Result<(), String> {
    let remote = format!("refs/remotes/origin/{reference}");
    let mut known = git();
    known.arg("-C").arg(folder).args(["rev-parse", "--verify", "--quiet", &remote]);
    let is_branch = known.stdout(Stdio::null()).status().is_ok_and(|exit| exit.success());
    checkout.args(words).arg(if is_branch { &remote } else { reference }).arg("--");
    carry_out(checkout, url)
}

fn git() -> Command {
    let mut git = Command::new("git");
    git.env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ALLOW_PROTOCOL", "file:http:https:ssh")
        .env("GIT_ADVICE", "0")
        // These would let the repository of the folder that the run began in answer.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .args(["-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never"])
        .stdin(Stdio::null());
    git
}

fn carry_out(mut command: Command, url: &str) -> Result<(), String> {
    let done = command.output().map_err(|why| format!("git cannot be run: {why}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    // Only what git itself says it fails of; what a server says beside it is a stranger's text.
    let line = said.lines().find(|line| line.starts_with("fatal:") || line.starts_with("error:"));
    let line =
        line.and_then(|line| line.split_once(": ")).map_or("it does not say why", |(_, why)| why);
    let line: String = line.replace(url, &shown(url)).chars().filter(|c| !c.is_control()).collect();
    Err(format!("git brings nothing from {}: {}", shown(url), line.trim_end_matches('.')))
}
