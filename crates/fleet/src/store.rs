//! The result file of a fleet run. The file is only replaced as a whole, so it always consists of whole lines. New lines go to a
//! journal beside it first, which a later run merges if this one is interrupted.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::sync::Arc;

use groma::folders::{ReadingGroup, hex_digest};

use crate::answer::RootAnswer;
use crate::key::{KeyEntry, LineKey, group_of};

/// A part of a result, stored in a file of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ResultPart {
    /// The lines.
    Lines,
    /// The keys of the lines, with the readings that they depend on.
    Keys,
    /// Keys and lines that are not in the other parts yet.
    Journal,
}

/// A readable file that can be read from any position.
pub trait SeekableRead: Read + Seek + Send {}

impl<R: Read + Seek + Send> SeekableRead for R {}

/// The storage of a fleet result's parts, such as files on disk.
pub trait ResultStore {
    /// Opens a part for reading; `None` if it does not exist.
    ///
    /// # Errors
    /// If the part exists and cannot be read.
    fn read(&self, part: ResultPart) -> io::Result<Option<Box<dyn SeekableRead>>>;

    /// Truncates a part and returns a stream that writes to it.
    ///
    /// # Errors
    /// If it cannot be written.
    fn begin(&self, part: ResultPart) -> io::Result<Box<dyn Write + Send>>;

    /// Replaces a part atomically: afterwards it has either all that `write` writes, or its old content.
    ///
    /// # Errors
    /// If it cannot be written; the old content is kept.
    fn replace(
        &self,
        part: ResultPart,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()>;

    /// Removes a part, if it exists.
    ///
    /// # Errors
    /// If it exists and cannot be removed.
    fn remove(&self, part: ResultPart) -> io::Result<()>;
}

/// The position of a result line in a file, with its key.
#[derive(Clone, Debug)]
struct StoredLine {
    key: LineKey,
    part: ResultPart,
    /// The offset of its first byte in the file.
    offset: u64,
    /// Its length in bytes, line end included.
    length: u64,
}

/// A result that is being written, possibly with lines of an earlier run.
pub struct ResultFile<S> {
    store: S,
    journal: Box<dyn Write + Send>,
    /// The length of the journal in bytes.
    length: u64,
    /// The identifiers of the groups written to the journal.
    written: HashSet<String>,
    /// All known groups of readings, by identifier.
    groups: HashMap<String, Arc<ReadingGroup>>,
    /// The lines of earlier runs, by root.
    earlier: BTreeMap<String, StoredLine>,
    /// The lines of this run, in order.
    lines: Vec<StoredLine>,
    /// The number of lines at which the file is replaced next; `None` while it has lines of an earlier run.
    next: Option<usize>,
}

impl<S: ResultStore> ResultFile<S> {
    /// Begins a result. With `resumes` lines of earlier runs can be kept.
    ///
    /// # Errors
    /// If the files cannot be read or written.
    pub fn begin(store: S, resumes: bool) -> io::Result<ResultFile<S>> {
        let mut groups = HashMap::new();
        let mut earlier: BTreeMap<String, StoredLine> = BTreeMap::new();
        if resumes {
            let mut lines = stored_lines(&store, &mut groups)?;
            let in_file = lines.len();
            lines.extend(journal_lines(&store, &mut groups)?);
            if lines.len() > in_file {
                // The journal of an interrupted run is merged into the file first.
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

    /// Returns the key and the readings of the line that an earlier run wrote for a root.
    pub fn earlier(&self, root: &str) -> Option<(&LineKey, Vec<Arc<ReadingGroup>>)> {
        let line = self.earlier.get(root)?;
        let groups = line.key.groups.iter().map(|id| self.groups.get(id).cloned());
        Some((&line.key, groups.collect::<Option<_>>()?))
    }

    /// Keeps the line of an earlier run as the next one. Returns its key, `None` if there is no such line.
    pub fn keep(&mut self, root: &str) -> Option<&LineKey> {
        let line = self.earlier.remove(root)?;
        self.lines.push(line);
        self.lines.last().map(|line| &line.key)
    }

    /// Adds the line of an answer as the next one. `settings` is the digest of what the answer depends on besides files, and
    /// `groups` are the files read for it.
    ///
    /// # Errors
    /// If it cannot be written. Nothing more must be added then; a later run can resume the result.
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

    /// Replaces the file by the lines of this run, and removes the journal.
    ///
    /// # Errors
    /// If it cannot be written; a later run can resume the result.
    pub fn finish(mut self) -> io::Result<()> {
        self.journal.flush()?;
        publish(&self.store, &self.lines, &self.groups)?;
        self.store.remove(ResultPart::Journal)
    }
}

/// Replaces the file and its keys by some lines of the file and the journal.
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
            // The next line usually follows directly, so the buffer has it already.
            file.seek_relative(line.offset.wrapping_sub(position) as i64)?;
            let copied = io::copy(&mut file.take(line.length), out)?;
            if copied != line.length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(())
    })
}

/// A reader of whole lines with their offsets.
struct LineReader {
    file: BufReader<Box<dyn SeekableRead>>,
    /// The offset of the next line.
    offset: u64,
    text: Vec<u8>,
}

impl LineReader {
    /// Returns a reader of a part; `None` if the part does not exist.
    fn of(store: &impl ResultStore, part: ResultPart) -> io::Result<Option<LineReader>> {
        let read = |file| LineReader { file: BufReader::new(file), offset: 0, text: Vec::new() };
        Ok(store.read(part)?.map(read))
    }

    /// Reads the next whole line, without its end. Returns false at the end, and at an incomplete line.
    fn next(&mut self) -> io::Result<bool> {
        self.text.clear();
        self.offset += self.file.read_until(b'\n', &mut self.text)? as u64;
        Ok(self.text.pop_if(|last| *last == b'\n').is_some())
    }
}

/// Reads the keys of a part, and the line of each from `lines`, or else from after its key. Lines that do not match their keys
/// are dropped.
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

/// Returns the lines of the file that match their keys.
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

/// Returns the complete lines of the journal.
fn journal_lines(
    store: &impl ResultStore,
    groups: &mut HashMap<String, Arc<ReadingGroup>>,
) -> io::Result<Vec<StoredLine>> {
    match LineReader::of(store, ResultPart::Journal)? {
        Some(journal) => keyed_lines(ResultPart::Journal, journal, None, groups),
        None => Ok(Vec::new()),
    }
}
