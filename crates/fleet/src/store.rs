//! The result file of a fleet run. The file is only replaced as a whole, so it always consists of complete lines. New lines go to
//! a journal next to it first, which a later run merges if this one is interrupted.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use groma::folders::{ReadingGroup, hex_digest};

use crate::answer::AnswerLine;
use crate::key::{GroupEntry, GroupId, KeyEntry, LineKey, StoredGroup};

/// A file of a stored result: its lines, their keys or the journal.
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

/// The storage of a fleet result: its lines, their keys and the journal, such as files on disk.
pub trait ResultStore {
    /// Opens a part of the result for reading; `None` if it does not exist.
    ///
    /// # Errors
    /// If the part exists and cannot be read.
    fn read(&self, part: ResultPart) -> io::Result<Option<Box<dyn SeekableRead>>>;

    /// Truncates a part of the result and returns a stream that writes to it.
    ///
    /// # Errors
    /// If it cannot be written.
    fn begin(&self, part: ResultPart) -> io::Result<Box<dyn Write + Send>>;

    /// Replaces a part of the result atomically by what `write` writes.
    ///
    /// # Errors
    /// If it cannot be written; the old content is kept.
    fn replace(
        &self,
        part: ResultPart,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()>;

    /// Removes a part of the result, if it exists.
    ///
    /// # Errors
    /// If it exists and cannot be removed.
    fn remove(&self, part: ResultPart) -> io::Result<()>;
}

/// The position of a result line in one of the result's files, with its key.
#[derive(Clone, Debug)]
struct StoredLine {
    key: StoredKey,
    part: ResultPart,
    /// The offset of its first byte in the file.
    offset: u64,
    /// Its length in bytes, line end included.
    length: u64,
}

/// The key of a result line: held in memory for a line of an earlier run, or its position in the journal.
#[derive(Clone, Debug)]
enum StoredKey {
    /// The key of a line of an earlier run.
    Earlier(Box<LineKey>),
    /// A key that this run has written to the journal, after the groups of readings that it is the first to name. Only its
    /// position is held, since all keys would take much memory.
    Written {
        /// The offset of the first byte in the journal.
        offset: u64,
        /// The length in bytes, line end included.
        length: u64,
    },
}

impl StoredLine {
    /// Returns the key of the stored line if an earlier run has written it; `None` for a line of this run, whose key is in the
    /// journal.
    fn earlier_key(&self) -> Option<&LineKey> {
        match &self.key {
            StoredKey::Earlier(key) => Some(key),
            StoredKey::Written { .. } => None,
        }
    }

    /// Returns the root that a line of an earlier run is about; empty for a line of this run.
    fn root(&self) -> &str {
        self.earlier_key().map_or("", |key| &key.root)
    }
}

/// The position of a stored group of readings in one of the result's files, from which it is read when it is needed.
#[derive(Clone, Copy, Debug)]
struct GroupPlace {
    part: ResultPart,
    offset: u64,
    length: u64,
}

/// A result that is being written, possibly with lines of an earlier run.
pub struct ResultFile<S> {
    store: S,
    /// The open journal; `None` until the first new line is added, if an earlier run has left lines.
    journal: Option<Box<dyn Write + Send>>,
    /// The keys of earlier runs.
    keys: Option<Box<dyn SeekableRead>>,
    /// The length of the journal in bytes.
    length: u64,
    /// The groups of readings of earlier runs.
    groups: HashMap<GroupId, GroupPlace>,
    /// A part of the identifier of each group that this run has written.
    written: HashSet<u64>,
    /// The lines of earlier runs, by root.
    earlier: BTreeMap<String, StoredLine>,
    /// The number of lines of earlier runs.
    in_file: usize,
    /// The lines of this run, in order.
    lines: Vec<StoredLine>,
    /// The number of lines at which the file is replaced next; `None` while it has lines of an earlier run.
    next: Option<usize>,
}

impl<S: ResultStore> ResultFile<S> {
    /// Begins to write a result to the files of `store`; with `resumes` reads the lines of earlier runs there, so that they can
    /// be kept.
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
                let roots = lines.iter().map(StoredLine::root).enumerate();
                let last: HashMap<String, usize> =
                    roots.map(|(at, root)| (root.to_owned(), at)).collect();
                let mut at = 0;
                lines.retain(|line| {
                    at += 1;
                    last.get(line.root()) == Some(&(at - 1))
                });
                publish(&store, &lines, &groups)?;
                groups.clear();
                lines = stored_lines(&store, &mut groups)?;
            }
            earlier.extend(lines.into_iter().map(|line| (line.root().to_owned(), line)));
        }
        let is_fresh = earlier.is_empty();
        let journal = is_fresh.then(|| store.begin(ResultPart::Journal)).transpose()?;
        let keys = if is_fresh { None } else { store.read(ResultPart::Keys)? };
        let (next, in_file) = (is_fresh.then_some(1), earlier.len());
        let (length, lines, written) = (0, Vec::new(), HashSet::new());
        Ok(ResultFile {
            store,
            journal,
            keys,
            length,
            groups,
            written,
            earlier,
            in_file,
            lines,
            next,
        })
    }

    /// Returns the key of the line that an earlier run wrote for a root; `None` if there is none.
    pub fn earlier(&self, root: &str) -> Option<&LineKey> {
        self.earlier.get(root)?.earlier_key()
    }

    /// Returns the recorded requests that the line of an earlier run depends on; `None` if the line or one of its groups is
    /// missing.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn earlier_groups(&mut self, root: &str) -> io::Result<Option<Vec<StoredGroup>>> {
        let key = self.earlier.get(root).and_then(StoredLine::earlier_key);
        let (Some(key), Some(keys)) = (key, &mut self.keys) else { return Ok(None) };
        let mut found = Vec::with_capacity(key.groups.len());
        for id in &key.groups {
            let Some(place) = self.groups.get(id) else { return Ok(None) };
            keys.seek(SeekFrom::Start(place.offset))?;
            let mut text = Vec::new();
            keys.as_mut().take(place.length).read_to_end(&mut text)?;
            let entry: Option<GroupEntry> = serde_json::from_slice(&text).ok();
            let Some(group) = entry.and_then(GroupEntry::stored) else { return Ok(None) };
            found.push(group);
        }
        Ok(Some(found))
    }

    /// Appends to the lines of this run the line that an earlier run wrote for a root, and returns its key; `None` if there is no
    /// such line, or it is kept already.
    pub fn keep(&mut self, root: &str) -> Option<&LineKey> {
        let line = self.earlier.remove(root)?;
        self.lines.push(line);
        self.lines.last().and_then(StoredLine::earlier_key)
    }

    /// Appends an answer's line to the result with its key: `settings`, the digest of what the answer depends on besides files,
    /// and `groups`, the readings of files that it depends on.
    ///
    /// # Errors
    /// If it cannot be written. Nothing more must be added then; a later run can resume the result.
    pub fn add(
        &mut self,
        root: &str,
        settings: &str,
        answer: &AnswerLine,
        groups: &[Arc<ReadingGroup>],
    ) -> io::Result<()> {
        let line = &answer.text;
        let mut entry = String::new();
        for group in groups {
            if self.written.insert(GroupId::of(group).part()) {
                entry.push_str(&KeyEntry::Group(GroupEntry::of(group)).text());
            }
        }
        let key = LineKey {
            root: root.to_owned(),
            settings: settings.to_owned(),
            line: answer.digest(),
            error: answer.error.clone(),
            groups: groups.iter().map(|group| GroupId::of(group)).collect(),
        };
        entry.push_str(&KeyEntry::Line(key).text());
        let key = StoredKey::Written { offset: self.length, length: entry.len() as u64 };
        let offset = self.length + entry.len() as u64;
        let journal = match &mut self.journal {
            Some(journal) => journal,
            none => none.insert(self.store.begin(ResultPart::Journal)?),
        };
        journal.write_all(entry.as_bytes())?;
        journal.write_all(line.as_bytes())?;
        journal.write_all(b"\n")?;
        journal.flush()?;
        let length = line.len() as u64 + 1;
        self.length = offset + length;
        self.lines.push(StoredLine { key, part: ResultPart::Journal, offset, length });
        if self.next.is_some_and(|next| self.lines.len() >= next) {
            publish(&self.store, &self.lines, &self.groups)?;
            self.next = Some(self.lines.len() * 2);
        }
        Ok(())
    }

    /// Replaces the contents of the result file by the lines of this run, unless it consists of them already.
    ///
    /// # Errors
    /// If it cannot be written; a later run can resume the result.
    pub fn finish(mut self) -> io::Result<()> {
        if self.is_unchanged()? {
            return Ok(());
        }
        if let Some(journal) = &mut self.journal {
            journal.flush()?;
        }
        publish(&self.store, &self.lines, &self.groups)?;
        self.store.remove(ResultPart::Journal)
    }

    /// Returns true if the result file need not be rewritten, since it holds the lines of this run in order and no others.
    fn is_unchanged(&self) -> io::Result<bool> {
        let mut end = 0;
        let is_kept = self.journal.is_none()
            && self.lines.len() == self.in_file
            && self.lines.iter().all(|line| {
                let is_next = line.offset == end;
                end += line.length;
                is_next
            });
        let Some(mut file) = self.store.read(ResultPart::Lines)?.filter(|_| is_kept) else {
            return Ok(false);
        };
        Ok(file.seek(SeekFrom::End(0))? == end)
    }
}

/// Replaces the result file by `lines`, and the key file by their keys and the groups of readings that these name, all copied
/// from the present files and the journal; `groups` tells where the groups of earlier runs are.
fn publish(
    store: &impl ResultStore,
    lines: &[StoredLine],
    groups: &HashMap<GroupId, GroupPlace>,
) -> io::Result<()> {
    let mut open = OpenParts::of(store, [ResultPart::Keys, ResultPart::Journal])?;
    store.replace(ResultPart::Keys, &mut |out| {
        // If no key is of an earlier run, the journal contains each group once.
        let is_mixed = lines.iter().any(|line| line.earlier_key().is_some());
        let mut written: HashSet<GroupId> = HashSet::new();
        for line in lines {
            match &line.key {
                StoredKey::Written { offset, length } if !is_mixed => {
                    open.copy(ResultPart::Journal, *offset, *length, out)?;
                }
                StoredKey::Written { offset, length } => {
                    let mut entries = Vec::new();
                    open.copy(ResultPart::Journal, *offset, *length, &mut entries)?;
                    for entry in entries.split_inclusive(|byte| *byte == b'\n') {
                        if group_id(entry).is_none_or(|id| written.insert(id)) {
                            out.write_all(entry)?;
                        }
                    }
                }
                StoredKey::Earlier(key) => {
                    for id in &key.groups {
                        if let Some(group) = groups.get(id)
                            && written.insert(*id)
                        {
                            open.copy(group.part, group.offset, group.length, out)?;
                        }
                    }
                    out.write_all(KeyEntry::Line((**key).clone()).text().as_bytes())?;
                }
            }
        }
        Ok(())
    })?;
    let mut open = OpenParts::of(store, [ResultPart::Lines, ResultPart::Journal])?;
    store.replace(ResultPart::Lines, &mut |out| {
        lines.iter().try_for_each(|line| open.copy(line.part, line.offset, line.length, out))
    })
}

/// The files of a result that are open for copying lines, by part.
struct OpenParts(BTreeMap<ResultPart, BufReader<Box<dyn SeekableRead>>>);

impl OpenParts {
    /// Opens two files of a stored result for reading; one that does not exist is left out.
    fn of(store: &impl ResultStore, parts: [ResultPart; 2]) -> io::Result<OpenParts> {
        let mut open = BTreeMap::new();
        for part in parts {
            if let Some(file) = store.read(part)? {
                open.insert(part, BufReader::with_capacity(1 << 16, file));
            }
        }
        Ok(OpenParts(open))
    }

    /// Copies a range of bytes of one of the open files to `out`.
    fn copy(
        &mut self,
        part: ResultPart,
        offset: u64,
        length: u64,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let file = self.0.get_mut(&part).ok_or(io::ErrorKind::NotFound)?;
        let position = file.stream_position()?;
        // The next range to copy usually follows this one, so the buffer often contains it already.
        file.seek_relative(offset.wrapping_sub(position) as i64)?;
        let copied = io::copy(&mut file.take(length), out)?;
        if copied == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// The first bytes of a line of the key file that stores a group of readings.
const GROUP_BEGIN: &[u8] = b"{\"group\":\"";

/// Returns the identifier of the group of readings that a line of the key file stores; `None` for any other line.
fn group_id(entry: &[u8]) -> Option<GroupId> {
    let rest = entry.strip_prefix(GROUP_BEGIN)?;
    let id = rest.split(|byte| *byte == b'"').next()?;
    GroupId::read(std::str::from_utf8(id).ok()?)
}

/// A reader of whole lines with their offsets.
struct LineReader {
    file: BufReader<Box<dyn SeekableRead>>,
    /// The offset of the next line.
    offset: u64,
    text: Vec<u8>,
}

impl LineReader {
    /// Opens a file of the stored result for reading by lines; `None` if the file does not exist.
    fn of(store: &impl ResultStore, part: ResultPart) -> io::Result<Option<LineReader>> {
        let read = |file| LineReader { file: BufReader::new(file), offset: 0, text: Vec::new() };
        Ok(store.read(part)?.map(read))
    }

    /// Reads the next whole line, without its end, into `text`; returns false at the end of the file, and at an incomplete line.
    fn next(&mut self) -> io::Result<bool> {
        self.text.clear();
        self.offset += self.file.read_until(b'\n', &mut self.text)? as u64;
        Ok(self.text.pop_if(|last| *last == b'\n').is_some())
    }
}

/// Reads result lines with their keys, from a key file and its file `lines`, or from a journal, in which each line follows its
/// key, and adds the places of the groups of readings found to `groups`. Lines that do not match their keys are dropped.
fn keyed_lines(
    part: ResultPart,
    mut keys: LineReader,
    mut lines: Option<LineReader>,
    groups: &mut HashMap<GroupId, GroupPlace>,
) -> io::Result<Vec<StoredLine>> {
    let mut found = Vec::new();
    loop {
        let entry = keys.offset;
        if !keys.next()? {
            break;
        }
        if keys.text.starts_with(GROUP_BEGIN) {
            let (Some(id), length) = (group_id(&keys.text), keys.offset - entry) else { continue };
            // In a journal each line follows its key.
            let part = if lines.is_some() { ResultPart::Keys } else { part };
            groups.entry(id).or_insert(GroupPlace { part, offset: entry, length });
            continue;
        }
        let Ok(key) = serde_json::from_slice::<LineKey>(&keys.text) else { break };
        let file = lines.as_mut().unwrap_or(&mut keys);
        let offset = file.offset;
        if !file.next()? {
            break;
        }
        if std::str::from_utf8(&file.text).is_ok_and(|line| hex_digest(&line) == key.line) {
            let key = StoredKey::Earlier(Box::new(key));
            found.push(StoredLine { key, part, offset, length: file.offset - offset });
        }
    }
    Ok(found)
}

/// Returns the positions and keys of the lines in the result file, without lines that do not match their keys, and adds the
/// places of the groups of readings in the key file to `groups`.
fn stored_lines(
    store: &impl ResultStore,
    groups: &mut HashMap<GroupId, GroupPlace>,
) -> io::Result<Vec<StoredLine>> {
    let keys = LineReader::of(store, ResultPart::Keys)?;
    match (keys, LineReader::of(store, ResultPart::Lines)?) {
        (Some(keys), Some(lines)) => keyed_lines(ResultPart::Lines, keys, Some(lines), groups),
        _ => Ok(Vec::new()),
    }
}

/// Returns the positions and keys of the complete lines in the journal, and adds the places of the groups of readings found
/// there to `groups`.
fn journal_lines(
    store: &impl ResultStore,
    groups: &mut HashMap<GroupId, GroupPlace>,
) -> io::Result<Vec<StoredLine>> {
    match LineReader::of(store, ResultPart::Journal)? {
        Some(journal) => keyed_lines(ResultPart::Journal, journal, None, groups),
        None => Ok(Vec::new()),
    }
}
