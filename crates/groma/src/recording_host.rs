//! A host that records each question and a digest of its answer, so that asking again shows whether anything that counted
//! has changed. Questions without an answer count too: a file that was missing may come.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groma_runtime::{DirEntry, EntryKind, Host, HostError};
use rustc_hash::FxHasher;

/// A question to a host.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum HostQuestion {
    Read(String),
    /// The same of a file of any length.
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

/// The remembered part of an answer.
#[derive(Clone, Copy, Debug)]
struct HostAnswer {
    digest: (u64, u64),
    /// True if a value rests on it, and not only what is declared.
    is_late: bool,
}

#[derive(Default)]
struct HostNotes {
    seen: BTreeMap<HostQuestion, HostAnswer>,
    is_late: bool,
}

impl HostQuestion {
    /// The letter of its kind and the name that it asks about, which is empty for questions about the host itself.
    fn parts(&self) -> (char, &str) {
        match self {
            HostQuestion::Read(path) => ('r', path),
            HostQuestion::Open(path) => ('o', path),
            HostQuestion::Length(path) => ('l', path),
            HostQuestion::List(dir) => ('d', dir),
            HostQuestion::Canonical(path) => ('c', path),
            HostQuestion::Kind(path) => ('k', path),
            HostQuestion::Admits(path) => ('a', path),
            HostQuestion::Env(name) => ('e', name),
            HostQuestion::EnvNames => ('n', ""),
            HostQuestion::Hides => ('h', ""),
            HostQuestion::Current => ('p', ""),
            HostQuestion::Home => ('u', ""),
        }
    }

    /// The question with these [parts](HostQuestion::parts), if there is such a kind.
    fn of(kind: char, name: &str) -> Option<HostQuestion> {
        let name = || name.to_owned();
        Some(match kind {
            'r' => HostQuestion::Read(name()),
            'o' => HostQuestion::Open(name()),
            'l' => HostQuestion::Length(name()),
            'd' => HostQuestion::List(name()),
            'c' => HostQuestion::Canonical(name()),
            'k' => HostQuestion::Kind(name()),
            'a' => HostQuestion::Admits(name()),
            'e' => HostQuestion::Env(name()),
            'n' => HostQuestion::EnvNames,
            'h' => HostQuestion::Hides,
            'p' => HostQuestion::Current,
            'u' => HostQuestion::Home,
            _ => return None,
        })
    }
}

/// One recorded question to a host and the digest of its answer, in a form that can be stored.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HostReading {
    /// The letter of the question's kind.
    pub kind: char,
    /// The path or the variable that it asks about; empty for questions about the host itself.
    pub name: String,
    /// The digest of the answer, of 128 bits.
    pub digest: (u64, u64),
}

impl HostReading {
    /// Asks a host for the content of a file.
    pub fn of_file(host: &dyn Host, path: &str) -> HostReading {
        HostReading { kind: 'r', name: path.to_owned(), digest: read(&host.read(path)) }
    }

    /// Returns true if a host still gives the same answer. A reading of an unknown kind is never current.
    pub fn is_current(&self, host: &dyn Host) -> bool {
        HostQuestion::of(self.kind, &self.name)
            .is_some_and(|question| asked(host, &question) == self.digest)
    }
}

/// The change since a host was recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HostChange {
    Nothing,
    /// Only what was read while loading.
    Code,
    /// Something that values rest on.
    Data,
}

/// A host that is watched.
pub(crate) struct RecordingHost {
    below: Arc<dyn Host>,
    notes: Arc<Mutex<HostNotes>>,
}

fn digest(answer: &impl Hash) -> (u64, u64) {
    // Two ways of mixing, as one of 64 bits is short for long use.
    let mut one = std::hash::DefaultHasher::new();
    let mut other = FxHasher::default();
    answer.hash(&mut one);
    answer.hash(&mut other);
    (one.finish(), other.finish())
}

fn sorted(mut entries: Vec<DirEntry>) -> Vec<(String, bool, bool)> {
    entries.sort();
    let told = |entry: DirEntry| {
        (entry.name, entry.kind == EntryKind::File, entry.kind == EntryKind::Directory)
    };
    entries.into_iter().map(told).collect()
}

fn told<T: Hash>(answer: &Result<T, HostError>) -> (u64, u64) {
    match answer {
        Ok(answer) => digest(answer),
        Err(why) => digest(&why.to_string()),
    }
}

/// The digest of a host's answer.
fn asked(host: &dyn Host, question: &HostQuestion) -> (u64, u64) {
    match question {
        HostQuestion::Read(path) => read(&host.read(path)),
        HostQuestion::Open(path) => match host.open(path) {
            Ok(pieces) => digest_of_pieces(pieces),
            Err(why) => digest(&why.to_string()),
        },
        HostQuestion::Length(path) => told(&host.length(path)),
        HostQuestion::List(dir) => told(&host.list(dir).map(sorted)),
        HostQuestion::Canonical(path) => told(&host.canonical(path)),
        HostQuestion::Kind(path) => told(&host.kind(path).map(|kind| kind as u8)),
        HostQuestion::Admits(path) => told(&host.admits_code(path)),
        HostQuestion::Env(name) => digest(&host.env(name)),
        HostQuestion::EnvNames => digest(&host.env_names()),
        HostQuestion::Hides => digest(&host.hides_environment()),
        HostQuestion::Current => digest(&host.current_dir()),
        HostQuestion::Home => digest(&host.home()),
    }
}

/// The digest of bytes that come in pieces, whatever the pieces are.
#[derive(Default)]
struct PieceDigest {
    one: std::hash::DefaultHasher,
    other: u64,
    length: u64,
}

impl PieceDigest {
    fn add(&mut self, bytes: &[u8]) {
        self.one.write(bytes);
        for byte in bytes {
            self.other = (self.other ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self.length += bytes.len() as u64;
    }

    fn finish(&self) -> (u64, u64) {
        (self.one.finish(), self.other ^ self.length)
    }
}

/// The digest of a file that was read as a whole.
fn read(answer: &Result<Vec<u8>, HostError>) -> (u64, u64) {
    match answer {
        Ok(bytes) => {
            let mut all = PieceDigest::default();
            all.add(bytes);
            all.finish()
        }
        Err(why) => digest(&why.to_string()),
    }
}

fn digest_of_pieces(mut pieces: Box<dyn Read + Send>) -> (u64, u64) {
    let mut all = PieceDigest::default();
    let mut piece = vec![0; 64 << 10];
    loop {
        match pieces.read(&mut piece) {
            Ok(0) => return all.finish(),
            Ok(count) => all.add(&piece[..count]),
            Err(why) => return digest(&why.to_string()),
        }
    }
}

impl RecordingHost {
    pub(crate) fn new(below: Arc<dyn Host>) -> RecordingHost {
        RecordingHost { below, notes: Arc::default() }
    }

    fn notes(&self) -> MutexGuard<'_, HostNotes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, question: HostQuestion, digest: (u64, u64)) {
        note(&mut self.notes(), question, digest);
    }

    /// Says that loading is over: what is asked from now on is what values rest on.
    pub(crate) fn loaded(&self) {
        self.notes().is_late = true;
    }

    /// Takes over what the values of an older one rest on, as they are kept.
    pub(crate) fn keep(&self, older: &RecordingHost) {
        let late: Vec<(HostQuestion, HostAnswer)> = {
            let older = older.notes();
            let late = older.seen.iter().filter(|(_, seen)| seen.is_late);
            late.map(|(question, seen)| (question.clone(), *seen)).collect()
        };
        let mut notes = self.notes();
        for (question, seen) in late {
            notes.seen.entry(question).or_insert(seen).is_late = true;
        }
    }

    /// Everything that was asked so far, in the order of kinds and names.
    pub(crate) fn readings(&self) -> Vec<HostReading> {
        let notes = self.notes();
        let readings = notes.seen.iter().map(|(question, seen)| {
            let (kind, name) = question.parts();
            HostReading { kind, name: name.to_owned(), digest: seen.digest }
        });
        readings.collect()
    }

    /// Returns what another host answers otherwise.
    pub(crate) fn change(&self, now: &dyn Host) -> HostChange {
        let seen: Vec<(HostQuestion, HostAnswer)> =
            self.notes().seen.iter().map(|(question, seen)| (question.clone(), *seen)).collect();
        let mut change = HostChange::Nothing;
        for (question, seen) in seen {
            if asked(now, &question) != seen.digest {
                change = HostChange::Code;
                if seen.is_late {
                    return HostChange::Data;
                }
            }
        }
        change
    }
}

fn note(notes: &mut HostNotes, question: HostQuestion, digest: (u64, u64)) {
    let is_late = notes.is_late;
    let seen = notes.seen.entry(question).or_insert(HostAnswer { digest, is_late });
    seen.is_late |= is_late;
    if seen.digest != digest {
        // It has changed while it was looked at, so it is the same as nothing.
        seen.digest = (!digest.0, !digest.1);
    }
}

/// A file that is read piece by piece.
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
        note(&mut notes, HostQuestion::Open(std::mem::take(&mut self.path)), self.digest.finish());
    }
}

impl Host for RecordingHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        let answer = self.below.read(path);
        self.note(HostQuestion::Read(path.to_owned()), read(&answer));
        answer
    }

    fn read_within(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        let answer = self.below.read_within(path, most);
        match &answer {
            // A longer read may have another answer.
            Err(HostError::TooLong { .. }) => drop(self.length(path)),
            _ => self.note(HostQuestion::Read(path.to_owned()), read(&answer)),
        }
        answer
    }

    fn length(&self, path: &str) -> Result<u64, HostError> {
        let answer = self.below.length(path);
        self.note(HostQuestion::Length(path.to_owned()), told(&answer));
        answer
    }

    fn open(&self, path: &str) -> Result<Box<dyn Read + Send>, HostError> {
        let below = self.below.open(path).inspect_err(|why| {
            self.note(HostQuestion::Open(path.to_owned()), digest(&why.to_string()));
        })?;
        let (digest, path, notes) = (PieceDigest::default(), path.to_owned(), self.notes.clone());
        Ok(Box::new(RecordedPieces { below, digest, path, notes }))
    }

    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        let answer = self.below.list(dir);
        self.note(HostQuestion::List(dir.to_owned()), told(&answer.clone().map(sorted)));
        answer
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        let answer = self.below.canonical(path);
        self.note(HostQuestion::Canonical(path.to_owned()), told(&answer));
        answer
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        let answer = self.below.kind(path);
        self.note(
            HostQuestion::Kind(path.to_owned()),
            told(&answer.clone().map(|kind| kind as u8)),
        );
        answer
    }

    fn admits_code(&self, path: &str) -> Result<(), HostError> {
        let answer = self.below.admits_code(path);
        self.note(HostQuestion::Admits(path.to_owned()), told(&answer));
        answer
    }

    fn hides_environment(&self) -> bool {
        let answer = self.below.hides_environment();
        self.note(HostQuestion::Hides, digest(&answer));
        answer
    }

    fn env(&self, name: &str) -> Option<String> {
        let answer = self.below.env(name);
        self.note(HostQuestion::Env(name.to_owned()), digest(&answer));
        answer
    }

    fn env_names(&self) -> Vec<String> {
        let answer = self.below.env_names();
        self.note(HostQuestion::EnvNames, digest(&answer));
        answer
    }

    fn current_dir(&self) -> String {
        let answer = self.below.current_dir();
        self.note(HostQuestion::Current, digest(&answer));
        answer
    }

    fn home(&self) -> Option<String> {
        let answer = self.below.home();
        self.note(HostQuestion::Home, digest(&answer));
        answer
    }
}
