//! The file of results. The file itself is only ever replaced as a whole, so it holds whole lines at any moment; new lines go
//! to a journal beside it, which a later run takes in if this one is ended before it does so itself.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::sync::Arc;

use groma::folders::{ReadingGroup, hex_digest};

use crate::answer::RootAnswer;
use crate::key::{KeyEntry, LineKey, group_of};

/// The part of a result that a file holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ResultPart {
    /// The lines.
    Lines,
    /// The keys of the lines, and the readings that they rest on.
    Keys,
    /// Keys and lines that are not in the other two yet.
    Journal,
}

/// A file that is read from any place.
pub trait SeekableRead: Read + Seek + Send {}

impl<R: Read + Seek + Send> SeekableRead for R {}

/// The files that hold a result.
pub trait ResultStore {
    /// Reads a part; nothing if it is missing.
    ///
    /// # Errors
    /// Where the part is there and cannot be read.
    fn read(&self, part: ResultPart) -> io::Result<Option<Box<dyn SeekableRead>>>;

    /// Begins a part anew and gives a stream to its end.
    ///
    /// # Errors
    /// Where it cannot be written.
    fn begin(&self, part: ResultPart) -> io::Result<Box<dyn Write + Send>>;

    /// Replaces a part as a whole: either all that `write` writes is there, or what was there before.
    ///
    /// # Errors
    /// Where it cannot be written; the old content is then still there.
    fn replace(
        &self,
        part: ResultPart,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()>;

    /// Removes a part, if it is there.
    ///
    /// # Errors
    /// Where it is there and cannot be removed.
    fn remove(&self, part: ResultPart) -> io::Result<()>;
}

/// A line that stands in a file.
#[derive(Clone, Debug)]
struct StoredLine {
    key: LineKey,
    part: ResultPart,
    /// The offset of its first byte in the file.
    offset: u64,
    /// Its length in bytes, with its end.
    length: u64,
}

/// A result that is being written.
pub struct ResultFile<S> {
    store: S,
    journal: Box<dyn Write + Send>,
    /// The length of the journal in bytes.
    length: u64,
    /// The identifiers of the groups that the journal holds.
    written: HashSet<String>,
    groups: HashMap<String, Arc<ReadingGroup>>,
    /// The lines of earlier runs, by root.
    earlier: BTreeMap<String, StoredLine>,
    /// The lines of this run, in their order.
    lines: Vec<StoredLine>,
    /// The number of lines at which the file is replaced again; nothing while it holds lines of an earlier run.
    next: Option<usize>,
}

impl<S: ResultStore> ResultFile<S> {
    /// Begins a result. With `resumes` the lines that earlier runs have written may be kept.
    ///
    /// # Errors
    /// Where the files cannot be read or written.
    pub fn begin(store: S, resumes: bool) -> io::Result<ResultFile<S>> {
        let mut groups = HashMap::new();
        let mut earlier: BTreeMap<String, StoredLine> = BTreeMap::new();
        if resumes {
            let mut lines = stored_lines(&store, &mut groups)?;
            let in_file = lines.len();
            lines.extend(journal_lines(&store, &mut groups)?);
            if lines.len() > in_file {
                // What an ended run has left joins the file first, so that one place holds all.
                let last: HashMap<String, usize> = lines
                    .iter()
                    .enumerate()
                    .map(|(at, line)| (line.key.root.clone(), at))
                    .collect();
                let mut at = 0;
                lines.retain(|line| {
                    at += 1;
                    last.get(&line.key.root) == Some(&(at - 1))
                });
                publish(&store, &lines, &groups)?;
                lines = stored_lines(&store, &mut groups)?;
            }
            earlier.extend(lines.into_iter().map(|line| (line.key.root.clone(), line)));
        }
        let journal = store.begin(ResultPart::Journal)?;
        let next = earlier.is_empty().then_some(1);
        let (length, written, lines) = (0, HashSet::new(), Vec::new());
        Ok(ResultFile { store, journal, length, written, groups, earlier, lines, next })
    }

    /// The key of the line that an earlier run wrote for a root, and the readings that it rests on.
    pub fn earlier(&self, root: &str) -> Option<(&LineKey, Vec<Arc<ReadingGroup>>)> {
        let line = self.earlier.get(root)?;
        let groups = line.key.groups.iter().map(|id| self.groups.get(id).cloned());
        Some((&line.key, groups.collect::<Option<_>>()?))
    }

    /// Keeps the line of an earlier run as the next one, and returns its key; nothing if there is no such line.
    pub fn keep(&mut self, root: &str) -> Option<&LineKey> {
        let line = self.earlier.remove(root)?;
        self.lines.push(line);
        self.lines.last().map(|line| &line.key)
    }

    /// Adds the line of an answer as the next one. `settings` is the digest of what the answer depends on beside files, and
    /// `groups` is what was read for it.
    ///
    /// # Errors
    /// Where it cannot be written. The result is then not to be written any more; a later run resumes it.
    pub fn add(
        &mut self,
        root: &str,
        settings: &str,
        answer: &RootAnswer,
        groups: Vec<Arc<ReadingGroup>>,
    ) -> io::Result<()> {
        let line = answer.line(root);
        let mut entry = String::new();
        let mut ids = Vec::with_capacity(groups.len());
        for group in groups {
            ids.push(group.id.clone());
            if self.written.insert(group.id.clone()) {
                entry.push_str(&KeyEntry::of_group(&group).text());
                self.groups.entry(group.id.clone()).or_insert(group);
            }
        }
        let key = LineKey {
            root: root.to_owned(),
            settings: settings.to_owned(),
            line: hex_digest(&line),
            error: answer.error.as_ref().map(|(code, _)| code.clone()),
            groups: ids,
        };
        entry.push_str(&KeyEntry::Line(key.clone()).text());
        let offset = self.length + entry.len() as u64;
        entry.push_str(&line);
        entry.push('\n');
        self.journal.write_all(entry.as_bytes())?;
        self.journal.flush()?;
        self.length += entry.len() as u64;
        let length = line.len() as u64 + 1;
        self.lines.push(StoredLine { key, part: ResultPart::Journal, offset, length });
        if self.next.is_some_and(|next| self.lines.len() >= next) {
            publish(&self.store, &self.lines, &self.groups)?;
            self.next = Some(self.lines.len() * 2);
        }
        Ok(())
    }

    /// Replaces the file by the lines of this run.
    ///
    /// # Errors
    /// Where it cannot be written; a later run resumes it.
    pub fn finish(mut self) -> io::Result<()> {
        self.journal.flush()?;
        publish(&self.store, &self.lines, &self.groups)?;
        self.store.remove(ResultPart::Journal)
    }
}

/// Replaces the file and its keys by some lines, which stand in the file or in the journal.
fn publish(
    store: &impl ResultStore,
    lines: &[StoredLine],
    groups: &HashMap<String, Arc<ReadingGroup>>,
) -> io::Result<()> {
    store.replace(ResultPart::Keys, &mut |out| {
        let mut written: HashSet<&str> = HashSet::new();
        for line in lines {
            for id in &line.key.groups {
                if let Some(group) = groups.get(id)
                    && written.insert(id)
                {
                    out.write_all(KeyEntry::of_group(group).text().as_bytes())?;
                }
            }
            out.write_all(KeyEntry::Line(line.key.clone()).text().as_bytes())?;
        }
        Ok(())
    })?;
    let mut open: BTreeMap<ResultPart, BufReader<Box<dyn SeekableRead>>> = BTreeMap::new();
    for part in [ResultPart::Lines, ResultPart::Journal] {
        if let Some(file) = store.read(part)? {
            open.insert(part, BufReader::new(file));
        }
    }
    store.replace(ResultPart::Lines, &mut |out| {
        for line in lines {
            let file = open.get_mut(&line.part).ok_or(io::ErrorKind::NotFound)?;
            let position = file.stream_position()?;
            // Mostly the next line is the next to be copied, and the buffer holds it already.
            file.seek_relative(line.offset.wrapping_sub(position) as i64)?;
            let copied = io::copy(&mut file.take(line.length), out)?;
            if copied != line.length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(())
    })
}

/// A file that is read line by line.
struct LineReader {
    file: BufReader<Box<dyn SeekableRead>>,
    /// The offset of the next line.
    offset: u64,
    text: Vec<u8>,
}

impl LineReader {
    /// The lines of a part; nothing if it is missing.
    fn of(store: &impl ResultStore, part: ResultPart) -> io::Result<Option<LineReader>> {
        let read = |file| LineReader { file: BufReader::new(file), offset: 0, text: Vec::new() };
        Ok(store.read(part)?.map(read))
    }

    /// Reads the next whole line, without its end; false where there is none or only a part of one.
    fn next(&mut self) -> io::Result<bool> {
        self.text.clear();
        self.offset += self.file.read_until(b'\n', &mut self.text)? as u64;
        Ok(self.text.pop_if(|last| *last == b'\n').is_some())
    }
}

/// Reads the keys of a part, and the line of each from `lines`, or from behind its key. Lines that do not agree with their
/// keys are left out.
fn keyed_lines(
    part: ResultPart,
    mut keys: LineReader,
    mut lines: Option<LineReader>,
    groups: &mut HashMap<String, Arc<ReadingGroup>>,
) -> io::Result<Vec<StoredLine>> {
    let mut found = Vec::new();
    while keys.next()? {
        let key = match serde_json::from_slice(&keys.text) {
            Ok(KeyEntry::Line(key)) => key,
            Ok(KeyEntry::Group { group, readings }) => {
                groups.entry(group.clone()).or_insert_with(|| group_of(group, readings));
                continue;
            }
            Err(_) => break,
        };
        let file = lines.as_mut().unwrap_or(&mut keys);
        let offset = file.offset;
        if !file.next()? {
            break;
        }
        if std::str::from_utf8(&file.text).is_ok_and(|line| hex_digest(&line) == key.line) {
            found.push(StoredLine { key, part, offset, length: file.offset - offset });
        }
    }
    Ok(found)
}

/// The lines of the file whose keys agree with them.
fn stored_lines(
    store: &impl ResultStore,
    groups: &mut HashMap<String, Arc<ReadingGroup>>,
) -> io::Result<Vec<StoredLine>> {
    let keys = LineReader::of(store, ResultPart::Keys)?;
    match (keys, LineReader::of(store, ResultPart::Lines)?) {
        (Some(keys), Some(lines)) => keyed_lines(ResultPart::Lines, keys, Some(lines), groups),
        _ => Ok(Vec::new()),
    }
}

/// The whole lines of the journal.
fn journal_lines(
    store: &impl ResultStore,
    groups: &mut HashMap<String, Arc<ReadingGroup>>,
) -> io::Result<Vec<StoredLine>> {
    match LineReader::of(store, ResultPart::Journal)? {
        Some(journal) => keyed_lines(ResultPart::Journal, journal, None, groups),
        None => Ok(Vec::new()),
    }
}
