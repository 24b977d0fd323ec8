//! Records of what was read of a folder, and checks if it has changed since, without opening files. A positive answer is always
//! right; a negative one may also mean that the system does not tell.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{MAIN_SEPARATOR, Path};

use crate::stamp::{FileStamp, StampClock};

/// A record of what was read of one folder to compute a result: entries, missing names and links, with a digest of stamps that
/// later shows whether the result still holds.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct FolderRecord {
    /// The path of the folder, without links.
    path: String,
    /// True if its entries were listed, so that any added or removed entry counts as a change.
    is_listed: bool,
    /// The names of the files in it that were read.
    files: BTreeSet<String>,
    /// The names that were looked up and did not exist.
    absent: BTreeSet<String>,
    /// The names of symbolic links, each with the path to which it resolves.
    links: BTreeSet<(String, String)>,
    /// The digest of the stamps of the folder and its files; `None` if they are too recent to be relied on.
    stamp: Option<u64>,
}

/// A digest of file stamps under construction.
#[derive(Default)]
pub(crate) struct StampDigest(DefaultHasher);

impl StampDigest {
    /// Adds the whole stamp of a listed folder or of a file to the digest, so that any change of it alters the digest.
    pub(crate) fn add(&mut self, stamp: &FileStamp) {
        stamp.hash(&mut self.0);
    }

    /// Adds only the inode of a folder to the digest: the folder has to exist, but its entries do not matter.
    pub(crate) fn add_inode(&mut self, stamp: &FileStamp) {
        stamp.inode().hash(&mut self.0);
    }

    /// Returns the 64-bit hash of all stamps added.
    pub(crate) fn finish(&self) -> u64 {
        self.0.finish()
    }
}

impl FolderRecord {
    /// Creates an empty record for the folder at a path.
    pub(crate) fn of(path: &str) -> FolderRecord {
        FolderRecord { path: path.to_owned(), ..FolderRecord::default() }
    }

    /// Records that the entries of the folder were listed.
    pub(crate) fn list(&mut self) {
        self.is_listed = true;
    }

    /// Returns true if the entries of the folder were listed.
    pub(crate) fn is_listed(&self) -> bool {
        self.is_listed
    }

    /// Records the name of a file that was read.
    pub(crate) fn add_file(&mut self, name: &str) {
        self.files.insert(name.to_owned());
    }

    /// Records a name that was looked up and did not exist.
    pub(crate) fn add_absent(&mut self, name: &str) {
        self.absent.insert(name.to_owned());
    }

    /// Records a symbolic link and the path to which it resolves.
    pub(crate) fn add_link(&mut self, name: &str, real: &str) {
        self.links.insert((name.to_owned(), real.to_owned()));
    }

    /// Returns the folder's path, without links.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the names of the files that were read, sorted.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// Sets the digest of the stamps of the folder and its files; `None` if they may have changed since they were read.
    pub(crate) fn set_stamp(&mut self, stamp: Option<u64>) {
        self.stamp = stamp;
    }

    /// Returns true if the record has a digest, so that any later change can be detected.
    pub(crate) fn is_settled(&self) -> bool {
        self.stamp.is_some()
    }

    /// Returns the record as a line of text without a line end; `None` if a name in it contains a tab or a line end.
    pub fn text(&self) -> Option<String> {
        let stamp = self.stamp.map_or_else(|| "-".to_owned(), |stamp| format!("{stamp:x}"));
        let mut line = format!("{}\t{stamp}\t{}", self.path, if self.is_listed { "l" } else { "" });
        for name in &self.files {
            line.push_str("\t+");
            line.push_str(name);
        }
        for name in &self.absent {
            line.push_str("\t-");
            line.push_str(name);
        }
        for (name, real) in &self.links {
            line.push_str("\t@");
            line.push_str(name);
            line.push_str("\t=");
            line.push_str(real);
        }
        let names = self.files.iter().chain(&self.absent);
        let links = self.links.iter().flat_map(|(name, real)| [name, real]);
        let is_plain = |text: &String| !text.contains(['\t', '\n']);
        let are_plain = names.chain(links).chain([&self.path]).all(is_plain);
        are_plain.then_some(line)
    }
}

/// A check whether folders on the disk are unchanged since their records were made. It remembers one path and one open folder at
/// most.
#[derive(Default)]
pub struct FolderCheck {
    path: String,
    /// True if no folder is opened: for few records, opening costs more than it saves.
    is_by_whole_paths: bool,
    /// The open folder, with its path: entries below it are queried relative to it, by shorter paths.
    #[cfg(target_os = "linux")]
    open: Option<(String, std::os::fd::OwnedFd)>,
}

impl FolderCheck {
    /// Creates a check that opens no folders and queries every entry by its full path, which is cheaper for few records.
    pub(crate) fn by_whole_paths() -> FolderCheck {
        FolderCheck { is_by_whole_paths: true, ..FolderCheck::default() }
    }

    /// Returns true if the disk is unchanged since the folder record that `line` contains was made.
    pub fn is_current(&mut self, line: &str) -> bool {
        self.check_line(line).is_some()
    }

    /// Returns the stamp of the entry at `self.path`, not following a link there, and true if it is a folder; `None` if there is
    /// neither a file nor a folder.
    fn stamp(&mut self) -> Option<(FileStamp, bool)> {
        #[cfg(target_os = "linux")]
        if let Some((above, folder)) = &self.open
            && let Some(rest) = self.path.strip_prefix(&**above)
        {
            use rustix::fs::{AtFlags, FileType, statat};
            let found = statat(folder, rest, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            let kind = FileType::from_raw_mode(found.st_mode);
            let is_known = kind.is_file() || kind.is_dir();
            return is_known.then(|| (FileStamp::of_stat(&found), kind.is_dir()));
        }
        let found = fs::symlink_metadata(&self.path).ok()?;
        let is_known = found.is_file() || found.is_dir();
        is_known.then(|| (FileStamp::of(&found), found.is_dir()))
    }

    /// Opens the folder at `self.path`, so that its files are queried relative to it, unless the folder that is already open
    /// contains it.
    #[cfg(target_os = "linux")]
    fn enter(&mut self) {
        use rustix::fs::{Mode, OFlags, open};
        if self.open.as_ref().is_some_and(|(above, _)| self.path.starts_with(&**above)) {
            return;
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = open(&*self.path, flags, Mode::empty()).ok();
        self.open = opened.map(|folder| (self.path.clone(), folder));
    }

    /// Compares the folder record in a line of text with the disk: `Some` if nothing has changed, `None` if anything has or the
    /// line is invalid.
    fn check_line(&mut self, line: &str) -> Option<()> {
        let mut parts = line.split('\t');
        let folder = parts.next()?;
        let stamp = u64::from_str_radix(parts.next()?, 16).ok()?;
        let is_listed = parts.next()? == "l";
        let mut digest = StampDigest::default();
        self.path.clear();
        self.path.push_str(folder);
        let (found, is_folder) = self.stamp()?;
        match is_folder.then_some(is_listed)? {
            true => digest.add(&found),
            false => digest.add_inode(&found),
        }
        if !self.path.ends_with(MAIN_SEPARATOR) {
            self.path.push(MAIN_SEPARATOR);
        }
        #[cfg(target_os = "linux")]
        if is_listed && !self.is_by_whole_paths {
            self.enter();
        }
        let top = self.path.len();
        while let Some(part) = parts.next() {
            let (kind, name) = part.split_at_checked(1)?;
            self.path.truncate(top);
            self.path.push_str(name);
            match kind {
                "+" => {
                    let (found, is_folder) = self.stamp()?;
                    digest.add(&(!is_folder).then_some(found)?);
                }
                "-" => {
                    // A link without a target counts as missing.
                    let missing = fs::metadata(&self.path).err()?;
                    (missing.kind() == std::io::ErrorKind::NotFound).then_some(())?;
                }
                "@" => {
                    let real = parts.next()?.strip_prefix('=')?;
                    (fs::canonicalize(&self.path).ok()? == Path::new(real)).then_some(())?;
                }
                _ => return None,
            }
        }
        (digest.finish() == stamp).then_some(())
    }
}

/// Returns the digest of the stamps of a folder and of the `files` read in it; of a `folder` whose flag is false, as its entries
/// were not listed, only the inode counts; `None` if a stamp is so recent at `clock` that a later change could leave it equal.
pub(crate) fn digest_of(
    folder: (&FileStamp, bool),
    files: &[FileStamp],
    clock: StampClock,
) -> Option<u64> {
    let mut digest = StampDigest::default();
    match folder {
        (stamp, true) => {
            stamp.is_before(clock).then_some(())?;
            digest.add(stamp);
        }
        (stamp, false) => digest.add_inode(stamp),
    }
    for stamp in files {
        stamp.is_before(clock).then_some(())?;
        digest.add(stamp);
    }
    Some(digest.finish())
}
