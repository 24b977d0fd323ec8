//! A host that records each request and a digest of its answer. Repeating the requests shows if anything relevant has changed.
//! Failed requests are recorded, too: a missing file may appear.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_runtime::{DirEntry, EntryKind, Host, HostError, OverlayHost};
use groma_syntax::{Source, Sources};
use rustc_hash::FxHashMap;

use crate::answer_digest::{
    HeldDigests, PieceDigest, digest, digest_of_pieces, read, result_digest,
};
use crate::kept_stamps::KeptStamps;
use crate::touched_paths::{RealPaths, TouchedPaths};

/// A request to a host, such as reading a file, with its path or the name of an environment variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum HostRequest {
    Read(String),
    /// Reading of a file in pieces.
    Open(String),
    Length(String),
    List(String),
    Canonical(String),
    Kind(String),
    Admits(String),
    Env(String),
    EnvNames,
    Hides,
    Current,
    Home,
}

impl HostRequest {
    /// Returns the path that the request is about; `None` for environment variables and the host itself.
    fn path(&self) -> Option<&str> {
        match self {
            HostRequest::Read(path)
            | HostRequest::Open(path)
            | HostRequest::Length(path)
            | HostRequest::List(path)
            | HostRequest::Canonical(path)
            | HostRequest::Kind(path)
            | HostRequest::Admits(path) => Some(path),
            HostRequest::Env(_)
            | HostRequest::EnvNames
            | HostRequest::Hides
            | HostRequest::Current
            | HostRequest::Home => None,
        }
    }
}

/// The record of a host's answer: its digest, and true if values depend on it.
#[derive(Clone, Copy, Debug)]
struct HostAnswer {
    digest: (u64, u64),
    /// The length in bytes of a file that was read as a whole and is UTF-8; `None` for other answers.
    text: Option<u64>,
    /// True if values depend on the answer, false if only declarations do.
    is_late: bool,
}

/// The answers of a host recorded so far, by request, and true once loading has ended.
#[derive(Default)]
struct HostNotes {
    /// The answers by request; shared while the requests are repeated.
    seen: Arc<BTreeMap<HostRequest, HostAnswer>>,
    /// The version of the records, increased with each that is added or invalidated.
    version: u64,
    is_late: bool,
}

impl HostRequest {
    /// Returns the request in a form that can be stored: the letter of its kind, and its path or name, which is empty for
    /// requests about the host itself.
    fn parts(&self) -> (char, &str) {
        match self {
            HostRequest::Read(path) => ('r', path),
            HostRequest::Open(path) => ('o', path),
            HostRequest::Length(path) => ('l', path),
            HostRequest::List(dir) => ('d', dir),
            HostRequest::Canonical(path) => ('c', path),
            HostRequest::Kind(path) => ('k', path),
            HostRequest::Admits(path) => ('a', path),
            HostRequest::Env(name) => ('e', name),
            HostRequest::EnvNames => ('n', ""),
            HostRequest::Hides => ('h', ""),
            HostRequest::Current => ('p', ""),
            HostRequest::Home => ('u', ""),
        }
    }

    /// Returns the request with this letter and this path or name, as [`HostRequest::parts`] returns them; `None` for an
    /// unknown letter.
    fn of(kind: char, name: &str) -> Option<HostRequest> {
        let name = || name.to_owned();
        Some(match kind {
            'r' => HostRequest::Read(name()),
            'o' => HostRequest::Open(name()),
            'l' => HostRequest::Length(name()),
            'd' => HostRequest::List(name()),
            'c' => HostRequest::Canonical(name()),
            'k' => HostRequest::Kind(name()),
            'a' => HostRequest::Admits(name()),
            'e' => HostRequest::Env(name()),
            'n' => HostRequest::EnvNames,
            'h' => HostRequest::Hides,
            'p' => HostRequest::Current,
            'u' => HostRequest::Home,
            _ => return None,
        })
    }
}

/// A recorded request to a host and the digest of its answer, in a form that can be stored.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HostReading {
    /// The letter of the request's kind.
    pub kind: char,
    /// The path or the name of the environment variable; empty for requests about the host itself.
    pub name: String,
    /// The digest of the answer: 128 bits.
    pub digest: (u64, u64),
}

impl HostReading {
    /// Reads a file from a host and returns the record of it: the request and the digest of the content.
    pub fn of_file(host: &dyn Host, path: &str) -> HostReading {
        HostReading { kind: 'r', name: path.to_owned(), digest: read(&host.read(path)) }
    }

    /// Makes a request, given by its letter and its path or name, and returns the record of it; `None` for an unknown letter.
    pub fn of_request(host: &dyn Host, kind: char, name: &str) -> Option<HostReading> {
        let digest = repeated_digest(host, &HostRequest::of(kind, name)?);
        Some(HostReading { kind, name: name.to_owned(), digest })
    }

    /// Returns the path of a request, given by its letter and its path or name; `None` if it is not about a path.
    pub fn path_of(kind: char, name: &str) -> Option<&str> {
        HostRequest::of(kind, name)?.path().map(|_| name)
    }

    /// Returns true for the letter of the requests that list a directory.
    pub fn is_listing(kind: char) -> bool {
        matches!(HostRequest::of(kind, ""), Some(HostRequest::List(_)))
    }
}

/// The result of repeating recorded requests: whether no answer has changed, only answers that loading needed, or answers
/// that values depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HostChange {
    Nothing,
    /// Only answers that were needed for loading have changed.
    Code,
    /// Answers that values depend on have changed.
    Data,
}

/// A host that passes requests to the host below, and records them with digests of the answers.
pub(crate) struct RecordingHost {
    below: Arc<dyn Host>,
    notes: Arc<Mutex<HostNotes>>,
    /// The digests of texts that the host below holds in memory.
    held: Arc<HeldDigests>,
    /// The files that need not be read again during loading; `None` after it.
    unread: Mutex<Option<UnreadFiles>>,
    /// The stamps of all answers, taken when the answers are compared.
    stamps: KeptStamps,
    /// In watched mode, the cache of resolved paths, and the number of the load that uses it.
    real: Option<(SharedRealPaths, u64)>,
}

/// The cache of resolved paths that the loads of a root share.
pub(crate) type SharedRealPaths = Arc<Mutex<RealPaths>>;

/// The files that an earlier load has read and need not be read again unless they were touched, with their texts.
struct UnreadFiles {
    notes: Arc<Mutex<HostNotes>>,
    texts: FxHashMap<String, Arc<Source>>,
    touched: TouchedPaths,
    real: SharedRealPaths,
}

impl UnreadFiles {
    /// Returns the request to read a file and the answer recorded for it; `None` if the earlier load has not read the file.
    fn recorded_read(&self, path: &str) -> Option<(HostRequest, HostAnswer)> {
        let request = HostRequest::Read(path.to_owned());
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = *notes.seen.get(&request)?;
        Some((request, seen))
    }

    /// Returns true if a file has been touched since the earlier load, by its path as written or with links resolved.
    fn is_touched(&self, path: &str, host: &dyn Host) -> bool {
        RealPaths::locked(&self.real).is_touched(&self.touched, path, host)
    }
}

/// Returns directory entries sorted and in a form that can be hashed: the name, true for a file, and true for a directory.
fn sorted(mut entries: Vec<DirEntry>) -> Vec<(String, bool, bool)> {
    entries.sort();
    let told = |entry: DirEntry| {
        (entry.name, entry.kind == EntryKind::File, entry.kind == EntryKind::Directory)
    };
    entries.into_iter().map(told).collect()
}

/// Repeats a recorded request on a host and returns the digest of its answer.
fn repeated_digest(host: &dyn Host, request: &HostRequest) -> (u64, u64) {
    match request {
        HostRequest::Read(path) => read(&host.read(path)),
        HostRequest::Open(path) => match host.open(path) {
            Ok(pieces) => digest_of_pieces(pieces),
            Err(why) => digest(&why.to_string()),
        },
        HostRequest::Length(path) => result_digest(&host.length(path)),
        HostRequest::List(dir) => result_digest(&host.list(dir).map(sorted)),
        HostRequest::Canonical(path) => result_digest(&host.canonical(path)),
        HostRequest::Kind(path) => result_digest(&host.kind(path).map(|kind| kind as u8)),
        HostRequest::Admits(path) => result_digest(&host.check_code_access(path)),
        HostRequest::Env(name) => digest(&host.env(name)),
        HostRequest::EnvNames => digest(&host.env_names()),
        HostRequest::Hides => digest(&host.hides_environment()),
        HostRequest::Current => digest(&host.current_dir()),
        HostRequest::Home => digest(&host.home()),
    }
}

impl RecordingHost {
    /// Creates a recording host over the host `below`, with nothing recorded yet.
    pub(crate) fn new(below: Arc<dyn Host>) -> RecordingHost {
        RecordingHost {
            below,
            notes: Arc::default(),
            held: Arc::default(),
            unread: Mutex::default(),
            stamps: KeptStamps::default(),
            real: None,
        }
    }

    /// Returns the host set to use the cache of resolved paths that the loads of a root share.
    pub(crate) fn with_real_paths(self, real: SharedRealPaths) -> RecordingHost {
        let load = RealPaths::locked(&real).load();
        RecordingHost { real: Some((real, load)), ..self }
    }

    /// Returns the host set to use a shared cache of digests of the texts that the host below holds in memory.
    pub(crate) fn with_text_digests(self, held: Arc<HeldDigests>) -> RecordingHost {
        RecordingHost { held, ..self }
    }

    /// Returns the host set to answer from `sources` during loading, for files that `older` has read and that were not
    /// `touched` since; `real` is the cache by which paths are resolved for this comparison.
    pub(crate) fn with_unread_files(
        self,
        older: &RecordingHost,
        sources: &Sources,
        touched: TouchedPaths,
        real: SharedRealPaths,
    ) -> RecordingHost {
        let texts = sources.iter().map(|(_, source)| (source.name().to_owned(), source.clone()));
        let (notes, texts) = (older.notes.clone(), texts.collect());
        let unread = Some(UnreadFiles { notes, texts, touched, real });
        RecordingHost { unread: Mutex::new(unread), ..self }
    }

    /// Locks the list of files that need not be read again.
    fn unread_files(&self) -> MutexGuard<'_, Option<UnreadFiles>> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the content of a file that need not be read again, or the error that it does not exist; `None` if it has to be
    /// read.
    fn unread(&self, path: &str) -> Option<Result<Vec<u8>, HostError>> {
        let unread = self.unread_files();
        let unread = unread.as_ref()?;
        let (request, seen) = unread.recorded_read(path)?;
        if unread.is_touched(path, &*self.below) {
            return None;
        }
        let absent = Err(HostError::Absent);
        let answer = match unread.texts.get(path).map(|source| source.text()) {
            // A text whose length differs from the file's is not what was read.
            Some(text) if seen.text == Some(text.len() as u64) => Ok(text.as_bytes().to_vec()),
            _ if read(&absent) == seen.digest => absent,
            _ => return None,
        };
        note(&mut self.notes(), request, seen.digest, seen.text);
        Some(answer)
    }

    /// Returns the length in bytes of a file that need not be read again; `None` if the host below has to be asked.
    fn unread_length(&self, path: &str) -> Option<u64> {
        let unread = self.unread_files();
        let unread = unread.as_ref()?;
        let (request, seen) = unread.recorded_read(path)?;
        let length = seen.text?;
        let is_text = unread.texts.get(path)?.text().len() as u64 == length;
        if !is_text || unread.is_touched(path, &*self.below) {
            return None;
        }
        note(&mut self.notes(), request, seen.digest, seen.text);
        Some(length)
    }

    /// Records the content of a file that was read as a whole, or the error.
    fn note_read(&self, path: &str, answer: &Result<Vec<u8>, HostError>) {
        let is_text = |bytes: &&Vec<u8>| std::str::from_utf8(bytes).is_ok();
        let text = answer.as_ref().ok().filter(is_text).map(|bytes| bytes.len() as u64);
        let held = self.below.held(path).filter(|_| answer.is_ok());
        let digest = held.map_or_else(|| read(answer), |text| self.held.of(&text));
        note(&mut self.notes(), HostRequest::Read(path.to_owned()), digest, text);
    }

    /// Locks the recorded answers, even if a thread has panicked while it held the lock.
    fn notes(&self) -> MutexGuard<'_, HostNotes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a request with the digest of its answer.
    fn note(&self, request: HostRequest, digest: (u64, u64)) {
        note(&mut self.notes(), request, digest, None);
    }

    /// Marks the end of loading: values depend on answers to requests from now on.
    pub(crate) fn loaded(&self) {
        self.notes().is_late = true;
        *self.unread_files() = None;
        self.real.iter().for_each(|(real, _)| RealPaths::locked(real).end());
    }

    /// Copies the answers that values depend on from an older host's records, because these values are still cached.
    pub(crate) fn keep(&self, older: &RecordingHost) {
        let late: Vec<(HostRequest, HostAnswer)> = {
            let older = older.notes();
            let late = older.seen.iter().filter(|(_, seen)| seen.is_late);
            late.map(|(request, seen)| (request.clone(), *seen)).collect()
        };
        let mut notes = self.notes();
        notes.version += 1;
        for (request, seen) in late {
            Arc::make_mut(&mut notes.seen).entry(request).or_insert(seen).is_late = true;
        }
    }

    /// Returns an estimate of the bytes that the recorded answers use.
    pub(crate) fn held_bytes(&self) -> usize {
        let notes = self.notes();
        let paths: usize = notes.seen.keys().map(|request| request.parts().1.len()).sum();
        notes.seen.len() * size_of::<(HostRequest, HostAnswer)>() + paths
    }

    /// Returns all requests recorded so far with the digests of their answers, sorted by kind and name.
    pub(crate) fn readings(&self) -> Vec<HostReading> {
        let notes = self.notes();
        let readings = notes.seen.iter().map(|(request, seen)| {
            let (kind, name) = request.parts();
            HostReading { kind, name: name.to_owned(), digest: seen.digest }
        });
        readings.collect()
    }

    /// Compares the recorded answers with those of the host `now`, and returns the kind of change: with the touched paths and
    /// the cache of resolved paths in `known`, requests about other paths are not repeated; without these, all requests are,
    /// unless the [stamps](KeptStamps) of an earlier comparison are current.
    pub(crate) fn change(
        &self,
        now: &OverlayHost,
        known: Option<(&TouchedPaths, &mut RealPaths)>,
    ) -> HostChange {
        let (seen, version) = {
            let notes = self.notes();
            (notes.seen.clone(), notes.version)
        };
        if known.is_some() {
            return self.repeated(&seen, now, known);
        }
        if self.stamps.are_current(version, now) {
            return HostChange::Nothing;
        }
        let look = if self.stamps.begin() { now.below.for_stamped_look() } else { None };
        let Some(look) = look else { return self.repeated(&seen, now, known) };
        let below = look.host().unwrap_or_else(|| now.below.clone());
        let noted = OverlayHost { below, texts: now.texts.clone() };
        let change = self.repeated(&seen, &noted, known);
        if change == HostChange::Nothing
            && let Some(stamps) = look.stamps()
        {
            self.stamps.keep(version, now, stamps);
        }
        change
    }

    /// Repeats the recorded requests `seen` on the host `now`, without regard to stamps, and returns the kind of change; with
    /// the touched paths and the cache of resolved paths in `known`, requests about other paths are skipped.
    fn repeated(
        &self,
        seen: &BTreeMap<HostRequest, HostAnswer>,
        now: &OverlayHost,
        mut known: Option<(&TouchedPaths, &mut RealPaths)>,
    ) -> HostChange {
        let at_once = now.cached_view();
        let now = at_once.as_deref().unwrap_or(now);
        let mut change = HostChange::Nothing;
        for (request, seen) in seen.iter() {
            if let (Some((touched, real)), Some(path)) = (&mut known, request.path())
                && !real.is_touched(touched, path, now)
            {
                continue;
            }
            let held = match request {
                HostRequest::Read(path) => now.held(path),
                _ => None,
            };
            let digest =
                held.map_or_else(|| repeated_digest(now, request), |text| self.held.of(&text));
            if digest != seen.digest {
                change = HostChange::Code;
                if seen.is_late {
                    return HostChange::Data;
                }
            }
        }
        change
    }
}

/// Records a request with the digest of its answer and, for a whole file that is UTF-8, its length in bytes, `text`. A
/// second, different answer invalidates the record.
fn note(notes: &mut HostNotes, request: HostRequest, digest: (u64, u64), text: Option<u64>) {
    let is_late = notes.is_late;
    let all = Arc::make_mut(&mut notes.seen);
    let count = all.len();
    let seen = all.entry(request).or_insert(HostAnswer { digest, text, is_late });
    seen.is_late |= is_late;
    let is_other = seen.digest != digest;
    if is_other {
        // The answer has changed during the load, so no digest may match.
        (seen.digest, seen.text) = ((!digest.0, !digest.1), None);
    }
    notes.version += u64::from(is_other || notes.seen.len() > count);
}

/// A reader of a file in pieces that computes the digest of the content, and adds the request with this digest to the recorded
/// answers when it is dropped.
struct RecordedPieces {
    below: Box<dyn Read + Send>,
    digest: PieceDigest,
    path: String,
    notes: Arc<Mutex<HostNotes>>,
}

impl Read for RecordedPieces {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.below.read(into)?;
        self.digest.add(&into[..count]);
        Ok(count)
    }
}

impl Drop for RecordedPieces {
    fn drop(&mut self) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let request = HostRequest::Open(std::mem::take(&mut self.path));
        note(&mut notes, request, self.digest.finish(), None);
    }
}

impl Host for RecordingHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        if let Some(answer) = self.unread(path) {
            return answer;
        }
        let answer = self.below.read(path);
        self.note_read(path, &answer);
        answer
    }

    fn read_within(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        let fits = |known: &Result<Vec<u8>, HostError>| {
            known.as_ref().map_or(true, |bytes| bytes.len() as u64 <= most)
        };
        if let Some(answer) = self.unread(path).filter(fits) {
            return answer;
        }
        let answer = self.below.read_within(path, most);
        match &answer {
            // A longer read may have another answer.
            Err(HostError::TooLong { .. }) => drop(self.length(path)),
            _ => self.note_read(path, &answer),
        }
        answer
    }

    fn length(&self, path: &str) -> Result<u64, HostError> {
        if let Some(length) = self.unread_length(path) {
            return Ok(length);
        }
        let answer = self.below.length(path);
        self.note(HostRequest::Length(path.to_owned()), result_digest(&answer));
        answer
    }

    fn open(&self, path: &str) -> Result<Box<dyn Read + Send>, HostError> {
        let below = self.below.open(path).inspect_err(|why| {
            self.note(HostRequest::Open(path.to_owned()), digest(&why.to_string()));
        })?;
        let (digest, path, notes) = (PieceDigest::default(), path.to_owned(), self.notes.clone());
        Ok(Box::new(RecordedPieces { below, digest, path, notes }))
    }

    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        let answer = self.below.list(dir);
        self.note(HostRequest::List(dir.to_owned()), result_digest(&answer.clone().map(sorted)));
        answer
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        let answer = match &self.real {
            Some((real, load)) => RealPaths::canonical(real, *load, path, &*self.below),
            None => self.below.canonical(path),
        };
        self.note(HostRequest::Canonical(path.to_owned()), result_digest(&answer));
        answer
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        let answer = self.below.kind(path);
        self.note(
            HostRequest::Kind(path.to_owned()),
            result_digest(&answer.clone().map(|kind| kind as u8)),
        );
        answer
    }

    fn check_code_access(&self, path: &str) -> Result<(), HostError> {
        let answer = self.below.check_code_access(path);
        self.note(HostRequest::Admits(path.to_owned()), result_digest(&answer));
        answer
    }

    fn hides_environment(&self) -> bool {
        let answer = self.below.hides_environment();
        self.note(HostRequest::Hides, digest(&answer));
        answer
    }

    fn env(&self, name: &str) -> Option<String> {
        let answer = self.below.env(name);
        self.note(HostRequest::Env(name.to_owned()), digest(&answer));
        answer
    }

    fn env_names(&self) -> Vec<String> {
        let answer = self.below.env_names();
        self.note(HostRequest::EnvNames, digest(&answer));
        answer
    }

    fn current_dir(&self) -> String {
        let answer = self.below.current_dir();
        self.note(HostRequest::Current, digest(&answer));
        answer
    }

    fn home(&self) -> Option<String> {
        let answer = self.below.home();
        self.note(HostRequest::Home, digest(&answer));
        answer
    }
}
