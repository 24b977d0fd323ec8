//! A repository of a test's own, and the machine around it.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use groma_git::{Repository, Revision, RevisionHost};
use groma_runtime::{DirEntry, EntryKind, Host, HostError};

/// The number of repositories created so far, which makes the names of their folders unique.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A repository in a temporary folder, removed on drop.
pub(crate) struct Scene {
    pub(crate) path: PathBuf,
}

impl Scene {
    /// Creates an empty repository with the branch `main`.
    pub(crate) fn new() -> Scene {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("revision-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        let scene = Scene { path: fs::canonicalize(path).unwrap() };
        scene.git(&["init", "-q", "-b", "main"]);
        scene
    }

    /// Runs git in the work tree and returns its output without surrounding whitespace.
    pub(crate) fn git(&self, words: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=me", "-c", "user.email=me@example.org"]);
        git.args(["-c", "protocol.file.allow=always"]);
        let done = git.args(words).current_dir(&self.path).output().unwrap();
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// Writes a file of the work tree.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Commits all changes of the work tree.
    pub(crate) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "more"]);
    }

    /// Opens the repository.
    pub(crate) fn repository(&self) -> Repository {
        Repository::open(&self.path).unwrap()
    }

    /// Returns the host of a revision, in which the whole work tree is readable.
    pub(crate) fn at(&self, name: &str) -> RevisionHost {
        let repository = self.repository();
        let revision = repository.revision(name).unwrap();
        host_of(&repository, &revision, &self.path)
    }

    /// Runs git with a text as its input, and returns its output without surrounding whitespace.
    pub(crate) fn git_with(&self, words: &[&str], text: &str) -> String {
        let mut git = Command::new("git");
        git.args(words).current_dir(&self.path).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = git.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let done = child.wait_with_output().unwrap();
        assert!(done.status.success(), "{words:?}");
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    /// Clones the repository, with further arguments for `git clone`.
    pub(crate) fn clone_with(&self, words: &[&str]) -> Scene {
        let scene = Scene::new();
        fs::remove_dir_all(&scene.path).unwrap();
        let url = format!("file://{}", self.path.display());
        let all = [&["clone", "-q"], words, &[&url, scene.path.to_str().unwrap()]].concat();
        self.git(&all);
        scene
    }
}

/// Returns the host of a revision, in which the whole work tree is readable.
pub(crate) fn host_of(
    repository: &Repository,
    revision: &Revision,
    machine: &Path,
) -> RevisionHost {
    let roots = [repository.work_tree().to_owned()];
    RevisionHost::new(repository, revision, Arc::new(Disk(machine.to_owned())), &roots, &[])
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A host that reads the disk below a folder.
pub(crate) struct Disk(pub(crate) PathBuf);

impl Disk {
    /// Returns the system path of a path relative to the folder.
    fn place(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }
}

impl Host for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        fs::read(self.place(path)).map_err(|_| HostError::Absent)
    }
    fn length(&self, path: &str) -> Result<u64, HostError> {
        fs::metadata(self.place(path)).map(|found| found.len()).map_err(|_| HostError::Absent)
    }
    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        let all = fs::read_dir(self.place(dir)).map_err(|_| HostError::Absent)?;
        let entry = |one: fs::DirEntry| {
            let name = one.file_name().into_string().unwrap();
            let kind = if one.path().is_dir() { EntryKind::Directory } else { EntryKind::File };
            DirEntry { name, kind }
        };
        Ok(all.filter_map(Result::ok).map(entry).collect())
    }
    fn canonical(&self, path: &str) -> Result<String, HostError> {
        let real = fs::canonicalize(self.place(path)).map_err(|_| HostError::Absent)?;
        Ok(real.to_str().unwrap().to_owned())
    }
    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        let found = fs::metadata(self.place(path)).map_err(|_| HostError::Absent)?;
        Ok(if found.is_dir() { EntryKind::Directory } else { EntryKind::File })
    }
    fn check_code_access(&self, _: &str) -> Result<(), HostError> {
        Ok(())
    }
    fn hides_environment(&self) -> bool {
        false
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
    fn env_names(&self) -> Vec<String> {
        Vec::new()
    }
    fn current_dir(&self) -> String {
        self.0.to_str().unwrap().to_owned()
    }
    fn home(&self) -> Option<String> {
        None
    }
}
