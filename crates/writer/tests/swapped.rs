//! A folder on the way to a file is swapped for a link, before each operation of the disk in turn: nothing is read, written,
//! made or taken away where the link leads, whether that looks as it should or not.
#![cfg(unix)]
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use groma_writer::{DiskAccess, DiskEntry, FileReplacement, FileWriter, Lock, SystemDisk};

/// The disk of the machine, on which a folder is replaced by a link before a chosen operation.
#[derive(Clone, Debug)]
struct Swapping {
    system: SystemDisk,
    top: PathBuf,
    /// The number of operations so far.
    count: Arc<AtomicUsize>,
    /// The number of the operation before which it happens.
    when: usize,
}

impl Swapping {
    /// Counts a disk operation, and replaces the folder by a link before the chosen one.
    fn step(&self) {
        if self.count.fetch_add(1, Ordering::Relaxed) == self.when {
            fs::rename(self.top.join("in/code"), self.top.join("in/was")).unwrap();
            symlink("../outside", self.top.join("in/code")).unwrap();
        }
    }
}

impl DiskAccess for Swapping {
    fn metadata(&self, path: &Path) -> io::Result<DiskEntry> {
        self.step();
        self.system.metadata(path)
    }
    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        self.step();
        self.system.real(path)
    }
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        self.step();
        self.system.read(path, most)
    }
    fn create(&self, path: &Path, bytes: &[u8], is_private: bool) -> io::Result<()> {
        self.step();
        self.system.create(path, bytes, is_private)
    }
    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step();
        self.system.overwrite(path, bytes)
    }
    fn copy_metadata(&self, path: &Path, model: &Path) -> io::Result<()> {
        self.step();
        self.system.copy_metadata(path, model)
    }
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        self.step();
        self.system.exchange(one, other)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step();
        self.system.rename(from, to)
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step();
        self.system.link(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step();
        self.system.remove(path)
    }
    fn sync(&self, path: &Path) -> io::Result<()> {
        self.step();
        self.system.sync(path)
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        self.step();
        self.system.list(folder)
    }
    fn may_write(&self, path: &Path) -> bool {
        self.step();
        self.system.may_write(path)
    }
    fn lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        self.step();
        self.system.lock(path)
    }
    fn temporary(&self) -> PathBuf {
        self.top.join("temporary")
    }
}

/// Returns the paths and contents of all files below a folder; links are not followed.
fn all(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let kind = entry.file_type().unwrap();
            match kind.is_dir() {
                true => waiting.push(entry.path()),
                false => found.push((entry.path(), fs::read(entry.path()).unwrap_or_default())),
            }
        }
    }
    found.sort();
    found
}

/// An operation of a writer on a folder; returns true if it reports success.
type Act = fn(&FileWriter<Swapping>, &Path) -> bool;

/// The operations of a writer that are tested, with their names.
const ACTS: &[(&str, Act)] = &[
    ("replace", |writer, code| {
        let path = code.join("a.tf");
        writer.replace(FileReplacement { path: &path, before: b"old", after: b"new" }).is_ok()
    }),
    ("replace a linked file", |writer, code| {
        let path = code.join("linked.tf");
        writer.replace(FileReplacement { path: &path, before: b"old", after: b"new" }).is_ok()
    }),
    ("replace all", |writer, code| {
        let (one, other) = (code.join("a.tf"), code.join("in/b.tf"));
        let change = |path| FileReplacement { path, before: b"old", after: b"new" };
        writer.replace_all(&[change(&one), change(&other)]).is_ok()
    }),
    ("create", |writer, code| writer.create(&code.join("new.tf"), b"new").is_ok()),
    ("keep", |writer, code| writer.write_private(&code.join("a.tf"), b"new").is_ok()),
    ("recover", |writer, code| {
        writer.recover(code);
        true
    }),
];

/// Checks that no operation of the writer follows a folder that has become a link meanwhile.
#[test]
fn no_folder_is_followed_that_became_a_link() {
    let top = format!("swapped-{}", std::process::id());
    let top = Path::new(env!("CARGO_TARGET_TMPDIR")).join(top);
    for (what, act) in ACTS {
        let (mut swaps, mut done) = (0, false);
        for when in 0.. {
            let _ = fs::remove_dir_all(&top);
            for folder in ["in/code/in", "outside/in", "temporary"] {
                fs::create_dir_all(top.join(folder)).unwrap();
            }
            let top = fs::canonicalize(&top).unwrap();
            for file in ["a.tf", "in/b.tf", "linked.tf", ".groma-1-0.tmp"] {
                for folder in ["in/code", "outside"] {
                    fs::write(top.join(folder).join(file), "old").unwrap();
                }
            }
            fs::hard_link(top.join("in/code/linked.tf"), top.join("in/other.tf")).unwrap();
            let disk =
                Swapping { system: SystemDisk, top: top.clone(), count: Arc::default(), when };
            let count = disk.count.clone();
            let outside = all(&top.join("outside"));
            let is_done = act(&FileWriter::new(disk, "test"), &top.join("in/code"));
            assert_eq!(all(&top.join("outside")), outside, "{what}, swapped before {when}");
            // Once there is no operation left before which it could happen, all is done.
            if count.load(Ordering::Relaxed) <= when {
                done = is_done;
                break;
            }
            swaps += 1;
        }
        assert!(done && swaps > 5, "{what}: {done}, {swaps}");
    }
    fs::remove_dir_all(&top).unwrap();
}
