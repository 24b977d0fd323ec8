//! The stamp file of an earlier run, compared with the disk. A stamp can only prove that a line is still valid; otherwise the line's
//! key decides, which depends on file contents.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use groma::disk::{FolderCheck, StampClock};
use groma_fleet::{StampEntry, StampedResult, StampedRoot, StampedSearch};

use crate::files::ResultFiles;
use crate::parallel;

/// The number of bytes of a stamp file that a thread takes at a time, apart from the rest of the last line.
const BYTES_PER_TURN: u64 = 1 << 15;

/// The stamp file that an earlier run has written, with the answer of the disk to each of its folder records.
pub(super) struct EarlierStamps {
    parts: Vec<StampPart>,
    /// The searches for roots of that run.
    pub searches: Vec<StampedSearch>,
    /// The entries of its roots, in the order of their lines.
    roots: Vec<StampedRoot>,
    by_name: HashMap<String, usize>,
    /// True if the files of results are as that run has left them.
    are_results_kept: bool,
}

/// Some lines of a stamp file that follow each other.
struct StampPart {
    text: String,
    /// The number of folder records in the parts before.
    first: usize,
    /// The folder records.
    folders: Vec<StampedFolder>,
}

/// A folder record in a [`StampPart`].
struct StampedFolder {
    /// The offset of its first byte in the text.
    begin: usize,
    /// The offset after its last byte, before the line end.
    end: usize,
    /// True if the folder is unchanged on the disk.
    is_current: bool,
}

/// Returns the write times and lengths of a result's files, and in the field `settled` whether every later change of a file
/// will alter them.
pub(super) fn result_stamps(results: &ResultFiles) -> io::Result<StampedResult> {
    let ([lines, keys], now) = (results.result_stamps()?, StampClock::now());
    let settled = lines.is_before(now) && keys.is_before(now);
    Ok(StampedResult { lines: lines.text(), keys: keys.text(), settled })
}

impl StampPart {
    /// Parses whole lines of a stamp file and compares their folder records with the disk; also returns the other entries. `None`
    /// if a line is not valid.
    fn read(lines: Vec<u8>) -> Option<(StampPart, Vec<StampEntry>)> {
        let text = String::from_utf8(lines).ok()?;
        let (mut folders, mut entries, mut begin) = (Vec::new(), Vec::new(), 0);
        let mut check = FolderCheck::default();
        for line in text.split_inclusive('\n') {
            let end = begin + line.len() - 1;
            match StampEntry::read(line).ok()? {
                Some(entry) => entries.push(entry),
                None => {
                    let is_current = check.is_current(line.strip_suffix('\n')?);
                    folders.push(StampedFolder { begin, end, is_current });
                }
            }
            begin = end + 1;
        }
        Some((StampPart { text, first: 0, folders }, entries))
    }
}

/// Reads a file in parts of whole lines and passes each to `take`.
fn read_parts(mut file: impl BufRead, take: &mut dyn FnMut(Vec<u8>)) -> io::Result<()> {
    loop {
        let mut part = Vec::with_capacity(BYTES_PER_TURN as usize * 5 / 4);
        file.by_ref().take(BYTES_PER_TURN).read_to_end(&mut part)?;
        file.read_until(b'\n', &mut part)?;
        if part.is_empty() {
            return Ok(());
        }
        take(part);
    }
}

impl EarlierStamps {
    /// Reads the stamp file next to a file of results on `threads` threads and compares all its folder records with the disk, since
    /// a run that resumes the same roots needs them all; `None` if there is no valid one.
    pub(super) fn read(results: &ResultFiles, threads: usize) -> Option<EarlierStamps> {
        let file = results.stamps()?;
        let mut is_read = false;
        let find = |take: &mut dyn FnMut(Vec<u8>)| is_read = read_parts(file, take).is_ok();
        let read = parallel::each(threads, find, StampPart::read);
        let (mut parts, mut first) = (Vec::with_capacity(read.len()), 0);
        let (mut searches, mut roots, mut last) = (Vec::new(), Vec::new(), None);
        for one in read {
            let (part, entries) = one?;
            let before = first;
            first += part.folders.len();
            parts.push(StampPart { first: before, ..part });
            for entry in entries {
                match entry {
                    StampEntry::Root(root) => roots.push(root),
                    StampEntry::Search(search) => searches.push(search),
                    StampEntry::Result(result) => last = Some(result),
                }
            }
        }
        let last = last.filter(|_| is_read)?;
        let now = result_stamps(results).ok();
        let are_results_kept =
            last.settled && now.is_some_and(|now| now.lines == last.lines && now.keys == last.keys);
        let named = roots.iter().enumerate().map(|(at, root)| (root.root.clone(), at));
        let by_name = named.collect();
        Some(EarlierStamps { parts, searches, roots, by_name, are_results_kept })
    }

    /// Calls `take` for the folder records with these numbers, given as ranges of first and count, with the part that each is in,
    /// until it returns false. Returns true if there are all of them and `take` has returned true for each.
    fn all_folders(
        &self,
        ranges: &[(usize, usize)],
        mut take: impl FnMut(&StampPart, &StampedFolder) -> bool,
    ) -> bool {
        ranges.iter().all(|(first, count)| {
            let (mut at, mut left) = (*first, *count);
            let number = self.parts.partition_point(|part| part.first <= at).saturating_sub(1);
            for part in self.parts.get(number..).unwrap_or_default() {
                let here = part.folders.get(at - part.first..).unwrap_or_default();
                let here = &here[..here.len().min(left)];
                if !here.iter().all(|folder| take(part, folder)) {
                    return false;
                }
                (at, left) = (at + here.len(), left - here.len());
                if left == 0 {
                    break;
                }
            }
            left == 0
        })
    }

    /// Returns true if the folders that the records with these numbers describe, given as ranges of first and count, are unchanged
    /// on the disk.
    pub(super) fn are_current(&self, ranges: &[(usize, usize)]) -> bool {
        self.all_folders(ranges, |_, folder| folder.is_current)
    }

    /// Returns the folder records with these numbers, given as ranges of first and count, as lines of the stamp file.
    pub(super) fn records_of(&self, ranges: &[(usize, usize)]) -> Vec<String> {
        let mut lines = Vec::new();
        self.all_folders(ranges, |part, folder| {
            lines.extend(part.text.get(folder.begin..folder.end).map(str::to_owned));
            true
        });
        lines
    }

    /// Returns the entry of a root with this name; `None` if that run did not ask it.
    pub(super) fn root(&self, name: &str) -> Option<&StampedRoot> {
        self.roots.get(*self.by_name.get(name)?)
    }

    /// Returns true if the file of results is unchanged and has the lines of exactly the roots with these names, in their order.
    pub(super) fn has_exactly<'n>(&self, names: impl Iterator<Item = &'n str>) -> bool {
        self.are_results_kept && self.roots.iter().map(|root| &*root.root).eq(names)
    }
}
