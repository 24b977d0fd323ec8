//! Journal of an operation over many files: the hashes of the old and new texts and the places of the staged ones. It is created
//! in the lowest writable directory above all files before the first file is changed, and removed after the last one.
//!
//! ```text
//! groma journal 1
//! file HASH-OF-OLD HASH-OF-NEW STAGED PATH
//! end HASH-OF-ALL-ABOVE
//! ```
//!
//! Paths are relative to its directory, with `%20` for spaces. A journal may come with untrusted code: see
//! [`FileWriter::recover`](crate::FileWriter::recover) for the checks.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::stage::{Hash, digits, hash};

/// The file name of a journal of writes.
pub const JOURNAL: &str = ".groma-journal";

/// The first line of a journal, which names its format.
const HEAD: &str = "groma journal 1\n";
/// Maximum length of a journal in bytes; a longer one is left alone, and no files are restored by it.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// The entry of one file in a journal: the hashes of its old and new content, its path and that of its temporary file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JournalLine {
    /// The hash of the old content.
    pub before: Hash,
    /// The hash of the new content.
    pub after: Hash,
    /// The path of the temporary file, relative to the journal's directory.
    pub staged: PathBuf,
    /// The path of the file, relative to the journal's directory.
    pub path: PathBuf,
}

/// The record of an operation that writes several files, by which the next run recovers if it is aborted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Journal {
    /// The entries of the files.
    pub(crate) lines: Vec<JournalLine>,
}

impl Journal {
    /// Returns the journal in its file format; `None` if a path cannot be represented.
    pub(crate) fn text(&self) -> Option<String> {
        let mut out = HEAD.to_owned();
        for line in &self.lines {
            out.push_str(&format!(
                "file {} {} {} {}\n",
                digits(&line.before, 32),
                digits(&line.after, 32),
                written(&line.staged)?,
                written(&line.path)?
            ));
        }
        let sum = hash(out.as_bytes());
        out.push_str(&format!("end {}\n", digits(&sum, 32)));
        Some(out)
    }

    /// Parses a journal from the bytes of its file; `None` if it is incomplete, or names a file outside of its directory, a
    /// hidden file or one in a hidden directory such as `.git`.
    pub(crate) fn read(bytes: &[u8]) -> Option<Journal> {
        let text = std::str::from_utf8(bytes).ok()?;
        let (above, sum) = text.strip_suffix('\n')?.rsplit_once("end ")?;
        if hash_of(sum)? != hash(above.as_bytes()) {
            return None;
        }
        let lines = above.strip_prefix(HEAD)?.lines().map(|line| {
            let mut words = line.split(' ');
            let is_file = words.next()? == "file";
            let (before, after) = (hash_of(words.next()?)?, hash_of(words.next()?)?);
            let (staged, path) = (path(words.next()?)?, path(words.next()?)?);
            let is_whole = is_file && words.next().is_none();
            let name = staged.file_name()?.to_str()?;
            let is_own =
                name.starts_with(crate::stage::PREFIX) && name.ends_with(crate::stage::STAGED);
            let is_plain = is_below(&path) && is_below(&staged.with_file_name("a"));
            (is_whole && is_own && is_plain).then_some(JournalLine { before, after, staged, path })
        });
        Some(Journal { lines: lines.collect::<Option<_>>()? })
    }
}

/// Returns true if a relative path stays below the directory to which it is relative, and has no hidden names.
fn is_below(path: &Path) -> bool {
    let is_plain = |part: Component<'_>| match part {
        Component::Normal(name) => !name.as_encoded_bytes().starts_with(b"."),
        _ => false,
    };
    path.components().all(is_plain)
}

/// Parses a hash from its 64 hexadecimal digits; `None` for any other text.
fn hash_of(text: &str) -> Option<Hash> {
    let mut out = Hash::default();
    let is_hex = text.len() == 2 * out.len() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hex {
        return None;
    }
    for (at, byte) in out.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(out)
}

/// Returns a path as text in which blanks and special bytes are percent-encoded; `None` if the path is not representable.
fn written(path: &Path) -> Option<String> {
    let mut out = String::new();
    for byte in bytes_of(path)? {
        match byte {
            b'%' | 0..=b' ' | 0x7f.. => out.push_str(&format!("%{byte:02x}")),
            byte => out.push(char::from(byte)),
        }
    }
    Some(out)
}

/// Parses a path from text with percent-encoded bytes; `None` if it is malformed.
fn path(word: &str) -> Option<PathBuf> {
    let mut out = Vec::new();
    let mut bytes = word.bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                u8::try_from(digit(bytes.next())? * 16 + digit(bytes.next())?).ok()?
            }
            byte => byte,
        });
    }
    (!out.is_empty() && !out.contains(&0)).then(|| of_bytes(out)).flatten().map(PathBuf::from)
}

/// Returns the bytes of a path; never `None` on this system.
#[cfg(unix)]
fn bytes_of(path: &Path) -> Option<Vec<u8>> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(path.as_os_str().as_bytes().to_vec())
}

/// Returns the path that consists of the given bytes; never `None` on this system.
#[cfg(unix)]
fn of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(OsString::from_vec(bytes))
}

/// Returns the bytes of a path in UTF-8, with slashes; `None` if it is not Unicode text.
#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Option<Vec<u8>> {
    Some(path.to_str()?.replace('\\', "/").into_bytes())
}

/// Returns the path that consists of the given bytes; `None` if they are not UTF-8.
#[cfg(not(unix))]
fn of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::{Journal, JournalLine, hash};

    /// Returns a journal with the entry of one file.
    fn one(path: &str, staged: &str) -> Journal {
        let (path, staged) = (path.into(), staged.into());
        Journal { lines: vec![JournalLine { before: hash(b"a"), after: hash(b"b"), staged, path }] }
    }

    /// Checks that a written journal is read back, and that an incomplete one is not.
    #[test]
    fn what_is_written_is_read() {
        let whole = one("net/a b%é.tf", "net/.groma-1-0.tmp");
        let text = whole.text().unwrap();
        assert_eq!(Journal::read(text.as_bytes()), Some(whole));
        for end in 0..text.len() {
            assert_eq!(Journal::read(&text.as_bytes()[..end]), None);
        }
    }

    /// Checks that a journal that names files outside of its directory or hidden files is not read.
    #[test]
    fn a_strangers_journal_names_nothing_else() {
        let staged = "net/.groma-1-0.tmp";
        for path in
            ["../a.tf", "/etc/passwd", ".git/config", "a/.git/config", "a/../../b", ".bashrc"]
        {
            assert_eq!(Journal::read(one(path, staged).text().unwrap().as_bytes()), None, "{path}");
        }
        for staged in
            ["../.groma-1-0.tmp", "/tmp/.groma-1-0.tmp", "b.tf", ".git/.groma-1-0.tmp", ".groma-1"]
        {
            let journal = one("a.tf", staged).text().unwrap();
            assert_eq!(Journal::read(journal.as_bytes()), None, "{staged}");
        }
    }
}
