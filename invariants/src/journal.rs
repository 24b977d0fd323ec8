//! Journals of operations over files that came with a stranger's code: nothing is written outside of the folder, nothing
//! hidden is touched, and a file has its text or the one whose hash is named. An input is a line for each line of the
//! journal, `OLD NEW STAGED PATH` with the texts themselves, and the files behind them.

use std::collections::BTreeSet;
use std::path::Path;

use groma_writer::{FileWriter, JOURNAL, RecoveryOutcome, SystemDisk};
use sha2::{Digest as _, Sha256};

use crate::folder::Folder;
use crate::scratch::Scratch;

/// The folder of the scratch directory that contains the journal and the files that it names.
const INSIDE: &str = "in";

/// Returns the SHA-256 digest of bytes in hexadecimal.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a valid journal for lines `OLD NEW STAGED PATH`, with its checksums; adds each old and new text to `named`.
fn journal<'i>(head: &'i str, named: &mut BTreeSet<&'i str>) -> String {
    let mut out = String::from("groma journal 1\n");
    for line in head.lines().take(20) {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [old, new, staged, path] = words[..] else {
            out.push_str(&format!("{line}\n"));
            continue;
        };
        named.extend([old, new]);
        let (old, new) = (hash(old.as_bytes()), hash(new.as_bytes()));
        out.push_str(&format!("file {old} {new} {staged} {path}\n"));
    }
    let sum = hash(out.as_bytes());
    out.push_str(&format!("end {sum}\n"));
    out
}

/// Returns true if a path contains a file or folder that the file writer creates: its name begins with `.groma-`.
fn is_own(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_string_lossy().starts_with(".groma-"))
}

/// Checks that recovery from a journal creates no file, and changes only files of the folder to texts that it names.
pub(crate) fn recovered(bytes: &[u8]) {
    let Some(folder) = Folder::read(bytes) else { return };
    let scratch = Scratch::new();
    scratch.write("out.tf", "beside");
    scratch.write(Path::new(INSIDE).join(".git/config"), "hidden");
    for (name, text) in folder.files.iter().take(20) {
        let is_inside = !name.starts_with('/') && !name.split('/').any(|part| part == "..");
        if is_inside {
            scratch.write(Path::new(INSIDE).join(name), text.trim_end());
        }
    }
    let mut named = BTreeSet::new();
    let text = journal(folder.head, &mut named);
    scratch.write(Path::new(INSIDE).join(JOURNAL), text);
    let before = scratch.contents();
    let inside = scratch.0.join(INSIDE);
    let told = FileWriter::new(SystemDisk, "next").recover(&inside);
    let after = scratch.contents();
    for (path, bytes) in &before {
        if is_own(path) {
            continue;
        }
        let now = after.get(path).unwrap_or_else(|| panic!("{} is gone", path.display()));
        let is_open = path.starts_with(INSIDE)
            && !path.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'));
        // A third text beside a file may be one that was saved when the run was ended.
        let is_known = std::str::from_utf8(now).is_ok_and(|text| named.contains(text))
            || before.iter().any(|(other, text)| is_own(other) && text == now);
        assert!(now == bytes || is_open && is_known, "{} has another text", path.display());
    }
    let news = after.keys().filter(|path| !before.contains_key(*path));
    assert_eq!(news.count(), 0, "something is new");
    for one in told.iter().filter(|one| one.journal.starts_with(&inside)) {
        assert!(one.undone.iter().chain(&one.left).all(|path| path.starts_with(&inside)));
        let is_gone = !after.contains_key(&Path::new(INSIDE).join(JOURNAL));
        let has_ended = matches!(one.outcome, RecoveryOutcome::Cleared | RecoveryOutcome::Undone);
        assert_eq!(is_gone, has_ended, "{:?}", one.outcome);
    }
}
