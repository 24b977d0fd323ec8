//! The disk of the machine: what a file is to others stays when its text is replaced.
#![cfg(unix)]
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};

use groma_writer::{
    FileReplacement, FileWriter, JOURNAL, RecoveryOutcome, SystemDisk, WriteObstacle,
};

/// Creates a new folder for a test and returns its path with links resolved.
fn folder(name: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::canonicalize(folder).unwrap()
}

/// Creates a writer on the disk of the machine.
fn writer() -> FileWriter<SystemDisk> {
    FileWriter::new(SystemDisk, "test")
}

/// Returns a request to replace the text of a file.
fn change<'c>(path: &'c Path, before: &'c str, after: &'c str) -> FileReplacement<'c> {
    FileReplacement { path, before: before.as_bytes(), after: after.as_bytes() }
}

/// Returns the sorted names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Checks that a replaced file keeps its mode, extended attributes and hard links.
#[test]
fn what_a_file_is_stays() {
    let folder = folder("stays");
    let (path, other) = (folder.join("a.tf"), folder.join("b.tf"));
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let attribute =
        rustix::fs::setxattr(&path, "user.note", b"kept", rustix::fs::XattrFlags::empty());
    writer().replace(change(&path, "old", "new")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640);
    if attribute.is_ok() {
        let mut room = [0; 16];
        let length = rustix::fs::getxattr(&path, "user.note", &mut room).unwrap();
        assert_eq!(&room[..length], b"kept");
    }
    fs::hard_link(&path, &other).unwrap();
    writer().replace(change(&path, "new", "newer")).unwrap();
    assert_eq!(fs::read_to_string(&other).unwrap(), "newer");
    writer().replace(change(&path, "newer", "n")).unwrap();
    assert_eq!(fs::read_to_string(&other).unwrap(), "n");
    assert_eq!(fs::metadata(&path).unwrap().ino(), fs::metadata(&other).unwrap().ino());
    assert_eq!(names(&folder), ["a.tf", "b.tf"]);
    fs::remove_dir_all(folder).unwrap();
}

/// Checks that a replaced file keeps its owner and group.
#[test]
fn the_owner_stays() {
    let folder = folder("owner");
    let path = folder.join("a.tf");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o604)).unwrap();
    // Only a privileged user may give a file away; for others there is nothing to see here.
    if chown(&path, Some(4321), Some(8765)).is_err() {
        return;
    }
    writer().replace(change(&path, "old", "new")).unwrap();
    let now = fs::metadata(&path).unwrap();
    assert_eq!((now.uid(), now.gid(), now.mode() & 0o777), (4321, 8765, 0o604));
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    // In a folder of another's, too, and undone as it was.
    chown(&folder, Some(4321), Some(8765)).unwrap();
    let other = folder.join("b.tf");
    fs::write(&other, "saved by another").unwrap();
    let changes = [change(&path, "new", "newer"), change(&other, "read before", "x")];
    assert!(writer().replace_all(&changes).is_err());
    let now = fs::metadata(&path).unwrap();
    assert_eq!((now.uid(), now.gid()), (4321, 8765));
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(names(&folder), ["a.tf", "b.tf"]);
}

/// Checks that a file changed by another program is not replaced, and that the other files are restored.
#[test]
fn what_was_saved_meanwhile_stays() {
    let folder = folder("saved");
    let (a, b) = (folder.join("a.tf"), folder.join("b.tf"));
    fs::write(&a, "old a").unwrap();
    fs::write(&b, "saved b").unwrap();
    let done = writer().replace_all(&[change(&a, "old a", "new a"), change(&b, "old b", "new b")]);
    let undone = done.unwrap_err();
    assert!(matches!(undone.trouble.why, WriteObstacle::Changed) && undone.left.is_empty());
    assert_eq!(undone.trouble.path, b);
    assert_eq!(fs::read_to_string(&a).unwrap(), "old a");
    assert_eq!(fs::read_to_string(&b).unwrap(), "saved b");
    assert_eq!(names(&folder), ["a.tf", "b.tf"]);
    fs::remove_dir_all(folder).unwrap();
}

/// Checks that a journal written by an attacker changes no file.
#[test]
fn a_strangers_journal_is_good_for_nothing() {
    let folder = folder("stranger");
    let outside = folder.join("outside");
    let inside = folder.join("inside");
    fs::create_dir_all(&outside).unwrap();
    fs::create_dir_all(inside.join(".git")).unwrap();
    symlink(&outside, inside.join("net")).unwrap();
    for (name, text) in
        [("outside/a.tf", "mine"), ("inside/b.tf", "other"), ("inside/.git/config", "mine")]
    {
        fs::write(folder.join(name), text).unwrap();
    }
    let sum = |text: &str| {
        use sha2::Digest as _;
        sha2::Sha256::digest(text.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let staged = ".groma-1-0.tmp";
    let (evil, mine) = (sum("evil"), sum("mine"));
    fs::write(inside.join(staged), "evil").unwrap();
    fs::write(inside.join(".groma-1-0.old"), "evil").unwrap();
    fs::write(outside.join(staged), "evil").unwrap();
    for (path, staged) in [
        ("net/a.tf", staged),
        ("net/a.tf", "net/.groma-1-0.tmp"),
        ("../outside/a.tf", staged),
        (".git/config", staged),
        ("b.tf", staged),
    ] {
        // As if it had been written and another file had not.
        let mut text = format!("groma journal 1\nfile {evil} {mine} {staged} {path}\n");
        text.push_str(&format!("file {} {evil} {staged} c.tf\n", sum("left")));
        fs::write(inside.join("c.tf"), "left").unwrap();
        let end = sum(&text);
        fs::write(inside.join(JOURNAL), format!("{text}end {end}\n")).unwrap();
        writer().recover(&inside);
        assert_eq!(fs::read_to_string(outside.join("a.tf")).unwrap(), "mine", "{path}");
        assert_eq!(fs::read_to_string(inside.join("b.tf")).unwrap(), "other", "{path}");
        assert_eq!(fs::read_to_string(inside.join(".git/config")).unwrap(), "mine", "{path}");
    }
    fs::remove_dir_all(folder).unwrap();
}

/// Checks that the locked journal of an active run is not followed.
#[test]
fn a_run_that_goes_on_is_not_disturbed() {
    let folder = folder("live");
    let journal = folder.join(JOURNAL);
    let path = folder.join("a.tf");
    fs::write(&path, "old").unwrap();
    fs::write(&journal, "").unwrap();
    let file = fs::File::open(&journal).unwrap();
    file.lock().unwrap();
    assert_eq!(writer().recover(&folder)[0].outcome, RecoveryOutcome::Busy);
    assert!(writer().journals(&folder).is_empty());
    drop(file);
    assert_eq!(writer().recover(&folder)[0].outcome, RecoveryOutcome::Foreign);
    assert_eq!(writer().journals(&folder), [journal]);
    fs::remove_dir_all(folder).unwrap();
}

/// Checks that pipes are not written, and that a new file has a single name.
#[test]
fn nothing_but_regular_files_is_written() {
    let folder = folder("irregular");
    let pipe = folder.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(matches!(writer().replace(change(&pipe, "", "new")), Err(WriteObstacle::Irregular)));
    assert!(matches!(writer().write_private(&pipe, b"new"), Err(WriteObstacle::Irregular)));
    assert!(matches!(writer().create(&pipe, b"new"), Err(WriteObstacle::Present)));
    let fresh = folder.join("new.hcl");
    writer().create(&fresh, b"new").unwrap();
    assert_eq!(fs::metadata(&fresh).unwrap().nlink(), 1);
    assert_eq!(names(&folder), ["new.hcl", "pipe"]);
    fs::remove_dir_all(folder).unwrap();
}
