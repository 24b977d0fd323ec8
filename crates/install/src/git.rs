//! Cloning of repositories with the installed `git`, which knows the user's keys and credential helpers. No argument can be
//! mistaken for a flag, only the protocols of the URL are allowed, no hook runs, and the command ends with this process.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::archive::ArchiveRefusal;
use crate::client::shown;
use crate::links::demand_inside;
use crate::proxy::is_loopback;

/// Clones a git repository at a branch, tag or commit (`reference`) into `folder`, which does not exist yet, with only the last
/// `depth` commits if that is set.
pub(crate) fn clone(
    url: &str,
    reference: Option<&str>,
    depth: Option<u32>,
    folder: &Path,
) -> Result<(), ArchiveRefusal> {
    let own = GitProtocols::of(url);
    let mut clone = git(own.asked, url);
    clone.arg("clone").arg("--quiet");
    if let Some(depth) = depth {
        clone.arg(format!("--depth={depth}"));
        if let Some(reference) = reference {
            clone.arg(format!("--branch={reference}"));
        }
    }
    clone.arg("--").arg(url).arg(folder);
    run_git(clone, url)?;
    if let Some(reference) = reference.filter(|_| depth.is_none()) {
        let mut command = git(own.asked, url);
        command.arg("-C").arg(folder);
        checkout(command, &["checkout", "--quiet", "--detach"], reference, url, folder)?;
    }
    if folder.join(".gitmodules").symlink_metadata().is_ok_and(|found| found.is_file()) {
        let mut update = git(own.of_submodules, url);
        update.arg("-C").arg(folder);
        update.args(["submodule", "--quiet", "update", "--init", "--recursive"]);
        if let Some(depth) = depth {
            update.arg(format!("--depth={depth}"));
        }
        run_git(update, url)?;
    }
    demand_inside(folder)
}

/// The protocols that git may use, as the values of its variable `GIT_ALLOW_PROTOCOL`.
struct GitProtocols {
    /// For the requested repository: the protocol of its URL.
    asked: &'static str,
    /// For its submodules, whose URLs the repository's authors write: the same or a safer one. None reads local files, and no key
    /// is used because a public repository requests it.
    of_submodules: &'static str,
}

impl GitProtocols {
    /// Returns the protocols that git may use for a repository with this URL.
    fn of(url: &str) -> GitProtocols {
        let (asked, of_submodules) = match url.split_once("://").map(|(scheme, _)| scheme) {
            Some("ssh") => ("ssh", "https:ssh"),
            Some("file") => ("file", "https:ssh"),
            Some("http") => ("http", "http:https"),
            _ => ("https", "https"),
        };
        GitProtocols { asked, of_submodules }
    }
}

/// Runs a prepared git command in the clone at `folder` of the repository at `url`, with the arguments `words`, which begin with
/// `checkout`, and a reference: a tag, a commit or a branch of the remote repository.
fn checkout(
    mut command: Command,
    words: &[&str],
    reference: &str,
    url: &str,
    folder: &Path,
) -> Result<(), ArchiveRefusal> {
    let remote = format!("refs/remotes/origin/{reference}");
    let mut known = git("https", url);
    known.arg("-C").arg(folder).args(["rev-parse", "--verify", "--quiet", &remote]);
    let is_branch = run_attached(known).is_ok_and(|done| done.status.success());
    command.args(words).arg(if is_branch { &remote } else { reference }).arg("--");
    run_git(command, url)
}

/// Prepares a git command for the repository at `url`: it may use only the given protocols, neither hooks nor the terminal, and
/// no proxy if the URL's host is this machine.
fn git(protocols: &str, url: &str) -> Command {
    let mut git = Command::new("git");
    git.env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ALLOW_PROTOCOL", protocols)
        .env("GIT_ADVICE", "0")
        // These would let the repository of the current directory answer.
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .args(["-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never"])
        // No background process may outlive the command.
        .args(["-c", "gc.auto=0", "-c", "maintenance.auto=false"]);
    // Several clones run at once, so none may use the terminal; a window may still ask.
    git.env("SSH_ASKPASS_REQUIRE", "force");
    if std::env::var_os("SSH_ASKPASS").is_none() {
        git.env("SSH_ASKPASS", "false");
    }
    if is_loopback(url) {
        git.env("no_proxy", "*").env("NO_PROXY", "*");
    }
    git
}

/// Shell script that runs a command and kills it when this process ends in any way: this process holds one end of its input open
/// while it lives. The command has its own process group, so all its children end with it.
#[cfg(unix)]
const KEEPER: &str = r#"
exec 3<&0 </dev/null
"$@" 3<&- &
work=$!
( read -r _ <&3; trap '' TERM; kill -TERM 0; sleep 1; kill -KILL 0 ) >/dev/null 2>&1 &
keeper=$!
wait "$work"
code=$?
kill "$keeper" 2>/dev/null
exit "$code"
"#;

/// Runs a command until it ends, and kills it if this process ends before.
#[cfg(unix)]
fn run_attached(command: Command) -> std::io::Result<Output> {
    use std::os::unix::process::CommandExt as _;
    let mut kept = Command::new("/bin/sh");
    kept.arg("-c").arg(KEEPER).arg("sh").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => kept.env(name, value),
            None => kept.env_remove(name),
        };
    }
    kept.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    let mut child = kept.spawn()?;
    let held = child.stdin.take();
    let done = child.wait_with_output();
    drop(held);
    done
}

/// Runs a command until it ends; on this system it may outlive this process.
#[cfg(not(unix))]
fn run_attached(mut command: Command) -> std::io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output()
}

/// Runs a git command on the repository at `url`; its failure is returned as a sentence with the reason that git gives.
fn run_git(command: Command, url: &str) -> Result<(), ArchiveRefusal> {
    let done = run_attached(command);
    let done = done.map_err(|why| ArchiveRefusal::Failed(format!("git cannot be run: {why}")))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    // Only the reason that git itself gives; other lines may come from the server.
    let line = said.lines().find(|line| line.starts_with("fatal:") || line.starts_with("error:"));
    let line = match (line.and_then(|line| line.split_once(": ")), done.status.code()) {
        (Some((_, why)), _) => why,
        (None, Some(127)) => "there is no git on this machine",
        (None, _) => "it does not say why",
    };
    let line: String = line.replace(url, &shown(url)).chars().filter(|c| !c.is_control()).collect();
    let line = line.trim_end_matches('.');
    Err(ArchiveRefusal::Failed(format!("git brings nothing from {}: {line}", shown(url))))
}
