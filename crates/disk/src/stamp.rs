//! Stamps of files and folders: metadata that the system gives without opening them, and that changes when they do. A stamp can
//! be relied on only if it is older than the time before the first read; otherwise a later change may leave it equal.

use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

/// Time in nanoseconds that must pass after a change so that a later change gets another stamp, where the file system records
/// fractions of a second.
const FINE: i64 = 50_000_000;

/// Time in nanoseconds that must pass after a change so that a later change gets another stamp, where the file system records
/// whole seconds.
const COARSE: i64 = 2_500_000_000;

/// The number of nanoseconds in a second.
const SECOND: i64 = 1_000_000_000;

/// The metadata that detects a change of a file or folder: inode, length, and the times of the last changes of content and of the
/// entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct FileStamp {
    inode: u64,
    length: u64,
    /// The time of the last change of the content, which programs can set, in nanoseconds since 1970.
    modified: i64,
    /// The time of the last change of any kind, which no program can set back; that of the content where the system has no other.
    changed: i64,
}

impl FileStamp {
    /// Returns the stamp of an entry from its metadata.
    pub fn of(found: &Metadata) -> FileStamp {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let nanoseconds =
                |whole: i64, part: i64| whole.saturating_mul(SECOND).saturating_add(part);
            FileStamp {
                inode: found.ino(),
                length: found.len(),
                modified: nanoseconds(found.mtime(), found.mtime_nsec()),
                changed: nanoseconds(found.ctime(), found.ctime_nsec()),
            }
        }
        #[cfg(not(unix))]
        {
            let modified = found.modified().map_or(i64::MAX, nanoseconds);
            FileStamp { inode: 0, length: found.len(), modified, changed: modified }
        }
    }

    /// Returns the stamp of an entry from the result of a `stat` call.
    #[cfg(target_os = "linux")]
    pub(crate) fn of_stat(found: &rustix::fs::Stat) -> FileStamp {
        let nanoseconds = |whole: i128, part: i128| {
            i64::try_from(whole * i128::from(SECOND) + part).unwrap_or(i64::MAX)
        };
        FileStamp {
            inode: found.st_ino,
            length: u64::try_from(found.st_size).unwrap_or(0),
            modified: nanoseconds(found.st_mtime.into(), found.st_mtime_nsec.into()),
            changed: nanoseconds(found.st_ctime.into(), found.st_ctime_nsec.into()),
        }
    }

    /// Returns the inode number of the entry; 0 where the system has none.
    pub(crate) fn inode(&self) -> u64 {
        self.inode
    }

    /// Returns true if the last change of the entry was long enough before `clock` that any change after that moment gives
    /// another stamp.
    pub fn is_before(&self, clock: StampClock) -> bool {
        let margin = if self.changed % SECOND == 0 { COARSE } else { FINE };
        self.changed.saturating_add(margin) < clock.0
    }

    /// Returns the stamp as text; different stamps have different texts.
    pub fn text(&self) -> String {
        let FileStamp { inode, length, modified, changed } = self;
        format!("{inode} {length} {modified} {changed}")
    }
}

/// Returns a time as nanoseconds since 1970; zero for earlier ones.
fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

/// The time just before a series of files was read, in nanoseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub struct StampClock(i64);

impl StampClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "stamps are compared with it, and no value is made of it"
    )]
    /// Returns the current time of the system clock, to be taken before files are read.
    pub fn now() -> StampClock {
        StampClock(nanoseconds(SystemTime::now()))
    }
}
